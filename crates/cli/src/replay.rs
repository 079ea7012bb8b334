//! `throng replay`.

use std::time::Instant;

use throng::lane::Numbers;
use throng::math::{Fx, Numeric};
use throng::replay::{Player, Replay};
use throng::report::measure::Options;
use throng::scenario::{GroupPlan, Scene};
use throng::state;
use throng::world::World;

use crate::args::ReplayArgs;
use crate::draw::colour::group_colour;
use crate::error::CliError;
use crate::fight::Fight;
use crate::files::Files;
use crate::look::{self, Look, caption_of};
use crate::progress::Progress;
use crate::summary::{plural, thousands};
use crate::watch::{Timer, Wanted, Watch, burst_fade};
use crate::{load, say, signal, traffic};

/// Shows a tick of a replay, or plays a stretch of it.
pub(crate) fn run(args: &ReplayArgs) -> Result<bool, CliError> {
    let (replay, fault) = load::replay(&args.replay, args.cut.allow_cut)?;
    let tick_rate = replay.header.settings.tick_rate;
    let (files, measures) = Files::open(&args.files, args.files.picture.as_deref(), tick_rate)?;
    let wanted = Show { replay: &replay, args, files, measures };
    args.threads.pool()?.install(|| match replay.header.numeric {
        Numeric::F32 => show::<f32>(wanted),
        Numeric::Fixed => show::<Fx>(wanted),
    })?;
    Ok(fault.is_none())
}

/// A replay, and what is wanted of it.
struct Show<'a> {
    replay: &'a Replay,
    args: &'a ReplayArgs,
    files: Files,
    measures: Option<Options>,
}

fn show<N: Numbers>(show: Show<'_>) -> Result<(), CliError> {
    let (replay, args) = (show.replay, show.args);
    let refused = |source| CliError::Replay { path: args.replay.clone(), source };
    let mut player = Player::<N>::new(replay).map_err(refused)?;
    let (first, end) = (replay.header.first_tick, replay.end_tick());
    let [from, to] = [args.from.unwrap_or(first), args.to.unwrap_or(end)];
    for tick in [from, to] {
        if !(first..=end).contains(&tick) {
            return Err(CliError::NoSuchTick { tick, first, end });
        }
    }
    if from > to {
        let why = format!("the stretch ends at tick {to}, before that");
        return Err(CliError::value("--from", from, why));
    }
    // What a game has added has no name in it; which groups, weapons, sources and sinks there are is known at
    // the tick.
    player.seek(to).map_err(refused)?;
    let (mut scene, added) = (replay.header.scene.clone(), unnamed(player.world()));
    scene.groups.extend(added.groups.into_iter().skip(scene.groups.len()));
    scene.weapons.extend(added.weapons.into_iter().skip(scene.weapons.len()));
    scene.sources.extend(added.sources.into_iter().skip(scene.sources.len()));
    scene.sinks.extend(added.sinks.into_iter().skip(scene.sinks.len()));
    args.files.looks.check(player.world().map())?;
    let look = Look::new(&scene, &args.files.looks);
    if args.files.of_stretch() || args.from.is_some() || args.trails {
        player.seek(from).map_err(refused)?;
        return play(&mut player, show, &look, [from, to]);
    }
    let rate = replay.header.settings.tick_rate;
    let mut fight = Fight::new(&scene, args.files.picture.as_ref().map(|_| burst_fade(rate)));
    if fight.combat_overlay.is_some() {
        // Bursts are seen for some ticks.
        player.seek(to.saturating_sub(burst_fade(rate)).max(first)).map_err(refused)?;
    }
    while player.world().tick_count() < to && player.step().is_some() {
        fight.observe(player.world());
    }
    look_at(player.world(), show, &look, fight)
}

