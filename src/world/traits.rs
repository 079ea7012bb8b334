//! Groups' numbers as kernels read them.

use crate::data::WeaponId;
use crate::data::bytes::{BytesError, Reader, Write};
use crate::data::record::{Record, Words};
use crate::lane::Numbers;
use crate::map::Map;
use crate::world::{Avoidance, GroupDef, Tag, state};

/// How far ahead agents look for walls, in seconds.
pub(crate) const LOOK_AHEAD: f64 = 0.4;

/// Time in which an agent may close the gap to a neighbour, in seconds: shorter for agents that run
/// four of their radii sooner, and at least two ticks.
pub(crate) const STOPPING: f64 = 0.2;

/// A group's numbers as kernels read them.
#[derive(Clone, Copy, Debug)]
pub struct Traits<N> {
    /// The speed that its agents like, m/s.
    pub speed: N,
    /// Top speed, m/s.
    pub top_speed: N,
    /// How much faster than on plain ground its agents go on their quickest ground, 1 at least.
    pub quickest: f64,
    /// Largest force per mass, m/s².
    pub force: N,
    /// 1 / response time, 1/s; a tick at the least.
    pub response: N,
    /// Radius, m.
    pub radius: N,
    /// Half the range of separation, m.
    pub reach: N,
    /// `1 / (2 · reach)²`.
    pub reach_scale: N,
    /// Force per mass of a unit of push, m/s² per m.
    pub push: N,
    /// Gap to a neighbour below which the speed towards it is limited, m, and 1 / the time in which
    /// an agent may close a gap, 1/s.
    pub approach_range: N,
    /// See `approach_range`.
    pub approach_rate: N,
    /// Radius, in cells.
    pub clearance: N,
    /// Distance from walls from which they are avoided, m.
    pub margin: N,
    /// Wall distance in cells below which walls can matter in a tick.
    pub wary: N,
    /// 1 / slowing radius, 1/m.
    pub slowing_scale: N,
    /// How its agents keep clear of each other.
    pub avoidance: Avoidance,
    /// Distance at which others are seen, m.
    pub range: N,
    /// Time horizons with agents and with walls, s.
    pub horizon: N,
    /// See `horizon`.
    pub wall_horizon: N,
    /// Wall distance in cells below which walls can matter within that horizon.
    pub wall_range: N,
    /// 1 / time gap, 1/s; 0 without one.
    pub headway: N,
    /// Weight: of two agents the heavier one gives way less.
    pub weight: N,
    /// The layer, as a bit, and the layers to keep clear of.
    pub layer: u32,
    /// See `layer`.
    pub avoids: u32,
    /// Ticks of being blocked inside the goal after which an agent without a place settles: two seconds,
    /// or longer where it needs longer to walk nine radii.
    pub patience: u8,
    /// Ticks of being blocked under way that count once. The count is a byte and holds six times the patience
    /// of people at every tick rate; agents by ORCA press on after four times.
    pub ticks_per_count: u8,
    /// Whether agents that stand keep their place.
    pub hold: bool,
    /// The team, as a bit, and the teams to fight.
    pub team: u32,
    /// See `team`.
    pub foes: u32,
    /// Index of the weapon; the largest for none.
    pub weapon: u16,
    /// Health to begin with; 0 cannot be hurt.
    pub health: N,
    /// How far an agent rises above the ground, m.
    pub height: N,
    /// Whether agents stand still while they have a target.
    pub halts: bool,
    /// The middle of the goal, m.
    pub target: [N; 2],
    /// How its agents find their direction.
    pub guidance: Guidance,
}

/// How a group's agents find their direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// They stand.
    Stand,
    /// Straight to the target, until the field is done.
    Straight,
    /// By the field of the goal before, until the new one is done.
    FormerField,
    /// By the field, and inside the goal's area straight to a place of their own.
    Field,
    /// Straight to a place of their own, from the start; agents without one stand.
    Own,
    /// To a slot in the company's formation, or by the field where that is not in sight.
    Formation,
    /// To the point that their navigator names, and inside the goal's area straight to a place of
    /// their own.
    Points,
    /// Straight to a point of their own, which their mind names.
    Focus,
    /// To their leader, or along its trail.
    Leader,
}

