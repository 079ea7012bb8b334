//! `throng mesh`.

use std::path::PathBuf;
use std::time::Instant;

use crate::draw::ways_picture::WaysPicture;
use crate::summary::{plural, thousands};
use clap::{Args as ClapArgs, ValueEnum};
use throng::graph::Mesh;
use throng::graph::mesh::build::{Outlines, TiledMesh, Triangulation, greedy};
use throng::map::{Clearance, Map};

use crate::error::CliError;
use crate::ground::GroundArgs;
use crate::output::Output;
use crate::{ground, load, say};

/// Wanted length of a picture's longer side, pixels.
const LONG_SIDE: u32 = 1024;

/// How triangles are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TriangulationArg {
    /// Constrained Delaunay triangles
    Delaunay,
    /// Any three corners that fit: slow, for maps of 256 corners at most
    Greedy,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng mesh scenarios/maps/gallery.map --cost R=1 --picture mesh.png
  throng mesh scenarios/maps/valley.map --radius 0.5 --simplify 1 -o valley.mesh
  throng mesh valley.mesh --picture mesh.png
  throng mesh hall.wkt -o hall.mesh

A map's cells are joined to convex polygons; coordinates of the file are in cells, as in the meshes
of Polyanya (format version 2), so `throng path` reads it, too. A mesh file is read and checked, and
so is the mesh of a polygon with holes, as well-known text (.wkt), in its unit.

Exit codes: 0 fine, 1 the mesh is not sound, 2 bad use or bad input.")]
pub(crate) struct MeshArgs {
    #[command(flatten)]
    pub(crate) ground: GroundArgs,
    /// Leave out corners closer than this to the outline, in cells; some ground is lost
    #[arg(long, value_name = "CELLS", allow_negative_numbers = true)]
    simplify: Option<f64>,
    /// Make triangles, not merged into larger polygons, in this way
    #[arg(long, value_enum, value_name = "HOW", conflicts_with = "tiles")]
    triangulation: Option<TriangulationArg>,
    /// Make it in square tiles of this many cells, as for maps that change [default: in one piece]
    #[arg(long, value_name = "CELLS", allow_negative_numbers = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(4..=16_384))]
    tiles: Option<u32>,
    /// Write the mesh here
    #[arg(short, long, value_name = "FILE.mesh")]
    output: Option<PathBuf>,
    /// Draw it here (PNG)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Makes or reads a mesh, and tells.
pub(crate) fn run(args: &MeshArgs) -> Result<bool, CliError> {
    if let Some(error) = args.simplify.filter(|error| !(0.0..=1000.0).contains(error)) {
        let why = "a number of cells from 0 to 1000 is wanted";
        return Err(CliError::value("--simplify", error, why));
    }
    let began = Instant::now();
    let (mesh, ground, drawn) = if args.ground.is_mesh() {
        let mesh = load::mesh(&args.ground.map)?;
        let drawn = WaysPicture::of_mesh(&mesh, LONG_SIDE);
        (mesh, None, drawn)
    } else {
        let (map, class) = args.ground.load()?;
        let began = Instant::now();
        let mesh = build(args, &map, &class)?;
        let took = began.elapsed();
        let cells = class.slowness().iter().filter(|&&slowness| slowness != 0).count();
        (mesh, Some((cells, took)), WaysPicture::of_map(&map, LONG_SIDE))
    };
    let output = Output::named(args.output.as_deref(), "mesh")?;
    let picture = Output::named(args.picture.as_deref(), "png")?;
    let took = ground.map_or_else(|| began.elapsed(), |(_, took)| took);
    let sound = mesh.check();
    let polygons = mesh.polygon_count();
    let area: f64 = (0..polygons).map(|polygon| mesh.area(polygon)).sum();
    let tenths = (area * 10.0).round() as u64;
    let of = ground.map_or_else(String::new, |(cells, _)| {
        format!(" of {}", plural(cells as u64, "free cell"))
    });
    let made = if ground.is_some() { "made in" } else { "read in" };
    let mut text = format!(
        "{}: {}, {}, {}\n  area       {}.{}{of}\n  \
         parts      {}\n  memory     {}\n  {made}    {:.2} ms\n",
        ground::name(&args.ground.map),
        plural(u64::from(polygons), "polygon"),
        plural(u64::from(mesh.edge_count()), "corner"),
        plural(mesh.points().len() as u64, "point"),
        thousands(tenths / 10),
        tenths % 10,
        thousands(u64::from(mesh.component_count())),
        ground::size(mesh.bytes()),
        took.as_secs_f64() * 1e3,
    );
    if let Err(error) = &sound {
        text.push_str(&format!("not sound: {error}\n"));
    }
    if let (Some(path), Some(output)) = (&args.output, output) {
        output.save(mesh.to_file())?;
        text.push_str(&format!("mesh: {}\n", path.display()));
    }
    if let (Some(path), Some(output)) = (&args.picture, picture) {
        let mut drawn = drawn;
        drawn.mesh(&mesh, true);
        let name = ground::name(&args.ground.map);
        let caption = format!("{name}: {}", plural(u64::from(polygons), "polygon"));
        output.picture(&drawn.finish(&caption), true)?;
        text.push_str(&format!("picture: {}\n", path.display()));
    }
    say(&text)?;
    Ok(sound.is_ok())
}

fn build(args: &MeshArgs, map: &Map, class: &Clearance) -> Result<Mesh, CliError> {
    if let Some(how) = args.triangulation {
        return triangles(class, args.simplify, how);
    }
    let side = args.tiles.unwrap_or_else(|| map.width().max(map.height()));
    Ok(TiledMesh::new(class, side, args.simplify).mesh().clone())
}

/// Triangles inside the outlines.
fn triangles(
    class: &Clearance,
    error: Option<f64>,
    how: TriangulationArg,
) -> Result<Mesh, CliError> {
    let mut outlines = Outlines::whole(class);
    if let Some(error) = error {
        outlines.simplify(error);
    }
    let mut corners: Vec<[i32; 2]> = outlines.rings().flatten().copied().collect();
    corners.sort_unstable();
    corners.dedup();
    let index = |corner: &[i32; 2]| {
        corners.binary_search(corner).expect("every ring's corners are there") as u32
    };
    let mut walls = Vec::new();
    for ring in outlines.rings() {
        let next = ring.iter().cycle().skip(1);
        walls.extend(ring.iter().zip(next).map(|(from, to)| [index(from), index(to)]));
    }
    let points: Vec<[f64; 2]> = corners.iter().map(|corner| corner.map(f64::from)).collect();
    match how {
        TriangulationArg::Delaunay => {
            let triangulation = Triangulation::new(points, &walls);
            Ok(triangulation.expect("outlines of a grid neither cross nor touch").mesh())
        }
        TriangulationArg::Greedy => greedy::mesh(&points, &walls)
            .map_err(|error| CliError::value("--triangulation", "greedy", error.to_string())),
    }
}
