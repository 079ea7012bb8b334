//! The world: everything that a run's future depends on.
//!
//! A world is data: tables of agents and groups, the map, the flow fields, and what was ordered.
//! [`tick`](crate::tick::tick) takes it one step on.
//!
//! # Reading
//!
//! Everything that looks at a world takes `&World`, and nothing can be changed through that: no
//! number, no id, no cache. (A world holds no cells and no locks.) So what is read, how often, in
//! which order and on how many threads never changes a run.
//!
//! ```
//! fn screen(world: &throng::World<f32>) {
//!     let (positions, tags) = (world.positions(), world.tags());
//!     println!("row 0 at {:?} is of group {}", positions[0], tags[0].group);
//!     let group = world.group_id(tags[0].group);
//!     println!("its way leads {:?}", world.flow(group, [10.0, 10.0]));
//!     println!("{} flow fields are under way", world.fields().pending());
//! }
//! ```
//!
//! These do not compile: a tick, new agents, a column, a field's place in the cache, what is behind
//! the columns.
//!
//! ```compile_fail,E0308
//! fn screen(world: &throng::World<f32>, scratch: &mut throng::Scratch<f32>) {
//!     throng::tick(world, &[], scratch);
//! }
//! ```
//! ```compile_fail,E0596
//! fn screen(world: &throng::World<f32>, group: throng::GroupId) {
//!     let _ = world.spawn(group, &[[1.0, 1.0]]);
//! }
//! ```
//! ```compile_fail,E0594
//! fn screen(world: &throng::World<f32>) {
//!     world.positions()[0] = [1.0, 1.0];
//! }
//! ```
//! ```compile_fail,E0596
//! fn screen(world: &throng::World<f32>, id: throng::nav::field::FieldId) {
//!     world.fields().touch(id, 1);
//! }
//! ```
//! ```compile_fail,E0616
//! fn screen(world: &throng::World<f32>) {
//!     println!("{:?}", world.agents);
//! }
//! ```

mod agents;
mod behaviour;
mod changes;
mod combat;
mod company;
mod corridors;
mod crowding;
mod damage;
mod distribution;
pub(crate) mod door;
mod doors;
mod error;
mod exits;
mod flow;
pub(crate) mod following;
mod formation;
mod goal;
mod group;
mod group_def;
mod holding;
pub(crate) mod limits;
pub(crate) mod mind;
pub(crate) mod navigation;
mod order;
mod own_traits;
mod parts;
mod places;
mod reach;
mod refusal;
mod settings;
mod sink;
mod source;
mod spawn;
mod speed_factor;
mod steering;
pub(crate) mod strategy;
pub(crate) mod structure;
pub(crate) mod thoughts;
mod traffic;
mod traits;
mod variety;
mod view;
mod weapon;

