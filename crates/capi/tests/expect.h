/* How tests of C say what they expect, and a simulation on open ground. */

#include "throng.h"

#include <stdio.h>
#include <string.h>

static int checks, failures;

static void expect(ThrongStatus wanted, ThrongStatus found, int line) {
    checks++;
    if (found != wanted) {
        failures++;
        printf("line %d: status %d, wanted %d: %s\n", line, (int)found, (int)wanted, throng_last_error());
    } else if (wanted != THRONG_STATUS_OK && strlen(throng_last_error()) == 0) {
        failures++;
        printf("line %d: no words\n", line);
    }
}
#define EXPECT(wanted, call) expect(THRONG_STATUS_##wanted, (call), __LINE__)

static void is_true(int truth, int line) {
    checks++;
    if (!truth) {
        failures++;
        printf("line %d: not so\n", line);
    }
}
#define TRUE(truth) is_true((truth), __LINE__)

static ThrongSim *created(void) {
    static uint8_t slowness[40 * 20];
    memset(slowness, 16, sizeof slowness);
    ThrongMapDef map = throng_default_map();
    map.width = 40, map.height = 20, map.slowness = slowness, map.slowness_count = sizeof slowness;
    ThrongSettings settings = throng_default_settings();
    ThrongSim *sim = NULL;
    EXPECT(OK, throng_create(&map, &settings, &sim));
    return sim;
}
