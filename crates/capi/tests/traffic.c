/* Sources, sinks, varieties, exits, leaders, doors and structures. What calls make has the digests of the
 * scenario file that is the argument, if there is one, at every tick; then the functions are called wrongly. */

#include "expect.h"

#include <math.h>

static ThrongShape wall, gap, first_exit, second_exit;

/* Groups of the file, in its order. */
enum { ARCHERS, GUIDE, TOURISTS, GUESTS };

static ThrongSim *made(uint32_t numeric, ThrongGroupId *groups, ThrongDoorId *door) {
    static uint8_t slowness[60 * 30];
    memset(slowness, 16, sizeof slowness);
    ThrongMapDef map = throng_default_map();
    map.width = 60, map.height = 30, map.slowness = slowness, map.slowness_count = sizeof slowness;
    ThrongSettings settings = throng_default_settings();
    settings.seed = 5, settings.numeric = numeric;
    ThrongSim *sim = NULL;
    EXPECT(OK, throng_create(&map, &settings, &sim));

    ThrongWeaponDef bow;
    ThrongWeaponId weapon;
    EXPECT(OK, throng_weapon_preset("bow", &bow));
    EXPECT(OK, throng_add_weapon(sim, &bow, &weapon));
    ThrongGroupDef def = throng_default_group();
    def.weapon = weapon.index, def.team = 0, def.foes = 2;
    EXPECT(OK, throng_add_group(sim, &def, &groups[ARCHERS]));
    def = throng_default_group();
    def.team = 31; /* of nobody */
    for (int group = GUIDE; group <= GUESTS; group++) {
        if (group == GUESTS) { /* as in the file: the quickest and the shortest that its agents draw */
            def.sprint = 2.0 / 1.4, def.response = 0.2;
        }
        EXPECT(OK, throng_add_group(sim, &def, &groups[group]));
    }
    gap = throng_rect(30, 13, 31, 17);
    EXPECT(OK, throng_add_door(sim, &gap, 1, 0, door));

    ThrongShape area = throng_rect(4, 2, 8, 10);
    EXPECT(OK, throng_spawn(sim, groups[ARCHERS], &area, 1, 12, NULL));
    area = throng_point(4.5, 20.5);
    EXPECT(OK, throng_spawn(sim, groups[GUIDE], &area, 1, 1, NULL));
    ThrongVaryDef vary = throng_default_vary();
    vary.radius = throng_uniform(0.2, 0.3);
    EXPECT(OK, throng_vary(sim, groups[TOURISTS], &vary, NULL));
    area = throng_rect(1, 17, 4, 24);
    EXPECT(OK, throng_spawn(sim, groups[TOURISTS], &area, 1, 8, NULL));
    vary = throng_default_vary();
    vary.speed = throng_bounded(throng_normal(1.34, 0.26), 0.8, 2.0);
    vary.wait = throng_log_normal(3, 2), vary.wait.max = 8;
    vary.response = throng_uniform(0.2, 0.6);
    vary.patience = throng_constant(2);
    EXPECT(OK, throng_vary(sim, groups[GUESTS], &vary, NULL));
    area = throng_rect(14, 11, 26, 19);
    EXPECT(OK, throng_spawn(sim, groups[GUESTS], &area, 1, 20, NULL));

    area = throng_point(50.5, 20.5);
    EXPECT(OK, throng_send(sim, groups[GUIDE], &area, 1, NULL));
    ThrongFollowDef follow = throng_default_follow();
    follow.leaders = groups[GUIDE], follow.gap = 0.5;
    uint32_t touched;
    EXPECT(OK, throng_follow(sim, groups[TOURISTS], &follow, &touched));
    TRUE(touched == 8);
    first_exit = throng_rect(55, 2, 59, 8), second_exit = throng_disc(57, 26, 2);
    ThrongExit exits[2] = {throng_default_exit(), throng_default_exit()};
    exits[0].area = &first_exit, exits[0].area_count = 1, exits[0].flow = 2.6;
    exits[1].area = &second_exit, exits[1].area_count = 1, exits[1].known = 0.5;
    ThrongExitsDef choice = throng_default_exits();
    choice.exits = exits, choice.exit_count = 2;
    choice.every = 1, choice.crowd = 0.5, choice.stay = 0.1;
    EXPECT(OK, throng_choose(sim, groups[GUESTS], &choice, NULL));
    return sim;
}

