//! Pictures and films, pixel by pixel where it matters.

use image::RgbImage;
use throng::map::area::Shape;
use throng::map::{Legend, Map};
use throng_cli::draw::field_picture::draw_field;
use throng_cli::draw::film::{Film, FilmColours};
use throng_cli::draw::fixtures::Fixtures;
use throng_cli::draw::picture::{AreaKind, MarkedArea, PictureOptions};
use throng_cli::draw::traffic::Traffic;
use throng_cli::draw::trails::Trails;
use throng_cli::draw::{colour, picture};

use crate::report::{Owned, map, scatter};
use crate::running::Folder;

/// Brightness of the pixel over a point of [`map`], whose cells have 50 pixels on a side of 2 m.
fn at(image: &RgbImage, x: f32, y: f32) -> [u8; 3] {
    image.get_pixel((x * 25.0) as u32, (y * 25.0) as u32).0
}

fn light(colour: [u8; 3]) -> u32 {
    colour.iter().map(|&part| u32::from(part)).sum()
}

/// Colours of a film whose ground has none of its own.
fn groups(groups: &[[u8; 3]]) -> FilmColours<'_> {
    FilmColours { groups, letters: &[] }
}

/// A meadow on the left, a lake on the right, which can be walked on just as well.
fn painted() -> (Map, Vec<(u8, [u8; 3])>) {
    let rows = vec!["mmmmmmmmllllllll"; 16];
    let mut legend = Legend::empty();
    for letter in "ml".chars() {
        legend.set(letter, 16).unwrap();
    }
    let map = Map::from_rows(&rows, &legend, 2.0).unwrap();
    (map, vec![(b'm', [40, 160, 40]), (b'l', [40, 40, 200])])
}

#[test]
fn letters_with_colours_are_drawn_in_them_and_paler() {
    let (map, letters) = painted();
    let crowd = Owned::new(vec![[5.0, 5.0]], &[0.4]);
    let options = PictureOptions { letters: &letters, ..PictureOptions::default() };
    let image = picture::draw(&map, &crowd.view(), &options);
    let pixel = |x: u32, y: u32| image.get_pixel(x, y).0;
    let (meadow, lake) = (pixel(300, 1200), pixel(1300, 1200));
    assert!(meadow[1] > meadow[0] + 40 && meadow[1] > meadow[2] + 40, "{meadow:?} is green");
    assert!(lake[2] > lake[0] + 40 && lake[2] > lake[1] + 40, "{lake:?} is blue");
    assert!(light(meadow) > light([40, 160, 40]) && light(lake) > light([40, 40, 200]));
    let plain = picture::draw(&map, &crowd.view(), &PictureOptions::default());
    assert_eq!(plain.get_pixel(300, 1200), plain.get_pixel(1300, 1200));

    let colours = FilmColours { groups: &crowd.colours, letters: &letters };
    let mut film = Film::new(Vec::new(), &map, colours, 25.0).unwrap();
    film.push(&crowd.view()).unwrap();
    film.set_ground(&map);
    film.push(&crowd.view()).unwrap();
    for frame in decode(&film.finish().unwrap()).0 {
        assert_eq!([frame[480 * 640 + 120], frame[480 * 640 + 520]], [meadow, lake]);
    }
}

#[test]
fn a_picture_shows_walls_and_agents() {
    let mut crowd = Owned::new(vec![[5.0, 5.0], [50.0, 40.0], [f32::NAN, 1.0], [1e9, 2.0]], &[0.4]);
    crowd.flags[1] = 3;
    let image = picture::draw(&map(), &crowd.view(), &PictureOptions::default());
    assert_eq!(image.width(), 1600);
    assert!(image.height() > 1200 && image.height() < 1300);
    assert!(light(at(&image, 24.0, 24.0)) < 330, "a wall is dark");
    assert!(light(at(&image, 3.0, 40.0)) > 650, "the ground is light");
    assert_eq!(at(&image, 5.0, 5.0), [200, 30, 20]);
    assert!(light(at(&image, 50.0, 40.0)) < light([200, 30, 20]), "the arrived are darker");
}

