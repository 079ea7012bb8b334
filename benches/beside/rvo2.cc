// RVO2: ORCA of all agents, each towards its goal.
#include "crowd.h"

#include "RVO.h"

int main(int, char** args) {
    Crowd crowd = read_crowd(args[1]);
    RVO::RVOSimulator simulator;
    simulator.setTimeStep(STEP);
    // Range of 3 m, the 10 nearest, horizon of 2 s.
    simulator.setAgentDefaults(3.0f, 10, 2.0f, 2.0f, RADIUS, SPEED);
    for (Point place : crowd.places) simulator.addAgent(RVO::Vector2(place.x, place.y));
    auto place = [&](size_t i) {
        RVO::Vector2 at = simulator.getAgentPosition(i);
        return Point{at.x(), at.y()};
    };
    auto step = [&] {
        for (size_t i = 0; i < crowd.places.size(); i++) {
            Point to = way(place(i), crowd.goals[i]);
            simulator.setAgentPrefVelocity(i, RVO::Vector2(to.x, to.y));
        }
        simulator.doStep();
    };
    measure("RVO2", crowd, step, place);
}