/* What comes and goes, and the walls. */
static void opened(ThrongSim *sim, const ThrongGroupId *groups, ThrongStructureId *north) {
    ThrongSourceId source;
    ThrongSinkId sink;
    ThrongInflow street[2] = {{0, 1.0}, {5, 3.0}}, train[2] = {{2, 5}, {6, 4}};
    ThrongSourceDef def = throng_default_source();
    def.entries = street, def.entry_count = 2, def.end = 12, def.count = 25;
    ThrongShape area = throng_disc(10, 26, 2);
    EXPECT(OK, throng_add_source(sim, groups[GUESTS], &area, 1, &def, &source));
    def = throng_default_source();
    def.entries = train, def.entry_count = 2, def.batches = 1;
    area = throng_rect(20, 22, 28, 28);
    EXPECT(OK, throng_add_source(sim, groups[GUESTS], &area, 1, &def, &source));
    def = throng_default_source();
    def.rate = 0.5, def.start = 1, def.poisson = 1;
    area = throng_rect(1, 12, 6, 16);
    EXPECT(OK, throng_add_source(sim, groups[TOURISTS], &area, 1, &def, &source));
    TRUE(source.index == 2);
    EXPECT(OK, throng_add_sink(sim, &first_exit, 1, &groups[GUESTS], 1, &sink));
    EXPECT(OK, throng_add_sink(sim, &second_exit, 1, NULL, 0, &sink));
    TRUE(sink.index == 1);
    ThrongStructureDef hard = throng_default_structure();
    ThrongStructureId south;
    hard.team = 1, hard.health = 60;
    wall = throng_rect(30, 0, 31, 13);
    EXPECT(OK, throng_add_structure(sim, &wall, 1, &hard, north));
    hard = throng_default_structure();
    wall = throng_rect(30, 17, 31, 30);
    EXPECT(OK, throng_add_structure(sim, &wall, 1, &hard, &south));
    TRUE(north->index == 0 && south.index == 1);
}

/* The same by calls and by the file, unless that is null. */
static void compare(const char *file, uint32_t numeric) {
    ThrongScenarioDef changes = throng_default_scenario();
    changes.numeric = numeric;
    ThrongSim *told = NULL;
    if (file != NULL) {
        EXPECT(OK, throng_load_scenario(file, &changes, &told));
    }
    ThrongGroupId groups[4];
    ThrongDoorId door;
    ThrongStructureId north;
    ThrongSim *sim = made(numeric, groups, &door);
    opened(sim, groups, &north);
    size_t entered = 0, left = 0, fallen = 0;
    for (uint64_t tick = 0; tick < 800; tick++) {
        if (tick == 20) {
            EXPECT(OK, throng_attack(sim, groups[ARCHERS], north, NULL));
        }
        if (tick == 80 || tick == 240 || tick == 320) {
            EXPECT(OK, throng_set_door(sim, door, tick != 240, NULL));
        }
        EXPECT(OK, throng_step(sim, 1));
        if (told != NULL) {
            uint64_t own, theirs;
            EXPECT(OK, throng_step(told, 1));
            EXPECT(OK, throng_digest(sim, &own));
            EXPECT(OK, throng_digest(told, &theirs));
            TRUE(own == theirs);
        }
        ThrongEvents events;
        EXPECT(OK, throng_events(sim, &events));
        entered += events.entered_count;
        for (size_t i = 0; i < events.left_count; i++) {
            TRUE(events.left[i].sink.index < 2 && events.left[i].at.x > 50);
        }
        left += events.left_count;
        for (size_t i = 0; i < events.collapsed_count; i++) {
            TRUE(events.collapsed[i].structure.index == north.index && events.collapsed[i].by_shot == 1);
        }
        fallen += events.collapsed_count;
    }
    ThrongTraffic traffic;
    ThrongSink sinks[2];
    ThrongStructure structure;
    ThrongDoor about;
    EXPECT(OK, throng_traffic(sim, &traffic));
    TRUE(traffic.source_count == 3 && traffic.sink_count == 2 && traffic.door_count == 1);
    TRUE(traffic.structure_count == 2 && traffic.entered == entered && traffic.left == left);
    TRUE(entered > 30 && left > 5 && fallen == 1 && traffic.has_comers == 1);
    for (uint16_t index = 0; index < 2; index++) {
        EXPECT(OK, throng_sink(sim, (ThrongSinkId){index}, &sinks[index]));
    }
    TRUE(sinks[0].left + sinks[1].left == left);
    EXPECT(OK, throng_structure(sim, north, &structure));
    TRUE(structure.stands == 0 && structure.health <= 0 && structure.fell > 20);
    EXPECT(OK, throng_door(sim, door, &about));
    TRUE(about.is_open == 1);

    ThrongSourceId street = {0}, hotel = {2};
    ThrongSource source;
    EXPECT(OK, throng_source(sim, street, &source));
    TRUE(source.group.index == groups[GUESTS].index && source.entered + source.waiting == 25);
    EXPECT(OK, throng_close_source(sim, hotel));
    EXPECT(OK, throng_source(sim, hotel, &source));
    TRUE(source.is_closed == 1);
    EXPECT(OK, throng_destroy(sim));
    EXPECT(OK, throng_destroy(told));
}