#[test]
fn a_dense_crowd_mixes_and_is_stronger_where_it_is_denser() {
    let map = Map::from_slowness(512, 512, 4.0, &vec![16; 512 * 512]);
    let mut positions = scatter(60_000, 3, 200.0);
    positions.extend(scatter(6_000, 4, 200.0).iter().map(|[x, y]| [x + 1000.0, *y]));
    let mut crowd = Owned::new(positions, &[0.3, 0.3]);
    crowd.colours = vec![[220, 20, 20], [20, 20, 220]];
    let image = picture::draw(&map, &crowd.view(), &PictureOptions::default());
    let mean = |left: u32| {
        let pixels = (0..10_000).map(|i| image.get_pixel(left + i % 100, 20 + i / 100).0);
        pixels.fold([0; 3], |sum, p| [0, 1, 2].map(|i| sum[i] + u32::from(p[i])))
    };
    let (dense, thin) = (mean(20), mean(770));
    assert!(dense[1] < thin[1] * 8 / 10, "{dense:?} {thin:?}");
    assert!(dense[0].abs_diff(dense[2]) < dense[0] / 8, "two colours mix: {dense:?}");
}

#[test]
fn hills_are_lit_from_the_upper_left() {
    let flat = Map::from_slowness(60, 40, 1.0, &[16; 2400]);
    let heights: Vec<i16> = (0..2400)
        .map(|i: i16| 0.max(160 - (i % 60 - 20).abs().max((i / 60 - 20).abs()) * 16))
        .collect();
    let hilly = flat.clone().with_heights(&heights, 3.0).unwrap();
    let crowd = Owned::new(vec![[0.5, 0.5]], &[0.3]);
    let [level, hill] =
        [&flat, &hilly].map(|map| picture::draw(map, &crowd.view(), &PictureOptions::default()));
    let pixel = |image: &RgbImage, x: f32, y: f32| {
        let scale = image.width() as f32 / 60.0;
        light(image.get_pixel((x * scale) as u32, (y * scale) as u32).0)
    };
    let [lit, plain, dark] = [15.5, 55.5, 25.5].map(|at| pixel(&hill, at, at.min(30.5)));
    assert!(lit > plain + 10 && plain > dark + 60, "{lit} {plain} {dark}");
    assert_eq!(pixel(&level, 15.5, 15.5), pixel(&level, 25.5, 25.5));
    assert!(pixel(&hill, 20.5, 20.5) < plain, "the summit is darker than the plain");
}

#[test]
fn odd_maps_and_areas_are_drawn() {
    for (width, height) in [(1, 1), (3, 900), (5000, 7), (1700, 2)] {
        let map = Map::from_slowness(width, height, 0.5, &vec![16; (width * height) as usize]);
        let crowd = Owned::new(vec![[0.1, 0.1]], &[0.3]);
        let image = picture::draw(&map, &crowd.view(), &PictureOptions::default());
        assert!(image.width() <= 4096 && image.height() <= 4200);
        let pixels = vec![0; map.slowness().len()];
        let distances = vec![i32::MAX; map.slowness().len()];
        draw_field(&map, &distances, &pixels, &[]);
    }
    let far = [[-1e9, -1e9], [1e9, 3.0], [f64::NAN, 7.0], [5.0, 1e12]];
    let shapes = [
        Shape::Point { at: far[1] },
        Shape::Rect { min: far[0], max: far[3] },
        Shape::Disc { centre: [10.0, 10.0], radius: 1e9 },
        Shape::Polygon { corners: far.to_vec() },
        Shape::Polygon { corners: vec![] },
    ];
    let kinds = [AreaKind::Start, AreaKind::Goal];
    let areas: Vec<MarkedArea> = shapes
        .iter()
        .flat_map(|shape| kinds.map(|kind| MarkedArea { shape: shape.clone(), group: 9, kind }))
        .collect();
    let crowd = Owned::new(vec![], &[0.4]);
    let traffic = Traffic { sources: shapes.to_vec(), sinks: shapes.to_vec() };
    let fixtures = Fixtures { traffic, ..Fixtures::default() };
    let options =
        PictureOptions { areas: &areas, fixtures: Some(&fixtures), ..PictureOptions::default() };
    picture::draw(&map(), &crowd.view(), &options);
    let mut film = Film::new(Vec::new(), &map(), groups(&crowd.colours), 25.0).unwrap();
    film.set_ground_with(&map(), &fixtures);
    film.push(&crowd.view()).unwrap();
}

