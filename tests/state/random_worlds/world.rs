//! A random legal world: settings, a map, and orders of all kinds at all times.

use crate::common::crowd::blocks;
use crate::common::terrain::Random;
use crate::common::thinkers::{hunt, hunters};
use throng::data::Id;
use throng::map::Map;
use throng::map::area::Shape;
use throng::nav::navigator::Navigator;
use throng::world::{
    AgentOrder, Avoidance, Behaviour, BehaviourKind, CompanyDef, Formation, GroupDef, Mark, Order,
    Settings, WeaponDef,
};
use throng::{CompanyId, DoorId, GroupId, MindId, WeaponId};

/// All navigators.
const NAVIGATORS: [Navigator; 13] = [
    Navigator::Flow,
    Navigator::Straight,
    Navigator::RandomAvoid,
    Navigator::Trace,
    Navigator::TraceSight,
    Navigator::Breadcrumbs,
    Navigator::Road,
    Navigator::LeftHand,
    Navigator::Waypoints,
    Navigator::Path,
    Navigator::Network,
    Navigator::Mesh,
    Navigator::Corridor,
];

/// A world and its orders.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) settings: Settings,
    pub(crate) map: Map,
    /// Every so many ticks the world is saved and restored.
    pub(crate) every: u64,
    pub(crate) ticks: u64,
    /// Orders and their ticks, in order.
    pub(crate) orders: Vec<(u64, Order)>,
}

/// Draws the numbers of a world.
pub(super) struct Draw {
    random: Random,
    /// The sides of the map in metres.
    sides: [f64; 2],
    cell: f64,
    /// Whether all groups go by corridors that hardly have room.
    is_tight: bool,
    groups: u16,
    weapons: u16,
    minds: u16,
    companies: u16,
    doors: u16,
    pub(super) sources: u16,
    pub(super) structures: u16,
    /// What groups were like when they were added.
    pub(super) defs: Vec<GroupDef>,
    /// Whether a group or company was to be removed.
    is_thinned: bool,
}