/// Plays a stretch as a run goes, and writes what is wanted of it.
fn play<N: Numbers>(
    player: &mut Player<'_, N>,
    show: Show<'_>,
    look: &Look<'_>,
    [from, to]: [u64; 2],
) -> Result<(), CliError> {
    let Show { replay, args, mut files, measures } = show;
    let streams = files.begin(player.world().map())?;
    let map = player.world().map().clone();
    // A run that ended early has the film of all ticks that it might have had.
    let is_whole = from == replay.header.first_tick && to == replay.end_tick();
    let planned = if is_whole { look.scene.ticks } else { 0 };
    let wanted = Wanted {
        name: &replay.header.label,
        map_name: &look.scene.map,
        map: &map,
        tick_rate: replay.header.settings.tick_rate,
        first: from,
        ticks: planned.max(to - from),
        picture: args.files.picture.is_some(),
        trails: args.trails,
        measures,
        files: &args.files,
        look,
    };
    let mut watch = Watch::new(player.world(), wanted, streams)?;
    let (mut timer, began, mut why) = (Timer::new(false), Instant::now(), String::new());
    let mut progress = Progress::new(to - from, args.quiet);
    signal::heed();
    while player.world().tick_count() < to {
        timer.tick(|timer| {
            player.step_with(timer);
            (player.world().len(), ())
        });
        let world = player.world();
        watch.observe(world)?;
        progress.set(world.tick_count() - from, || watch.status(world, &timer));
        if let Some(code) = signal::stopped() {
            why = format!(", stopped by {}", signal::name(code));
            break;
        }
    }
    progress.finish();
    let world = player.world();
    let ended = watch.end(world, &timer, began.elapsed())?;
    let (now, done) = (now(replay, world), thousands(world.tick_count()));
    let notes = format!("\n{now}played: ticks {} to {done}{why}\n", thousands(from));
    files.finish(&ended, look, [&notes, ""], args.quiet)
}

/// All agents so far, and those of them that have arrived; agents that have left by a sink count in both.
fn counts<N: Numbers>(world: &World<N>) -> [u64; 2] {
    [world.len(), world.arrived()].map(|count| count as u64 + world.left_by_sinks())
}

/// The replay and its world at this tick, in two lines.
fn now<N: Numbers>(replay: &Replay, world: &World<N>) -> String {
    let (ticks, [agents, arrived]) = (world.tick_count(), counts(world));
    format!(
        "{} ({}): ticks {} to {}, {}\nafter {}, {:.1} s: {}, {} arrived; digest {:016x}\n",
        replay.header.label,
        replay.header.numeric.word(),
        thousands(replay.header.first_tick),
        thousands(replay.end_tick()),
        plural(replay.keyframes.len() as u64, "keyframe"),
        plural(ticks, "tick"),
        ticks as f64 * world.dt(),
        plural(agents, "agent"),
        thousands(arrived),
        state::digest(world),
    )
}

/// Looks at one tick of which nothing before was seen.
fn look_at<N: Numbers>(
    world: &World<N>,
    show: Show<'_>,
    look: &Look<'_>,
    mut fight: Fight<'_>,
) -> Result<(), CliError> {
    let Show { replay, args, mut files, .. } = show;
    files.begin(world.map())?;
    let mut text = now(replay, world);
    let battle = fight.battle_at(world);
    if let Some(battle) = &battle {
        text.push_str(&format!("\n{battle}\n"));
    }
    if let (Some(output), Some(path)) = (files.picture, &args.files.picture) {
        let mut observer = look.observer(world.dt());
        observer.load(world);
        fight.load(world);
        let seconds = world.tick_count() as f64 * world.dt();
        let caption = caption_of(&replay.header.label, battle.as_ref(), counts(world), seconds);
        let overlay = fight.combat_overlay.as_ref();
        let fixtures = look::fixtures(world);
        let image = look.draw(world.map(), &observer.crowd(), &caption, None, overlay, &fixtures);
        output.picture(&image, false)?;
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    if args.quiet { Ok(()) } else { say(&text) }
}

/// A scene of groups, weapons, sources and sinks that have no names.
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
    let names = |kind: &str, count| (0..count).map(|i| traffic::name_of(&[], i, kind)).collect();
    let sources = names("source", world.sources().len());
    let sinks = names("sink", world.sinks().len());
    let groups = (0..shown).map(group).collect();
    Scene { groups, weapons, sources, sinks, ..Scene::default() }
}
