//! `throng network`.

use std::path::PathBuf;
use std::time::Instant;

use crate::draw::ways_picture::WaysPicture;
use crate::summary::thousands;
use clap::Args as ClapArgs;
use clap::ValueEnum;
use throng::graph::network::Corners;
use throng::graph::network::FloodFill;
use throng::graph::network::Method;
use throng::graph::network::Network;
use throng::graph::network::Placement;
use throng::graph::network::Sizes;

use crate::error::CliError;
use crate::ground;
use crate::ground::GroundArgs;
use crate::output::Output;
use crate::say;

/// Wanted length of a picture's longer side, pixels.
const LONG_SIDE: u32 = 1024;

/// Where nodes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlacementArg {
    /// At the corners of walls, joined where one sees the other
    Visibility,
    /// Evenly over open ground
    Flood,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng network scenarios/maps/gallery.map --picture network.png
  throng network scenarios/maps/gallery.map --placement flood --spacing 6 --radius 0.4 -o net.toml

Exit codes: 0 fine, 2 bad use or bad input.")]
pub(crate) struct NetworkArgs {
    #[command(flatten)]
    pub(crate) ground: GroundArgs,
    /// Where nodes go
    #[arg(long, value_enum, value_name = "HOW", default_value = "visibility")]
    placement: PlacementArg,
    /// Metres from node to node with `--placement flood` [default: 8 cells]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    spacing: Option<f64>,
    /// Write the network here (TOML)
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Draw it here (PNG)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Makes a network and tells.
pub(crate) fn run(args: &NetworkArgs) -> Result<bool, CliError> {
    let bad = |value: f64, why: String| CliError::Value {
        argument: "--spacing",
        value: value.to_string(),
        why,
    };
    let (map, class) = args.ground.load()?;
    let side = map.cell_size();
    let spacing = args.spacing.unwrap_or(8.0 * side);
    if !(side..=1000.0 * side).contains(&spacing) {
        return Err(bad(spacing, format!("it may be from {side} to {} m", 1000.0 * side)));
    }
    if args.spacing.is_some() && args.placement == PlacementArg::Visibility {
        return Err(bad(spacing, "it belongs to --placement flood".to_owned()));
    }
    let method = match args.placement {
        PlacementArg::Visibility => Method::Corners(Corners::default()),
        PlacementArg::Flood => Method::FloodFill(FloodFill::every(spacing)),
    };
    let output = Output::named(args.output.as_deref(), "toml")?;
    let picture = Output::named(args.picture.as_deref(), "png")?;
    let radius = args.ground.radius;
    let sizes = Sizes { radius, cap: radius + 2.0 * side };
    let began = Instant::now();
    let network = Network::for_class(&map, &class, &Placement { sizes, method });
    let took = began.elapsed();
    let (nodes, edges) = (network.points().len(), network.edges().len());
    let mut text = format!(
        "{}: {} nodes, {} edges for agents of {radius} m radius\n  memory     {}\n  \
         made in    {:.2} ms\n",
        ground::name(&args.ground.map),
        thousands(nodes as u64),
        thousands(edges as u64),
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
        let caption = format!("{name}: {nodes} nodes, {edges} edges");
        output.picture(&drawn.finish(&caption), true)?;
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    say(&text)?;
    Ok(true)
}
