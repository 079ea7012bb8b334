//! `throng replay`.

use crate::draw::colour::group_colour;
use crate::draw::combat_overlay::CombatOverlay;
use crate::draw::picture;
use crate::draw::picture::PictureOptions;
use crate::summary::thousands;
use throng::lane::Numbers;
use throng::math::{Fx, Numeric};
use throng::replay::{Player, Replay};
use throng::report::battle::{Battle, BattleNames};
use throng::report::observer::Observer;
use throng::state;

use crate::args::ReplayArgs;
use crate::error::CliError;
use crate::output::Output;
use crate::run::pool;
use crate::{load, say};

/// Goes to a tick of a replay.
pub(crate) fn run(args: &ReplayArgs) -> Result<bool, CliError> {
    let (replay, fault) = load::replay(&args.replay, args.cut.allow_cut)?;
    let output = Output::named(args.picture.as_deref(), "png")?;
    pool(args.threads)?.install(|| match replay.header.numeric {
        Numeric::F32 => show::<f32>(&replay, args, output),
        Numeric::Fixed => show::<Fx>(&replay, args, output),
    })?;
    Ok(fault.is_none())
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
    player.seek(ticks).map_err(refused)?;
    let world = player.world();
    let seconds = ticks as f64 * world.dt();
    let mut text = format!(
        "{} ({}): ticks {} to {}, {} keyframes\nafter {} ticks, {seconds:.1} s: {} agents, {} arrived; \
         digest {:016x}\n",
        replay.header.label,
        replay.header.numeric.word(),
        thousands(first),
        thousands(end),
        replay.keyframes.len(),
        thousands(ticks),
        thousands(world.len() as u64),
        thousands(world.arrived() as u64),
        state::digest(world),
    );
    let battle = Battle::new(world, 1.0, BattleNames::default(), None);
    if let Some(battle) = &battle {
        text.push_str(&format!("\n{battle}\n"));
    }
    if let (Some(path), Some(output)) = (&args.picture, output) {
        let team = |group: usize| usize::from(world.groups()[group].def.team);
        let colour = |group| group_colour(if battle.is_some() { team(group) } else { group });
        let groups = world.groups().len() as u16;
        let bases = (0..groups).filter(|&group| world.base_group(group) == group);
        // Variants have no agents in pictures.
        let shown = bases.last().map_or(0, |last| usize::from(last) + 1);
        let colours: Vec<_> = (0..shown).map(colour).collect();
        let names: Vec<String> = (0..colours.len()).map(|i| format!("group {i}")).collect();
        let mut observer = Observer::new(world.dt(), colours);
        observer.load(world);
        let combat_overlay = battle.is_some().then(|| {
            let mut combat_overlay = CombatOverlay::new(1);
            combat_overlay.observe(world);
            combat_overlay.load(world);
            combat_overlay
        });
        let caption = format!("{} after {seconds:.1} s", replay.header.label);
        let options = PictureOptions {
            names: &names,
            caption: &caption,
            combat_overlay: combat_overlay.as_ref(),
            ..PictureOptions::default()
        };
        let image = picture::draw(world.map(), &observer.crowd(), &options);
        output.picture(&image, false)?;
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    say(&text)
}
