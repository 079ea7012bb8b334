//! The parts of a world. A stage of the tick borrows the parts that it reads and writes.

use std::sync::Arc;

use crate::data::{CompanyId, GroupId, Ids};
use crate::kernel::wall_limit::OpenCells;
use crate::lane::Numbers;
use crate::map::{Clearance, Map, Quickest};
use crate::nav::field::Fields;
use crate::world::navigation::SEARCHES;
use crate::world::{
    AgentRows, Changes, Combatants, Commander, Company, Crowding, Door, EndlessChain, Fallen,
    Group, Holding, Impact, Mind, Navigation, Outcome, OwnTraits, PlanEvent, Projectiles, Sectors,
    SpeedFactors, Steps, Tag, Thoughts, Traits, VariantSet, Weapon,
};

/// The agents: rows in grid order, ids, and what is kept by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agents<N: Numbers> {
    pub(crate) rows: AgentRows<N>,
    pub(crate) ids: Ids,
    /// By id index: the agent's place among the places of its goal; valid while its state is
    /// `PLACED`.
    pub(crate) place_of: Vec<u32>,
    /// By id index, m: where a standing agent came to rest; of a waiting agent, the point on the way
    /// to a free place.
    pub(crate) home: Vec<[N; 2]>,
    /// By id index: the caller's number of an agent; empty before the first one is given.
    pub(crate) labels: Vec<u64>,
    /// By id index: 64ths of its group's speed, as a signed byte, by which an agent is quicker; empty
    /// before the first order to that end.
    pub(crate) paces: Vec<u8>,
    /// By id index: the tick in which an agent that still waits sets off; 0 for others. Empty while
    /// no agent waits.
    pub(crate) waits: Vec<u64>,
    /// By id index: the tick from which an agent that has chosen an exit looks for another; empty
    /// while no agent has a patience of its own.
    pub(crate) chooses: Vec<u64>,
    /// By id index: the point that an agent that follows another heads for, m, and the code of its
    /// leader. Empty while no group follows others.
    pub(crate) heads: Vec<[N; 2]>,
    /// See `heads`.
    pub(crate) leaders: Vec<u64>,
    /// Whether an agent leaves at the end of this tick.
    pub(crate) some_leave: bool,
    /// Agents that have left by a decision of their own, or by a sink, in the last tick.
    pub(crate) left: u32,
}

/// The map, and what follows from it alone.
#[derive(Clone, Debug)]
pub(crate) struct Ground<N: Numbers> {
    /// The map as it was given.
    pub(crate) given_map: Arc<Map>,
    /// The map as it is now.
    pub(crate) map: Arc<Map>,
    pub(crate) changes: Changes,
    /// The doors; they are open ground on the map.
    pub(crate) doors: Vec<Door>,
    /// The map with closed doors as walls, while there are any; derived.
    pub(crate) barred: Option<Arc<Map>>,
    /// The quickest ground that the map can have.
    pub(crate) quickest: Quickest,
    /// Speed on ground of every slowness as a share of that on plain ground.
    pub(crate) speed_factors: SpeedFactors<N>,
    /// Passability for each agent size in use.
    pub(crate) classes: Vec<Arc<Clearance>>,
}

/// Groups of agents, and the companies that groups form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups<N: Numbers> {
    pub(crate) list: Vec<Group<N>>,
    /// Traits of every group, as kernels read them.
    pub(crate) traits: Vec<Traits<N>>,
    /// In what agents differ from them.
    pub(crate) own: OwnTraits,
    pub(crate) companies: Vec<Company<N>>,
    /// Indices of the groups that were removed, ascending.
    pub(crate) removed: Vec<u16>,
}

/// What leads agents to their goals: flow fields, the costs in them, routes.
#[derive(Clone, Debug)]
pub(crate) struct Routes<N: Numbers> {
    pub(crate) fields: Fields,
    /// Fields on large maps, in sectors with agents; derived from all else.
    pub(crate) sectors: Sectors,
    /// Costs of crowds, while groups avoid them.
    pub(crate) crowding: Crowding,
    /// Costs of ground that standing agents hold.
    pub(crate) holding: Holding,
    /// Whether a group follows routes of points.
    pub(crate) by_points: bool,
    pub(crate) steps: Steps<N>,
    pub(crate) navigation: Navigation,
}

