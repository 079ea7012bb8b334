//! Keys that a file has twice.

use crate::errors::{Case, refused};

/// A key that is there twice is told with both of its lines, wherever it is.
#[test]
fn keys_are_there_once() {
    let cases: [Case; 7] = [
        ("ticks = 1\nticks = 2\n", (2, 1), "ticks", "first time in line 1", "every key once"),
        ("ticks = 1\n[map]\nsize = [4, 4]\n[map]\n", (4, 2), "map", "in line 2", "once"),
        ("map = { size = [2, 2], size = [3, 3] }\n", (1, 24), "map.size", "in line 1", "once"),
        (
            "[[group]]\nname = \"a\"\n[[group]]\nname = \"b\"\nspeed = 1\n\"speed\" = 2\n",
            (6, 1),
            "group[1].speed",
            "first time in line 5",
            "once",
        ),
        ("end.left = 1\nend.left = 1\n", (2, 5), "end.left", "in line 1", "once"),
        ("[[group]]\nname = \"a\"\n[group]\n", (3, 2), "group", "in line 1", "`[[group]]` for"),
        ("[map]\nsize = [2, 2]\n[map.size]\nx = 1\n", (3, 6), "map.size", "line 2", "once"),
    ];
    for (text, at, key, wrong, expected) in cases {
        refused(text, at, key, wrong, expected);
    }
}
