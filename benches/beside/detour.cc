// DetourCrowd: paths, corners and sampled velocities, on a mesh of one polygon.
#include "crowd.h"

#include "DetourCrowd.h"
#include "DetourNavMesh.h"
#include "DetourNavMeshBuilder.h"
#include "DetourNavMeshQuery.h"

#include <cstring>

static void need(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "DetourCrowd: %s\n", what);
    std::exit(1);
}

int main(int, char** args) {
    Crowd crowd = read_crowd(args[1]);
    const unsigned short side = (unsigned short)crowd.side;
    const unsigned short corners[] = {0, 0, 0, 0, 0, side, side, 0, side, side, 0, 0};
    const unsigned short polygon[] = {0, 1, 2, 3, 0xffff, 0xffff, 0xffff, 0xffff};
    const unsigned short flags[] = {1};
    const unsigned char areas[] = {0};
    dtNavMeshCreateParams params;
    std::memset(&params, 0, sizeof params);
    params.verts = corners;
    params.vertCount = 4;
    params.polys = polygon;
    params.polyFlags = flags;
    params.polyAreas = areas;
    params.polyCount = 1;
    params.nvp = 4;
    params.walkableHeight = 2;
    params.walkableRadius = RADIUS;
    params.walkableClimb = 0.5f;
    params.cs = params.ch = 1;
    params.bmax[0] = params.bmax[2] = crowd.side;
    params.bmax[1] = 1;
    unsigned char* data = nullptr;
    int size = 0;
    need(dtCreateNavMeshData(&params, &data, &size), "no mesh");
    dtNavMesh mesh;
    need(dtStatusSucceed(mesh.init(data, size, DT_TILE_FREE_DATA)), "the mesh is refused");

    dtCrowd agents;
    need(agents.init(int(crowd.places.size()), RADIUS, &mesh), "too many agents");
    dtCrowdAgentParams def;
    std::memset(&def, 0, sizeof def);
    def.radius = RADIUS;
    def.height = 1.8f;
    def.maxAcceleration = 8;
    def.maxSpeed = SPEED;
    def.collisionQueryRange = 3;
    def.pathOptimizationRange = 9;
    def.separationWeight = 2;
    def.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_SEPARATION;
    const float reach[3] = {1, 1, 1};
    for (size_t i = 0; i < crowd.places.size(); i++) {
        const float place[3] = {crowd.places[i].x, 0, crowd.places[i].y};
        const float goal[3] = {crowd.goals[i].x, 0, crowd.goals[i].y};
        int agent = agents.addAgent(place, &def);
        need(agent == int(i), "an agent is refused");
        dtPolyRef polygon_ref = 0;
        float nearest[3];
        agents.getNavMeshQuery()->findNearestPoly(goal, reach, agents.getFilter(0), &polygon_ref, nearest);
        need(agents.requestMoveTarget(agent, polygon_ref, nearest), "a goal is refused");
    }
    auto place = [&](size_t i) {
        const dtCrowdAgent* agent = agents.getAgent(int(i));
        return Point{agent->npos[0], agent->npos[2]};
    };
    measure("DetourCrowd", crowd, [&] { agents.update(STEP, nullptr); }, place);
}
