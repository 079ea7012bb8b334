#[allow(dead_code)]
#[path = "../common/oracle.rs"]
mod oracle;
#[allow(dead_code)]
#[path = "../common/terrain.rs"]
mod terrain;
use std::time::Instant;
use terrain::Random;
use throng::map::Map;
use throng::nav::field::*;

fn built(map: &Map, x: u32, y: u32, side: u32) -> Map {
    let (w, h) = (map.width(), map.height());
    let mut cells = Vec::new();
    for j in 0..h { for i in 0..w {
        let inside = i >= x && i < x + side && j >= y && j < y + side;
        cells.push(if inside {0} else {map.slowness()[map.index(i, j) as usize]});
    }}
    Map::from_slowness(w, h, 1.0, &cells)
}

#[test]
fn small() {
    for seed in 0..3000 {
        let mut r = Random(seed);
        let a = terrain::small(&mut r, 40);
        let b = built(&a, r.below(a.width()), r.below(a.height()), 1 + r.below(9));
        let (a, b) = (a.class(0.4), b.class(0.4));
        let Some(goal) = terrain::passable_cell(a.slowness(), r.below(1000)) else {continue};
        let goals = vec![goal];
        for (from, to) in [(&a, &b), (&b, &a)] {
            let ch = CellChanges::between(from, to);
            let mut o = octile::solve(from, &goals);
            o.repair(to, &goals, &ch);
            assert!(o.distances() == octile::solve(to, &goals).distances(), "octile {seed}");
            let old = solve(from, &GoalCells::point(goal)).distances;
            let mut d = eikonal::DistanceRepair::default();
            d.start(to, &goals, &ch, old);
            let mut n = 0_u64;
            loop { let p = d.advance(to, 7); n += p.work as u64; if p.done {break} assert!(n < 1_000_000, "endless {seed}"); }
            assert!(d.distances() == solve(to, &GoalCells::point(goal)).distances, "eik {seed}");
        }
    }
}

#[test]
#[ignore]
fn probe() {
    for (name, map) in [("open", terrain::open(1024)), ("noise", terrain::noise(1024, 20, 1)), ("rooms", terrain::rooms(1024, 1)), ("weighted", terrain::weighted(1024, 1))] {
        let mut r = Random(5);
        let a = map.class(0.4);
        let mut d = eikonal::DistanceRepair::default();
        let mut solver = eikonal::Solver::default();
        let (mut t, mut work, mut changed, mut redo, mut to_, mut tor, mut gave) = (0., 0, 0, 0., 0., 0., 0);
        let mut worst = 0.0_f64;
        let n = 40;
        for _ in 0..n {
            let b = built(&map, r.below(1016), r.below(1016), 8).class(0.4);
            let goals = vec![terrain::passable_cell(a.slowness(), r.below(1000)).unwrap()];
            for (from, to) in [(&a, &b), (&b, &a)] {
                let ch = CellChanges::between(from, to);
                solver.start(from, &goals, None); solver.advance(from, u32::MAX);
                let old = solver.distances().to_vec();
                let at = Instant::now();
                solver.start(to, &goals, None); solver.advance(to, u32::MAX);
                let s = at.elapsed().as_secs_f64(); redo += s;
                let mine = old.clone();
                let at = Instant::now();
                d.start(to, &goals, &ch, mine);
                let p = d.advance(to, u32::MAX);
                let m = at.elapsed().as_secs_f64(); t += m; worst = worst.max(m / s);
                work += p.work as usize;
                changed += d.distances().iter().zip(&old).filter(|(a, b)| a != b).count();
                assert!(d.distances() == solver.distances());
                let mut o = octile::solve(from, &goals);
                let at = Instant::now();
                let (_, fine) = o.repair(to, &goals, &ch);
                to_ += at.elapsed().as_secs_f64();
                gave += u32::from(!fine);
                let res = o.distances().to_vec();
                let at = Instant::now();
                o.restart(to, &goals);
                tor += at.elapsed().as_secs_f64();
                assert!(res == o.distances());
            }
        }
        let k = 2.0 * n as f64;
        println!("{name}: eik redo {:.2} ms repair {:.2} ms ratio {:.1} worst {:.2}; looks {:.0} changed {:.0}; octile redo {:.2} repair {:.3} ratio {:.1} gave up {gave}",
            redo/k*1e3, t/k*1e3, redo/t, worst, work as f64/k, changed as f64/k, tor/k*1e3, to_/k*1e3, tor/to_);
    }
}