impl Guidance {
    /// All of them, in the order of their codes in files.
    pub(crate) const ALL: [Self; 9] = [
        Self::Stand,
        Self::Straight,
        Self::FormerField,
        Self::Field,
        Self::Own,
        Self::Formation,
        Self::Points,
        Self::Focus,
        Self::Leader,
    ];
}

impl Record for Guidance {
    const WORDS: Words = u8::WORDS;

    fn write(&self, to: &mut Vec<u8>) {
        to.u8(*self as u8);
    }

    fn read(from: &mut Reader<'_>, name: &'static str) -> Result<Self, BytesError> {
        let code = from.u8(name)?;
        let guidance = Self::ALL.get(usize::from(code)).copied();
        guidance.ok_or_else(|| from.error(name, format!("there is no guidance {code}")))
    }
}

impl<N: Numbers> Traits<N> {
    /// The traits of a group on a map, of which the quickest ground is so much quicker than plain.
    pub(crate) fn new(def: &GroupDef, map: &Map, quickest: f64, dt: f64) -> Self {
        let n = N::from_f64;
        // The look ahead, and a step with the largest contact; a cell's centre is at most 0.71 away.
        let top_speed = def.speed * def.sprint * quickest;
        let ahead = top_speed * dt.max(LOOK_AHEAD) + 2.0 * def.radius + def.wall_margin;
        let reach = def.reach();
        let patience = ((9.0 * def.radius / def.speed).max(2.0) / dt).clamp(4.0, 250.0) as u8;
        let two_seconds = (2.0 / dt).round() as u32;
        let stopping = STOPPING.min(4.0 * def.radius / top_speed).max(2.0 * dt);
        Self {
            speed: n(def.speed),
            top_speed: n(top_speed),
            quickest,
            force: n(def.acceleration),
            response: n(1.0 / def.response.max(dt)),
            radius: n(def.radius),
            reach: n(reach),
            reach_scale: n(1.0 / (4.0 * reach * reach)),
            push: n(match def.avoidance {
                Avoidance::Separation => def.separation * def.acceleration / reach,
                Avoidance::Orca | Avoidance::None => 0.0,
            }),
            approach_range: n(stopping * top_speed),
            approach_rate: n(1.0 / stopping),
            clearance: n(def.radius / map.cell_size()),
            margin: n(def.radius + def.wall_margin),
            wary: n(ahead / map.cell_size() + 0.75),
            slowing_scale: n(1.0 / def.slowing_radius),
            avoidance: def.avoidance,
            range: n(def.neighbour_range),
            horizon: n(def.time_horizon),
            wall_horizon: n(def.wall_horizon),
            wall_range: n((def.radius + top_speed * def.wall_horizon) / map.cell_size() + 0.75),
            headway: n(if def.time_gap > 0.0 { (1.0 / def.time_gap).min(1000.0) } else { 0.0 }),
            weight: n(def.weight),
            layer: 1 << def.layer,
            avoids: if def.avoidance == Avoidance::None { 0 } else { def.avoids },
            patience,
            ticks_per_count: (patience / 40).max(two_seconds.div_ceil(40) as u8),
            hold: def.hold,
            team: 1 << def.team,
            foes: def.foes,
            weapon: def.weapon.map_or(u16::MAX, WeaponId::index),
            health: n(def.health),
            height: n(def.height),
            halts: def.halts,
            target: [N::ZERO; 2],
            guidance: Guidance::Stand,
        }
    }
}

impl<N: Numbers> Traits<N> {
    /// Whether an agent chooses its velocity and keeps no time gap: then distances to others are up to what
    /// it chooses, and to the limits of `kernel::approach`.
    #[inline(always)]
    pub(crate) fn is_free(&self) -> bool {
        self.avoidance == Avoidance::Orca && self.headway == N::ZERO
    }
}

impl<N: Copy> Traits<N> {
    /// Whether an agent stands: it has no order, or is where that sent it.
    #[inline(always)]
    pub(crate) fn stands(&self, tag: Tag) -> bool {
        self.guidance == Guidance::Stand || tag.state & state::SETTLED != 0
    }

    /// Whether an agent stands and is told to keep its place.
    #[inline(always)]
    pub(crate) fn keeps_place(&self, tag: Tag) -> bool {
        self.hold && self.stands(tag)
    }
}