#[doc(inline)]
pub use crate::kernel::intercept;
pub use agents::{AgentRows, Tag, state};
pub use behaviour::{Behaviour, BehaviourKind, MAX_BEHAVIOURS, MAX_PATH_POINTS, Mark, Side};
pub(crate) use changes::{ChangedCell, Changes, FormerGround, PastCell};
pub(crate) use combat::ShotOwner;
pub use combat::{Aimed, Combatants, Fallen, Impact, MAX_PROJECTILES, Projectiles, Shot, Struck};
pub use company::{Anchor, Company, CompanyDef, MAX_FILES};
pub(crate) use company::{CompanyGoal, Slot};
pub(crate) use corridors::Sectors;
pub use crowding::Crowding;
pub(crate) use crowding::{Past, Toll, share};
pub use distribution::{Distribution, Spread};
pub use door::{Door, MAX_DOORS};
pub use error::WorldError;
pub(crate) use exits::Exits;
pub use exits::{Exit, ExitsDef, MAX_EXITS};
pub use following::{FollowDef, Leader};
pub(crate) use following::{Following, MAX_TRAIL};
pub use formation::Formation;
pub(crate) use goal::{Goal, packed_radius, same_bits};
pub use group::Group;
pub use group_def::{Avoidance, GroupDef, LAYERS, TEAMS};
pub(crate) use holding::Holding;
pub use limits::{MAX_POINT_RANGE, MAX_RANGE};
pub use mind::{
    Control, Destination, FIRST_OUTPUT, FIRST_SIGNAL, INPUTS, MAX_FED, MAX_INPUTS, MAX_MINDS,
    MAX_USED, MindDef, StateTraits, input_names,
};
pub use navigation::{MAX_CRUMBS, Step, Steps};
pub(crate) use navigation::{Navigation, Way};
pub use order::{AgentOrder, Order, Outcome};
pub(crate) use own_traits::{OwnTraits, PARTS};
pub(crate) use parts::{Agents, Combat, Ground, Groups, Log, Minds, Routes, Teams};
pub use reach::CutOff;
pub use refusal::Refusal;
pub use settings::{MAX_FIELD_CACHE, Settings};
pub use sink::{Departure, MAX_SINKS, Sink};
pub(crate) use sink::{SinkCells, Spots};
pub use source::{Comers, Inflow, MAX_COMERS, MAX_ENTRIES, MAX_RATE, MAX_TIME, Source, SourceDef};
pub(crate) use spawn::check_classes;
pub(crate) use speed_factor::SpeedFactors;
pub(crate) use steering::{Act, Steering};
pub(crate) use strategy::Commander;
pub use strategy::{
    COMMANDED_INPUTS, Course, FIRST_COMMANDED, MAX_STRATEGY_INPUTS, PlanChange, PlanEvent,
    STRATEGY_INPUTS, Strategy, strategy_input_names,
};
pub(crate) use structure::{Attack, Condition, Structures};
pub use structure::{Collapse, MAX_HIT_POINTS, MAX_STRUCTURES, Structure, StructureDef};
pub use thoughts::{EndlessChain, Thoughts};
pub(crate) use thoughts::{Mind, VariantSet};
pub use traffic::MAX_SOURCES;
pub(crate) use traffic::Traffic;
pub(crate) use traits::LOOK_AHEAD;
pub use traits::{Guidance, Traits};
pub use variety::{MAX_WAIT, VaryDef};
pub(crate) use variety::{RESPONSES, Variety};
pub(crate) use view::View;
pub use weapon::{
    Ballistics, Choice, MAX_HEALTH, MAX_WEAPONS, Power, ShotArc, Tally, Weapon, WeaponDef,
};

use std::sync::Arc;

use crate::data::{GroupId, Id};
use crate::lane::{Numbers, built_here};
use crate::map::{Map, Quickest};
use crate::nav::field::{FieldLimits, Fields};

/// Most agents of a world.
pub const MAX_AGENTS: usize = 1 << 24;
/// Most ticks that a world can have done.
pub const MAX_TICKS: u64 = 1 << 48;
/// Most groups of a world.
pub const MAX_GROUPS: usize = u16::MAX as usize;

/// A map, a crowd on it, and its orders, in number type `N` (`f32` or [`Fx`](crate::math::Fx)).
#[derive(Clone, Debug)]
pub struct World<N: Numbers> {
    pub(crate) settings: Settings,
    pub(crate) log: Log,
    pub(crate) ground: Ground<N>,
    pub(crate) agents: Agents<N>,
    pub(crate) groups: Groups<N>,
    pub(crate) routes: Routes<N>,
    pub(crate) combat: Combat<N>,
    pub(crate) minds: Minds<N>,
    pub(crate) teams: Teams<N>,
    pub(crate) traffic: Traffic,
    pub(crate) structures: Structures,
}

impl<N: Numbers> World<N> {
    /// An empty world on a map.
    ///
    /// # Errors
    /// When the map is larger than the number type can place agents on, or a setting is out of
    /// range.
    pub fn new(map: impl Into<Arc<Map>>, settings: Settings) -> Result<Self, WorldError> {
        type Made<N> = Result<World<N>, WorldError>;
        built_here!(N; fn(map: Arc<Map>, settings: Settings) -> Made<N> = World::on)(
            map.into(),
            settings,
        )
    }

