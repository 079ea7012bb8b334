/* Two groups change sides through a gap in a wall; then the state goes back, and the run repeats. */

#include "throng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Whatever is not fine is said and ends the program. */
static void must(ThrongStatus status) {
    if (status != THRONG_STATUS_OK) {
        fprintf(stderr, "throng: %s (status %d)\n", throng_last_error(), (int)status);
        exit(1);
    }
}

enum { WIDTH = 60, HEIGHT = 30 };

int main(void) {
    /* Cells of a metre, all plain ground but for a wall across, with a gap of 10 m. */
    uint8_t slowness[WIDTH * HEIGHT];
    for (int cell = 0; cell < WIDTH * HEIGHT; cell++) {
        int x = cell % WIDTH, y = cell / WIDTH;
        slowness[cell] = x == 30 && (y < 10 || y >= 20) ? 0 : 16;
    }
    ThrongMapDef map = throng_default_map();
    map.width = WIDTH;
    map.height = HEIGHT;
    map.slowness = slowness;
    map.slowness_count = sizeof slowness;
    ThrongSettings settings = throng_default_settings();
    settings.seed = 7;
    ThrongSim *sim = NULL;
    must(throng_create(&map, &settings, &sim));

    /* A group is agents of one kind under one order. */
    ThrongGroupDef def;
    must(throng_group_preset("rts", &def));
    def.speed = 2.0;
    ThrongGroupId left, right;
    must(throng_add_group(sim, &def, &left));
    must(throng_add_group(sim, &def, &right));
    ThrongShape west = throng_rect(1, 1, 15, 29), east = throng_rect(45, 1, 59, 29);
    const ThrongAgentId *ids;
    must(throng_spawn(sim, left, &west, 1, 150, &ids));
    ThrongAgentId first = ids[0];
    must(throng_spawn(sim, right, &east, 1, 150, NULL));
    must(throng_send(sim, left, &east, 1, NULL));
    must(throng_send(sim, right, &west, 1, NULL));

    /* Events and arrays are pointers and counts, valid until the next call that changes something. */
    must(throng_watch_arrivals(sim));
    size_t arrivals = 0;
    for (int tick = 0; tick < 1200; tick++) {
        must(throng_step(sim, 1));
        ThrongEvents events;
        must(throng_events(sim, &events));
        arrivals += events.arrived_count;
    }
    const ThrongVec2f *positions;
    size_t count;
    must(throng_positions_f32(sim, &positions, &count));
    double middle = 0;
    for (size_t row = 0; row < count; row++) {
        middle += positions[row].x / (double)count;
    }
    ThrongAgent agent;
    must(throng_agent(sim, first, &agent));
    printf("%zu agents, %zu arrivals, middle at x = %.1f m; the first is at %.1f, %.1f\n", count, arrivals,
           middle, agent.pos.x, agent.pos.y);

    /* The state is bytes in a buffer of the caller's. Going back repeats every bit. */
    size_t size;
    ThrongStatus status = throng_snapshot(sim, NULL, 0, &size);
    if (status != THRONG_STATUS_TOO_SMALL) {
        must(status);
    }
    uint8_t *saved = malloc(size);
    must(throng_snapshot(sim, saved, size, &size));
    uint64_t digests[2];
    for (int run = 0; run < 2; run++) {
        must(throng_restore(sim, saved, size));
        must(throng_step(sim, 100));
        must(throng_digest(sim, &digests[run]));
    }
    free(saved);
    printf("digest %016" PRIx64 ", again %016" PRIx64 "\n", digests[0], digests[1]);

    /* What cannot be done is refused with a reason, and changes nothing. */
    ThrongShape wall = throng_point(30.5, 2.5);
    if (throng_send(sim, left, &wall, 1, NULL) == THRONG_STATUS_REFUSED) {
        printf("refused: %s\n", throng_last_error());
    }
    must(throng_destroy(sim));
    return digests[0] == digests[1] && arrivals >= 250 ? 0 : 1;
}
