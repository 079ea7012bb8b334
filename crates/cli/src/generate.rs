//! `throng generate`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::draw::height_picture::HeightPicture;
use crate::draw::{height_picture, landscape};
use crate::summary::plural;
use crate::summary_text::seconds;
use clap::Args as ClapArgs;
use throng::map::Map;
use throng::scenario::MapSource;

use crate::error::CliError;
use crate::output::Output;
use crate::run::FOLDER;
use crate::{load, say};

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng generate scenarios/worlds/island.toml
  throng generate scenarios/worlds/island.toml --seed 7 --out out/seven

NAME.map has the letters, NAME.png is a picture of the map, NAME-heights.png has the heights of the
ground, when it is not flat: `file`, `heights` and `height_range` of a scenario read them again.

Exit codes: 0 fine, 2 bad use or bad input.")]
pub(crate) struct GenerateArgs {
    /// A scenario with `[map.generate]`, by its file or its name, or a file of `[map]` alone
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// Seed of the map [default: the file's]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Name of the files that are written, without an ending [default: out/ and the scenario's name]
    #[arg(short, long, alias = "output", value_name = "NAME")]
    pub(crate) out: Option<PathBuf>,
    /// Wanted length of the picture's longer side in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1024, allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) side: u32,
}

/// Makes a map and writes it.
pub(crate) fn run(args: &GenerateArgs) -> Result<bool, CliError> {
    let (mut def, file) = load::ground(&args.file)?;
    let MapSource::Generate(rules) = &mut def.map.source else {
        return Err(CliError::NotGenerated { name: args.file.clone() });
    };
    rules.seed = args.seed.or(rules.seed);
    let (seed, colours) = (rules.seed.unwrap_or(def.settings.seed), rules.colours.clone());
    let began = Instant::now();
    let map = def.load_map(&|name| load::named_by(&file, name));
    let map = map.map_err(|error| CliError::scenario(error, &def.text))?;
    let took = began.elapsed();
    let name = args.out.clone().unwrap_or_else(|| Path::new(FOLDER).join(&def.name));
    let (map_file, picture_file) = (named(&name, ".map"), named(&name, ".png"));
    let map_output = Output::open(&map_file, "map")?;
    let picture_output = Output::open(&picture_file, "png")?;
    let heights_file = named(&name, "-heights.png");
    let heights_output = Output::open(&heights_file, "png")?;
    let mut text = told(&map, seed, took);
    map_output.save(map.to_movingai())?;
    text.push_str(&format!("map: {}\n", map_file.display()));
    picture_output.picture(&landscape::draw(&map, &colours, args.side), true)?;
    text.push_str(&format!("picture: {}\n", picture_file.display()));
    let failed = |error| CliError::write(&heights_file)(io::Error::other(error));
    let encoded = height_picture::encode(&map).map_err(failed)?;
    if let Some(HeightPicture { bytes, range: [low, high] }) = encoded {
        heights_output.save(bytes)?;
        let short = heights_file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        text.push_str(&format!(
            "heights: {}\n  heights = {short:?}\n  height_range = [{low:?}, {high:?}]\n",
            heights_file.display()
        ));
    }
    say(&text)?;
    Ok(true)
}

/// A name with an ending; dots in the name stay.
fn named(name: &Path, ending: &str) -> PathBuf {
    let mut file = name.file_name().unwrap_or_default().to_owned();
    file.push(ending);
    name.with_file_name(file)
}

/// The generated map, in words.
fn told(map: &Map, seed: u64, took: Duration) -> String {
    let mut counts = [0_u64; 256];
    map.letters().iter().for_each(|&letter| counts[usize::from(letter)] += 1);
    let cells = map.letters().len() as f64;
    let mut letters: Vec<u8> = (0..=255).filter(|&l: &u8| counts[usize::from(l)] > 0).collect();
    letters.sort_by_key(|&letter| (std::cmp::Reverse(counts[usize::from(letter)]), letter));
    let share = |&letter: &u8| {
        let share = counts[usize::from(letter)] as f64 * 100.0 / cells;
        format!("{} {share:.1} %", char::from(letter))
    };
    let shares: Vec<String> = letters.iter().map(share).collect();
    let regions = map.class(0.0).component_count();
    format!(
        "{} × {} cells of {} m, seed {seed}, made in {}\nletters: {}\n\
         {}\n",
        map.width(),
        map.height(),
        map.cell_size(),
        seconds(took.as_secs_f64()),
        shares.join(", "),
        plural(u64::from(regions), "open region"),
    )
}
