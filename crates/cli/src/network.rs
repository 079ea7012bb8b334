//! `throng network`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::draw::ways_picture::WaysPicture;
use crate::summary::plural;
use clap::{Args as ClapArgs, ValueEnum};
use throng::graph::network::{
    Breadcrumbs, Corners, Crumbs, Draft, FloodFill, Method, Network, Obstacles, Placement, Sizes,
    WallFollower, Walls, enough,
};
use throng::nav::navigator::SPACING;

use crate::args::point;
use crate::error::CliError;
use crate::ground::GroundArgs;
use crate::output::Output;
use crate::{ground, load, say};

/// Wanted length of a picture's longer side, pixels.
const LONG_SIDE: u32 = 1024;

/// Steps of a cell that `--grow` spreads over at most.
const MAX_STEPS: u32 = 100_000;

/// Crumbs from which on a walker takes redundant ones away.
const MAX_NODES: u32 = 10_000;

/// Most bytes of a network file: 64 MiB.
const MAX_FILE: u64 = 64 << 20;

/// Where nodes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlacementArg {
    /// At the corners of walls, joined where one sees the other
    Visibility,
    /// Evenly over open ground, as for the agents of a scenario
    Flood,
    /// Where a walker drops crumbs, which starts at `--from` and keeps its left hand on the wall
    Crumbs,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng network scenarios/maps/gallery.map --cost R=1 --picture network.png
  throng network scenarios/maps/gallery.map --cost R=1 --placement flood --spacing 6 -o net.toml
  throng network scenarios/maps/gallery.map --cost R=1 --placement crumbs --from 31.5,34.5
  throng network scenarios/maps/gallery.map --cost R=1 --read net.toml --grow 46.5,40.5 -o more.toml

A network that is read has the sizes and nodes of its file; what is open is measured on the map.

