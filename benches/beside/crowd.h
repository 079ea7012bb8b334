// The crowd of `throng.rs`, for programs in C++: read, measured and told in one way.
#pragma once

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Point {
    float x, y;
};

struct Crowd {
    float side = 0;
    std::vector<Point> places, goals;
};

const float RADIUS = 0.3f;
const float SPEED = 1.4f;
const float STEP = 0.05f;
const int WARM_UP = 40, STEPS = 20, TIMES = 5;

inline Crowd read_crowd(const char* path) {
    Crowd crowd;
    std::FILE* file = std::fopen(path, "r");
    if (!file || std::fscanf(file, "%f", &crowd.side) != 1) {
        std::fprintf(stderr, "%s is no crowd\n", path);
        std::exit(2);
    }
    Point place, goal;
    while (std::fscanf(file, "%f %f %f %f", &place.x, &place.y, &goal.x, &goal.y) == 4) {
        crowd.places.push_back(place);
        crowd.goals.push_back(goal);
    }
    std::fclose(file);
    return crowd;
}

// Straight to the goal, at the speed that agents like.
inline Point way(Point place, Point goal) {
    float x = goal.x - place.x, y = goal.y - place.y, length = std::sqrt(x * x + y * y);
    float scale = length > 1e-3f ? SPEED / length : 0.0f;
    return {x * scale, y * scale};
}

// Nanoseconds for which a processor has worked on this program: others on the machine do not count.
inline double worked() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

// Prints the line of `throng.rs`: `step()` does a step of all agents, `place(i)` says where one is.
template <class Step, class Place>
void measure(const char* name, const Crowd& crowd, Step step, Place place) {
    size_t agents = crowd.places.size();
    auto far = [&] {
        double sum = 0;
        for (size_t i = 0; i < agents; i++) {
            Point at = place(i), goal = crowd.goals[i];
            sum += std::hypot(at.x - goal.x, at.y - goal.y);
        }
        return sum / agents;
    };
    for (int i = 0; i < WARM_UP; i++) step();
    double before = far();
    std::vector<double> times;
    for (int time = 0; time < TIMES; time++) {
        double start = worked();
        for (int i = 0; i < STEPS; i++) step();
        times.push_back((worked() - start) / (double(STEPS) * agents));
    }
    double nearer = (before - far()) / (TIMES * STEPS * STEP);
    if (!(nearer >= 0.3 && nearer <= SPEED)) {
        std::fprintf(stderr, "%s: they come nearer at %f m/s\n", name, nearer);
        std::exit(1);
    }
    std::sort(times.begin(), times.end());
    std::printf("%s\t%zu\t%.0f\t%g\t%.2f\n", name, agents, times[TIMES / 2], STEP, nearer);
}
