/* Calls every function of throng.h wrongly: null pointers, stale ids, wrong sizes, two threads at once.
 * Each gives its status and none crashes; run under valgrind and with the address sanitizer. */

#include "expect.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static void making(void) {
    ThrongSim *sim = NULL;
    uint8_t cells[4] = {16, 16, 0, 16};
    ThrongMapDef map = throng_default_map(), wrong;
    map.width = map.height = 2, map.slowness = cells, map.slowness_count = 4;
    ThrongSettings settings = throng_default_settings(), odd;
    EXPECT(NULL, throng_create(NULL, &settings, &sim));
    TRUE(sim == NULL);
    EXPECT(NULL, throng_create(&map, NULL, &sim));
    EXPECT(NULL, throng_create(&map, &settings, NULL));
    memset(&wrong, 0, sizeof wrong);
    EXPECT(DEFINITION, throng_create(&wrong, &settings, &sim));
    memset(&wrong, 0xff, sizeof wrong);
    EXPECT(DEFINITION, throng_create(&wrong, &settings, &sim));
    memset(&odd, 0, sizeof odd);
    EXPECT(DEFINITION, throng_create(&map, &odd, &sim));
    wrong = map, wrong.slowness_count = 3;
    EXPECT(MAP, throng_create(&wrong, &settings, &sim));
    wrong.slowness_count = SIZE_MAX;
    EXPECT(VALUE, throng_create(&wrong, &settings, &sim));
    wrong = map, wrong.slowness = NULL;
    EXPECT(NULL, throng_create(&wrong, &settings, &sim));
    wrong = map, wrong.cell_size = NAN;
    EXPECT(MAP, throng_create(&wrong, &settings, &sim));
    wrong = map, wrong.file = "no/such/file.map";
    EXPECT(FILE, throng_create(&wrong, &settings, &sim));
    odd = settings, odd.tick_rate = 0;
    EXPECT(VALUE, throng_create(&map, &odd, &sim));
    odd = settings, odd.numeric = 9;
    EXPECT(VALUE, throng_create(&map, &odd, &sim));

    ThrongScenarioDef changes = throng_default_scenario();
    EXPECT(NULL, throng_load_scenario(NULL, &changes, &sim));
    EXPECT(NULL, throng_load_scenario("small", &changes, NULL));
    EXPECT(FILE, throng_load_scenario("no such scenario", &changes, &sim));
    EXPECT(TEXT, throng_load_scenario("\xff\xfe", &changes, &sim));
    changes.size = 1;
    EXPECT(DEFINITION, throng_load_scenario("small", &changes, &sim));
    changes = throng_default_scenario(), changes.numeric = 77;
    EXPECT(VALUE, throng_load_scenario("small", &changes, &sim));
    changes = throng_default_scenario(), changes.agents = UINT64_MAX;
    EXPECT(VALUE, throng_load_scenario("small", &changes, &sim));
    FILE *file = fopen("misuse.toml", "w");
    fputs("ticks = 5\n[[group]]\nnam = \"x\"\n", file);
    fclose(file);
    EXPECT(SCENARIO, throng_load_scenario("misuse.toml", NULL, &sim));
    TRUE(strstr(throng_last_error(), "nam") != NULL);
    remove("misuse.toml");
    EXPECT(OK, throng_load_scenario("small", NULL, &sim));
    ThrongGroupId group;
    EXPECT(NULL, throng_find_group(sim, NULL, &group));
    EXPECT(NULL, throng_find_group(sim, "x", NULL));
    EXPECT(NO_SUCH_INDEX, throng_find_group(sim, "nobody", &group));
    EXPECT(OK, throng_destroy(sim));
    EXPECT(NO_SIMULATION, throng_find_group(sim, "x", &group));
    EXPECT(OK, throng_destroy(NULL));

    ThrongGroupDef def;
    ThrongWeaponDef weapon;
    EXPECT(NULL, throng_group_preset(NULL, &def));
    EXPECT(NULL, throng_group_preset("rts", NULL));
    EXPECT(TEXT, throng_group_preset("nonsense", &def));
    EXPECT(NULL, throng_weapon_preset(NULL, &weapon));
    EXPECT(NULL, throng_weapon_preset("bow", NULL));
    EXPECT(TEXT, throng_weapon_preset("", &weapon));
    TRUE(strlen(throng_version()) > 0);
}