#[test]
fn trails_show_where_agents_went() {
    let map = map();
    let mut trails = Trails::new(&map);
    for step in 0..40 {
        let crowd = Owned::new(vec![[4.0 + step as f32, 40.5]], &[0.3]);
        trails.observe(&crowd.view());
    }
    let crowd = Owned::new(vec![[60.0, 5.0]], &[0.3]);
    trails.observe(&crowd.view());
    let options = PictureOptions { trails: Some(&trails), ..PictureOptions::default() };
    let image = picture::draw(&map, &crowd.view(), &options);
    let [trail, ground] = [40.5, 45.0].map(|y| at(&image, 20.0, y));
    assert!(light(trail) + 60 < light(ground), "{trail:?} {ground:?}");
    assert_eq!(at(&image, 52.0, 20.0), ground, "a jump leaves no trail");
}

#[test]
fn a_field_shows_distance_walls_and_unreached_ground() {
    let map = map();
    let size = map.slowness().len();
    let (mut distances, mut directions) = (vec![i32::MAX; size], vec![0x8000_8000; size]);
    for (x, y) in (0..32).flat_map(|x| (0..20).map(move |y| (x, y))) {
        let cell = map.index(x, y) as usize;
        if map.slowness()[cell] != 0 {
            distances[cell] = (x * 256) as i32;
            directions[cell] = 0xc000;
        }
    }
    let goals: Vec<u32> = (0..20).map(|y| map.index(0, y)).collect();
    let image = draw_field(&map, &distances, &directions, &goals);
    let has = |x: f32, y: f32, colour: [u8; 3]| {
        // An arrow or a line may cover the very pixel.
        let near = (0..30).map(|i| at(&image, x + 0.05 * i as f32, y));
        near.map(|c| light([0, 1, 2].map(|i| c[i].abs_diff(colour[i])))).min().unwrap() < 24
    };
    assert!(light(at(&image, 24.0, 24.0)) < 150, "a wall is dark");
    assert!(has(4.0, 5.0, colour::ramp(4.0 / 62.0)) && has(60.0, 5.0, colour::ramp(60.0 / 62.0)));
    let hatched = at(&image, 40.0, 44.0);
    assert!(hatched[0] == hatched[1] && hatched[0] > 150, "{hatched:?}");
}

#[test]
fn a_picture_is_encoded_whole() {
    let crowd = Owned::new(vec![[5.0, 5.0]], &[0.4]);
    let image = picture::draw(&map(), &crowd.view(), &PictureOptions::default());
    for small in [false, true] {
        let bytes = picture::encode(&image, small).unwrap();
        assert_eq!(image::load_from_memory(&bytes).unwrap().to_rgb8(), image);
    }
}

fn decode(bytes: &[u8]) -> (Vec<Vec<[u8; 3]>>, u32) {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
    let palette = decoder.palette().unwrap().to_vec();
    let (width, height) = (decoder.width() as usize, decoder.height() as usize);
    let (mut screen, mut frames) = (vec![[0; 3]; width * height], Vec::new());
    let mut time = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        time += u32::from(frame.delay);
        for (i, &entry) in frame.buffer.iter().enumerate() {
            let x = frame.left as usize + i % frame.width as usize;
            let y = frame.top as usize + i / frame.width as usize;
            if frame.transparent != Some(entry) {
                screen[y * width + x].copy_from_slice(&palette[entry as usize * 3..][..3]);
            }
        }
        frames.push(screen.clone());
    }
    (frames, time)
}

