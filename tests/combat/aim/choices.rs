//! Choices of targets, against a look at all agents.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throng::GroupId;
use throng::data::Id;
use throng::lane::{Lane, Numbers};
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::{Fx, Num, Numeric, hash2, unit_f64};
use throng::tick::{Scratch, tick_with};
use throng::world::{Choice, GroupDef, Order, WeaponDef, World};

use crate::aim::{armed, open, side};
use crate::common::cases;

/// Candidates that a choice with sight looks at.
const LOOKS: usize = 16;

/// The square of a distance, as an integer in the order of squares: of `f32` numbers its bits, of
/// fixed-point numbers their integers' squares.
fn square<N: Num>(a: [f64; 2], b: [f64; 2]) -> u64 {
    match N::NUMERIC {
        Numeric::F32 => {
            let [x, y] = [0, 1].map(|i| b[i] as f32 - a[i] as f32);
            u64::from((x * x + y * y).to_bits())
        }
        Numeric::Fixed => {
            let [x, y] = [0, 1].map(|i| ((b[i] - a[i]) * 65_536.0) as i64);
            (x * x + y * y) as u64
        }
    }
}

/// An agent as the oracle sees it.
#[derive(Clone, Debug)]
struct Body {
    at: [f64; 2],
    group: usize,
    health: f64,
}

/// The targets of all agents after the next tick, by the definition.
struct Oracle<'a, N: Numbers> {
    world: &'a World<N>,
    bodies: BTreeMap<Id, Body>,
    /// How many choices were made, and of these how many among equals.
    chosen: u32,
    ties: u32,
}

impl<'a, N: Numbers> Oracle<'a, N> {
    /// Agents in `leaves` leave in that tick.
    fn new(world: &'a World<N>, leaves: &BTreeSet<Id>) -> Self {
        let body = |row: usize| {
            let at = world.positions()[row].map(N::to_f64);
            let health = world.health(world.id(row)).unwrap().to_f64();
            let group = usize::from(world.tags()[row].group);
            (world.id(row), Body { at, group, health })
        };
        let bodies = (0..world.len()).map(body).filter(|(id, _)| !leaves.contains(id)).collect();
        Self { world, bodies, chosen: 0, ties: 0 }
    }

    fn def(&self, body: &Body) -> &GroupDef {
        &self.world.groups()[body.group].def
    }

    fn weapon(&self, body: &Body) -> Option<&'a WeaponDef> {
        let weapon = self.world.groups()[body.group].def.weapon?;
        Some(&self.world.weapons()[usize::from(weapon)].def)
    }

    /// Whether an agent may aim at another one, in sight or not.
    fn may(&self, id: Id, body: &Body, other: Id) -> bool {
        let (Some(weapon), Some(foe)) = (self.weapon(body), self.bodies.get(&other)) else {
            return false;
        };
        let [near, far] = [weapon.min_range, weapon.range]
            .map(|range| square::<N>([0.0; 2], [N::from_f64(range).to_f64(), 0.0]));
        let distance = square::<N>(body.at, foe.at);
        let enemy = self.def(body).foes >> self.def(foe).team & 1 == 1;
        enemy && self.def(foe).health > 0.0 && id != other && near <= distance && distance <= far
    }

    fn sees(&self, body: &Body, other: Id) -> bool {
        let foe = &self.bodies[&other];
        let map = self.world.map();
        let point = |body: &Body, up: f64| {
            let [x, y] = body.at.map(N::from_f64);
            [x, y, map.height_at([x, y]) + N::from_f64(up)]
        };
        let from = point(body, self.weapon(body).unwrap().muzzle);
        map.is_clear(from, point(foe, self.def(foe).height / 2.0))
    }

    /// The target that an agent prefers.
    fn choose(&mut self, id: Id, body: &Body) -> Option<Id> {
        let weapon = self.weapon(body).unwrap();
        let key = |other: Id| {
            let foe = &self.bodies[&other];
            let threat = self.weapon(foe).map_or(0.0, |w| w.damage / w.cooldown);
            let first = match weapon.choice {
                Choice::Nearest => 0.0,
                Choice::Weakest => foe.health,
                Choice::Threat => -threat,
            };
            (first, square::<N>(body.at, foe.at), other.index, other)
        };
        let all = self.bodies.keys().filter(|&&other| self.may(id, body, other));
        let mut all: Vec<_> = all.map(|&other| key(other)).collect();
        all.sort_by(|a, b| a.partial_cmp(b).unwrap());
        if weapon.sight {
            all.truncate(LOOKS);
            all.retain(|found| self.sees(body, found.3));
        }
        self.chosen += u32::from(!all.is_empty());
        self.ties += u32::from(all.len() > 1 && (all[0].0, all[0].1) == (all[1].0, all[1].1));
        all.first().map(|found| found.3)
    }

    /// The targets of all agents after the tick, but for agents that die in it.
    fn targets(&mut self) -> BTreeMap<Id, Option<Id>> {
        let bodies = self.bodies.clone();
        let next = |(&id, body): (&Id, &Body)| {
            let Some(weapon) = self.weapon(body) else { return (id, None) };
            let period = (weapon.retarget / self.world.dt()).ceil() as u64;
            let due = (self.world.tick_count() + u64::from(id.index)).is_multiple_of(period);
            let mut target = self.world.target(id).filter(|&target| self.may(id, body, target));
            if due && weapon.sight {
                target = target.filter(|&target| self.sees(body, target));
            }
            if due && (target.is_none() || !weapon.sticky) {
                target = self.choose(id, body);
            }
            (id, target)
        };
        bodies.iter().map(next).collect()
    }
}