/* Pointers to a simulation that is none. */
static void nowhere(ThrongSim *sim, ThrongStatus wanted, int line) {
#define NONE(call) expect(wanted, (call), line)
    ThrongGroupId group = {0};
    ThrongWeaponId weapon = {0};
    ThrongCompanyId company = {0};
    ThrongAgentId id = {0, 0};
    const ThrongAgentId *ids;
    ThrongGroupDef group_def = throng_default_group();
    ThrongWeaponDef weapon_def = throng_default_weapon();
    ThrongCompanyDef company_def = throng_default_company();
    ThrongShape shape = throng_point(1, 1);
    ThrongVec2d at = {1, 1};
    ThrongVec3d up = {1, 1, 1};
    ThrongAgent agent;
    ThrongGroup about;
    ThrongEvents events;
    const ThrongVec2f *single;
    const ThrongVec2d *exact;
    const uint16_t *groups;
    const uint8_t *states;
    uint8_t buffer[8] = {0};
    size_t count;
    uint64_t number;
    uint32_t few;
    double real;
    NONE(throng_add_group(sim, &group_def, &group));
    NONE(throng_change_group(sim, group, &group_def, NULL));
    NONE(throng_remove_group(sim, group, NULL));
    NONE(throng_remove_company(sim, company, NULL));
    NONE(throng_add_weapon(sim, &weapon_def, &weapon));
    NONE(throng_add_company(sim, &company_def, &company));
    NONE(throng_spawn(sim, group, &shape, 1, 1, &ids));
    NONE(throng_send(sim, group, &shape, 1, NULL));
    NONE(throng_stop(sim, group, NULL));
    NONE(throng_remove(sim, group, &shape, 1, NULL));
    NONE(throng_build(sim, &shape, 1, NULL));
    NONE(throng_demolish(sim, &shape, 1, NULL));
    NONE(throng_launch(sim, group, weapon, up, up, NULL));
    NONE(throng_send_company(sim, company, &shape, 1, NULL));
    NONE(throng_stop_company(sim, company, NULL));
    NONE(throng_form_company(sim, company, THRONG_FORMATION_LINE, NULL));
    NONE(throng_send_agents(sim, &id, 1, &shape, 1, NULL));
    NONE(throng_send_each(sim, &id, 1, &at, NULL));
    NONE(throng_teleport_agents(sim, &id, 1, &at, NULL));
    NONE(throng_stop_agents(sim, &id, 1, NULL));
    NONE(throng_rejoin_agents(sim, &id, 1, NULL));
    NONE(throng_remove_agents(sim, &id, 1, NULL));
    NONE(throng_push_agents(sim, &id, 1, at, NULL));
    NONE(throng_damage_agents(sim, &id, 1, 1, NULL));
    NONE(throng_heal_agents(sim, &id, 1, 1, NULL));
    NONE(throng_pace_agents(sim, &id, 1, 1, NULL));
    NONE(throng_label_agents(sim, &id, 1, 1, NULL));
    NONE(throng_assign_agents(sim, &id, 1, group, NULL));
    NONE(throng_order(sim, "{\"Stop\": {\"group\": 0}}", NULL));
    NONE(throng_schedule(sim, 5, "{\"Stop\": {\"group\": 0}}"));
    NONE(throng_step(sim, 1));
    NONE(throng_due(sim, 0.1, &few));
    NONE(throng_alpha(sim, &real));
    NONE(throng_tick_count(sim, &number));
    NONE(throng_seconds(sim, &real));
    NONE(throng_agent_count(sim, &count));
    NONE(throng_arrived_count(sim, &count));
    NONE(throng_positions_f32(sim, &single, &count));
    NONE(throng_positions_f64(sim, &exact, &count));
    NONE(throng_velocities_f32(sim, &single, &count));
    NONE(throng_velocities_f64(sim, &exact, &count));
    NONE(throng_ids(sim, &ids, &count));
    NONE(throng_groups(sim, &groups, &count));
    NONE(throng_states(sim, &states, &count));
    NONE(throng_agent(sim, id, &agent));
    NONE(throng_nearest(sim, at, 1, 5, &ids, &count));
    NONE(throng_within(sim, &shape, 1, &ids, &count));
    NONE(throng_group_count(sim, &count));
    NONE(throng_group(sim, group, &about));
    NONE(throng_find_group(sim, "x", &group));
    NONE(throng_events(sim, &events));
    NONE(throng_watch_arrivals(sim));
    NONE(throng_watch_stuck(sim, 5));
    NONE(throng_digest(sim, &number));
    NONE(throng_snapshot(sim, buffer, sizeof buffer, &count));
    NONE(throng_restore(sim, buffer, sizeof buffer));
    NONE(throng_record(sim, "misuse.throng", "x"));
    NONE(throng_finish_recording(sim));
}

