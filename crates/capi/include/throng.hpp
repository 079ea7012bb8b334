// throng for C++17: simulations that clean up behind themselves, spans for arrays, exceptions for errors.
// Everything else is in throng.h; `Simulation::get` gives what its functions take.

#ifndef THRONG_HPP
#define THRONG_HPP

#include "throng.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng {

/// A call that failed: the words of throng, and the status.
class Error : public std::runtime_error {
  public:
    Error(ThrongStatus status, const char *words) : std::runtime_error(words), status_(status) {}

    /// How the call ended.
    ThrongStatus status() const noexcept { return status_; }

  private:
    ThrongStatus status_;
};

/// Throws what went wrong.
inline void check(ThrongStatus status) {
    if (status != THRONG_STATUS_OK) {
        throw Error(status, throng_last_error());
    }
}

/// Things in a row that belong to somebody else, as std::span of C++20.
template <typename T> class Span {
  public:
    constexpr Span() noexcept = default;
    constexpr Span(const T *first, std::size_t count) noexcept : first_(first), count_(count) {}
    constexpr Span(const T &one) noexcept : first_(&one), count_(1) {}
    constexpr Span(std::initializer_list<T> list) noexcept
        : first_(list.begin()), count_(list.size()) {}
    template <typename Container,
              typename = std::enable_if_t<std::is_convertible_v<
                  decltype(std::declval<const Container &>().data()), const T *>>>
    constexpr Span(const Container &container) noexcept
        : first_(container.data()), count_(container.size()) {}

    constexpr const T *data() const noexcept { return first_; }
    constexpr std::size_t size() const noexcept { return count_; }
    constexpr bool empty() const noexcept { return count_ == 0; }
    constexpr const T *begin() const noexcept { return first_; }
    constexpr const T *end() const noexcept { return first_ + count_; }
    constexpr const T &operator[](std::size_t index) const { return first_[index]; }

  private:
    const T *first_ = nullptr;
    std::size_t count_ = 0;
};

/// A simulation. It can be moved, not copied. Spans that it gives hold until it changes.
class Simulation {
  public:
    /// An empty map.
    explicit Simulation(const ThrongMapDef &map,
                        const ThrongSettings &settings = throng_default_settings()) {
        check(throng_create(&map, &settings, &sim_));
    }

    /// A scenario: a file, or one of those that ship inside throng by its name.
    static Simulation from_scenario(const std::string &name,
                                    const ThrongScenarioDef &changes = throng_default_scenario()) {
        ThrongSim *sim = nullptr;
        check(throng_load_scenario(name.c_str(), &changes, &sim));
        return Simulation(sim);
    }

    Simulation(const Simulation &) = delete;
    Simulation &operator=(const Simulation &) = delete;
    Simulation(Simulation &&other) noexcept : sim_(std::exchange(other.sim_, nullptr)) {}
    Simulation &operator=(Simulation &&other) noexcept {
        std::swap(sim_, other.sim_);
        return *this;
    }
    ~Simulation() { throng_destroy(sim_); }

    /// What the functions of throng.h take.
    ThrongSim *get() const noexcept { return sim_; }

    ThrongGroupId add_group(const ThrongGroupDef &def = throng_default_group()) {
        ThrongGroupId group;
        check(throng_add_group(sim_, &def, &group));
        return group;
    }

    /// Its agents leave in the next step; says how many.
    std::uint32_t remove_group(ThrongGroupId group) {
        std::uint32_t touched;
        check(throng_remove_group(sim_, group, &touched));
        return touched;
    }

    ThrongWeaponId add_weapon(const ThrongWeaponDef &def) {
        ThrongWeaponId weapon;
        check(throng_add_weapon(sim_, &def, &weapon));
        return weapon;
    }

    ThrongCompanyId add_company(const ThrongCompanyDef &def) {
        ThrongCompanyId company;
        check(throng_add_company(sim_, &def, &company));
        return company;
    }