/// Weapons, and what they do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Combat<N: Numbers> {
    pub(crate) weapons: Vec<Weapon<N>>,
    pub(crate) combatants: Combatants<N>,
    pub(crate) projectiles: Projectiles<N>,
    /// The projectiles that ended in the last tick.
    pub(crate) impacts: Vec<Impact>,
    /// The agents that died in the last tick.
    pub(crate) fallen: Vec<Fallen>,
}

/// State machines, and the agents that decide by them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Minds<N: Numbers> {
    pub(crate) list: Vec<Mind<N>>,
    /// Groups that think, and the variant set of every group.
    pub(crate) variant_sets: Vec<VariantSet>,
    pub(crate) variant_set_of: Vec<u16>,
    pub(crate) thoughts: Thoughts<N>,
    /// The tick of every team's last signal of every kind; empty before the first one.
    pub(crate) signals: Vec<u64>,
    /// Agents whose machines found no end in the last tick.
    pub(crate) endless: Vec<EndlessChain>,
}

/// Strategies of teams.
#[derive(Clone, Debug, Default)]
pub(crate) struct Teams<N: Numbers> {
    /// Ascending by team.
    pub(crate) commanders: Vec<Commander<N>>,
    /// What happened to plans in the last tick.
    pub(crate) plan_events: Vec<PlanEvent>,
}

/// The clock, and the orders carried out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// Ticks done.
    pub(crate) tick: u64,
    /// A digest of all orders carried out so far.
    pub(crate) ordered: u64,
    /// What became of the last tick's orders, in their order.
    pub(crate) outcomes: Vec<Outcome>,
}

impl<N: Numbers> Agents<N> {
    /// Gives what orders tell single agents room for all ids, where there is any.
    pub(crate) fn grow_told(&mut self) {
        let ids = self.ids.capacity();
        if !self.labels.is_empty() {
            self.labels.resize(ids, 0);
        }
        if !self.paces.is_empty() {
            self.paces.resize(ids, 0);
        }
        if !self.waits.is_empty() {
            self.waits.resize(ids, 0);
        }
        if !self.chooses.is_empty() {
            self.chooses.resize(ids, 0);
        }
    }

    /// Gives the columns of followers room for all ids.
    pub(crate) fn grow_followers(&mut self) {
        let ids = self.ids.capacity();
        self.heads.resize(ids, [N::ZERO; 2]);
        self.leaders.resize(ids, 0);
    }

    /// An id's agent is gone: what it was told is forgotten.
    pub(crate) fn forget_told(&mut self, id: u32) {
        let id = id as usize;
        self.labels.get_mut(id).into_iter().for_each(|label| *label = 0);
        self.paces.get_mut(id).into_iter().for_each(|pace| *pace = 0);
        self.waits.get_mut(id).into_iter().for_each(|wait| *wait = 0);
        self.chooses.get_mut(id).into_iter().for_each(|chooses| *chooses = 0);
        self.heads.get_mut(id).into_iter().for_each(|head| *head = [N::ZERO; 2]);
        self.leaders.get_mut(id).into_iter().for_each(|leader| *leader = 0);
    }
}

impl<N: Numbers> Ground<N> {
    /// The map as it stops agents and shots: closed doors are walls.
    #[inline(always)]
    pub(crate) fn solid(&self) -> &Map {
        self.barred.as_deref().unwrap_or(&self.map)
    }

