//! [`Simulation`].

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use crate::data::{CompanyId, GroupId, Id, MindId, WeaponId};
use crate::lane::Numbers;
use crate::map::Map;
use crate::map::area::Shape;
use crate::replay::{RecordOptions, Recorder, ReplayError};
use crate::scenario::{Plan, Scene};
use crate::sim::events::Lists;
use crate::sim::exclusive::Exclusive;
use crate::sim::lazy::Lazy;
use crate::sim::watch::{Arrivals, Stuck};
use crate::sim::{AgentIndex, AgentView, Events};
use crate::state;
use crate::state::SnapshotError;
use crate::tick;
use crate::tick::{Accumulator, Probe, Scratch};
use crate::world::{
    AgentOrder, CompanyDef, GroupDef, MindDef, Order, Outcome, Refusal, Settings, Shot, WeaponDef,
    World, WorldError,
};

/// Most ticks that one frame may do.
const MAX_FRAME_TICKS: u32 = 8;

/// Where a recording is written.
type Recording = Recorder<Box<dyn Write + Send>>;

/// A world, what its ticks work with, and the orders given to it.
///
/// Orders take effect at once, so what they bring can be named and seen; the step that follows is the
/// tick that they belong to. [`tick()`](crate::tick::tick) with the same orders gives the same bits.
pub struct Simulation<N: Numbers> {
    world: World<N>,
    scratch: Scratch<N>,
    clock: Accumulator,
    /// Orders for later ticks.
    later: BTreeMap<u64, Vec<Order>>,
    /// Whether the tick has begun, and the orders given in it.
    has_begun: bool,
    given: Vec<Order>,
    refused: Vec<(Order, Refusal)>,
    spawned: Vec<Id>,
    /// What the world kept of the last tick, once the next has begun.
    last: Lists,
    arrivals: Option<Arrivals>,
    arrived: Vec<Id>,
    stuck: Option<Stuck>,
    stuck_now: Vec<Id>,
    /// Name and scene of the scenario, for recordings; empty without one.
    name: String,
    scene: Scene,
    recording: Option<Exclusive<Recording>>,
    /// What ended a recording early.
    failure: Option<ReplayError>,
    /// By id index: row in the columns. Of free ids it means nothing.
    rows: Lazy<Vec<u32>>,
    index: Lazy<AgentIndex<N>>,
}

impl<N: Numbers> fmt::Debug for Simulation<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("world", &self.world).finish_non_exhaustive()
    }
}

impl<N: Numbers> From<World<N>> for Simulation<N> {
    /// A simulation that goes on with a world.
    fn from(world: World<N>) -> Self {
        Self {
            clock: Accumulator::new(world.settings().tick_rate, MAX_FRAME_TICKS),
            world,
            scratch: Scratch::new(),
            later: BTreeMap::new(),
            has_begun: false,
            given: Vec::new(),
            refused: Vec::new(),
            spawned: Vec::new(),
            last: Lists::default(),
            arrivals: None,
            arrived: Vec::new(),
            stuck: None,
            stuck_now: Vec::new(),
            name: String::new(),
            scene: Scene::default(),
            recording: None,
            failure: None,
            rows: Lazy::default(),
            index: Lazy::default(),
        }
    }
}

impl<N: Numbers> Simulation<N> {
    /// An empty map.
    ///
    /// # Errors
    /// When the map is larger than the number type can place agents on, or a setting is out of range.
    pub fn new(map: impl Into<Arc<Map>>, settings: Settings) -> Result<Self, WorldError> {
        Ok(World::new(map, settings)?.into())
    }

