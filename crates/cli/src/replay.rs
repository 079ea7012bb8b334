//! `throng replay`.

use crate::draw::colour::group_colour;
use crate::draw::trails::Trails;
use crate::summary::{plural, thousands};
use throng::lane::Numbers;
use throng::math::{Fx, Numeric};
use throng::replay::{Player, Replay, ReplayError};
use throng::report::observer::Observer;
use throng::scenario::{GroupPlan, Scene};
use throng::state;
use throng::world::World;

use crate::args::ReplayArgs;
use crate::error::CliError;
use crate::fight::Fight;
use crate::look::{Look, caption_of};
use crate::output::Output;
use crate::progress::Progress;
use crate::simulate::burst_fade;
use crate::{load, say};

/// Goes to a tick of a replay.
pub(crate) fn run(args: &ReplayArgs) -> Result<bool, CliError> {
    let (replay, fault) = load::replay(&args.replay, args.cut.allow_cut)?;
    let output = Output::named(args.picture.as_deref(), "png")?;
    args.threads.pool()?.install(|| match replay.header.numeric {
        Numeric::F32 => show::<f32>(&replay, args, output),
        Numeric::Fixed => show::<Fx>(&replay, args, output),
    })?;
    Ok(fault.is_none())
}

/// What is seen on the way to a tick.
struct Seen<'a> {
    observer: Observer,
    trails: Option<Trails>,
    fight: Fight<'a>,
}

impl Seen<'_> {
    fn observe<N: Numbers>(&mut self, world: &World<N>) {
        if self.observer.observe(world)
            && let Some(trails) = &mut self.trails
        {
            trails.observe(&self.observer.crowd());
        }
        self.fight.observe(world);
    }
}

fn show<N: Numbers>(
    replay: &Replay,
    args: &ReplayArgs,
    output: Option<Output>,
) -> Result<(), CliError> {
    let refused = |source| CliError::Replay { path: args.replay.clone(), source };
    let mut player = Player::<N>::new(replay).map_err(refused)?;
    let (first, end) = (replay.header.first_tick, replay.end_tick());
    let ticks = args.seek.unwrap_or(end);
    if !(first..=end).contains(&ticks) {
        return Err(CliError::NoSuchTick { tick: ticks, first, end });
    }
    let dt = 1.0 / f64::from(replay.header.settings.tick_rate);
    // Groups and weapons that a game has added have no names in it; which there are is known at the tick.
    player.seek(ticks).map_err(refused)?;
    let (mut scene, added) = (replay.header.scene.clone(), unnamed(player.world()));
    scene.groups.extend(added.groups.into_iter().skip(scene.groups.len()));
    scene.weapons.extend(added.weapons.into_iter().skip(scene.weapons.len()));
    let look = Look::new(&scene, args.colours.colour_by);
    let fade = burst_fade(replay.header.settings.tick_rate);
    let trails = args.trails.then(|| Trails::new(&replay.header.map));
    let fight = Fight::new(&scene, args.picture.as_ref().map(|_| fade));
    let mut seen = Seen { observer: look.observer(dt), trails, fight };
    play(&mut player, replay, ticks, args, fade, &mut seen).map_err(refused)?;
    let world = player.world();
    let (seconds, left) = (ticks as f64 * dt, seen.observer.left());
    let mut text = format!(
        "{} ({}): ticks {} to {}, {}\nafter {}, {seconds:.1} s: {}, {} arrived; digest {:016x}\n",
        replay.header.label,
        replay.header.numeric.word(),
        thousands(first),
        thousands(end),
        plural(replay.keyframes.len() as u64, "keyframe"),
        plural(ticks, "tick"),
        plural(world.len() as u64, "agent"),
        thousands(world.arrived() as u64),
        state::digest(world),
    );
    let fight = &seen.fight;
    let battle = if args.trails { fight.battle(world) } else { fight.battle_at(world) };
    if let Some(battle) = &battle {
        text.push_str(&format!("\n{battle}\n"));
    }
    if let (Some(path), Some(output)) = (&args.picture, output) {
        seen.observer.load(world);
        seen.fight.load(world);
        let counts = [world.len(), world.arrived()].map(|count| count as u64 + left);
        let caption = caption_of(&replay.header.label, battle.as_ref(), counts, seconds);
        let (trails, overlay) = (seen.trails.as_ref(), seen.fight.combat_overlay.as_ref());
        let image = look.draw(world.map(), &seen.observer.crowd(), &caption, trails, overlay);
        output.picture(&image, false)?;
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    say(&text)
}

/// Plays up to a tick: from the beginning for trails, else from a keyframe, with the ticks of which
/// bursts are still seen.
fn play<N: Numbers>(
    player: &mut Player<'_, N>,
    replay: &Replay,
    ticks: u64,
    args: &ReplayArgs,
    fade: u64,
    seen: &mut Seen<'_>,
) -> Result<(), ReplayError> {
    let first = replay.header.first_tick;
    let from = match (args.trails, seen.fight.combat_overlay.is_some()) {
        (true, _) => first,
        (false, true) => ticks.saturating_sub(fade).max(first),
        (false, false) => ticks,
    };
    player.seek(from)?;
    let mut progress = Progress::new(ticks - from, !args.trails);
    while player.world().tick_count() < ticks && player.step().is_some() {
        seen.observe(player.world());
        progress.set(player.world().tick_count() - from, String::new);
    }
    progress.finish();
    Ok(())
}

/// A scene of groups that have no names.
fn unnamed<N: Numbers>(world: &World<N>) -> Scene {
    let groups = world.groups().len() as u16;
    let bases = (0..groups).filter(|&group| world.base_group(group) == group);
    // Variants have no agents in pictures.
    let shown = bases.last().map_or(0, |last| usize::from(last) + 1);
    let fights = !world.weapons().is_empty();
    let group = |index: usize| {
        let team = usize::from(world.groups()[index].def.team);
        let (starts, goal) = (Vec::new(), Vec::new());
        let color = group_colour(if fights { team } else { index });
        GroupPlan { name: format!("group {}", index + 1), color, machine: None, starts, goal }
    };
    let weapons = (1..=world.weapons().len()).map(|weapon| format!("weapon {weapon}")).collect();
    Scene { groups: (0..shown).map(group).collect(), weapons, ..Scene::default() }
}