    fn on(map: Arc<Map>, settings: Settings) -> Result<Self, WorldError> {
        settings.check()?;
        let cells = f64::from(map.width().max(map.height()));
        let metres = cells * map.cell_size();
        if metres > N::EXTENT {
            return Err(WorldError::MapTooLarge { metres, most: N::EXTENT });
        }
        let limits = FieldLimits {
            cap_bytes: settings.field_cache_bytes,
            cells_per_tick: settings.field_cells_per_tick,
            max_jobs: settings.field_jobs,
        };
        let quickest = Quickest::new(&map);
        let fields = Fields::new(map.slowness().len() as u32, limits);
        let ground = Ground {
            given_map: Arc::clone(&map),
            map,
            changes: Changes::default(),
            doors: Vec::new(),
            barred: None,
            quickest,
            speed_factors: SpeedFactors::default(),
            classes: Vec::new(),
        };
        let routes = Routes {
            fields,
            sectors: Sectors::default(),
            crowding: Crowding::default(),
            holding: Holding::default(),
            by_points: false,
            steps: Steps::default(),
            navigation: Navigation::default(),
        };
        Ok(Self {
            settings,
            log: Log::default(),
            ground,
            agents: Agents::default(),
            groups: Groups::default(),
            routes,
            combat: Combat::default(),
            minds: Minds::default(),
            teams: Teams::default(),
            traffic: Traffic::default(),
            structures: Structures::default(),
        })
    }

    /// The map as it is now. Doors are open ground on it; [`World::solid_map`] has closed ones as walls.
    pub fn map(&self) -> &Map {
        &self.ground.map
    }

    /// The map as it was given, without what was built and taken down since.
    pub fn given_map(&self) -> &Map {
        &self.ground.given_map
    }

    /// How often the map has changed: while this number stays, so does the map.
    pub fn map_version(&self) -> u32 {
        self.routes.fields.version()
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Ticks done so far.
    pub fn tick_count(&self) -> u64 {
        self.log.tick
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.agents.rows.pos.len()
    }

    /// Whether there is no agent.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Positions in metres, one `[x, y]` a row. Rows move from tick to tick; [`World::tags`] says
    /// which agent is in which row.
    pub fn positions(&self) -> &[[N; 2]] {
        &self.agents.rows.pos
    }

    /// Velocities in metres a second, by row.
    pub fn velocities(&self) -> &[[N; 2]] {
        &self.agents.rows.vel
    }

    /// Id index, group and state, by row.
    pub fn tags(&self) -> &[Tag] {
        &self.agents.rows.tag
    }

    /// The id of the agent in a row.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn id(&self, row: usize) -> Id {
        self.agents.ids.id(self.agents.rows.tag[row].id)
    }

    /// The number that an agent was given ([`AgentOrder::Label`]), or 0.
    pub fn label(&self, id: Id) -> u64 {
        let label = self.agents.labels.get(id.index as usize).copied();
        label.filter(|_| self.is_alive(id)).unwrap_or(0)
    }

    /// Whether an agent lives.
    pub fn is_alive(&self, id: Id) -> bool {
        self.agents.ids.is_alive(id)
    }

    /// The groups, in the order they were added.
    pub fn groups(&self) -> &[Group<N>] {
        &self.groups.list
    }

    /// A group, if it is there.
    pub fn group(&self, group: GroupId) -> Option<&Group<N>> {
        self.groups.has(group).then(|| &self.groups.list[usize::from(group)])
    }

    /// The handle of the group that columns name by this index.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn group_id(&self, index: u16) -> GroupId {
        assert!(usize::from(index) < self.groups.list.len(), "there is no group {index}");
        self.groups.id(index)
    }

    /// What became of the last tick's orders: one entry an order, in their order.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.log.outcomes
    }

    /// The flow fields.
    pub fn fields(&self) -> &Fields {
        &self.routes.fields
    }

    /// How much longer it takes to cross the map because of crowds; empty while no group under way
    /// avoids them.
    pub fn crowding(&self) -> &Crowding {
        &self.routes.crowding
    }

    /// The length of a tick in seconds.
    pub fn dt(&self) -> f64 {
        self.settings.dt()
    }

    /// How many agents have arrived: they are in the area that they were ordered to, give or take a
    /// radius.
    pub fn arrived(&self) -> usize {
        self.agents.rows.tag.iter().filter(|tag| tag.state & state::ARRIVED != 0).count()
    }

    /// How many agents stand around a goal that has no room for them.
    pub fn overflowed(&self) -> usize {
        self.agents.rows.tag.iter().filter(|tag| tag.has_overflowed()).count()
    }
}
