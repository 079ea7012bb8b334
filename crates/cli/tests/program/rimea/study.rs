//! A study of parameters: test 8.

use std::path::Path;

use super::*;
use crate::running::Folder;

/// Times by number of people and speed: 60 slow, 240 slow, 60 fast, 240 fast.
fn times(table: &str, numeric: &str) -> Measured {
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name: &str| head.iter().position(|&cell| cell == name).expect(name);
    let (of, end) = (column("numeric"), column("end_s"));
    let rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
    let found: Vec<f64> =
        rows.filter(|row| row[of] == numeric).map(|row| row[end].parse().unwrap()).collect();
    let [few, many, few_fast, many_fast] = found[..] else { panic!("{table}") };
    Measured {
        says: format!("{few:.0} s, {many:.0} s; {few_fast:.0} s, {many_fast:.0} s"),
        is_fine: few < many && few_fast < many_fast && few_fast < few && many_fast < many,
    }
}

#[test]
fn test_08_more_people_take_longer_and_faster_ones_shorter() {
    let folder = Folder::new("rimea-study");
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/rimea/study.toml");
    folder.fine(&["sweep", plan.to_str().unwrap(), "--output", "study", "--workers", "1"]);
    let table = String::from_utf8(folder.read("study/runs.csv")).unwrap();
    judge("8", Verdict::Documented, &[times(&table, "f32"), times(&table, "fixed")]);
}
