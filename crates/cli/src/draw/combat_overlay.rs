//! What a picture shows of a fight: projectiles in the air, where they struck, and where agents fell.

use std::collections::VecDeque;

use image::RgbImage;

use crate::draw::caption::{Entry, Mark};
use crate::draw::ground::View;
use crate::draw::{canvas, caption, colour};
use throng::lane::Numbers;
use throng::world::World;

/// The colour of the ground where an agent fell.
pub(crate) const STAIN: colour::Rgb = [0x96, 0x74, 0x6a];
/// The colour of bursts, and of projectiles that fly straight.
pub(crate) const FLASH: colour::Rgb = [0xff, 0x9a, 0x1e];

/// Metres that a projectile appears farther up the picture for each metre of its height.
const LIFT: f32 = 0.25;

/// How a projectile is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It falls: a dark stroke along its way.
    Arrow,
    /// It flies straight: a bright stroke.
    Tracer,
    /// It bursts: a dark ball, and its shadow.
    Stone,
}

/// A projectile in the air.
#[derive(Clone, Copy, Debug)]
struct Missile {
    /// x, y and height above the ground, in metres.
    at: [f32; 3],
    /// Velocity in m/s, upwards last.
    vel: [f32; 3],
    kind: Kind,
}

/// A burst.
#[derive(Clone, Copy, Debug)]
struct Burst {
    tick: u64,
    at: [f32; 2],
    /// In metres.
    radius: f32,
}

/// Follows a fight from tick to tick, for pictures and films.
#[derive(Clone, Debug)]
pub struct CombatOverlay {
    /// Ticks in which a burst fades.
    fade: u64,
    tick: u64,
    missiles: Vec<Missile>,
    bursts: VecDeque<Burst>,
    fallen: Vec<[f32; 2]>,
}

impl CombatOverlay {
    /// Nothing seen yet; bursts fade within so many ticks.
    pub fn new(fade: u64) -> Self {
        let (missiles, bursts) = (Vec::new(), VecDeque::new());
        Self { fade: fade.max(1), tick: 0, missiles, bursts, fallen: Vec::new() }
    }

    /// Looks at a world after a tick: which agents fell, and which shots burst.
    pub fn observe<N: Numbers>(&mut self, world: &World<N>) {
        self.tick = world.tick_count();
        while self.bursts.front().is_some_and(|burst| burst.tick + self.fade <= self.tick) {
            self.bursts.pop_front();
        }
        self.fallen.extend(world.fallen().iter().map(|fallen| fallen.at.map(|at| at as f32)));
        for impact in world.impacts() {
            let radius = world.weapons()[usize::from(impact.shot.weapon)].def.splash as f32;
            if radius > 0.0 {
                let at = [impact.at[0] as f32, impact.at[1] as f32];
                self.bursts.push_back(Burst { tick: self.tick, at, radius });
            }
        }
    }

    /// Copies the projectiles in the air, to be drawn.
    pub fn load<N: Numbers>(&mut self, world: &World<N>) {
        self.tick = world.tick_count();
        let kinds: Vec<Kind> = world
            .weapons()
            .iter()
            .map(|weapon| match (weapon.def.splash > 0.0, weapon.def.gravity > 0.0) {
                (true, _) => Kind::Stone,
                (false, true) => Kind::Arrow,
                (false, false) => Kind::Tracer,
            })
            .collect();
        let all = world.projectiles();
        let single = |number: N| number.to_f64() as f32;
        self.missiles.clear();
        for ((pos, vel), shot) in all.pos.iter().zip(all.vel.iter()).zip(all.shot.iter()) {
            let [x, y, z] = pos.map(single);
            let height = (z - single(world.map().height_at([pos[0], pos[1]]))).max(0.0);
            let kind = kinds[usize::from(shot.weapon)];
            self.missiles.push(Missile { at: [x, y, height], vel: vel.map(single), kind });
        }
    }

    /// Where agents have fallen since the first look, oldest first, in metres.
    pub(crate) fn fallen(&self) -> &[[f32; 2]] {
        &self.fallen
    }

    /// Stains the ground where these fell.
    pub(crate) fn stain(image: &mut RgbImage, view: &View, fallen: &[[f32; 2]]) {
        let radius = (0.35 * view.per_metre).max(0.6);
        let size = [view.width, view.height];
        for &at in fallen {
            canvas::cover_disc(size, view.place(at), radius, |x, y, coverage| {
                canvas::blend(image, x, y, STAIN, 0.35 * coverage);
            });
        }
    }

    /// Names in the legend what there is of it on a picture.
    pub(crate) fn name(&self, legend: &mut Vec<Entry>) {
        for (kind, mark, colour, text) in [
            (Kind::Arrow, Mark::Stroke, caption::INK, "arrows"),
            (Kind::Tracer, Mark::Stroke, FLASH, "bullets"),
            (Kind::Stone, Mark::Disc, caption::INK, "stones"),
        ] {
            if self.missiles.iter().any(|missile| missile.kind == kind) {
                legend.push(Entry::marked(mark, colour, text));
            }
        }
        if !self.bursts.is_empty() {
            legend.push(Entry::new(FLASH, "bursts"));
        }
        if !self.fallen.is_empty() {
            legend.push(Entry::marked(Mark::Band, STAIN, "fallen"));
        }
    }

    /// Draws bursts and projectiles.
    pub(crate) fn draw(&self, image: &mut RgbImage, view: &View) {
        let size = [view.width, view.height];
        for burst in &self.bursts {
            let age = (self.tick - burst.tick) as f32 / self.fade as f32;
            let radius = (burst.radius * view.per_metre).max(2.0);
            for (share, radius) in [(0.35, radius), (0.7, 0.45 * radius)] {
                canvas::cover_disc(size, view.place(burst.at), radius, |x, y, coverage| {
                    canvas::blend(image, x, y, FLASH, share * (1.0 - age) * coverage);
                });
            }
        }
        for missile in &self.missiles {
            self.draw_missile(image, view, missile);
        }
    }

    fn draw_missile(&self, image: &mut RgbImage, view: &View, missile: &Missile) {
        let lifted = |[x, y, height]: [f32; 3]| view.place([x, y - LIFT * height]);
        let [vx, vy, vz] = missile.vel;
        let head = lifted(missile.at);
        let inside = |at: [f32; 2]| {
            (0.0..view.width as f32).contains(&at[0]) && (0.0..view.height as f32).contains(&at[1])
        };
        if !inside(head) {
            return;
        }
        if missile.kind == Kind::Stone {
            let shadow = view.place([missile.at[0], missile.at[1]]);
            let radius = (0.35 * view.per_metre).max(0.9);
            canvas::cover_disc([view.width, view.height], shadow, radius, |x, y, coverage| {
                canvas::blend(image, x, y, caption::INK, 0.25 * coverage);
            });
            canvas::disc(image, head, radius * 1.2, caption::INK, 1.0);
            return;
        }
        // A tail of so many seconds, 2 to 6 m long.
        let speed = (vx * vx + vy * vy + vz * vz).sqrt().max(1e-3);
        let back = (0.05 * speed).clamp(2.0, 6.0) / speed;
        let tail = lifted([0, 1, 2].map(|i| missile.at[i] - missile.vel[i] * back));
        let (colour, share) = match missile.kind {
            Kind::Tracer => (FLASH, 0.9),
            _ => (caption::INK, 0.4),
        };
        canvas::line(image, tail, head, (0.12 * view.per_metre).max(0.8), colour, share);
    }
}