Exit codes: 0 fine, 2 bad use or bad input.")]
pub(crate) struct NetworkArgs {
    #[command(flatten)]
    pub(crate) ground: GroundArgs,
    /// Where nodes go
    #[arg(long, value_enum, value_name = "HOW", default_value = "visibility")]
    placement: PlacementArg,
    /// Metres from node to node with `--placement flood` [default: 6 cells]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    spacing: Option<f64>,
    /// Where the walker of `--placement crumbs` starts, in metres; it goes to the right first
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    from: Option<[f64; 2]>,
    /// Steps of half a cell of that walker
    #[arg(long, value_name = "N", default_value_t = 4_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    steps: u32,
    /// Read nodes and edges from a file, as `-o` writes it, and place none
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["placement", "spacing", "from"])]
    read: Option<PathBuf>,
    /// Add nodes that join this place (in metres) to the network; may be given several times
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    grow: Vec<[f64; 2]>,
    /// Write the network here (TOML)
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Draw it here (PNG)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Makes a network and tells.
pub(crate) fn run(args: &NetworkArgs) -> Result<bool, CliError> {
    let (map, class) = args.ground.load()?;
    let side = map.cell_size();
    let output = Output::named(args.output.as_deref(), "toml")?;
    let picture = Output::named(args.picture.as_deref(), "png")?;
    let placement = placement(args, side)?;
    let walls = Walls::of_class(&map, &class);
    let began = Instant::now();
    let mut network = match (&args.read, placement) {
        (Some(path), _) => read(path, &walls)?,
        (None, Some(method)) => {
            let sizes = sizes(args, side);
            Network::for_class(&map, &class, &Placement { sizes, method })
        }
        (None, None) => walked(args, &walls, side)?,
    };
    for &at in &args.grow {
        if network.grow(&walls, at, side, MAX_STEPS).is_none() {
            return Err(bad("--grow", at, "no way leads from there to a node"));
        }
    }
    let took = began.elapsed();
    let (nodes, edges) = (network.points().len(), network.edges().len());
    let mut text = format!(
        "{}: {}, {} for agents of {} m radius\n  memory     {}\n  \
         made in    {:.2} ms\n",
        ground::name(&args.ground.map),
        plural(nodes as u64, "node"),
        plural(edges as u64, "edge"),
        network.sizes().radius,
        ground::size(network.bytes()),
        took.as_secs_f64() * 1e3,
    );
    if let (Some(path), Some(output)) = (&args.output, output) {
        output.save(network.to_toml())?;
        text.push_str(&format!("network: {}\n", path.display()));
    }
    if let (Some(path), Some(output)) = (&args.picture, picture) {
        let mut drawn = WaysPicture::of_map(&map, LONG_SIDE);
        drawn.network(&network, side);
        let name = ground::name(&args.ground.map);
        let [nodes, edges] =
            [(nodes, "node"), (edges, "edge")].map(|(n, word)| plural(n as u64, word));
        let caption = format!("{name}: {nodes}, {edges}");
        output.picture(&drawn.finish(&caption), true)?;
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    say(&text)?;
    Ok(true)
}

fn sizes(args: &NetworkArgs, side: f64) -> Sizes {
    let radius = args.ground.radius;
    Sizes { radius, cap: radius + 2.0 * side }
}

fn bad(argument: &'static str, [x, y]: [f64; 2], why: &str) -> CliError {
    CliError::value(argument, format!("{x},{y}"), why)
}

/// How nodes are placed; `None` where a walker drops crumbs.
fn placement(args: &NetworkArgs, side: f64) -> Result<Option<Method>, CliError> {
    let refused = |value, why| Err(CliError::value("--spacing", value, why));
    let spacing = args.spacing.unwrap_or(SPACING * side);
    if !(side..=1000.0 * side).contains(&spacing) {
        return refused(spacing, format!("it may be from {side} to {} m", 1000.0 * side));
    }
    if args.spacing.is_some() && args.placement != PlacementArg::Flood {
        return refused(spacing, "it belongs to --placement flood".to_owned());
    }
    if let Some(at) = args.from.filter(|_| args.placement != PlacementArg::Crumbs) {
        return Err(bad("--from", at, "it belongs to --placement crumbs"));
    }
    Ok(match args.placement {
        PlacementArg::Visibility => Some(Method::Corners(Corners::default())),
        PlacementArg::Flood => Some(Method::FloodFill(FloodFill::every(spacing))),
        PlacementArg::Crumbs => None,
    })
}

/// The network of a file, measured on the ground.
fn read(path: &Path, walls: &Walls<'_>) -> Result<Network, CliError> {
    let text = String::from_utf8_lossy(&load::read(path, MAX_FILE)?).into_owned();
    let (draft, sizes) = Draft::from_toml(&text)
        .map_err(|source| CliError::Network { path: path.to_owned(), source })?;
    Ok(Network::new(&draft, walls, sizes))
}

/// The network of a walker that drops crumbs.
fn walked(args: &NetworkArgs, walls: &Walls<'_>, side: f64) -> Result<Network, CliError> {
    let Some(from) = args.from else {
        let why = "it needs --from, where the walker sets out";
        return Err(CliError::value("--placement", "crumbs", why));
    };
    let sizes = sizes(args, side);
    let radius = sizes.radius;
    if !enough(walls.clearance(from, radius.max(1e-3)), radius.max(1e-3)) {
        return Err(bad("--from", from, "no agent fits there"));
    }
    let range = 16.0 * side;
    let mut crumbs =
        Breadcrumbs::new(Crumbs { radius, range, merge: 1.5 * side, degree: 8, most: MAX_NODES });
    let mut walker = WallFollower::new(from, [from[0] + 1.0, from[1]], radius, 0.5 * side);
    crumbs.walk(walls, from);
    for _ in 0..args.steps {
        let Some(at) = walker.step(walls) else { break };
        crumbs.walk(walls, at);
    }
    Ok(Network::new(crumbs.draft(), walls, sizes))
}
