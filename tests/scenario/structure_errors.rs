//! Bad structures in scenario files, and bad orders to attack them.

use crate::common::scenarios::{Mistake, all_refused, below};
use crate::errors::{GROUP, MAP, TOP};

/// Lines of a structure.
const STRUCTURES: &[Mistake] = &[
    ("name = \"gate\"", "structure[0]", "none of `rect`", "exactly one"),
    ("rect = [1, 1, 2, 2]", "structure[0].name", "missing", "a name of its own"),
    (
        "name = \"gate\"\nhealth = §0\nrect = [1, 1, 2, 2]",
        "structure[0].health",
        "0 is not above 0",
        "hit points, above 0 and at most 1000000000",
    ),
    (
        "name = \"gate\"\nteam = §\"blue\"\nrect = [1, 1, 2, 2]",
        "structure[0].team",
        "is not the name of a team",
        "a `[[team]]` of that name",
    ),
    (
        "name = \"gate\"\ntick = §1000000\nrect = [1, 1, 2, 2]",
        "structure[0].tick",
        "is beyond the run",
        "a tick from 0",
    ),
    ("name = \"gate\"\n§point = [1, 1]", "structure[0].point", "no such key", "one of"),
    (
        "name = \"gate\"\nrect = §[1, 1, 50, 2]",
        "structure[0].rect",
        "reaches over the edge",
        "x from 0",
    ),
    (
        "name = \"gate\"\nrect = [1, 1, 2, 2]\n[[structure]]\nname = §\"gate\"\nrect = [3, 1, 4, 2]",
        "structure[1].name",
        "is already the name of structure[0]",
        "a name of its own",
    ),
    (
        "name = \"gate\"\nrect = [1, 1, 2, 2]\n§[[order]]\ntick = 1\nattack = \"red\"",
        "order[0].structure",
        "missing",
        "the name of a structure",
    ),
    (
        "name = \"gate\"\nrect = [1, 1, 2, 2]\n\
         [[order]]\ntick = 1\nattack = \"red\"\nstructure = §\"gat\"",
        "order[0].structure",
        "is not the name of a structure",
        "\"gate\", if that is what you meant",
    ),
    (
        "name = \"gate\"\ntick = 5\nrect = [1, 1, 2, 2]\n\
         [[order]]\ntick = 1\nattack = \"red\"\nstructure = §\"gate\"",
        "order[0].structure",
        "is built at tick 5",
        "a structure that has been built by then",
    ),
    (
        "name = \"gate\"\nrect = [1, 1, 2, 2]\n\
         [[order]]\ntick = 1\nattack = §\"red\"\nstructure = \"gate\"",
        "order[0].attack",
        "has no weapon",
        "a group with a `weapon`",
    ),
];

#[test]
fn structures() {
    all_refused(STRUCTURES, |lines| format!("{TOP}{MAP}{GROUP}{}", below("[[structure]]", lines)));
}