    /// The cells of the map as kernels see them: closed doors are walls.
    pub(crate) fn open_cells(&self) -> OpenCells<'_, N> {
        let (map, cell) = (self.solid(), self.map.cell_size());
        OpenCells::new(map.wall_distance(), [map.width(), map.height()], cell)
    }

    /// The padded index of the cell of a position.
    pub(crate) fn cell_of(&self, pos: [N; 2]) -> u32 {
        let ground = self.open_cells();
        let [i, j] = ground.cell(pos);
        (j as usize * ground.stride + i as usize) as u32
    }

    /// The class of a group.
    #[inline(always)]
    pub(crate) fn class_of(&self, group: &Group<N>) -> &Clearance {
        &self.classes[usize::from(group.class)]
    }

    /// Whether a group with agents goes on ground that is not all plain.
    pub(crate) fn is_uneven(&self, groups: &Groups<N>) -> bool {
        self.any_class(groups, |class| !class.is_even(&self.map))
    }

    /// Whether some ground is forbidden to a group with agents.
    pub(crate) fn forbids(&self, groups: &Groups<N>) -> bool {
        self.any_class(groups, Clearance::forbids)
    }

    fn any_class(&self, groups: &Groups<N>, is_so: impl Fn(&Clearance) -> bool) -> bool {
        let present = groups.list.iter().filter(|group| group.members > 0);
        let mut last = None;
        // Neighbours in the list mostly share a class.
        let mut classes = present.map(|group| group.class).filter(|&c| last.replace(c) != Some(c));
        classes.any(|class| is_so(&self.classes[usize::from(class)]))
    }

    /// The speed of an agent of a group at a point on the map as a share of that on plain ground.
    pub(crate) fn pace_at(&self, group: &Group<N>, at: [N; 2]) -> N {
        let class = self.class_of(group);
        if class.is_even(&self.map) {
            return N::ONE;
        }
        self.speed_factors.of(class.ground(&self.map)[self.cell_of(at) as usize])
    }
}

impl<N: Numbers> Groups<N> {
    /// The radius of an agent, m.
    pub(crate) fn radius(&self, tag: Tag) -> f64 {
        let radius = self.list[usize::from(tag.group)].def.radius;
        radius - radius * self.own.smaller(tag.id)
    }

    /// The same as kernels compute it.
    #[inline(always)]
    pub(crate) fn disc(&self, tag: Tag) -> N {
        let radius = self.traits[usize::from(tag.group)].radius;
        radius - radius * N::from_f64(self.own.smaller(tag.id))
    }

    /// The handle of the group with an index.
    pub(crate) fn id(&self, index: u16) -> GroupId {
        GroupId::with_generation(index, self.list[usize::from(index)].generation)
    }

    /// Whether a group is there.
    pub(crate) fn has(&self, group: GroupId) -> bool {
        let row = self.list.get(usize::from(group));
        row.is_some_and(|row| row.generation == group.generation() && !row.is_removed)
    }

    /// Notes that a group was removed.
    pub(crate) fn note_removed(&mut self, index: u16) {
        if let Err(at) = self.removed.binary_search(&index) {
            self.removed.insert(at, index);
        }
    }

    /// The handle of the company with an index.
    pub(crate) fn company_id(&self, index: u16) -> CompanyId {
        let generation = self.companies[usize::from(index)].generation;
        CompanyId::with_generation(index, generation)
    }

    /// Whether a company is there.
    pub(crate) fn has_company(&self, company: CompanyId) -> bool {
        let row = self.companies.get(usize::from(company));
        row.is_some_and(|row| row.generation == company.generation() && !row.is_removed)
    }

    /// The metres between neighbours in a company's formation.
    pub(crate) fn spacing(&self, company: u16) -> f64 {
        let def = &self.companies[usize::from(company)].def;
        def.spacing.unwrap_or_else(|| {
            let groups = def.groups.iter().map(|&group| &self.list[usize::from(group)].def);
            1.25 * groups.map(|def| 2.0 * def.reach()).fold(0.0, f64::max)
        })
    }

    /// The groups of a company that go where it goes and have agents, in the order of its list.
    pub(crate) fn marching(&self, company: u16) -> impl Iterator<Item = (u16, &Group<N>)> {
        let groups = self.companies[usize::from(company)].def.groups.iter();
        let groups = groups.map(|&group| (group.index(), &self.list[usize::from(group)]));
        groups.filter(|(_, group)| group.marches && group.members > 0)
    }
}

impl<N: Numbers> Routes<N> {
    /// The debts of searches; none while no group finds routes.
    pub(crate) fn kept_debt(&self) -> &[u64] {
        let debts = if self.steps.step.is_empty() { 0 } else { SEARCHES };
        &self.navigation.debt[..debts]
    }
}

impl<N: Numbers> Combatants<N> {
    /// Whether an agent halts because it has a target.
    #[inline(always)]
    pub(crate) fn halts(&self, groups: &Groups<N>, tag: Tag) -> bool {
        let aim = self.aim.get(tag.id as usize);
        groups.traits[usize::from(tag.group)].halts && aim.is_some_and(|aim| aim.is_engaged())
    }
}
