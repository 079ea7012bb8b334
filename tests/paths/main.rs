#[allow(dead_code)]
#[path = "../common/terrain.rs"]
mod terrain;
use throng::graph::*;
use throng::graph::grid::*;
#[test]
fn prof() {
    let name = std::env::var("MAPN").unwrap();
    let map = match name.as_str() { "noise" => terrain::noise(1024, 20, 1), "maze" => terrain::maze(1024, 4, 1), "weighted" => terrain::weighted(1024, 1), _ => terrain::rooms(1024,1) };
    let class = map.class(0.0);
    let mut random = terrain::Random(7);
    let cells: Vec<u32> = (0..class.slowness().len() as u32).filter(|&cell| class.passable(cell)).collect();
    let grid = Grid::new(&class);
    let mut search = Search::default();
    let mut q = Vec::new();
    while q.len() < 24 {
        let [start, goal] = [0; 2].map(|_| cells[random.below(cells.len() as u32) as usize]);
        if class.same_component(start, goal) { q.push((start,goal)); }
    }
    let t = std::time::Instant::now();
    let mut e = 0;
    for _ in 0..20 { for &(start, goal) in &q {
        search.find(&grid, &[(start, 0)], |cell| cell == goal, grid.estimate(Heuristic::Octile, goal)).unwrap();
        e += search.expansions() as u64;
    }}
    println!("{name} {} ns/exp", t.elapsed().as_nanos() as f64 / e as f64);
}