static void orders(ThrongSim *sim) {
    ThrongGroupId group, none = {999, 0};
    ThrongWeaponId weapon, no_weapon = {99};
    ThrongCompanyId company, no_company = {99, 0};
    ThrongGroupDef def = throng_default_group(), bad;
    EXPECT(NULL, throng_add_group(sim, NULL, &group));
    EXPECT(NULL, throng_add_group(sim, &def, NULL));
    memset(&bad, 0xff, sizeof bad);
    EXPECT(DEFINITION, throng_add_group(sim, &bad, &group));
    bad = def, bad.radius = NAN;
    EXPECT(VALUE, throng_add_group(sim, &bad, &group));
    bad = def, bad.avoidance = 3;
    EXPECT(VALUE, throng_add_group(sim, &bad, &group));
    bad = def, bad.hold = 2;
    EXPECT(VALUE, throng_add_group(sim, &bad, &group));
    bad = def, bad.terrain_count = 3;
    EXPECT(NULL, throng_add_group(sim, &bad, &group));
    ThrongTerrainCost letter = {200, 16};
    bad.terrain = &letter, bad.terrain_count = 1;
    EXPECT(MAP, throng_add_group(sim, &bad, &group));
    bad = def, bad.weapon = 5;
    EXPECT(REFUSED, throng_add_group(sim, &bad, &group));
    EXPECT(OK, throng_add_group(sim, &def, &group));
    EXPECT(NULL, throng_change_group(sim, group, NULL, NULL));
    EXPECT(NO_SUCH_INDEX, throng_change_group(sim, none, &def, NULL));

    ThrongWeaponDef bow = throng_default_weapon();
    EXPECT(NULL, throng_add_weapon(sim, NULL, &weapon));
    EXPECT(NULL, throng_add_weapon(sim, &bow, NULL));
    bow.arc = 7;
    EXPECT(VALUE, throng_add_weapon(sim, &bow, &weapon));
    bow = throng_default_weapon(), bow.min_range = 100;
    EXPECT(VALUE, throng_add_weapon(sim, &bow, &weapon));
    bow = throng_default_weapon();
    EXPECT(OK, throng_add_weapon(sim, &bow, &weapon));

    ThrongCompanyDef members = throng_default_company();
    EXPECT(NULL, throng_add_company(sim, NULL, &company));
    EXPECT(NULL, throng_add_company(sim, &members, NULL));
    EXPECT(REFUSED, throng_add_company(sim, &members, &company));
    members.groups = &none, members.group_count = 1;
    EXPECT(REFUSED, throng_add_company(sim, &members, &company));
    members.groups = &group, members.formation = 88;
    EXPECT(VALUE, throng_add_company(sim, &members, &company));
    members.formation = THRONG_FORMATION_WEDGE, members.size = 3;
    EXPECT(DEFINITION, throng_add_company(sim, &members, &company));
    members.size = throng_default_company().size;
    EXPECT(OK, throng_add_company(sim, &members, &company));

    ThrongShape area = throng_rect(2, 2, 12, 18), odd = area;
    const ThrongAgentId *ids = NULL;
    EXPECT(NULL, throng_spawn(sim, group, NULL, 1, 5, &ids));
    EXPECT(VALUE, throng_spawn(sim, group, &area, SIZE_MAX, 5, &ids));
    EXPECT(NO_SUCH_INDEX, throng_spawn(sim, none, &area, 1, 5, &ids));
    EXPECT(REFUSED, throng_spawn(sim, group, &area, 1, UINT32_MAX, &ids));
    EXPECT(REFUSED, throng_spawn(sim, group, &area, 0, 5, &ids));
    odd.kind = 4;
    EXPECT(VALUE, throng_spawn(sim, group, &odd, 1, 5, &ids));
    odd = throng_disc(NAN, 1, INFINITY);
    EXPECT(REFUSED, throng_spawn(sim, group, &odd, 1, 5, &ids));
    odd = throng_polygon(NULL, 3);
    EXPECT(NULL, throng_spawn(sim, group, &odd, 1, 5, &ids));
    ThrongVec2d corners[2] = {{1, 1}, {2, 2}};
    odd = throng_polygon(corners, 2);
    EXPECT(REFUSED, throng_spawn(sim, group, &odd, 1, 5, &ids));
    EXPECT(OK, throng_spawn(sim, group, &area, 1, 5, &ids));
    ThrongAgentId living = ids[0], twice[2] = {living, living}, stale = {living.index, 8};

    EXPECT(NULL, throng_send(sim, group, NULL, 2, NULL));
    EXPECT(NO_SUCH_INDEX, throng_send(sim, none, &area, 1, NULL));
    EXPECT(REFUSED, throng_send(sim, group, &area, 0, NULL));
    EXPECT(NO_SUCH_INDEX, throng_stop(sim, none, NULL));
    EXPECT(NO_SUCH_INDEX, throng_remove(sim, none, NULL, 0, NULL));
    EXPECT(NULL, throng_remove(sim, group, NULL, 1, NULL));
    EXPECT(NULL, throng_build(sim, NULL, 1, NULL));
    EXPECT(NULL, throng_demolish(sim, NULL, 1, NULL));
    EXPECT(REFUSED, throng_demolish(sim, &area, 1, NULL));
    odd = throng_rect(-1e9, -1e9, 1e9, 1e9);
    EXPECT(REFUSED, throng_build(sim, &odd, 1, NULL));
    ThrongVec3d from = {2, 2, 2}, fast = {1, 1, 1}, off = {-5, NAN, 2};
    EXPECT(NO_SUCH_INDEX, throng_launch(sim, none, weapon, from, fast, NULL));
    EXPECT(REFUSED, throng_launch(sim, group, no_weapon, from, fast, NULL));
    EXPECT(REFUSED, throng_launch(sim, group, weapon, off, fast, NULL));
    EXPECT(NO_SUCH_INDEX, throng_send_company(sim, no_company, &area, 1, NULL));
    EXPECT(NULL, throng_send_company(sim, company, NULL, 1, NULL));
    EXPECT(NO_SUCH_INDEX, throng_stop_company(sim, no_company, NULL));
    EXPECT(NO_SUCH_INDEX, throng_form_company(sim, no_company, THRONG_FORMATION_LINE, NULL));
    EXPECT(VALUE, throng_form_company(sim, company, 77, NULL));

    ThrongVec2d to = {20, 10}, nowhere_at = {NAN, 1};
    EXPECT(NULL, throng_send_agents(sim, NULL, 1, &area, 1, NULL));
    EXPECT(NULL, throng_send_agents(sim, &living, 1, NULL, 1, NULL));
    EXPECT(NO_AGENT, throng_send_agents(sim, &stale, 1, &area, 1, NULL));
    EXPECT(REFUSED, throng_send_agents(sim, twice, 2, &area, 1, NULL));
    EXPECT(NULL, throng_send_each(sim, NULL, 1, &to, NULL));
    EXPECT(NULL, throng_send_each(sim, &living, 1, NULL, NULL));
    EXPECT(NO_AGENT, throng_send_each(sim, &stale, 1, &to, NULL));
    EXPECT(NULL, throng_teleport_agents(sim, &living, 1, NULL, NULL));
    EXPECT(NO_AGENT, throng_teleport_agents(sim, &stale, 1, &to, NULL));
    EXPECT(REFUSED, throng_teleport_agents(sim, &living, 1, &nowhere_at, NULL));
    EXPECT(NO_AGENT, throng_stop_agents(sim, &stale, 1, NULL));
    EXPECT(NULL, throng_stop_agents(sim, NULL, 3, NULL));
    EXPECT(VALUE, throng_stop_agents(sim, &living, SIZE_MAX / 2, NULL));
    EXPECT(NO_AGENT, throng_rejoin_agents(sim, &stale, 1, NULL));
    EXPECT(NO_AGENT, throng_remove_agents(sim, &stale, 1, NULL));
    EXPECT(NO_AGENT, throng_push_agents(sim, &stale, 1, to, NULL));
    EXPECT(REFUSED, throng_push_agents(sim, &living, 1, nowhere_at, NULL));
    EXPECT(NO_AGENT, throng_damage_agents(sim, &stale, 1, 5, NULL));
    EXPECT(REFUSED, throng_damage_agents(sim, &living, 1, -5, NULL));
    EXPECT(REFUSED, throng_heal_agents(sim, &living, 1, NAN, NULL));
    EXPECT(REFUSED, throng_pace_agents(sim, &living, 1, 99, NULL));
    EXPECT(NO_AGENT, throng_label_agents(sim, &stale, 1, 5, NULL));
    EXPECT(NO_AGENT, throng_assign_agents(sim, &stale, 1, group, NULL));
    EXPECT(NO_SUCH_INDEX, throng_assign_agents(sim, &living, 1, none, NULL));

    EXPECT(NULL, throng_order(sim, NULL, NULL));
    EXPECT(TEXT, throng_order(sim, "", NULL));
    EXPECT(TEXT, throng_order(sim, "{\"Nonsense\": 1}", NULL));
    EXPECT(TEXT, throng_order(sim, "\xc3\x28", NULL));
    EXPECT(NO_SUCH_INDEX, throng_order(sim, "{\"Stop\": {\"group\": 77}}", NULL));
    EXPECT(NULL, throng_schedule(sim, 5, NULL));
    EXPECT(TEXT, throng_schedule(sim, 5, "[]"));
    EXPECT(OK, throng_schedule(sim, 0, "{\"Stop\": {\"group\": 77}}"));
}

