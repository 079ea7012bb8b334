// Box2D: discs without friction in a box, each given the velocity towards its goal at every step.
#include "crowd.h"

#include "box2d/box2d.h"

int main(int, char** args) {
    Crowd crowd = read_crowd(args[1]);
    b2WorldDef world_def = b2DefaultWorldDef();
    world_def.gravity = {0, 0};
    world_def.enableSleep = false;
    b2WorldId world = b2CreateWorld(&world_def);
    b2ShapeDef shape = b2DefaultShapeDef();
    shape.material.friction = 0;
    b2BodyDef ground_def = b2DefaultBodyDef();
    b2BodyId ground = b2CreateBody(world, &ground_def);
    b2Vec2 corners[4] = {{0, 0}, {crowd.side, 0}, {crowd.side, crowd.side}, {0, crowd.side}};
    for (int i = 0; i < 4; i++) {
        b2Segment wall = {corners[i], corners[(i + 1) % 4]};
        b2CreateSegmentShape(ground, &shape, &wall);
    }
    std::vector<b2BodyId> bodies;
    for (Point place : crowd.places) {
        b2BodyDef def = b2DefaultBodyDef();
        def.type = b2_dynamicBody;
        def.motionLocks.angularZ = true;
        def.position = {place.x, place.y};
        bodies.push_back(b2CreateBody(world, &def));
        b2Circle disc = {{0, 0}, RADIUS};
        b2CreateCircleShape(bodies.back(), &shape, &disc);
    }
    auto place = [&](size_t i) {
        auto at = b2Body_GetPosition(bodies[i]);
        return Point{float(at.x), float(at.y)};
    };
    auto step = [&] {
        for (size_t i = 0; i < bodies.size(); i++) {
            Point to = way(place(i), crowd.goals[i]);
            b2Body_SetLinearVelocity(bodies[i], {to.x, to.y});
        }
        b2World_Step(world, STEP, 4);
    };
    measure("Box2D", crowd, step, place);
    b2DestroyWorld(world);
}
