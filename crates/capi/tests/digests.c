/* Plays a scenario and prints its digest after every tick, for a comparison with other programs.
 * Arguments: the scenario, f32 or fixed, the ticks, a file for the replay. */

#include "throng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(ThrongStatus status) {
    if (status != THRONG_STATUS_OK) {
        fprintf(stderr, "%s\n", throng_last_error());
        exit(1);
    }
}

int main(int count, char **arguments) {
    if (count != 5) {
        return 2;
    }
    ThrongScenarioDef changes = throng_default_scenario();
    changes.numeric = strcmp(arguments[2], "fixed") == 0 ? THRONG_NUMERIC_FIXED : THRONG_NUMERIC_F32;
    ThrongSim *sim;
    must(throng_load_scenario(arguments[1], &changes, &sim));
    must(throng_record(sim, arguments[4], arguments[1]));
    for (long tick = strtol(arguments[3], NULL, 10); tick > 0; tick--) {
        uint64_t digest;
        must(throng_step(sim, 1));
        must(throng_digest(sim, &digest));
        printf("%016" PRIx64 "\n", digest);
    }
    must(throng_finish_recording(sim));
    must(throng_destroy(sim));
    return 0;
}
