// A battle of two armies, watched by events; then a selection gets an order of its own. Before it visitors
// of a museum follow a guide through a door.

#include "throng.hpp"

#include <cinttypes>
#include <cstdio>
#include <vector>

static bool museum() {
    const std::vector<std::uint8_t> slowness(60 * 20, 16);
    auto map = throng_default_map();
    map.width = 60;
    map.height = 20;
    map.slowness = slowness.data();
    map.slowness_count = slowness.size();
    throng::Simulation sim(map);
    const auto guide = sim.add_group(), visitors = sim.add_group();
    auto vary = throng_default_vary();
    vary.speed = throng_uniform(1.0, 1.8);
    sim.vary(visitors, vary);
    sim.spawn(guide, throng_point(8, 10), 1);
    sim.spawn(visitors, throng_rect(2, 5, 7, 15), 20);
    const auto way_out = throng_rect(54, 2, 58, 18);
    sim.send(guide, way_out);
    sim.follow(visitors, guide);
    const auto door = sim.add_door(throng_rect(30, 8, 31, 12), false);
    const std::vector<ThrongShape> walls = {throng_rect(30, 0, 31, 8), throng_rect(30, 12, 31, 20)};
    const auto palisade = sim.add_structure(walls);
    auto stream = throng_default_source();
    stream.rate = 1;
    stream.end = 10;
    const auto street = sim.add_source(visitors, throng_rect(2, 2, 6, 18), stream);
    sim.add_sink(way_out, visitors);
    sim.step(300);
    const bool waited = !sim.is_open(door) && sim.traffic().left == 0;
    sim.close_source(street);
    sim.set_door(door, true);
    sim.step(600);
    // Those that are left take the nearest way out each.
    auto exit = throng_default_exit();
    exit.area = &way_out;
    exit.area_count = 1;
    auto exits = throng_default_exits();
    exits.exits = &exit;
    exits.exit_count = 1;
    sim.choose(visitors, exits);
    sim.step(600);
    const auto traffic = sim.traffic();
    std::printf("%" PRIu64 " came by the street, %" PRIu64 " have left\n", traffic.entered, traffic.left);
    return waited && sim.structure(palisade).stands == 1 && traffic.left == 20 + traffic.entered;
}

int main() {
    try {
        if (!museum()) {
            return 1;
        }
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