/* Pointers to a simulation that is none. */
static void nowhere(ThrongSim *sim, ThrongStatus wanted, int line) {
#define NONE(call) expect(wanted, (call), line)
    ThrongGroupId group = {0, 0};
    ThrongSourceId source = {0};
    ThrongSinkId sink = {0};
    ThrongDoorId door = {0};
    ThrongStructureId structure = {0};
    ThrongShape area = throng_rect(1, 1, 3, 3);
    ThrongSourceDef source_def = throng_default_source();
    source_def.rate = 1;
    ThrongStructureDef structure_def = throng_default_structure();
    ThrongVaryDef vary = throng_default_vary();
    ThrongExit exit = throng_default_exit();
    exit.area = &area, exit.area_count = 1;
    ThrongExitsDef exits = throng_default_exits();
    exits.exits = &exit, exits.exit_count = 1;
    ThrongFollowDef follow = throng_default_follow();
    ThrongSource about_source;
    ThrongSink about_sink;
    ThrongTraffic traffic;
    ThrongDoor about_door;
    ThrongStructure about_structure;
    NONE(throng_add_source(sim, group, &area, 1, &source_def, &source));
    NONE(throng_close_source(sim, source));
    NONE(throng_add_sink(sim, &area, 1, NULL, 0, &sink));
    NONE(throng_vary(sim, group, &vary, NULL));
    NONE(throng_choose(sim, group, &exits, NULL));
    NONE(throng_follow(sim, group, &follow, NULL));
    NONE(throng_source(sim, source, &about_source));
    NONE(throng_sink(sim, sink, &about_sink));
    NONE(throng_traffic(sim, &traffic));
    NONE(throng_add_door(sim, &area, 1, 0, &door));
    NONE(throng_set_door(sim, door, 1, NULL));
    NONE(throng_door(sim, door, &about_door));
    NONE(throng_add_structure(sim, &area, 1, &structure_def, &structure));
    NONE(throng_attack(sim, group, structure, NULL));
    NONE(throng_structure(sim, structure, &about_structure));
}