/* Groups and companies that were removed; their index is used again. */
static void stale(void) {
    ThrongSim *sim;
    ThrongMapDef map = throng_default_map();
    uint8_t cells[400];
    memset(cells, 16, sizeof cells);
    map.width = map.height = 20, map.slowness = cells, map.slowness_count = sizeof cells;
    ThrongSettings settings = throng_default_settings();
    EXPECT(OK, throng_create(&map, &settings, &sim));
    ThrongGroupDef def = throng_default_group();
    ThrongGroupId group, next;
    ThrongGroup about;
    ThrongCompanyDef members = throng_default_company();
    ThrongCompanyId company, successor;
    ThrongShape shape = throng_disc(5, 5, 2);
    const ThrongAgentId *ids;
    uint32_t touched;
    char json[80];
    for (uint16_t before = 0; before < 3; before++) {
        EXPECT(OK, throng_add_group(sim, &def, &group));
        TRUE(group.index == 0 && group.generation == before);
        members.groups = &group, members.group_count = 1;
        EXPECT(OK, throng_add_company(sim, &members, &company));
        TRUE(company.index == 0 && company.generation == before);
        EXPECT(OK, throng_remove_company(sim, company, NULL));
        EXPECT(NO_SUCH_INDEX, throng_remove_company(sim, company, NULL));
        EXPECT(NO_SUCH_INDEX, throng_stop_company(sim, company, NULL));
        EXPECT(OK, throng_group(sim, group, &about));
        EXPECT(OK, throng_spawn(sim, group, &shape, 1, 3, &ids));
        ThrongAgentId member = ids[0];
        EXPECT(OK, throng_remove_group(sim, group, &touched));
        TRUE(touched == 3);
        EXPECT(NO_SUCH_INDEX, throng_remove_group(sim, group, &touched));
        /* In JSON a handle is one number. */
        snprintf(json, sizeof json, "{\"RemoveGroup\": {\"group\": %u}}",
                 group.index + 65536U * group.generation);
        EXPECT(NO_SUCH_INDEX, throng_order(sim, json, NULL));
        TRUE(strstr(throng_last_error(), "removed") != NULL);
        EXPECT(NO_SUCH_INDEX, throng_stop(sim, group, NULL));
        EXPECT(OK, throng_step(sim, 1));
        EXPECT(NO_AGENT, throng_stop_agents(sim, &member, 1, NULL));
    }
    EXPECT(OK, throng_add_group(sim, &def, &next));
    TRUE(next.index == group.index && next.generation == 3);
    EXPECT(OK, throng_spawn(sim, next, &shape, 1, 1, &ids));
    ThrongAgent agent;
    EXPECT(OK, throng_agent(sim, ids[0], &agent));
    TRUE(agent.group.index == next.index && agent.group.generation == next.generation);
    ThrongAgentId living = ids[0];
    members.groups = &next;
    EXPECT(OK, throng_add_company(sim, &members, &successor));
    TRUE(successor.index == company.index && successor.generation == 3);
    EXPECT(OK, throng_send(sim, next, &shape, 1, NULL));
    EXPECT(OK, throng_send_company(sim, successor, &shape, 1, NULL));
    EXPECT(NO_SUCH_INDEX, throng_group(sim, group, &about));
    EXPECT(NO_SUCH_INDEX, throng_change_group(sim, group, &def, NULL));
    EXPECT(NO_SUCH_INDEX, throng_spawn(sim, group, &shape, 1, 1, &ids));
    EXPECT(NO_SUCH_INDEX, throng_send(sim, group, &shape, 1, NULL));
    EXPECT(NO_SUCH_INDEX, throng_stop(sim, group, NULL));
    EXPECT(NO_SUCH_INDEX, throng_remove(sim, group, NULL, 0, NULL));
    EXPECT(NO_SUCH_INDEX, throng_assign_agents(sim, &living, 1, group, NULL));
    EXPECT(NO_SUCH_INDEX, throng_remove_group(sim, group, NULL));
    EXPECT(NO_SUCH_INDEX, throng_send_company(sim, company, &shape, 1, NULL));
    EXPECT(NO_SUCH_INDEX, throng_stop_company(sim, company, NULL));
    EXPECT(NO_SUCH_INDEX, throng_remove_company(sim, company, NULL));
    EXPECT(NO_SUCH_INDEX, throng_form_company(sim, company, THRONG_FORMATION_LINE, NULL));
    TRUE(strstr(throng_last_error(), "removed") != NULL);
    members.groups = &group;
    EXPECT(REFUSED, throng_add_company(sim, &members, &company));
    EXPECT(OK, throng_destroy(sim));
}