/// Random numbers from a seed.
struct Dice(u64, u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.1 += 1;
        hash2(self.0, self.1) % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn unit(&mut self) -> f64 {
        self.1 += 1;
        unit_f64(hash2(self.0, self.1))
    }
}

fn weapon(dice: &mut Dice, reach: f64, sight: bool) -> WeaponDef {
    let range = dice.pick(&[0.05, 0.2, 0.5, 1.0]) * reach;
    WeaponDef {
        range,
        min_range: dice.pick(&[0.0, 0.0, 0.3, 0.8]) * range,
        cooldown: dice.pick(&[1.0, 2.0, 2.0]),
        damage: dice.pick(&[0.0, 0.01, 0.02, 0.02, 0.04]),
        choice: dice.pick(&[Choice::Nearest, Choice::Weakest, Choice::Threat]),
        sticky: dice.below(2) == 0,
        retarget: dice.pick(&[0.05, 0.2, 0.35]),
        speed: 4_000.0,
        muzzle: dice.pick(&[0.0, 1.5]),
        friendly_fire: true,
        sight: sight && dice.below(3) > 0,
        ..WeaponDef::default()
    }
}

/// A world of several teams, from a seed: alliances, groups without weapons and such that cannot be
/// hurt, and some places on a lattice, where many are equally far.
fn world<N: Numbers>(seed: u64, map: &Map, agents: u64, lattice: bool) -> World<N> {
    let mut dice = Dice(seed, 0);
    let side_of = |cells: u32| f64::from(cells) * map.cell_size();
    let [wide, high] = [map.width(), map.height()].map(side_of);
    let walls = map.slowness().iter().filter(|&&s| s == 0).count();
    let walled = walls > 2 * (map.width() + map.height() + 2) as usize;
    let weapons: Vec<_> = (0..6).map(|_| weapon(&mut dice, wide.min(1_800.0), walled)).collect();
    let mut world = armed::<N>(map.clone(), &weapons);
    for group in 0..8 {
        let team = dice.below(5) as u8;
        let foes = dice.pick(&[0, 0b1, 0b10, 0b110, 0b1101, 0b1_1111]);
        let weapon = (group > 0).then(|| dice.below(6) as u16);
        let health = dice.pick(&[0.0, 20.0, 50.0, 100.0, 100.0, 120.0]);
        let def = GroupDef { health, speed: 3.0, ..side(team, foes, weapon) };
        let index = world.add_group(def).unwrap();
        let mut places = Vec::new();
        while (places.len() as u64) < agents / 8 {
            let part = dice.pick(&[0.2, 1.0]);
            let mut at = [dice.unit() * wide * part, dice.unit() * high * part];
            if lattice {
                at = at.map(|c| (c / 1.5).floor() * 1.5 + 0.5);
            }
            if map.cell_at(at[0], at[1]).is_some_and(|c| map.slowness()[c as usize] > 0) {
                places.push(at);
            }
        }
        world.spawn(index, &places).unwrap();
    }
    world
}

