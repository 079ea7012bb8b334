use crate::rows;
use crate::data;
use std::time::Instant;
use throng::graph::mesh::*;

#[test]
fn probe() {
    let mut cases = rows::games();
    let folder = data::folder().unwrap().join("polyanya");
    let row = rows::queries(&folder.join("gppc-anyangle/AcrosstheCape.map.scen"));
    println!("{:?} {}", row[0], row.len());
    let mesh = rows::mesh(&folder.join("mesh/AcrosstheCape-merged.mesh"));
    cases.push(rows::Case { name: "gppc".into(), mesh, rows: row });
    for case in cases {
        let t = Instant::now();
        let locator = Locator::new(&case.mesh);
        let mut search = ExactSearch::default();
        let mut path = MeshPath::default();
        let build = t.elapsed();
        let (mut bad, mut worst) = (0, 0.0_f64);
        let t = Instant::now();
        let mut ex = 0;
        for (i, row) in case.rows.iter().enumerate() {
            let ok = search.find(&case.mesh, &locator, row.start, row.goal, &mut path);
            ex += path.expansions as u64;
            let off = if ok { (path.length - row.length).abs() } else { 1e9 };
            worst = worst.max(off);
            if off > 1e-3 { bad += 1; if bad < 4 { println!("row {i} {row:?} {ok} {}", path.length); } }
        }
        for k in [1] {
        let mut search = FunnelSearch::new(k);
        let t = Instant::now();
        let (mut sum, mut worst, mut count, mut ex) = (0.0, 0.0_f64, 0, 0);
        for (i, row) in case.rows.iter().enumerate() {
            let ok = search.find(&case.mesh, &locator, row.start, row.goal, &mut path);
            assert!(ok);
            assert!(path.length > row.length - 1e-6, "{row:?} {path:?}");
            ex += path.expansions as u64;
            sum += path.length / row.length; worst = worst.max(path.length / row.length); count += 1;
        }
        println!("   k {k} mean {:.5} max {worst:.3} {:.2} us/query {} exp", sum / count as f64, t.elapsed().as_secs_f64()*1e6/count as f64, ex / count as u64);
        }
        for k in [1] {
        let mut search = FunnelSearch::new(k);
        let mut relaxed = RelaxedSearch::new(k);
        let mut other = MeshPath::default();
        let t = Instant::now();
        let (mut sum, mut worst, mut count, mut ex) = (0.0, 0.0_f64, 0, 0);
        let mut better = 0;
        for (i, row) in case.rows.iter().enumerate() {
            assert!(search.find(&case.mesh, &locator, row.start, row.goal, &mut other));
            let ok = relaxed.find(&case.mesh, &locator, row.start, row.goal, &mut path);
            assert!(ok);
            assert!(path.length > row.length - 1e-6, "{row:?} {path:?}");
            assert!(path.length <= other.length);
            better += u32::from(path.length < other.length - 1e-9);
            ex += path.expansions as u64;
            sum += path.length / row.length; worst = worst.max(path.length / row.length); count += 1;
        }
        println!("   relaxed k {k} better {better} of {count} mean {:.5} max {worst:.3} {:.2} us/query {} exp", sum / count as f64, t.elapsed().as_secs_f64()*1e6/count as f64, ex / count as u64);
        }
        println!("{:20} polys {:6} locator {:?} bad {bad} of {} worst {worst:.2e} {:.2} us/query {} exp", case.name, case.mesh.polygon_count(), build, case.rows.len(), t.elapsed().as_secs_f64()*1e6/case.rows.len() as f64, ex / case.rows.len() as u64);
    }
    for path in data::files(&folder.join("tests"), "scen") {
        let m = rows::mesh(&path.with_extension("mesh"));
        let locator = Locator::new(&m);
        for row in rows::queries(&path) {
            let mut p = MeshPath::default();
            let ok = ExactSearch::default().find(&m, &locator, row.start, row.goal, &mut p);
            println!("{} {row:?} {ok} {p:?}", path.display());
        }
    }
    rows::mesh(&folder.join("tests/hard.mesh"));
}