    /// Its groups stand where they are, by themselves.
    std::uint32_t remove_company(ThrongCompanyId company) {
        std::uint32_t touched;
        check(throng_remove_company(sim_, company, &touched));
        return touched;
    }

    Span<ThrongAgentId> spawn(ThrongGroupId group, Span<ThrongShape> area, std::uint32_t count) {
        const ThrongAgentId *ids = nullptr;
        check(throng_spawn(sim_, group, area.data(), area.size(), count, &ids));
        return {ids, count};
    }

    std::uint32_t send(ThrongGroupId group, Span<ThrongShape> goal) {
        std::uint32_t touched;
        check(throng_send(sim_, group, goal.data(), goal.size(), &touched));
        return touched;
    }

    std::uint32_t send(Span<ThrongAgentId> agents, Span<ThrongShape> goal) {
        std::uint32_t touched;
        check(throng_send_agents(sim_, agents.data(), agents.size(), goal.data(), goal.size(), &touched));
        return touched;
    }

    std::uint32_t stop(ThrongGroupId group) {
        std::uint32_t touched;
        check(throng_stop(sim_, group, &touched));
        return touched;
    }

    std::uint32_t build(Span<ThrongShape> area) {
        std::uint32_t touched;
        check(throng_build(sim_, area.data(), area.size(), &touched));
        return touched;
    }

    std::uint32_t demolish(Span<ThrongShape> area) {
        std::uint32_t touched;
        check(throng_demolish(sim_, area.data(), area.size(), &touched));
        return touched;
    }

    ThrongSourceId add_source(ThrongGroupId group, Span<ThrongShape> area, const ThrongSourceDef &def) {
        ThrongSourceId source;
        check(throng_add_source(sim_, group, area.data(), area.size(), &def, &source));
        return source;
    }

    void close_source(ThrongSourceId source) { check(throng_close_source(sim_, source)); }

    /// For agents of these groups; without any, of all.
    ThrongSinkId add_sink(Span<ThrongShape> area, Span<ThrongGroupId> groups = {}) {
        ThrongSinkId sink;
        check(throng_add_sink(sim_, area.data(), area.size(), groups.data(), groups.size(), &sink));
        return sink;
    }

    std::uint32_t vary(ThrongGroupId group, const ThrongVaryDef &def) {
        std::uint32_t touched;
        check(throng_vary(sim_, group, &def, &touched));
        return touched;
    }

    std::uint32_t choose(ThrongGroupId group, const ThrongExitsDef &def) {
        std::uint32_t touched;
        check(throng_choose(sim_, group, &def, &touched));
        return touched;
    }

    std::uint32_t follow(ThrongGroupId group, const ThrongFollowDef &def) {
        std::uint32_t touched;
        check(throng_follow(sim_, group, &def, &touched));
        return touched;
    }

    /// The agents of a group follow one of another, as usual.
    std::uint32_t follow(ThrongGroupId group, ThrongGroupId leaders) {
        auto def = throng_default_follow();
        def.leaders = leaders;
        return follow(group, def);
    }

    ThrongDoorId add_door(Span<ThrongShape> area, bool is_open) {
        ThrongDoorId door;
        check(throng_add_door(sim_, area.data(), area.size(), is_open, &door));
        return door;
    }

    /// Says how many agents had to move.
    std::uint32_t set_door(ThrongDoorId door, bool is_open) {
        std::uint32_t touched;
        check(throng_set_door(sim_, door, is_open, &touched));
        return touched;
    }

    bool is_open(ThrongDoorId door) const {
        ThrongDoor found;
        check(throng_door(sim_, door, &found));
        return found.is_open != 0;
    }

    ThrongStructureId add_structure(Span<ThrongShape> area,
                                    const ThrongStructureDef &def = throng_default_structure()) {
        ThrongStructureId structure;
        check(throng_add_structure(sim_, area.data(), area.size(), &def, &structure));
        return structure;
    }