static void reading(ThrongSim *sim) {
    const ThrongVec2f *single;
    const ThrongVec2d *exact;
    const ThrongAgentId *ids;
    const uint16_t *groups;
    const uint8_t *states;
    size_t count;
    ThrongAgent agent;
    ThrongGroup group;
    ThrongGroupId none = {999, 0};
    ThrongAgentId nobody = {UINT32_MAX, UINT32_MAX};
    ThrongVec2d at = {1, 1}, no_place = {NAN, NAN};
    ThrongShape shape = throng_rect(0, 0, 40, 20);
    EXPECT(NULL, throng_agent_count(sim, NULL));
    EXPECT(NULL, throng_arrived_count(sim, NULL));
    EXPECT(NULL, throng_positions_f32(sim, NULL, &count));
    EXPECT(NULL, throng_positions_f32(sim, &single, NULL));
    EXPECT(NULL, throng_positions_f64(sim, NULL, &count));
    EXPECT(NULL, throng_positions_f64(sim, &exact, NULL));
    EXPECT(NULL, throng_velocities_f32(sim, NULL, &count));
    EXPECT(NULL, throng_velocities_f32(sim, &single, NULL));
    EXPECT(NULL, throng_velocities_f64(sim, NULL, &count));
    EXPECT(NULL, throng_velocities_f64(sim, &exact, NULL));
    EXPECT(NULL, throng_ids(sim, NULL, &count));
    EXPECT(NULL, throng_ids(sim, &ids, NULL));
    EXPECT(NULL, throng_groups(sim, NULL, &count));
    EXPECT(NULL, throng_groups(sim, &groups, NULL));
    EXPECT(NULL, throng_states(sim, NULL, &count));
    EXPECT(NULL, throng_states(sim, &states, NULL));
    EXPECT(NULL, throng_agent(sim, nobody, NULL));
    EXPECT(NO_AGENT, throng_agent(sim, nobody, &agent));
    EXPECT(NULL, throng_nearest(sim, at, 1, 5, NULL, &count));
    EXPECT(NULL, throng_nearest(sim, at, 1, 5, &ids, NULL));
    EXPECT(OK, throng_nearest(sim, no_place, SIZE_MAX, INFINITY, &ids, &count));
    TRUE(count == 0 && ids == NULL);
    EXPECT(OK, throng_nearest(sim, at, SIZE_MAX, INFINITY, &ids, &count));
    TRUE(count == 5);
    EXPECT(NULL, throng_within(sim, NULL, 1, &ids, &count));
    EXPECT(NULL, throng_within(sim, &shape, 1, NULL, &count));
    EXPECT(NULL, throng_within(sim, &shape, 1, &ids, NULL));
    EXPECT(NULL, throng_group_count(sim, NULL));
    EXPECT(NULL, throng_group(sim, none, NULL));
    EXPECT(NO_SUCH_INDEX, throng_group(sim, none, &group));
    EXPECT(NULL, throng_events(sim, NULL));
    EXPECT(VALUE, throng_watch_stuck(sim, NAN));
    EXPECT(VALUE, throng_watch_stuck(sim, -1));
    EXPECT(OK, throng_watch_arrivals(sim));
    EXPECT(NULL, throng_tick_count(sim, NULL));
    EXPECT(NULL, throng_seconds(sim, NULL));
    EXPECT(NULL, throng_alpha(sim, NULL));
    EXPECT(NULL, throng_due(sim, 1, NULL));
    uint32_t due;
    EXPECT(OK, throng_due(sim, NAN, &due));
    TRUE(due == 0);
    EXPECT(OK, throng_step(sim, 0));

    /* Orders that were refused are told, as text. */
    ThrongEvents events;
    EXPECT(OK, throng_step(sim, 1));
    EXPECT(OK, throng_order(sim, "{\"Stop\": {\"group\": 0}}", NULL));
    EXPECT(NO_SUCH_INDEX, throng_stop(sim, none, NULL));
    EXPECT(OK, throng_events(sim, &events));
    TRUE(events.refused_count == 1 && strstr(events.refused[0].order, "999") != NULL);
    TRUE(strstr(events.refused[0].why, "no group 999") != NULL);
}

