//! Bad structures in scenario files, and bad orders to attack them.

use crate::common::scenarios::{Mistake, all_refused, below, refused};
use crate::errors::{GROUP, MAP, TOP};

/// Lines of a structure of the name `gate`.
const STRUCTURES: &[Mistake] = &[
    ("", "structure[0]", "none of `rect`", "exactly one"),
    (
        "health = §0\nrect = [1, 1, 2, 2]",
        "structure[0].health",
        "0 is not above 0",
        "hit points, above 0 and at most 1000000000",
    ),
    (
        "team = §\"blue\"\nrect = [1, 1, 2, 2]",
        "structure[0].team",
        "is not the name of a team",
        "a `[[team]]` of that name",
    ),
    (
        "tick = §1000000\nrect = [1, 1, 2, 2]",
        "structure[0].tick",
        "is beyond the run",
        "a tick from 0",
    ),
    ("§point = [1, 1]", "structure[0].point", "no such key", "one of"),
    ("rect = §[1, 1, 50, 2]", "structure[0].rect", "reaches over the edge", "x from 0"),
    (
        "rect = [1, 1, 2, 2]\n[[structure]]\nname = §\"gate\"\nrect = [3, 1, 4, 2]",
        "structure[1].name",
        "is already the name of structure[0]",
        "a name of its own",
    ),
    (
        "rect = [1, 1, 2, 2]\n§[[order]]\ntick = 1\nattack = \"red\"",
        "order[0].structure",
        "missing",
        "the name of a structure",
    ),
    (
        "rect = [1, 1, 2, 2]\n\
         [[order]]\ntick = 1\nattack = \"red\"\nstructure = §\"gat\"",
        "order[0].structure",
        "is not the name of a structure",
        "\"gate\", if that is what you meant",
    ),
    (
        "tick = 5\nrect = [1, 1, 2, 2]\n\
         [[order]]\ntick = 1\nattack = \"red\"\nstructure = §\"gate\"",
        "order[0].structure",
        "is built at tick 5",
        "a structure that has been built by then",
    ),
    (
        "rect = [1, 1, 2, 2]\n\
         [[order]]\ntick = 1\nattack = §\"red\"\nstructure = \"gate\"",
        "order[0].attack",
        "has no weapon",
        "a group with a `weapon`",
    ),
];

#[test]
fn structures() {
    let text = |heading: &str, lines: &str| format!("{TOP}{MAP}{GROUP}{}", below(heading, lines));
    all_refused(STRUCTURES, |lines| text("[[structure]]\nname = \"gate\"", lines));
    let nameless = text("[[structure]]", "rect = [1, 1, 2, 2]");
    refused(&nameless, "structure[0].name", "missing", "a name of its own");
}