static void comers(ThrongSim *sim, ThrongGroupId group) {
    ThrongGroupId none = {999, 0};
    ThrongShape area = throng_rect(1, 1, 5, 5), off = throng_rect(-9, -9, -5, -5);
    ThrongInflow entries[2] = {{5, 1}, {5, 2}};
    ThrongSourceDef def = throng_default_source(), bad;
    ThrongSourceId source, no_source = {9};
    ThrongSource about;
    EXPECT(VALUE, throng_add_source(sim, group, &area, 1, &def, &source));
    TRUE(strstr(throng_last_error(), "it has 0 times") != NULL);
    def.rate = 2;
    EXPECT(NULL, throng_add_source(sim, group, &area, 1, NULL, &source));
    EXPECT(NULL, throng_add_source(sim, group, &area, 1, &def, NULL));
    EXPECT(NULL, throng_add_source(sim, group, NULL, 1, &def, &source));
    memset(&bad, 0xff, sizeof bad);
    EXPECT(DEFINITION, throng_add_source(sim, group, &area, 1, &bad, &source));
    bad = def, bad.rate = NAN;
    EXPECT(VALUE, throng_add_source(sim, group, &area, 1, &bad, &source));
    bad = def, bad.poisson = 2;
    EXPECT(VALUE, throng_add_source(sim, group, &area, 1, &bad, &source));
    bad = def, bad.batches = 1;
    EXPECT(VALUE, throng_add_source(sim, group, &area, 1, &bad, &source));
    bad = def, bad.entry_count = 2;
    EXPECT(NULL, throng_add_source(sim, group, &area, 1, &bad, &source));
    bad.entries = entries;
    EXPECT(VALUE, throng_add_source(sim, group, &area, 1, &bad, &source));
    bad.rate = 0;
    EXPECT(VALUE, throng_add_source(sim, group, &area, 1, &bad, &source));
    TRUE(strstr(throng_last_error(), "does not come after") != NULL);
    bad = def, bad.start = -1;
    EXPECT(VALUE, throng_add_source(sim, group, &area, 1, &bad, &source));
    EXPECT(NO_SUCH_INDEX, throng_add_source(sim, none, &area, 1, &def, &source));
    EXPECT(REFUSED, throng_add_source(sim, group, &off, 1, &def, &source));
    EXPECT(OK, throng_add_source(sim, group, &area, 1, &def, &source));
    EXPECT(REFUSED, throng_close_source(sim, no_source));
    EXPECT(NULL, throng_source(sim, source, NULL));
    EXPECT(NO_SUCH_INDEX, throng_source(sim, no_source, &about));
    EXPECT(OK, throng_close_source(sim, source));

    ThrongSinkId sink, no_sink = {9};
    ThrongSink of_sink;
    EXPECT(NULL, throng_add_sink(sim, NULL, 1, NULL, 0, &sink));
    EXPECT(NULL, throng_add_sink(sim, &area, 1, NULL, 1, &sink));
    EXPECT(NULL, throng_add_sink(sim, &area, 1, &group, 1, NULL));
    EXPECT(REFUSED, throng_add_sink(sim, &area, 1, &none, 1, &sink));
    EXPECT(REFUSED, throng_add_sink(sim, &off, 1, &group, 1, &sink));
    EXPECT(OK, throng_add_sink(sim, &area, 1, &group, 1, &sink));
    EXPECT(NULL, throng_sink(sim, sink, NULL));
    EXPECT(NO_SUCH_INDEX, throng_sink(sim, no_sink, &of_sink));
    EXPECT(NULL, throng_traffic(sim, NULL));
}

static void differences(ThrongSim *sim, ThrongGroupId group) {
    ThrongGroupId none = {999, 0};
    ThrongVaryDef vary = throng_default_vary(), bad;
    EXPECT(NULL, throng_vary(sim, group, NULL, NULL));
    memset(&bad, 0, sizeof bad);
    EXPECT(DEFINITION, throng_vary(sim, group, &bad, NULL));
    bad = vary, bad.speed.kind = 7;
    EXPECT(VALUE, throng_vary(sim, group, &bad, NULL));
    bad = vary, bad.radius = throng_constant(5);
    EXPECT(REFUSED, throng_vary(sim, group, &bad, NULL));
    TRUE(strstr(throng_last_error(), "radius is 5") != NULL);
    bad = vary, bad.wait = throng_normal(NAN, 1);
    EXPECT(REFUSED, throng_vary(sim, group, &bad, NULL));
    bad = vary, bad.wait = throng_bounded(throng_uniform(1, 2), 5, 4);
    EXPECT(REFUSED, throng_vary(sim, group, &bad, NULL));
    bad = vary, bad.wait = throng_log_normal(-1, 1);
    EXPECT(REFUSED, throng_vary(sim, group, &bad, NULL));
    EXPECT(NO_SUCH_INDEX, throng_vary(sim, none, &vary, NULL));
    EXPECT(OK, throng_vary(sim, group, &vary, NULL));

    ThrongShape area = throng_rect(30, 5, 35, 15);
    ThrongExit exit = throng_default_exit(), odd;
    exit.area = &area, exit.area_count = 1;
    ThrongExitsDef choice = throng_default_exits(), wrong;
    EXPECT(NULL, throng_choose(sim, group, NULL, NULL));
    memset(&wrong, 0xff, sizeof wrong);
    EXPECT(DEFINITION, throng_choose(sim, group, &wrong, NULL));
    EXPECT(VALUE, throng_choose(sim, group, &choice, NULL));
    choice.exit_count = 1;
    EXPECT(NULL, throng_choose(sim, group, &choice, NULL));
    choice.exits = &exit;
    wrong = choice, wrong.stay = 2;
    EXPECT(VALUE, throng_choose(sim, group, &wrong, NULL));
    wrong = choice, wrong.exits = &odd;
    memset(&odd, 0, sizeof odd);
    EXPECT(DEFINITION, throng_choose(sim, group, &wrong, NULL));
    odd = exit, odd.known = -1;
    EXPECT(VALUE, throng_choose(sim, group, &wrong, NULL));
    odd = exit, odd.area = NULL;
    EXPECT(NULL, throng_choose(sim, group, &wrong, NULL));
    odd.area_count = 0;
    EXPECT(REFUSED, throng_choose(sim, group, &wrong, NULL));
    EXPECT(NO_SUCH_INDEX, throng_choose(sim, none, &choice, NULL));
    EXPECT(OK, throng_choose(sim, group, &choice, NULL));
}

