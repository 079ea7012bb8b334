//! Networks as text: what is written is read back, and what is wrong is named.

use crate::common::terrain;
use throng::graph::network::{Draft, FloodFill, Method, Network, Placement, Sizes, Walls};

#[test]
fn a_network_survives_being_written() {
    let map = terrain::weighted(48, 3);
    let method = Method::FloodFill(FloodFill::every(5.3));
    let placement = Placement { sizes: Sizes { radius: 0.3, cap: 2.7 }, method };
    let network = Network::for_class(&map, &map.class(0.3), &placement);
    let mut draft = network.edit();
    draft.set_tag(3, 77);
    draft.shift(4, [0.1 + 0.2, 1.0 / 3.0]);
    let network = Network::new(&draft, &Walls::new(&map), placement.sizes);
    let text = network.to_toml();
    let (read, sizes) = Draft::from_toml(&text).unwrap();
    assert_eq!(sizes, placement.sizes);
    assert_eq!(Network::new(&read, &Walls::new(&map), sizes), network);
    assert_eq!(read.tag(3), Some(77));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let good = "format = \"throng network 1\"\nradius = 0.3\ncap = 4.0\nnodes = [\n  \
                { x = 1.0, y = 2.0 },\n  { x = 3, y = 2.5, tag = 7 },\n]\nedges = [\n  [0, 1],\n]\n";
    assert!(Draft::from_toml(good).is_ok());
    let cases = [
        (
            "network 1",
            "network 9",
            "line 1, column 10: format is \"throng network 9\"; this program",
        ),
        ("radius = 0.3", "radius = -1.0", "line 2, column 10: radius is -1; it is 0 to 32768 m"),
        ("cap = 4.0", "cap = 0.1", "line 3, column 7: cap is 0.1, less than the radius, 0.3"),
        ("x = 1.0", "x = nan", "line 5, column 3: x of node 0 is NaN; it is ±32768 m"),
        ("y = 2.5", "z = 2.5", "line 6, column 12: unknown field `z`, expected one of `x`, `y`"),
        ("tag = 7", "tag = -7", "line 6, column 27: invalid value: integer `-7`, expected u32"),
        ("[0, 1]", "[0, 2]", "line 9, column 3: edge 0 is [0, 2]: the file has 2 nodes, from 0"),
        ("[0, 1]", "[1, 1]", "line 9, column 3: edge 0 is [1, 1]: it joins a node to itself"),
        ("[0, 1]", "[0, 1], [1, 0]", "line 9, column 11: edge 1 is [1, 0]: it comes twice"),
        ("[0, 1]", "[0, ]", "line 9, column 3: invalid length 1, expected an array of length 2"),
        ("edges = [", "edge = [", "line 8, column 1: unknown field `edge`, expected one of"),
        ("cap = 4.0", "cap = ", "line 3, column 7:"),
        ("cap = 4.0\n", "", "missing field `cap`"),
    ];
    for (from, to, message) in cases {
        let error = Draft::from_toml(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(message), "{to}: {error}");
    }
    let deep = format!("{} = 1", vec!["a"; 600_000].join("."));
    let error = Draft::from_toml(&deep).unwrap_err().to_string();
    assert!(error.contains("more than 524,288 tables"), "{error}");
}