impl Draw {
    pub(super) fn below(&mut self, end: u32) -> u32 {
        self.random.below(end)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    pub(super) fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize].clone()
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.below(1 << 20)) / f64::from(1 << 20)
    }

    /// Mostly usual, sometimes an end of the range, or its upper end halved a few times.
    pub(super) fn number(&mut self, usual: [f64; 2], all: [f64; 2]) -> f64 {
        match self.below(16) {
            0 => self.of(&all),
            1 => (0..self.below(16)).fold(all[1], |number, _| number / 2.0).max(all[0]),
            _ => self.between(usual[0], usual[1]),
        }
    }

    fn point(&mut self) -> [f64; 2] {
        let sides = self.sides;
        let point = sides.map(|side| self.between(0.0, side));
        if self.once_in(4) { point.map(|at| (at / self.cell).round() * self.cell) } else { point }
    }

    fn shape(&mut self) -> Shape {
        let [a, b] = [self.point(), self.point()];
        match self.below(8) {
            0 => Shape::Point { at: a },
            1 | 2 => {
                let most = self.sides[0] / 2.0;
                Shape::Disc { centre: a, radius: self.between(0.1, most) }
            }
            3 => Shape::Polygon { corners: (0..5).map(|_| self.point()).collect() },
            _ => Shape::Rect {
                min: [a[0].min(b[0]), a[1].min(b[1])],
                max: [a[0].max(b[0]), a[1].max(b[1])],
            },
        }
    }

    pub(super) fn shapes(&mut self) -> Vec<Shape> {
        let count = if self.once_in(4) { 2 } else { 1 };
        (0..count).map(|_| self.shape()).collect()
    }

    /// The index of one of so many, or of the next one, which there is not yet.
    pub(super) fn index(&mut self, count: u16) -> u16 {
        let more = u32::from(self.once_in(16));
        self.below((u32::from(count) + more).max(1)) as u16
    }

    /// How many had an index before, perhaps, once some have been removed.
    fn generation(&mut self) -> u16 {
        if self.is_thinned && self.once_in(2) { self.below(3) as u16 } else { 0 }
    }

    pub(super) fn group(&mut self) -> GroupId {
        let groups = self.groups;
        GroupId::with_generation(self.index(groups), self.generation())
    }

    fn company(&mut self, companies: u16) -> CompanyId {
        CompanyId::with_generation(self.index(companies), self.generation())
    }

    fn group_def(&mut self) -> GroupDef {
        let mut def = match self.below(6) {
            0 => GroupDef::preset("rts").unwrap(),
            1 => GroupDef::preset("pedestrian").unwrap(),
            2 => GroupDef::preset("horde").unwrap(),
            _ => GroupDef::default(),
        };
        let speeds = [0.01, 500.0];
        for _ in 0..self.below(6) {
            match self.below(22) {
                0 => def.radius = self.number([0.2, 1.0], [0.05, 50.0]),
                1 => def.speed = self.number([0.5, 6.0], speeds),
                2 => def.acceleration = self.number([1.0, 20.0], [0.01, 1000.0]),
                3 => def.response = self.number([0.1, 1.0], [0.02, 60.0]),
                4 => def.personal_space = self.number([0.0, 1.0], [0.0, 50.0]),
                5 => def.separation = self.number([0.0, 4.0], [0.0, 20.0]),
                6 => def.wall_margin = self.number([0.0, 1.0], [0.0, 50.0]),
                7 => def.slowing_radius = self.number([0.5, 4.0], [0.01, 1000.0]),
                8 => def.sprint = self.number([1.0, 2.0], [1.0, 4.0]),
                9 => {
                    def.avoidance =
                        self.of(&[Avoidance::Separation, Avoidance::Orca, Avoidance::None])
                }
                10 => def.neighbour_range = self.number([1.0, 6.0], [0.1, 30.0]),
                11 => def.time_horizon = self.number([0.5, 4.0], [0.05, 60.0]),
                12 => def.wall_horizon = self.number([0.2, 2.0], [0.05, 60.0]),
                13 => def.time_gap = self.number([0.0, 2.0], [0.0, 10.0]),
                14 => def.weight = self.number([0.5, 4.0], [0.01, 100.0]),
                15 => {
                    (def.layer, def.avoids) = (self.below(4) as u8, self.of(&[0, 1, 3, u32::MAX]))
                }
                16 => def.hold = true,
                17 => def.avoid_crowds = true,
                18 => def.health = self.number([0.0, 100.0], [0.0, 16_000.0]),
                19 => def.height = self.number([1.0, 2.0], [0.1, 50.0]),
                20 => def.halts = false,
                _ => def.hold_fire = true,
            }
        }
        if self.once_in(3) {
            def.navigator = self.of(&NAVIGATORS);
            if self.is_tight {
                def.navigator = Navigator::Corridor;
            }
        }
        if self.weapons > 0 && self.once_in(2) {
            let weapons = self.weapons;
            def.weapon = Some(WeaponId::new(self.index(weapons)));
            (def.team, def.foes) = if self.once_in(2) { (0, 2) } else { (1, 1) };
        }
        def
    }

    fn weapon(&mut self) -> WeaponDef {
        WeaponDef {
            range: self.number([5.0, 60.0], [1.0, 200.0]),
            cooldown: self.number([0.2, 2.0], [0.05, 60.0]),
            speed: self.number([10.0, 80.0], [5.0, 200.0]),
            splash: self.of(&[0.0, 2.0]),
            damage: self.number([1.0, 60.0], [0.0, 1000.0]),
            friendly_fire: self.once_in(3),
            ammunition: self.of(&[0, 3, 100]),
            sight: self.once_in(2),
            ..WeaponDef::default()
        }
    }

    fn behaviour(&mut self) -> Behaviour {
        let (range, horizon) = (self.number([1.0, 6.0], [0.5, 30.0]), self.between(0.5, 3.0));
        let (group, point) = (self.group(), self.point());
        let kind = match self.below(9) {
            0 => BehaviourKind::Goal,
            1 => BehaviourKind::Seek { to: Mark::Point(point), range },
            2 => BehaviourKind::Flee { from: Mark::Group(group), range },
            3 => BehaviourKind::Pursue { quarry: group, range, horizon },
            4 => BehaviourKind::Evade { hunter: group, range, horizon },
            5 => {
                BehaviourKind::Wander { turn: self.between(0.0, 3.0), rate: self.between(0.1, 4.0) }
            }
            6 => BehaviourKind::Cohesion { with: group, range },
            7 => BehaviourKind::Alignment { with: group, range },
            _ => BehaviourKind::Path {
                points: (0..3).map(|_| self.point()).collect(),
                radius: self.between(0.5, 3.0),
                closed: self.once_in(2),
            },
        };
        Behaviour::new(kind).weight(self.between(0.0, 4.0))
    }

    fn spawn(&mut self, group: GroupId) -> Order {
        Order::Spawn { group, area: self.shapes(), count: 1 + self.below(60) }
    }

    /// Ids, of which some may live.
    fn agents(&mut self) -> Vec<Id> {
        let step = 1 + self.below(9);
        let first = self.below(40);
        let generation = if self.once_in(4) { 2 } else { 1 };
        let indices = (0..self.below(12)).map(|i| first + i * step);
        indices.map(|index| Id { index, generation }).collect()
    }

    fn agents_order(&mut self) -> Order {
        let agents = self.agents();
        let order = match self.below(14) {
            0..=2 => AgentOrder::Send { goal: self.shapes() },
            3 | 4 => AgentOrder::SendEach { to: agents.iter().map(|_| self.point()).collect() },
            5 => AgentOrder::Stop,
            6 => AgentOrder::Rejoin,
            7 => AgentOrder::Teleport { to: agents.iter().map(|_| self.point()).collect() },
            8 | 9 => AgentOrder::Push { by: [self.between(-9.0, 9.0), self.between(-9.0, 9.0)] },
            10 => AgentOrder::Damage { health: self.between(0.5, 120.0) },
            11 => AgentOrder::Heal { health: self.between(0.5, 50.0) },
            12 if self.once_in(2) => AgentOrder::Pace { factor: self.between(0.0, 2.0) },
            12 => AgentOrder::Label { label: self.random.next() },
            _ => AgentOrder::Remove,
        };
        Order::Agents { agents, order }
    }

    /// A change of the group that was last added, if it is of the plain kind.
    fn change(&mut self) -> Order {
        let def = GroupDef {
            speed: self.between(0.5, 4.0),
            health: self.between(1.0, 200.0),
            hold: self.once_in(3),
            avoid_crowds: self.once_in(3),
            avoidance: if self.once_in(2) { Avoidance::Orca } else { Avoidance::Separation },
            weapon: if self.weapons > 0 && self.once_in(2) { Some(WeaponId::new(0)) } else { None },
            foes: self.below(4),
            ..GroupDef::default()
        };
        Order::Change { group: self.group(), def }
    }

    fn order(&mut self) -> Order {
        let formation = if self.once_in(3) { None } else { Some(self.of(&Formation::ALL)) };
        // One that can have the index of another.
        if self.is_thinned && self.once_in(4) {
            self.groups += u16::from(self.once_in(3));
            return Order::Group { def: GroupDef::default() };
        }
        match self.below(70) {
            0 => {
                self.groups += 1;
                let def = self.group_def();
                self.defs.push(def.clone());
                Order::Group { def }
            }
            1 => {
                self.weapons += 1;
                Order::Weapon { def: self.weapon() }
            }
            2 => {
                let ([x, y], weapons) = (self.point(), self.weapons);
                let velocity = [self.between(-20.0, 20.0), self.between(-20.0, 20.0), 10.0];
                let weapon = self.index(weapons);
                Order::Launch {
                    group: self.group(),
                    weapon: WeaponId::new(weapon),
                    from: [x, y, 2.0],
                    velocity,
                }
            }
            3 => {
                self.minds += 1;
                Order::Mind { def: hunters(1 + self.below(9)) }
            }
            4 => {
                let minds = self.minds;
                Order::Think { group: self.group(), mind: MindId::new(self.index(minds)) }
            }
            5 => Order::Strategies { team: self.below(2) as u8, def: hunt(self.group()) },
            6..=9 => Order::Build { area: self.shapes() },
            10..=12 => Order::Demolish { area: self.shapes() },
            13..=20 => Order::Move { group: self.group(), goal: self.shapes() },
            21 => Order::Opposite { group: self.group(), centre: self.point() },
            22 => Order::Behave {
                group: self.group(),
                behaviours: (0..self.below(3)).map(|_| self.behaviour()).collect(),
            },
            23 | 24 => Order::Stop { group: self.group() },
            25..=28 => {
                let group = self.group();
                self.spawn(group)
            }
            29..=31 => {
                let area = if self.once_in(2) { Some(self.shapes()) } else { None };
                Order::Remove { group: self.group(), area }
            }
            32 | 33 => Order::Assign { agents: self.agents(), group: self.group() },
            40..=45 => self.agents_order(),
            46 => self.change(),
            34 => {
                self.companies += 1;
                let groups = (0..=self.below(2)).map(|_| self.group()).collect();
                Order::Company { def: CompanyDef { groups, formation, ..CompanyDef::default() } }
            }
            35 | 36 => {
                let companies = self.companies;
                Order::MoveCompany { company: self.company(companies), goal: self.shapes() }
            }
            37 => {
                let companies = self.companies;
                Order::StopCompany { company: self.company(companies) }
            }
            38 => {
                self.doors += 1;
                Order::Door { area: self.shapes(), open: self.once_in(2) }
            }
            39 | 47 => {
                let doors = self.doors;
                let door = DoorId::new(self.index(doors));
                Order::SetDoor { door, open: self.once_in(2) }
            }
            48..=50 => {
                let group = self.group();
                self.is_thinned = true;
                Order::RemoveGroup { group }
            }
            51 => {
                let companies = self.companies;
                let company = self.company(companies);
                self.is_thinned = true;
                Order::RemoveCompany { company }
            }
            54.. => self.traffic(),
            _ => {
                let companies = self.companies;
                Order::Form { company: self.company(companies), formation }
            }
        }
    }
}

