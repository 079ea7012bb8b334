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
            { let mut goals = vec![]; for _ in 0..1 + r.below(4) { goals.push(terrain::passable_cell(from.slowness(), r.below(1000)).unwrap_or(goal)); }
              let area = (0..r.below(30)).map(|i| goal + i).collect();
              let goals = GoalCells::new(goals, area);
              let mut f = solve(from, &goals);
              let mut rep = Repair::default();
              rep.start(to, &goals, &ch, std::mem::take(&mut f.distances));
              while !rep.advance(to, 5).done {}
              rep.finish(&mut f);
              let e = solve(to, &goals);
              if f != e { let st = to.stride() as usize; let xy = |c: usize| (c % st, c / st);
                 let wrong: Vec<_> = (0..f.directions.len()).filter(|&c| f.directions[c] != e.directions[c]).map(|c| (xy(c), direction::unpack(f.directions[c]), direction::unpack(e.directions[c]))).collect();
                 let w = &wrong[..wrong.len().min(5)];
                 panic!("field {seed} anew {} n {} {w:?} goals {:?} changed {:?} dist {}", rep.is_anew(), wrong.len(), goals.seeds().iter().map(|&c| xy(c as usize)).collect::<Vec<_>>(), ch.cells().iter().map(|&c| xy(c as usize)).collect::<Vec<_>>(), f.distances == e.distances); } }
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
        let n = 40; let (mut job, mut rep, mut job_d, mut redo_f, mut rep_f, mut worst_f, mut anew) = (Job::default(), Repair::default(), vec![], 0., 0., 0.0_f64, 0);
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
                { let g = GoalCells::new(goals.clone(), vec![]);
                  job.start(from, &g, job_d); job.advance(from, u32::MAX); job_d = job.take_directions();
                  let mut f = Field { directions: job_d.clone(), distances: old.clone() };
                  let at = Instant::now();
                  job.start(to, &g, job_d); job.advance(to, u32::MAX); 
                  let s = at.elapsed().as_secs_f64(); redo_f += s;
                  job_d = job.take_directions();
                  let ds = std::mem::take(&mut f.distances);
                  let at = Instant::now();
                  rep.start(to, &g, &ch, ds);
                  rep.advance(to, u32::MAX);
                  anew += u32::from(rep.is_anew());
                  rep.finish(&mut f);
                  let m = at.elapsed().as_secs_f64(); rep_f += m; worst_f = worst_f.max(m / s);
                  if f.directions != job_d { let st = to.stride() as usize; let xy = |c: usize| (c % st, c / st);
                 let wrong: Vec<_> = (0..f.directions.len()).filter(|&c| f.directions[c] != job_d[c]).map(|c| (xy(c), direction::unpack(f.directions[c]), direction::unpack(job_d[c]))).collect();
                 let w = &wrong[..wrong.len().min(5)];
                 panic!("field anew {} n {} {w:?} goals {:?} changed {:?}", rep.is_anew(), wrong.len(), goals.iter().map(|&c| xy(c as usize)).collect::<Vec<_>>(), ch.cells().iter().map(|&c| xy(c as usize)).collect::<Vec<_>>()); }
                 assert!(f.distances == solver.distances());
                }
                let mut o = octile::solve(from, &goals);
                let at = Instant::now();
                let (ow, fine) = o.repair(to, &goals, &ch);
                let om = at.elapsed().as_secs_f64();
                to_ += om;
                if false { println!("{name}: eik {} looks {:.1} ns each, redo {:.1} ms; octile {ow} looks {:.1} each {fine}", p.work, m * 1e9 / p.work as f64, s * 1e3, om * 1e9 / ow as f64); }
                gave += u32::from(!fine);
                let res = o.distances().to_vec();
                let at = Instant::now();
                o.restart(to, &goals);
                tor += at.elapsed().as_secs_f64();
                assert!(res == o.distances());
            }
        }
        let k = 2.0 * n as f64;
        println!("{name}: field redo {:.2} repair {:.2} ratio {:.1} worst {worst_f:.2} anew {anew}", redo_f/k*1e3, rep_f/k*1e3, redo_f/rep_f);
        println!("{name}: eik redo {:.2} ms repair {:.2} ms ratio {:.1} worst {:.2}; looks {:.0} changed {:.0}; octile redo {:.2} repair {:.3} ratio {:.1} gave up {gave}",
            redo/k*1e3, t/k*1e3, redo/t, worst, work as f64/k, changed as f64/k, tor/k*1e3, to_/k*1e3, tor/to_);
    }
}
