//! Navigation meshes in Polyanya's format.

use throng::graph::mesh::{ExactSearch, FunnelSearch, Locator, Mesh, MeshPath, RelaxedSearch};

use super::mutate::{Part, Random, edit_text};
use super::{Outcome, Target, meter};

/// The target.
pub const TARGET: Target = Target { name: "mesh", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of the file, and for none.
const CAP: [usize; 2] = [64, 4 << 10];

/// The most polygons of a mesh that is searched.
const POLYGONS: u32 = 1_000;

/// Reads a mesh; one that is read is written and read again, and ways over a small one are found.
pub fn run(bytes: &[u8]) -> Outcome {
    let cap = |_: &_| CAP[0] * bytes.len() + CAP[1];
    let mesh = match meter::within("a mesh", cap, || Mesh::parse(bytes)) {
        Ok(mesh) => mesh,
        Err(error) => {
            assert!(error.to_string().starts_with("line "));
            return Outcome::Refused;
        }
    };
    assert_eq!(mesh.check(), Ok(()));
    let text = mesh.to_file();
    let again = Mesh::parse(text.as_bytes());
    assert_eq!(again.as_ref(), Ok(&mesh), "what is written is read back");
    assert_eq!(again.expect("it was read").to_file(), text);
    if mesh.polygon_count() > POLYGONS {
        return Outcome::Read;
    }
    search(&mesh);
    Outcome::Played
}

/// Looks for ways between some polygons, which may lie over each other.
fn search(mesh: &Mesh) {
    let locator = Locator::new(mesh);
    let (mut funnel, mut exact) = (FunnelSearch::default(), ExactSearch::default());
    let (mut relaxed, mut path) = (RelaxedSearch::default(), MeshPath::default());
    let count = mesh.polygon_count();
    for polygon in (0..count).take(8) {
        let (start, goal) = (mesh.centre(polygon), mesh.places(count - 1 - polygon)[0]);
        let _ = locator.nearest(mesh, [goal[0] + 1.0, goal[1]], 4.0);
        for found in [
            funnel.find(mesh, &locator, start, goal, &mut path) && path.length.is_finite(),
            relaxed.find(mesh, &locator, start, goal, &mut path) && path.length.is_finite(),
            exact.find(mesh, &locator, start, goal, &mut path) && path.length.is_finite(),
        ] {
            assert!(found || path.points.is_empty());
        }
    }
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let text = "mesh\n2\n4 2\n0.0 0.0 2 0 -1\n1.5 0.0 3 0 1 -1\n1.5 1.5 2 1 -1\n\
        0.0 1.5 3 -1 1 0\n3 0 1 3 -1 -1 1\n3 1 2 3 0 -1 -1\n";
    vec![
        ("square", text.as_bytes().to_vec()),
        ("row", cells(5, 1, |_, _| true).to_file().into_bytes()),
        ("ring", cells(4, 4, |x, y| x % 3 == 0 || y % 3 == 0).to_file().into_bytes()),
        ("rooms", cells(7, 7, |x, y| x % 4 != 3 || y % 4 == 1).to_file().into_bytes()),
    ]
}

/// Squares where `open` says so.
fn cells(width: u32, height: u32, open: impl Fn(u32, u32) -> bool) -> Mesh {
    let stride = width + 1;
    let points = (0..=height).flat_map(|y| (0..stride).map(move |x| [f64::from(x), f64::from(y)]));
    let mut polygons = Vec::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let at = y * stride + x;
        if open(x, y) {
            polygons.push(vec![at, at + 1, at + stride + 1, at + stride]);
        }
    }
    Mesh::new(points.collect(), &polygons)
}

/// Moves a point, or changes lines, numbers and words.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let mut text = bytes.to_vec();
    match random.below(4) {
        0 => part(&mut text, random),
        1 => edit_text(&mut text, random, &["mesh", "-1", "0", "3", "4294967295"]),
        _ => text = moved(&text, random),
    }
    text
}

/// The file with one of the first lines after the header that starts with a number a little
/// different.
fn moved(text: &[u8], random: &mut Random) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = 3 + random.below(lines.len() / 2);
    if let Some(line) = lines.get_mut(at) {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let which = random.below(2);
        if let Some(number) = words.get(which).and_then(|word| word.parse::<f64>().ok()) {
            words[which] = (number + (random.below(9) as f64 - 4.0) / 16.0).to_string();
            *line = words.join(" ");
        }
    }
    (lines.join("\n") + "\n").into_bytes()
}
