//! Keys that a file has twice.

use crate::common::scenarios::{Mistake, all_refused};

/// A key that is there twice is told with both of its lines, wherever it is.
#[test]
fn keys_are_there_once() {
    let cases: [Mistake; 7] = [
        ("ticks = 1\n§ticks = 2\n", "ticks", "first time in line 1", "every key once"),
        ("ticks = 1\n[map]\nsize = [4, 4]\n[§map]\n", "map", "in line 2", "once"),
        ("map = { size = [2, 2], §size = [3, 3] }\n", "map.size", "in line 1", "once"),
        (
            "[[group]]\nname = \"a\"\n[[group]]\nname = \"b\"\nspeed = 1\n§\"speed\" = 2\n",
            "group[1].speed",
            "first time in line 5",
            "once",
        ),
        ("end.left = 1\nend.§left = 1\n", "end.left", "in line 1", "once"),
        ("[[group]]\nname = \"a\"\n[§group]\n", "group", "in line 1", "`[[group]]` for"),
        ("[map]\nsize = [2, 2]\n[map.§size]\nx = 1\n", "map.size", "line 2", "once"),
    ];
    all_refused(&cases, str::to_owned);
}