impl Case {
    /// The world of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        let cell = [1.0, 1.0, 1.0, 0.5, 0.3, 1.5, 3.0, 5.0, 6.0, 10.0][(seed % 10) as usize];
        // Streams of neighbouring seeds would be one stream, shifted.
        let mut random = Random(Random(seed).next());
        let [width, height] = [8 + random.below(40), 8 + random.below(40)];
        let map = blocks(width, height, cell, random.next());
        let sides = [width, height].map(|cells| f64::from(cells) * cell);
        let [groups, weapons, minds, companies, doors, sources, structures] = [0; 7];
        // Now and then corridors that hardly have room.
        let is_tight = seed % 8 == 7;
        let is_thinned = false;
        let mut draw = Draw {
            random,
            sides,
            cell,
            is_tight,
            groups,
            weapons,
            minds,
            companies,
            doors,
            sources,
            structures,
            defs: Vec::new(),
            is_thinned,
        };
        let settings = Settings {
            tick_rate: draw.of(&[20, 20, 20, 10, 60, 1, 2, 1000]),
            seed,
            field_cells_per_tick: draw.of(&[65_536, 65_536, 3_000, 500, 100, 7, 1]),
            field_jobs: draw.of(&[8, 8, 1, 2, 64]),
            contact_passes: draw.of(&[1, 1, 0, 2, 4, 16]),
            field_cache_bytes: 8
                * map.slowness().len() as u64
                * u64::from(draw.of(&[64, 6, 3, 1_u32])),
            crowding_ticks: draw.of(&[30, 7, 3, 1]),
            route_expansions_per_tick: draw.of(&[4_096, 100, 1]),
        };
        let bytes = 8 * map.slowness().len() as u64;
        let field_cache_bytes = if is_tight { bytes } else { settings.field_cache_bytes };
        let settings = Settings { field_cache_bytes, ..settings };
        let ticks = 20 + u64::from(draw.below(60));
        let mut orders = Vec::new();
        if draw.once_in(3) {
            draw.weapons += 1;
            orders.push((0, Order::Weapon { def: draw.weapon() }));
        }
        for group in (0..1 + draw.below(4) as u16).map(GroupId::new) {
            draw.groups += 1;
            let def = draw.group_def();
            draw.defs.push(def.clone());
            orders.push((0, Order::Group { def: def.clone() }));
            if draw.once_in(3) {
                orders.push((0, draw.vary(group, &def)));
            }
            if !draw.once_in(8) {
                orders.push((0, draw.spawn(group)));
            }
            if draw.once_in(2) {
                orders.push((0, Order::Move { group, goal: draw.shapes() }));
            }
        }
        let mut at = 0;
        while at < ticks {
            orders.push((at, draw.order()));
            at += u64::from(draw.of(&[0, 0, 0, 1, 1, 2, 5, 11_u32]));
        }
        let every = u64::from(draw.of(&[1, 2, 3, 7, 13_u32]));
        Self { settings, map, every, ticks, orders }
    }
}