    /// A scenario: its map and settings, with the orders of its first tick given and all others
    /// scheduled. A recording of the run can begin before its first step.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn from_plan(plan: Plan) -> Result<Self, WorldError> {
        let (name, scene) = (plan.name, plan.scene);
        let mut sim = Self { name, scene, ..Self::new(plan.map, plan.settings)? };
        for (tick, order) in plan.orders {
            match tick {
                // The outcome is in the events.
                0 => drop(sim.order(order)),
                _ => sim.schedule(tick, order),
            }
        }
        Ok(sim)
    }

    /// The world: all columns, as slices.
    pub fn world(&self) -> &World<N> {
        &self.world
    }

    /// Ticks done.
    pub fn tick_count(&self) -> u64 {
        self.world.tick_count()
    }

    /// Simulated time in seconds.
    pub fn seconds(&self) -> f64 {
        self.world.tick_count() as f64 * self.world.dt()
    }

    /// Number of agents.
    pub fn len(&self) -> usize {
        self.world.len()
    }

    /// Whether there is no agent.
    pub fn is_empty(&self) -> bool {
        self.world.is_empty()
    }

    // Orders

    /// Gives an order, which takes effect at once, and returns how many agents it touched.
    ///
    /// # Errors
    /// Why it was refused. It has changed nothing then.
    pub fn order(&mut self, order: Order) -> Result<u32, Refusal> {
        match self.add(order)? {
            Outcome::Done { agents } => Ok(agents),
            _ => Ok(0),
        }
    }

    /// Gives an order in the tick that has begun or begins now.
    pub(super) fn add(&mut self, order: Order) -> Result<Outcome, Refusal> {
        self.begin();
        self.give(order)
    }

    /// Has an order given in the tick of this number, after all that is ordered by then; never if that
    /// tick has been done. [`Events::refused`] names it if it is refused. It is given again when a
    /// restored simulation comes to that tick again.
    pub fn schedule(&mut self, tick: u64, order: Order) {
        self.later.entry(tick).or_default().push(order);
    }

    /// Adds a group without agents.
    ///
    /// # Errors
    /// When a trait is out of range, or there are too many groups.
    pub fn add_group(&mut self, def: GroupDef) -> Result<GroupId, Refusal> {
        match self.add(Order::Group { def })? {
            Outcome::Group(group) => Ok(group),
            outcome => unreachable!("a group is added, not {outcome:?}"),
        }
    }

    /// Changes what a group is like, under way or not.
    ///
    /// # Errors
    /// When a trait is out of range, or radius, navigator or costs of ground would change.
    pub fn change_group(&mut self, group: GroupId, def: GroupDef) -> Result<u32, Refusal> {
        self.order(Order::Change { group, def })
    }

    /// Removes a group with its agents, which leave in the next step and take no more orders, and says how
    /// many these are. It leaves its company, and behaviours of others that look at it end; what is in
    /// the air flies on. From now on its handle is refused; its index is used again by a group that is
    /// added, under another handle.
    ///
    /// # Errors
    /// When there is no such group, or strategies command it.
    pub fn remove_group(&mut self, group: GroupId) -> Result<u32, Refusal> {
        self.order(Order::RemoveGroup { group })
    }

    /// Adds a weapon, which groups added later can carry.
    ///
    /// # Errors
    /// When a number is out of range, or there are too many weapons.
    pub fn add_weapon(&mut self, def: WeaponDef) -> Result<WeaponId, Refusal> {
        match self.add(Order::Weapon { def })? {
            Outcome::Weapon(weapon) => Ok(weapon),
            outcome => unreachable!("a weapon is added, not {outcome:?}"),
        }
    }

    /// Adds a mind, which groups can decide by ([`Order::Think`]).
    ///
    /// # Errors
    /// When it contradicts itself, or there are too many minds.
    pub fn add_mind(&mut self, def: MindDef) -> Result<MindId, Refusal> {
        match self.add(Order::Mind { def })? {
            Outcome::Mind(mind) => Ok(mind),
            outcome => unreachable!("a mind is added, not {outcome:?}"),
        }
    }

    /// Joins groups to a company.
    ///
    /// # Errors
    /// When a group does not exist or has a company.
    pub fn add_company(&mut self, def: CompanyDef) -> Result<CompanyId, Refusal> {
        match self.add(Order::Company { def })? {
            Outcome::Company(company) => Ok(company),
            outcome => unreachable!("a company is added, not {outcome:?}"),
        }
    }

    /// Removes a company: its groups stand where they are, by themselves. From now on its handle is refused.
    ///
    /// # Errors
    /// When there is no such company.
    pub fn remove_company(&mut self, company: CompanyId) -> Result<u32, Refusal> {
        self.order(Order::RemoveCompany { company })
    }

    /// Brings new agents to a group, spread over an area, at rest.
    ///
    /// # Errors
    /// When they do not fit, or there is no such group.
    pub fn spawn(
        &mut self,
        group: GroupId,
        area: impl Into<Vec<Shape>>,
        count: u32,
    ) -> Result<Vec<Id>, Refusal> {
        let before = self.world.len();
        self.order(Order::Spawn { group, area: area.into(), count })?;
        Ok((before..self.world.len()).map(|row| self.world.id(row)).collect())
    }

    /// Sends a group to a goal: the nearest part of an area.
    ///
    /// # Errors
    /// When there is no such group, its agents cannot stand there, or none can get there.
    pub fn send(&mut self, group: GroupId, goal: impl Into<Vec<Shape>>) -> Result<u32, Refusal> {
        self.order(Order::Move { group, goal: goal.into() })
    }

    /// Sends some agents to a goal of their own; the rest of their group goes on. They return to the
    /// order of the group when it is sent somewhere or stopped, or with [`AgentOrder::Rejoin`].
    ///
    /// # Errors
    /// When an agent does not live, is named twice or thinks, or none of a group can get there.
    pub fn send_agents(
        &mut self,
        agents: &[Id],
        goal: impl Into<Vec<Shape>>,
    ) -> Result<u32, Refusal> {
        self.order_agents(agents, AgentOrder::Send { goal: goal.into() })
    }

    /// Sends each of some agents to a goal of its own. Goals of one group that lie together on open ground
    /// share a flow field ([`AgentOrder::SendEach`]).
    ///
    /// # Errors
    /// As [`Simulation::send_agents`].
    pub fn send_each(&mut self, goals: &[(Id, [f64; 2])]) -> Result<u32, Refusal> {
        let (agents, to): (Vec<_>, Vec<_>) = goals.iter().copied().unzip();
        self.order_agents(&agents, AgentOrder::SendEach { to })
    }

    /// Tells single agents something, or does something to them.
    ///
    /// # Errors
    /// When an agent does not live or is named twice, or the order cannot be carried out.
    pub fn order_agents(&mut self, agents: &[Id], order: AgentOrder) -> Result<u32, Refusal> {
        self.order(Order::Agents { agents: agents.to_vec(), order })
    }

    /// Has a group stand where it is.
    ///
    /// # Errors
    /// When there is no such group.
    pub fn stop(&mut self, group: GroupId) -> Result<u32, Refusal> {
        self.order(Order::Stop { group })
    }

    /// Builds walls: all cells with their centres in an area. Agents there are moved to the nearest open
    /// cell.
    ///
    /// # Errors
    /// When nothing would change, or no open cell would be left.
    pub fn build(&mut self, area: impl Into<Vec<Shape>>) -> Result<u32, Refusal> {
        self.order(Order::Build { area: area.into() })
    }

    /// Takes walls down.
    ///
    /// # Errors
    /// When nothing would change.
    pub fn demolish(&mut self, area: impl Into<Vec<Shape>>) -> Result<u32, Refusal> {
        self.order(Order::Demolish { area: area.into() })
    }

    // Time

    /// Does a tick.
    pub fn step(&mut self) {
        self.step_with(&mut ());
    }

    /// The same; a probe is told when stages end.
    pub fn step_with(&mut self, probe: &mut impl Probe) {
        self.begin();
        for order in self.later.get(&self.tick_count()).cloned().into_iter().flatten() {
            // The outcome is in the events.
            let _ = self.give(order);
        }
        tick::go_on(&mut self.world, &mut self.scratch, probe);
        self.has_begun = false;
        self.forget();
        if let Some(recording) = &mut self.recording
            && let Err(error) = recording.get_mut().tick(&self.world, &self.given)
        {
            self.failure = Some(error);
        }
        if self.failure.is_some() {
            self.recording = None;
        }
        self.given.clear();
        self.arrived.clear();
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.look(&self.world, &mut self.arrived);
        }
        self.stuck_now.clear();
        if let Some(stuck) = &mut self.stuck {
            stuck.look(&self.world, &mut self.stuck_now);
        }
    }

    /// From now on a force of your own changes what agents desire, in every tick between steering
    /// behaviours and avoidance: it is called for chunks of rows, with the world as it is then and the
    /// desired velocities of these rows in m/s. What it makes infinite or NaN counts as 0.
    ///
    /// It runs on several threads, in any order. The bits repeat as long as what it does depends on
    /// nothing but the world and what is the same in every run: no clock, no counter, no random number
    /// but one made of seed, tick and id. [`Rewind`](crate::replay::Rewind) finds what does not. A
    /// recording holds orders, not forces: where it is played, the force must be too.
    pub fn set_force(
        &mut self,
        force: impl Fn(&World<N>, Range<usize>, &mut [[N; 2]]) + Send + Sync + 'static,
    ) {
        tick::set_force(&mut self.scratch, Some(Arc::new(force)));
    }

    /// No force of your own any more.
    pub fn clear_force(&mut self) {
        tick::set_force(&mut self.scratch, None);
    }

    /// How many ticks are due after a frame of so many seconds, 8 at most: so often [`Simulation::step`]
    /// is called. How long frames take decides when ticks are done and nothing else.
    pub fn due(&mut self, seconds: f64) -> u32 {
        self.clock.frame(seconds)
    }

    /// How much of the time from the last tick to the next has passed at the end of the frame, 0 ..= 1
    /// ([`AgentView::pos_between`]).
    pub fn alpha(&self) -> f64 {
        self.clock.fraction()
    }

    /// What happened in the last tick.
    pub fn events(&self) -> Events<'_> {
        let (world, last) = (&self.world, &self.last);
        let (fallen, impacts, plans, endless) = match self.has_begun {
            true => (&last.fallen[..], &last.impacts[..], &last.plans[..], &last.endless[..]),
            false => (world.fallen(), world.impacts(), world.plan_events(), world.endless()),
        };
        let (entered, left, collapsed) = match self.has_begun {
            true => (&last.entered[..], &last.left[..], &last.collapsed[..]),
            false => (world.last_entered(), world.last_gone(), world.collapsed()),
        };
        let Self { spawned, arrived, stuck_now: stuck, refused, .. } = self;
        Events {
            spawned,
            entered,
            left,
            arrived,
            stuck,
            fallen,
            collapsed,
            impacts,
            refused,
            plans,
            endless,
        }
    }

    /// The shots fired in the last tick: those in the air by row, then those that have ended. Looks at
    /// all projectiles.
    pub fn fired(&self) -> Vec<Shot> {
        let tick = (self.tick_count() as u32).wrapping_sub(1);
        let weapons = &self.world.combat.weapons;
        let is_new = |shot: &&Shot| {
            let lifetime = weapons[usize::from(shot.weapon)].ballistics.lifetime;
            shot.expires.wrapping_sub(lifetime) == tick
        };
        let ended = self.events().impacts.iter().map(|impact| &impact.shot);
        let all = self.world.projectiles().shot.iter().chain(ended);
        all.filter(is_new).copied().collect()
    }

    /// From now on [`Events::arrived`] lists agents that come into their goal; agents that are there
    /// already count as new. Costs about a nanosecond an agent and tick.
    pub fn watch_arrivals(&mut self) {
        self.arrivals = Some(Arrivals::default());
    }

    /// From now on [`Events::stuck`] lists agents under way that have stayed within their radius for so
    /// many seconds. Costs a few nanoseconds an agent and tick.
    pub fn watch_stuck(&mut self, seconds: f64) {
        let ticks = seconds * f64::from(self.world.settings().tick_rate);
        self.stuck = Some(Stuck::new(ticks.max(1.0) as u64));
    }

    // Reading

    /// An agent, if it lives. The first call after a step makes a table of all rows, about a nanosecond
    /// an agent; others cost the same for any number of agents.
    pub fn agent(&self, id: Id) -> Option<AgentView<'_, N>> {
        Some(AgentView::new(&self.world, self.row(id)?))
    }

    /// The row of an agent in the columns of the world, until the next step. Costs as
    /// [`Simulation::agent`].
    pub fn row(&self, id: Id) -> Option<usize> {
        let rows = self.rows.get(|rows| {
            rows.resize(self.world.agents.ids.capacity(), 0);
            for (row, tag) in self.world.tags().iter().enumerate() {
                rows[tag.id as usize] = row as u32;
            }
        });
        self.world.is_alive(id).then(|| rows[id.index as usize] as usize)
    }

    /// All agents, by row.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = AgentView<'_, N>> {
        (0..self.world.len()).map(|row| AgentView::new(&self.world, row))
    }

    /// Answers which agents are nearest to a point, or in an area. The first call after a step sorts
    /// all agents by place.
    pub fn index(&self) -> &AgentIndex<N> {
        self.index.get(|index| index.load(&self.world))
    }

    // State

    /// The digest of the state: equal for equal states, different for different ones.
    pub fn digest(&self) -> u64 {
        state::digest(&self.world)
    }

    /// The state as bytes, with what orders have done since the last step; not what was scheduled or
    /// watched.
    pub fn snapshot(&self) -> Vec<u8> {
        state::save(&self.world)
    }

    /// Takes the state back, or forward, to a snapshot of a simulation of the same map and settings. Ids
    /// name what they named then.
    ///
    /// # Errors
    /// When the snapshot is damaged, of another version, map or settings, or contradicts itself, or
    /// while a recording goes on. Nothing has changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        if self.recording.is_some() {
            return Err(SnapshotError::Recorded);
        }
        state::restore(&mut self.world, snapshot)?;
        self.has_begun = false;
        self.forget();
        self.given.clear();
        self.refused.clear();
        self.spawned.clear();
        self.arrived.clear();
        self.stuck_now.clear();
        if self.arrivals.is_some() {
            self.watch_arrivals();
        }
        if let Some(stuck) = &self.stuck {
            self.stuck = Some(Stuck::new(stuck.ticks));
        }
        Ok(())
    }

    /// Records the run from here on: orders, digests of every tick, and states to begin from.
    /// `throng verify` replays the file, `throng replay` draws it. Where the options have no label or no
    /// scene, those of the scenario are taken, if the simulation was made of one.
    ///
    /// # Errors
    /// When writing fails.
    pub fn record(
        &mut self,
        to: impl Write + Send + 'static,
        options: impl Into<RecordOptions>,
    ) -> Result<(), ReplayError> {
        let to: Box<dyn Write + Send> = Box::new(to);
        let mut options = options.into();
        if options.label.is_empty() {
            options.label.clone_from(&self.name);
        }
        if options.scene == Scene::default() {
            options.scene.clone_from(&self.scene);
        }
        self.recording = Some(Exclusive::new(Recorder::start(&self.world, options, to)?));
        self.failure = None;
        // Orders given so far are in the state that the recording begins with, whose tick begins anew.
        self.given.clear();
        self.world.log.outcomes.clear();
        Ok(())
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// When writing failed, now or at an earlier tick: the run went on, the recording did not.
    pub fn finish_recording(&mut self) -> Result<(), ReplayError> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let recording = self.recording.take().map(Exclusive::into_inner);
        recording.map_or(Ok(()), |recording| recording.finish().map(drop))
    }

    /// The next tick begins, unless it has.
    fn begin(&mut self) {
        if self.has_begun {
            return;
        }
        self.has_begun = true;
        self.last.swap(&mut self.world);
        self.refused.clear();
        self.spawned.clear();
        tick::begin(&mut self.world, &mut self.scratch);
    }

    fn give(&mut self, order: Order) -> Result<Outcome, Refusal> {
        let before = self.world.len();
        tick::give(&mut self.world, &order, &mut self.scratch);
        self.forget();
        let outcome = self.world.outcomes().last().expect("every order has an outcome").clone();
        if let Outcome::Refused(why) = outcome {
            self.given.push(order.clone());
            self.refused.push((order, why.clone()));
            return Err(why);
        }
        let new = before..self.world.len();
        self.spawned.extend(new.map(|row| self.world.id(row)));
        self.given.push(order);
        Ok(outcome)
    }

    /// Agents are no longer where they were.
    fn forget(&mut self) {
        self.rows.forget();
        self.index.forget();
    }
}