/// Runs a world and compares every target with the oracle's; the choices and the ties that were.
fn compare<L: Lane>(mut world: World<L::Num>, seed: u64, ticks: u64) -> [u32; 2] {
    let (mut scratch, mut dice, mut seen) = (Scratch::new(), Dice(seed, 1_000_000), [0; 2]);
    for tick in 0..ticks {
        let mut orders = Vec::new();
        let mut leaves = BTreeSet::new();
        if dice.below(4) == 0 {
            let group = dice.below(8) as u16;
            let at = [dice.unit() * 60.0, dice.unit() * 60.0];
            let inside = |at: [f64; 2], p: [f64; 2]| crate::aim::apart(at, p) <= 5.0;
            for row in (0..world.len()).filter(|&row| world.tags()[row].group == group) {
                if inside(at, world.positions()[row].map(Num::to_f64)) {
                    leaves.insert(world.id(row));
                }
            }
            let area = vec![Shape::Disc { centre: at, radius: 5.0 }];
            orders.push(Order::Remove { group: GroupId::new(group), area: Some(area) });
        }
        let mut oracle = Oracle::new(&world, &leaves);
        let expected = oracle.targets();
        seen = [seen[0] + oracle.chosen, seen[1] + oracle.ties];
        let from = oracle.bodies;
        tick_with::<L>(&mut world, &orders, &mut scratch, &mut ());
        throng::state::validate(&world).unwrap();
        for (id, target) in expected.into_iter().filter(|(id, _)| world.is_alive(*id)) {
            let found = world.target(id);
            let target = target.filter(|&target| world.is_alive(target));
            let said = || format!("seed {seed}, tick {tick}: {id} is {:?}", from[&id]);
            let told = |id: Option<Id>| id.map(|id| (id, from.get(&id).cloned()));
            assert_eq!(
                found,
                target,
                "{}, aims at {:?}, not {:?}",
                said(),
                told(found),
                told(target)
            );
        }
        leaves.iter().for_each(|&id| assert!(!world.is_alive(id), "{id} was to leave"));
    }
    seen
}

fn compare_all(seed: u64, map: &Map, agents: u64, lattice: bool, ticks: u64) -> [u32; 2] {
    let fixed = || world::<Fx>(seed, map, agents, lattice);
    let single = || world::<f32>(seed, map, agents, lattice);
    let all = [
        compare::<<f32 as Numbers>::Wide>(single(), seed, ticks),
        compare::<<f32 as Numbers>::Single>(single(), seed, ticks),
        compare::<<Fx as Numbers>::Wide>(fixed(), seed, ticks),
        compare::<<Fx as Numbers>::Single>(fixed(), seed, ticks),
    ];
    all.into_iter().fold([0; 2], |sum, seen| [sum[0] + seen[0], sum[1] + seen[1]])
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn targets_are_those_of_a_look_at_everybody(seed in any::<u64>(), lattice in any::<bool>()) {
        let [chosen, ties] = compare_all(seed, &open(120, 70), 240, lattice, 10);
        prop_assert!(chosen > 0 || ties == 0);
    }
}

/// The crowds above do what they are there for: choices of every kind, many of them among equals.
#[test]
fn choices_are_made_and_some_among_equals() {
    let (mut chosen, mut ties) = (0, 0);
    for seed in 0..6 {
        let seen = compare_all(seed, &open(90, 60), 320, true, 8);
        chosen += seen[0];
        ties += seen[1];
    }
    assert!(chosen > 3_000 && ties > 300, "{chosen} choices, {ties} among equals");
}

/// Where cells of the raster are large, and many of them empty; and on a map smaller than a cell.
#[test]
fn targets_are_right_on_vast_and_on_tiny_maps() {
    let vast = Map::from_slowness(700, 500, 4.0, &[16; 350_000]);
    let tiny = open(6, 5);
    for seed in 0..4 {
        let [chosen, _] = compare_all(seed, &vast, 400, seed % 2 == 0, 5);
        assert!(chosen > 100, "{chosen} choices");
        compare_all(seed, &tiny, 16, false, 5);
    }
}

/// Behind walls, sight decides; candidates beyond the first few are not looked at.
#[test]
fn targets_are_in_sight() {
    let map = crate::common::crowd::blocks(90, 70, 1.0, 5);
    let mut chosen = 0;
    for seed in 0..8 {
        chosen += compare_all(seed, &map, 320, seed % 2 == 0, 8)[0];
    }
    assert!(chosen > 3_000, "{chosen} choices");
}