static void leaders(ThrongSim *sim, ThrongGroupId group, ThrongAgentId leader) {
    ThrongGroupId other, none = {999, 0};
    ThrongGroupDef plain = throng_default_group();
    EXPECT(OK, throng_add_group(sim, &plain, &other));
    ThrongShape area = throng_rect(5, 5, 9, 9);
    const ThrongAgentId *ids;
    EXPECT(OK, throng_spawn(sim, other, &area, 1, 3, &ids));
    ThrongAgentId one = ids[0];
    ThrongFollowDef follow = throng_default_follow(), bad;
    uint32_t touched;
    EXPECT(NULL, throng_follow(sim, other, NULL, NULL));
    memset(&bad, 0xff, sizeof bad);
    EXPECT(DEFINITION, throng_follow(sim, other, &bad, NULL));
    /* No leader is said. */
    EXPECT(NO_SUCH_INDEX, throng_follow(sim, other, &follow, NULL));
    bad = follow, bad.has_agent = 1;
    EXPECT(NO_AGENT, throng_follow(sim, other, &bad, NULL));
    bad.has_agent = 2;
    EXPECT(VALUE, throng_follow(sim, other, &bad, NULL));
    bad = follow, bad.gap = 51;
    EXPECT(VALUE, throng_follow(sim, other, &bad, NULL));
    bad = follow, bad.leaders = other;
    EXPECT(REFUSED, throng_follow(sim, other, &bad, NULL));
    follow.leaders = group;
    EXPECT(NO_SUCH_INDEX, throng_follow(sim, none, &follow, NULL));
    EXPECT(OK, throng_follow(sim, other, &follow, NULL));
    follow.has_agent = 1, follow.agent = leader;
    EXPECT(OK, throng_follow(sim, other, &follow, &touched));
    TRUE(touched == 3);
    ThrongVaryDef vary = throng_default_vary();
    vary.wait = throng_constant(10);
    EXPECT(OK, throng_vary(sim, other, &vary, NULL));
    EXPECT(OK, throng_step(sim, 5));
    ThrongAgent agent;
    EXPECT(OK, throng_agent(sim, one, &agent));
    TRUE(agent.has_leader == 1 && agent.leader.index == leader.index && agent.sets_off == 200);
    EXPECT(OK, throng_agent(sim, leader, &agent));
    TRUE(agent.has_leader == 0 && agent.leader.index == UINT32_MAX && agent.sets_off == 0);
}