static void state(ThrongSim *sim) {
    size_t size = 1, other;
    uint8_t little[16];
    EXPECT(NULL, throng_digest(sim, NULL));
    EXPECT(NULL, throng_snapshot(sim, little, sizeof little, NULL));
    EXPECT(TOO_SMALL, throng_snapshot(sim, little, sizeof little, &size));
    EXPECT(TOO_SMALL, throng_snapshot(sim, NULL, 0, &other));
    TRUE(size == other && size > sizeof little);
    EXPECT(NULL, throng_snapshot(sim, NULL, size, &other));
    uint8_t *saved = malloc(size);
    EXPECT(TOO_SMALL, throng_snapshot(sim, saved, size - 1, &other));
    EXPECT(OK, throng_snapshot(sim, saved, size, &other));
    uint64_t before, after;
    EXPECT(OK, throng_digest(sim, &before));
    EXPECT(NULL, throng_restore(sim, NULL, size));
    EXPECT(SNAPSHOT, throng_restore(sim, saved, 0));
    EXPECT(SNAPSHOT, throng_restore(sim, saved, size - 1));
    saved[size / 2] ^= 1;
    EXPECT(SNAPSHOT, throng_restore(sim, saved, size));
    saved[size / 2] ^= 1;
    EXPECT(VALUE, throng_restore(sim, saved, SIZE_MAX));
    EXPECT(OK, throng_digest(sim, &after));
    TRUE(before == after);
    EXPECT(NULL, throng_record(sim, NULL, "x"));
    EXPECT(FILE, throng_record(sim, "no/such/folder/a.throng", "x"));
    EXPECT(TEXT, throng_record(sim, "misuse.throng", "\xff"));
    EXPECT(OK, throng_finish_recording(sim));
    EXPECT(OK, throng_record(sim, "misuse.throng", NULL));
    EXPECT(SNAPSHOT, throng_restore(sim, saved, size));
    EXPECT(OK, throng_step(sim, 3));
    EXPECT(OK, throng_finish_recording(sim));
    EXPECT(OK, throng_restore(sim, saved, size));
    remove("misuse.throng");
    free(saved);
}

