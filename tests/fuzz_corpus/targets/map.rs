//! Maps in MovingAI format.

use throng::GroupId;
use throng::map::area::Shape;
use throng::map::{Legend, Map};
use throng::world::{GroupDef, Order, Settings, World};

use super::mutate::{Part, Random, edit_text};
use super::{Outcome, Target, meter, play};

/// The target.
pub const TARGET: Target = Target { name: "map", run, seeds, mutate };

/// Most bytes of memory that reading takes for each byte of the file, and for none.
const CAP: [usize; 2] = [64, 4 << 10];

/// Reads a map; one that is read is written and read again, and a small one is walked on.
pub fn run(bytes: &[u8]) -> Outcome {
    let mut legend = Legend::default();
    for (letter, slowness) in [('a', 1), ('m', 40), ('~', 255), (' ', 16)] {
        legend.set(letter, slowness).expect("the letter is printable");
    }
    let cap = |_: &_| CAP[0] * bytes.len() + CAP[1];
    let read = meter::within("a map", cap, || Map::parse_movingai(bytes, &legend, 0.75));
    let map = match read {
        Ok(map) => map,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Outcome::Refused;
        }
    };
    let again = Map::parse_movingai(map.to_movingai().as_bytes(), &legend, 0.75);
    assert_eq!(again.as_ref(), Ok(&map), "what is written is read back");
    assert_eq!(map.hash(), again.expect("it was read").hash());
    if !play::is_small(&map) {
        return Outcome::Read;
    }
    walk(map);
    Outcome::Played
}

/// Sends a few agents across the map.
pub(super) fn walk(map: Map) {
    let [width, height] = throng::map::area::extent(&map);
    let all = vec![Shape::Rect { min: [0.0; 2], max: [width, height] }];
    let corner = vec![Shape::Disc { centre: [width, height], radius: 4.0 }];
    let orders = [
        Order::Group { def: GroupDef::default() },
        Order::Group { def: GroupDef { radius: 1.1, ..GroupDef::default() } },
        Order::Spawn { group: GroupId::new(0), area: all.clone(), count: 9 },
        Order::Spawn { group: GroupId::new(1), area: all, count: 2 },
        Order::Move { group: GroupId::new(0), goal: corner.clone() },
        Order::Move { group: GroupId::new(1), goal: corner },
    ];
    let mut world = World::<f32>::new(map, Settings::default()).expect("the map is small");
    play::play(&mut world, &[&orders, &[], &[]]);
}

fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("small", text("type octile\nheight 3\nwidth 4\nmap\n....\n.@T.\n..m.\n")),
        ("letters", text("type octile\nwidth 8\nheight 2\nmap\n.GSam~ O\nTW@.....\n\n")),
        ("crlf", text("type octile\r\nheight 2\r\nwidth 2\r\nmap\r\n..\r\n.@\r\n")),
        ("rooms", rooms()),
    ]
}

/// Rooms with doors.
fn rooms() -> Vec<u8> {
    let mut text = "type octile\nheight 24\nwidth 24\nmap\n".to_owned();
    for y in 0..24 {
        let wall = |x: i32| (x % 8 == 7 && y % 8 != 3) || (y % 8 == 7 && x % 8 != 4);
        text.extend((0..24).map(|x| if wall(x) { '@' } else { '.' }));
        text.push('\n');
    }
    text.into_bytes()
}

/// Changes lines, numbers and words, or mends the sizes of the header.
fn mutate(bytes: &[u8], random: &mut Random, part: Part<'_>) -> Vec<u8> {
    let mut text = bytes.to_vec();
    if random.below(2) == 0 {
        part(&mut text, random);
    } else {
        edit_text(&mut text, random, &["type", "octile", "height", "width", "map", "@", "m"]);
    }
    if random.below(2) == 0 { mended(&text) } else { text }
}

/// The same rows, cut to one length, with a header that fits them.
fn mended(text: &[u8]) -> Vec<u8> {
    let rows: Vec<&[u8]> = text.split(|&byte| byte == b'\n').skip(4).collect();
    let rows: Vec<&[u8]> = rows.into_iter().filter(|row| !row.is_empty()).collect();
    let width = rows.iter().map(|row| row.len()).min().unwrap_or(0);
    let mut new = format!("type octile\nheight {}\nwidth {width}\nmap\n", rows.len()).into_bytes();
    for row in rows {
        new.extend_from_slice(&row[..width]);
        new.push(b'\n');
    }
    new
}
