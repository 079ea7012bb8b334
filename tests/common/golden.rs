//! Golden runs: every shipped scenario in both numeric modes, scaled down, and the line of
//! `scenarios/golden.txt` that says what came of it. The tests share them with
//! `examples/golden.rs`, so nothing here needs another crate than rayon.

use throng::lane::{Lane, Numbers};
use throng::math::{Digest, Num, Numeric};
use throng::scenario::{Overrides, Plan, ScenarioDef, builtin};
use throng::state;
use throng::tick::{Scratch, tick_with};
use throng::world::World;

/// Agents of a golden run at tick 0, at most.
const AGENTS: u64 = 2_000;

/// Ticks of a golden run.
const TICKS: u64 = 300;

/// The result of a golden run.
pub(crate) struct Played {
    /// Its line in `golden.txt`.
    pub(crate) line: String,
    /// The digest after every tick.
    pub(crate) digests: Vec<u64>,
}

/// A shipped scenario as golden runs play it, in either numeric mode.
pub(crate) fn golden(name: &str) -> Plan {
    shipped(name, Numeric::F32, AGENTS)
}

/// Plays a golden run in lanes `L`, on the threads of the caller's pool.
pub(crate) fn play<L: Lane>(plan: &Plan) -> Played {
    let mut world = World::<L::Num>::new(plan.map.clone(), plan.settings).unwrap();
    let (mut scratch, mut digests, mut all) = (Scratch::new(), Vec::new(), Digest::new());
    for at in 0..TICKS {
        let orders: Vec<_> = plan.orders_at(at).cloned().collect();
        tick_with::<L>(&mut world, &orders, &mut scratch, &mut ());
        assert_done(&world);
        let digest = state::digest(&world);
        all.word(digest);
        digests.push(digest);
    }
    state::validate(&world).unwrap();
    let (name, numeric, agents) = (&plan.name, L::Num::NUMERIC.word(), world.len());
    let (last, all) = (state::digest(&world), all.finish());
    let line = format!("{name:<10} {numeric:<5} {agents:>5} {TICKS} {last:016x} {all:016x}");
    Played { line, digests }
}

/// A shipped scenario with at most so many agents at the start.
pub(crate) fn shipped(name: &str, numeric: Numeric, agents: u64) -> Plan {
    let builtin = builtin(name).unwrap_or_else(|| panic!("{name} is no shipped scenario"));
    let mut def = ScenarioDef::parse(builtin.text, name).unwrap_or_else(|e| panic!("{e}"));
    let agents = Some(agents.min(def.agents()));
    let overrides = Overrides { agents, numeric: Some(numeric), ..Overrides::default() };
    def.apply(&overrides).unwrap();
    let map = def.load_map(&|path| builtin.read(path)).unwrap_or_else(|e| panic!("{e}"));
    Plan::new(&def, map).unwrap_or_else(|e| panic!("{e}"))
}

/// Panics when an order of the last tick was refused.
pub(crate) fn assert_done<N: Numbers>(world: &World<N>) {
    for outcome in world.outcomes() {
        assert!(!outcome.is_refused(), "{outcome:?}");
    }
}

/// Runs something on so many threads. One is the caller's own where a platform has no others.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) if threads == 1 => work(),
        Err(error) => panic!("{threads} threads: {error}"),
    }
}
