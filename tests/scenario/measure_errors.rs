//! Bad gates and areas in scenario files: refused with line, column, key and what would be right.

use crate::common::scenarios::{Mistake, all_refused, below, plan};
use crate::errors::{GROUP, MAP, TOP};

/// Lines of a gate.
const GATES: &[Mistake] = &[
    ("", "gate[0].name", "missing", "a name of its own"),
    ("name = \"g\"\nfrom = [1, 1]", "gate[0].to", "missing", "an end of the line"),
    (
        "name = \"g\"\nfrom = [1, 1]\nto = §[1, 1.0]",
        "gate[0].to",
        "is where the gate begins",
        "with a length",
    ),
    ("name = \"g\"\nfrom = §[1]\nto = [1, 5]", "gate[0].from", "has 1 number, not 2", "[x, y]"),
    (
        "name = \"g\"\nfrom = [1, §nan]\nto = [1, 5]",
        "gate[0].from[1]",
        "is not a finite number",
        "a coordinate",
    ),
    (
        "name = \"g\"\nfrom = [1, 1]\nto = §[1, 20.5]",
        "gate[0].to",
        "reaches over the edge",
        "y from 0 to 20",
    ),
    ("name = \"g\"\n§form = [1, 1]\nto = [1, 5]", "gate[0].form", "no such key", "`from`, if"),
    (
        "name = §\"\"\nfrom = [1, 1]\nto = [1, 5]",
        "gate[0].name",
        "is not a name",
        "1 to 64 characters",
    ),
    (
        "name = \"g\"\nfrom = [1, 1]\nto = [1, 5]\n\
         [[gate]]\nname = §\"g\"\nfrom = [2, 1]\nto = [2, 5]",
        "gate[1].name",
        "is already the name of gate[0]",
        "a name of its own",
    ),
];

/// Lines of an area.
const AREAS: &[Mistake] = &[
    ("rect = [1, 1, 2, 2]", "area[0].name", "missing", "a name of its own"),
    ("name = \"a\"", "area[0]", "none of `rect`", "exactly one"),
    ("name = \"a\"\n§point = [1, 1]", "area[0].point", "no such key", "one of `name`, `rect`"),
    (
        "name = \"a\"\nany = [{ rect = [1, 1, 2, 2] }, { point = §[1, 1] }]",
        "area[0].any[1].point",
        "point [1, 1] covers no area",
        "a rect, disc or polygon",
    ),
    (
        "name = \"a\"\nrect = [1, 1, 2, 2]\ndisc = §[5, 5, 1]",
        "area[0].disc",
        "contradict each other",
        "exactly one",
    ),
    ("name = \"a\"\ndisc = §[1, 1, 2]", "area[0].disc", "reaches over the edge", "x from 0 to 40"),
    (
        "name = \"a\"\nrect = [1, 1, 2, 2]\n[[area]]\nname = §\"a\"\nrect = [1, 1, 2, 2]",
        "area[1].name",
        "is already the name of area[0]",
        "a name of its own",
    ),
];

#[test]
fn gates_and_areas() {
    all_refused(GATES, |lines| format!("{TOP}{MAP}{GROUP}{}", below("[[gate]]", lines)));
    all_refused(AREAS, |lines| format!("{TOP}{MAP}{GROUP}{}", below("[[area]]", lines)));
    // A gate and an area may have one name.
    let both = "[[gate]]\nname = \"x\"\nfrom = [1, 1]\nto = [1, 5]\n\
                [[area]]\nname = \"x\"\nrect = [1, 1, 2, 2]\n";
    assert_eq!(plan(&format!("{TOP}{MAP}{GROUP}{both}")).unwrap().scene.gates[0].name, "x");
    // In walls, by the map.
    let walled = "[map]\nsize = [40, 20]\nwalls = [{ rect = [20, 0, 30, 20] }]\n";
    for (lines, key, wrong) in [
        (
            "[[gate]]\nname = \"g\"\nfrom = [21, 1]\nto = [29, 9]",
            "gate[0].to",
            "gate [21, 1] to [29, 9] lies wholly in walls",
        ),
        (
            "[[area]]\nname = \"a\"\nrect = [21, 1, 29, 9]",
            "area[0].rect",
            "rect [21, 1, 29, 9] lies wholly in walls",
        ),
    ] {
        let error = plan(&format!("{TOP}{walled}{GROUP}{lines}\n")).unwrap_err();
        let first = error.first();
        assert_eq!((first.key.as_str(), error.problems.len()), (key, 1));
        assert!(first.wrong.contains(wrong), "{error}");
    }
    let many: String = (0..101)
        .map(|i| format!("[[gate]]\nname = \"g{i}\"\nfrom = [1, 1]\nto = [1, 5]\n"))
        .collect();
    let error = plan(&format!("{TOP}{MAP}{GROUP}{many}")).unwrap_err();
    assert!(error.to_string().contains("has 101 entries, more than 100"), "{error}");
}
