// Plays a scenario and prints its digest after every tick, for a comparison with other programs.
// Arguments: the scenario, f32 or fixed, the ticks, a file for the replay.

#include "throng.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

int main(int count, char **arguments) {
    if (count != 5) {
        return 2;
    }
    try {
        auto changes = throng_default_scenario();
        const bool fixed = std::string(arguments[2]) == "fixed";
        changes.numeric = fixed ? THRONG_NUMERIC_FIXED : THRONG_NUMERIC_F32;
        auto sim = throng::Simulation::from_scenario(arguments[1], changes);
        sim.record(arguments[4], arguments[1]);
        for (long tick = std::strtol(arguments[3], nullptr, 10); tick > 0; tick--) {
            sim.step();
            std::printf("%016llx\n", static_cast<unsigned long long>(sim.digest()));
        }
        sim.finish_recording();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