/* Two threads call at once: one of them gets an error code. */
static atomic_int is_over, was_busy, was_other;
static ThrongSim *shared;

static void *caller(void *seed) {
    (void)seed;
    while (!atomic_load(&is_over)) {
        uint64_t digest;
        ThrongStatus status = throng_digest(shared, &digest);
        atomic_fetch_add(status == THRONG_STATUS_BUSY ? &was_busy : &was_other, 1);
        if (status != THRONG_STATUS_OK && status != THRONG_STATUS_BUSY &&
            status != THRONG_STATUS_NO_SIMULATION) {
            printf("status %d in the other thread: %s\n", (int)status, throng_last_error());
            atomic_store(&was_busy, -1000000);
        }
        sched_yield();
    }
    return NULL;
}

static void threads(void) {
    EXPECT(OK, throng_load_scenario("small", NULL, &shared));
    pthread_t other;
    TRUE(pthread_create(&other, NULL, caller, NULL) == 0);
    int steps = 0;
    time_t began = time(NULL);
    while (time(NULL) < began + 60 && (steps < 20 || !was_busy || !was_other)) {
        ThrongStatus status = throng_step(shared, 3);
        if (status != THRONG_STATUS_BUSY) {
            EXPECT(OK, status);
            steps++;
        }
        sched_yield();
    }
    /* Destroyed under the other's feet. */
    EXPECT(OK, throng_destroy(shared));
    EXPECT(NO_SIMULATION, throng_step(shared, 1));
    atomic_store(&is_over, 1);
    pthread_join(other, NULL);
    TRUE(atomic_load(&was_busy) > 0 && atomic_load(&was_other) > 0);
}

int main(void) {
    TRUE(strlen(throng_last_error()) == 0);
    making();
    nowhere(NULL, THRONG_STATUS_NULL, __LINE__);
    nowhere((ThrongSim *)&checks, THRONG_STATUS_NO_SIMULATION, __LINE__);
    ThrongSim *sim = created();
    nowhere((ThrongSim *)((char *)sim + 1), THRONG_STATUS_NO_SIMULATION, __LINE__);
    orders(sim);
    stale();
    reading(sim);
    state(sim);
    EXPECT(OK, throng_destroy(sim));
    EXPECT(NO_SIMULATION, throng_destroy(sim));
    nowhere(sim, THRONG_STATUS_NO_SIMULATION, __LINE__);
    threads();
    printf("%d checks, %d failures\n", checks, failures);
    return failures != 0;
}