#[test]
fn a_film_decodes_to_its_frames() {
    let mut film = Film::new(Vec::new(), &map(), groups(&[[200, 30, 20]]), 30.0).unwrap();
    film.set_caption("tick 0");
    for step in 0..30 {
        // The last frames are alike.
        let x = 3.0 + step.min(26) as f32;
        film.push(&Owned::new(vec![[x, 5.0], [50.0, 40.0]], &[0.8]).view()).unwrap();
    }
    assert_eq!(film.frames(), 30);
    let (frames, time) = decode(&film.finish().unwrap());
    assert_eq!((frames.len(), time), (30, 100));
    // 20 pixels a cell of 2 m.
    let at = |frame: usize, x: f32, y: f32| {
        frames[frame][(y * 10.0) as usize * 640 + (x * 10.0) as usize]
    };
    assert_eq!(at(0, 3.0, 5.0), [200, 30, 20]);
    assert_eq!(at(20, 23.0, 5.0), [200, 30, 20]);
    assert_eq!(at(29, 50.0, 40.0), [200, 30, 20]);
    assert!(light(at(20, 3.0, 5.0)) > 650 && light(at(0, 24.0, 24.0)) < 330);
}

#[test]
fn many_groups_fit_a_film() {
    let colours: Vec<[u8; 3]> = (0..200).map(colour::group_colour).collect();
    let mut crowd = Owned::new(scatter(400, 1, 48.0), &[0.5; 200]);
    crowd.colours.clone_from(&colours);
    let mut film = Film::new(Vec::new(), &map(), groups(&colours), f64::NAN).unwrap();
    film.push(&crowd.view()).unwrap();
    assert_eq!(decode(&film.finish().unwrap()).0.len(), 1);
    picture::draw(&map(), &crowd.view(), &PictureOptions::default());
}

/// Squares of 25 m² with so many agents that stand have the colours of Fruin's classes: up to 3.25, 2.32,
/// 1.39, 0.93 and 0.46 m² for each, and less.
#[test]
fn levels_of_service_have_a_colour_each() {
    let folder = Folder::new("pictures-service");
    let classes = [
        (7, [0x3b, 0x6f, 0xd4]),
        (8, [0x52, 0xb8, 0xe0]),
        (10, [0x52, 0xb8, 0xe0]),
        (11, [0x4c, 0xae, 0x4f]),
        (17, [0x4c, 0xae, 0x4f]),
        (18, [0xf2, 0xd5, 0x3c]),
        (26, [0xf2, 0xd5, 0x3c]),
        (27, [0xf0, 0x8c, 0x2e]),
        (54, [0xf0, 0x8c, 0x2e]),
        (55, [0xd0, 0x2b, 0x2b]),
    ];
    let spawns = classes.iter().enumerate().map(|(i, (count, _))| {
        let x = 5 * i;
        format!("{{ rect = [{x}.3, 0.3, {}.7, 4.7], count = {count} }}", x + 4)
    });
    let spawns: Vec<String> = spawns.collect();
    let scenario = format!(
        "ticks = 20\n[map]\nsize = [55, 5]\n[[group]]\nname = \"a\"\nradius = 0.1\n\
         separation = 0\npersonal_space = 0\nwall_margin = 0\nspawn = [{}]\n",
        spawns.join(", ")
    );
    folder.write("s.toml", scenario);
    folder.fine(&["run", "s.toml", "--heat", "h", "--heat-side", "5", "-q"]);
    let image = image::load_from_memory(&folder.read("h/heat-service.png")).unwrap().to_rgb8();
    let metre = image.width() as f32 / 55.0;
    for (i, (count, colour)) in classes.iter().enumerate() {
        let x = (i as f32 * 5.0 + 2.5) * metre;
        assert_eq!(image.get_pixel(x as u32, (2.5 * metre) as u32).0, *colour, "{count}");
    }
    // No agent was in the last square.
    let empty = image.get_pixel((52.5 * metre) as u32, (2.5 * metre) as u32).0;
    assert!(classes.iter().all(|(_, colour)| *colour != empty), "{empty:?}");
}
