// A battle of two armies, watched by events; then a selection gets an order of its own.

#include "throng.hpp"

#include <cinttypes>
#include <cstdio>
#include <vector>

int main() {
    try {
        const std::vector<std::uint8_t> slowness(120 * 60, 16);
        auto map = throng_default_map();
        map.width = 120;
        map.height = 60;
        map.slowness = slowness.data();
        map.slowness_count = slowness.size();
        auto settings = throng_default_settings();
        settings.numeric = THRONG_NUMERIC_FIXED;
        throng::Simulation sim(map, settings);

        ThrongWeaponDef bow;
        throng::check(throng_weapon_preset("bow", &bow));
        const auto bows = sim.add_weapon(bow);
        auto archers = throng_default_group();
        archers.weapon = bows.index;
        archers.team = 0;
        archers.foes = 1u << 1;
        const auto red = sim.add_group(archers);
        archers.team = 1;
        archers.foes = 1u << 0;
        const auto blue = sim.add_group(archers);
        sim.spawn(red, throng_rect(5, 5, 25, 55), 80);
        sim.spawn(blue, throng_rect(95, 5, 115, 55), 60);
        sim.send(red, throng_rect(80, 5, 100, 55));
        sim.send(blue, throng_rect(20, 5, 40, 55));

        std::size_t fallen = 0, shots = 0;
        for (int tick = 0; tick < 1200; tick++) {
            sim.step();
            const auto events = sim.events();
            fallen += events.fallen_count;
            shots += events.impact_count;
        }
        std::printf("%zu of 140 stand, %zu fell, %zu shots ended\n", sim.size(), fallen, shots);

        // A selection box.
        const auto box = sim.within(throng_rect(0, 0, 120, 30));
        const std::vector<ThrongAgentId> chosen(box.begin(), box.end());
        if (!chosen.empty()) {
            sim.send(chosen, throng_disc(60, 30, 8));
        }
        const auto saved = sim.snapshot();
        sim.step(50);
        const auto digest = sim.digest();
        sim.restore(saved);
        sim.step(50);
        const auto again = sim.digest();
        std::printf("digest %016" PRIx64 ", again %016" PRIx64 "\n", digest, again);
        // A company ends, and an army leaves the field; their ids are refused from now on.
        auto members = throng_default_company();
        members.groups = &red;
        members.group_count = 1;
        const auto company = sim.add_company(members);
        const auto standing = sim.remove_company(company), leaving = sim.remove_group(blue);
        std::printf("%" PRIu32 " of red stand alone, %" PRIu32 " of blue leave\n", standing, leaving);
        const auto is_refused = [](auto call) {
            try {
                call();
            } catch (const throng::Error &error) {
                std::printf("refused: %s\n", error.what());
                return error.status() == THRONG_STATUS_NO_SUCH_INDEX;
            }
            return false;
        };
        const bool refused = is_refused([&] { sim.send(blue, throng_point(1, 1)); }) &&
                             is_refused([&] { sim.remove_company(company); });
        return refused && fallen > 0 && digest == again ? 0 : 1;
    } catch (const throng::Error &error) {
        std::fprintf(stderr, "throng: %s\n", error.what());
        return 1;
    }
}