static void barriers(ThrongSim *sim, ThrongGroupId group) {
    ThrongGroupId none = {999, 0};
    ThrongShape off = throng_rect(-9, -9, -5, -5), everything = throng_rect(0, 0, 40, 20);
    ThrongDoorId door, no_door = {9};
    ThrongDoor about;
    gap = throng_rect(20, 5, 21, 15);
    EXPECT(NULL, throng_add_door(sim, NULL, 1, 0, &door));
    EXPECT(NULL, throng_add_door(sim, &gap, 1, 0, NULL));
    EXPECT(VALUE, throng_add_door(sim, &gap, 1, 2, &door));
    EXPECT(REFUSED, throng_add_door(sim, &gap, 0, 0, &door));
    EXPECT(REFUSED, throng_add_door(sim, &off, 1, 0, &door));
    EXPECT(REFUSED, throng_add_door(sim, &everything, 1, 0, &door));
    EXPECT(OK, throng_add_door(sim, &gap, 1, 0, &door));
    EXPECT(REFUSED, throng_set_door(sim, no_door, 1, NULL));
    EXPECT(REFUSED, throng_set_door(sim, door, 0, NULL));
    TRUE(strstr(throng_last_error(), "closed already") != NULL);
    EXPECT(VALUE, throng_set_door(sim, door, 3, NULL));
    EXPECT(OK, throng_set_door(sim, door, 1, NULL));
    EXPECT(NULL, throng_door(sim, door, NULL));
    EXPECT(NO_SUCH_INDEX, throng_door(sim, no_door, &about));

    ThrongStructureDef def = throng_default_structure(), bad;
    ThrongStructureId structure, no_structure = {9};
    ThrongStructure of_structure;
    wall = throng_rect(25, 5, 26, 15);
    EXPECT(NULL, throng_add_structure(sim, NULL, 1, &def, &structure));
    EXPECT(NULL, throng_add_structure(sim, &wall, 1, NULL, &structure));
    EXPECT(NULL, throng_add_structure(sim, &wall, 1, &def, NULL));
    memset(&bad, 0, sizeof bad);
    EXPECT(DEFINITION, throng_add_structure(sim, &wall, 1, &bad, &structure));
    bad = def, bad.health = 0;
    EXPECT(VALUE, throng_add_structure(sim, &wall, 1, &bad, &structure));
    bad = def, bad.team = 32;
    EXPECT(VALUE, throng_add_structure(sim, &wall, 1, &bad, &structure));
    bad = def, bad.team = -2;
    EXPECT(VALUE, throng_add_structure(sim, &wall, 1, &bad, &structure));
    EXPECT(REFUSED, throng_add_structure(sim, &off, 1, &def, &structure));
    EXPECT(REFUSED, throng_add_structure(sim, &everything, 1, &def, &structure));
    EXPECT(OK, throng_add_structure(sim, &wall, 1, &def, &structure));
    EXPECT(OK, throng_structure(sim, structure, &of_structure));
    TRUE(of_structure.stands == 1 && of_structure.health > 999 && of_structure.fell == 0);
    EXPECT(NULL, throng_structure(sim, structure, NULL));
    EXPECT(NO_SUCH_INDEX, throng_structure(sim, no_structure, &of_structure));
    EXPECT(NO_SUCH_INDEX, throng_attack(sim, none, structure, NULL));
    EXPECT(REFUSED, throng_attack(sim, group, no_structure, NULL));
    EXPECT(REFUSED, throng_attack(sim, group, structure, NULL));
    TRUE(strstr(throng_last_error(), "has no weapon") != NULL);
}

int main(int count, char **arguments) {
    const char *file = count > 1 ? arguments[1] : NULL;
    compare(file, THRONG_NUMERIC_F32);
    compare(file, THRONG_NUMERIC_FIXED);
    nowhere(NULL, THRONG_STATUS_NULL, __LINE__);
    nowhere((ThrongSim *)&checks, THRONG_STATUS_NO_SIMULATION, __LINE__);
    ThrongSim *sim = created();
    ThrongGroupDef def = throng_default_group();
    ThrongGroupId group;
    ThrongShape area = throng_rect(10, 10, 14, 14);
    const ThrongAgentId *ids;
    EXPECT(OK, throng_add_group(sim, &def, &group));
    EXPECT(OK, throng_spawn(sim, group, &area, 1, 4, &ids));
    ThrongAgentId leader = ids[0];
    comers(sim, group);
    differences(sim, group);
    leaders(sim, group, leader);
    barriers(sim, group);
    EXPECT(OK, throng_destroy(sim));
    nowhere(sim, THRONG_STATUS_NO_SIMULATION, __LINE__);
    printf("%d checks, %d failures\n", checks, failures);
    return failures != 0;
}