    std::uint32_t attack(ThrongGroupId group, ThrongStructureId structure) {
        std::uint32_t touched;
        check(throng_attack(sim_, group, structure, &touched));
        return touched;
    }

    ThrongStructure structure(ThrongStructureId structure) const {
        ThrongStructure found;
        check(throng_structure(sim_, structure, &found));
        return found;
    }

    /// How many agents have come and gone, and how many sources, sinks, doors and structures there are.
    ThrongTraffic traffic() const {
        ThrongTraffic found;
        check(throng_traffic(sim_, &found));
        return found;
    }

    /// Any order, as JSON.
    std::uint32_t order(const std::string &json) {
        std::uint32_t touched;
        check(throng_order(sim_, json.c_str(), &touched));
        return touched;
    }

    void step(std::uint32_t ticks = 1) { check(throng_step(sim_, ticks)); }

    /// Ticks that are due after a frame of so many seconds.
    std::uint32_t due(double seconds) {
        std::uint32_t ticks;
        check(throng_due(sim_, seconds, &ticks));
        return ticks;
    }

    std::uint64_t tick_count() const {
        std::uint64_t ticks;
        check(throng_tick_count(sim_, &ticks));
        return ticks;
    }

    std::size_t size() const {
        std::size_t count;
        check(throng_agent_count(sim_, &count));
        return count;
    }

    std::size_t arrived() const {
        std::size_t count;
        check(throng_arrived_count(sim_, &count));
        return count;
    }

    Span<ThrongVec2f> positions() const { return array(throng_positions_f32); }
    Span<ThrongVec2d> exact_positions() const { return array(throng_positions_f64); }
    Span<ThrongVec2f> velocities() const { return array(throng_velocities_f32); }
    Span<ThrongAgentId> ids() const { return array(throng_ids); }
    Span<std::uint16_t> groups() const { return array(throng_groups); }
    Span<std::uint8_t> states() const { return array(throng_states); }

    ThrongAgent agent(ThrongAgentId id) const {
        ThrongAgent agent;
        check(throng_agent(sim_, id, &agent));
        return agent;
    }

    Span<ThrongAgentId> within(Span<ThrongShape> area) const {
        const ThrongAgentId *first;
        std::size_t count;
        check(throng_within(sim_, area.data(), area.size(), &first, &count));
        return {first, count};
    }

    Span<ThrongAgentId> nearest(ThrongVec2d at, std::size_t most, double reach) const {
        const ThrongAgentId *first;
        std::size_t count;
        check(throng_nearest(sim_, at, most, reach, &first, &count));
        return {first, count};
    }

    ThrongEvents events() const {
        ThrongEvents events;
        check(throng_events(sim_, &events));
        return events;
    }

    std::uint64_t digest() const {
        std::uint64_t digest;
        check(throng_digest(sim_, &digest));
        return digest;
    }

    std::vector<std::uint8_t> snapshot() const {
        std::size_t size = 0;
        const auto status = throng_snapshot(sim_, nullptr, 0, &size);
        if (status != THRONG_STATUS_TOO_SMALL) {
            check(status);
        }
        std::vector<std::uint8_t> bytes(size);
        check(throng_snapshot(sim_, bytes.data(), bytes.size(), &size));
        return bytes;
    }

    void restore(Span<std::uint8_t> snapshot) {
        check(throng_restore(sim_, snapshot.data(), snapshot.size()));
    }

    void record(const std::string &path, const std::string &label = {}) {
        check(throng_record(sim_, path.c_str(), label.c_str()));
    }

    void finish_recording() { check(throng_finish_recording(sim_)); }

  private:
    explicit Simulation(ThrongSim *sim) noexcept : sim_(sim) {}

    template <typename T>
    Span<T> array(ThrongStatus (*read)(const ThrongSim *, const T **, std::size_t *)) const {
        const T *first;
        std::size_t count;
        check(read(sim_, &first, &count));
        return {first, count};
    }

    ThrongSim *sim_ = nullptr;
};

} // namespace throng

#endif
