use super::*;

fn map_of(rows: &[&str]) -> Map {
    let cells: Vec<u8> =
        rows.iter().flat_map(|r| r.bytes()).map(|b| if b == b'#' { 0 } else { 16 }).collect();
    Map::from_slowness(rows[0].len() as u32, rows.len() as u32, 1.0, &cells)
}

fn open(width: u32, height: u32) -> Map {
    Map::from_slowness(width, height, 1.0, &vec![16; (width * height) as usize])
}

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Shape {
    Shape::Rect { min: [x0, y0], max: [x1, y1] }
}

/// The definition: every cell whose centre is in the shape.
fn naive(map: &Map, shape: &Shape) -> Vec<u32> {
    let mut list = Vec::new();
    for y in 0..map.height() {
        for x in 0..map.width() {
            let at = |i: u32| (f64::from(i) + 0.5) * map.cell_size();
            if shape.contains(at(x), at(y)) {
                list.push(map.index(x, y));
            }
        }
    }
    list
}

#[test]
fn cells_are_those_with_their_centre_inside() {
    let map = open(30, 20);
    let star = vec![[2.0, 2.0], [28.0, 3.0], [15.0, 9.0], [27.0, 19.0], [3.0, 18.0], [9.0, 10.0]];
    let shapes = [
        rect(1.0, 1.0, 4.0, 3.0),
        rect(1.5, 1.5, 4.5, 3.5),
        rect(-5.0, -5.0, 100.0, 100.0),
        Shape::Disc { centre: [10.0, 10.0], radius: 6.3 },
        Shape::Disc { centre: [0.0, 0.0], radius: 5.0 },
        Shape::Polygon { corners: star },
    ];
    for shape in &shapes {
        assert_eq!(cells(&map, std::slice::from_ref(shape)), naive(&map, shape), "{shape:?}");
    }
    let all = cells(&map, &shapes);
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "sorted, each once");
}

#[test]
fn a_small_shape_has_the_cell_of_its_centre() {
    let map = open(10, 10);
    let small = Shape::Disc { centre: [3.1, 4.2], radius: 0.05 };
    assert_eq!(cells(&map, &[small]), [map.index(3, 4)]);
    assert_eq!(cells(&map, &[Shape::Point { at: [0.0, 9.9] }]), [map.index(0, 9)]);
    assert!(cells(&map, &[Shape::Point { at: [10.0, 5.0] }]).is_empty(), "off the map");
}

#[test]
fn bad_shapes_are_refused() {
    let number = |s: Shape| matches!(s.validate(), Err(AreaError::Number { .. }));
    let empty = |s: Shape| matches!(s.validate(), Err(AreaError::Empty { .. }));
    assert!(number(Shape::Point { at: [f64::NAN, 0.0] }));
    assert!(number(Shape::Disc { centre: [0.0; 2], radius: f64::INFINITY }));
    assert!(number(rect(0.0, 0.0, 1.0e9, 1.0)));
    assert!(empty(rect(5.0, 0.0, 5.0, 1.0)));
    assert!(empty(rect(6.0, 0.0, 5.0, 1.0)));
    assert!(empty(Shape::Disc { centre: [0.0; 2], radius: -1.0 }));
    assert!(empty(Shape::Polygon { corners: vec![[0.0; 2], [1.0; 2], [2.0; 2]] }));
    let two = Shape::Polygon { corners: vec![[0.0; 2], [1.0; 2]] };
    assert!(matches!(two.validate(), Err(AreaError::Corners { corners: 2, .. })));
    assert!(rect(0.0, 0.0, 10.0, 10.0).check_on(&open(10, 10)).is_ok());
    assert!(rect(0.0, 0.0, 10.1, 10.0).check_on(&open(10, 10)).is_err());
    assert!(Shape::Point { at: [10.0, 1.0] }.check_on(&open(10, 10)).is_err());
}

#[test]
fn area_of_shapes() {
    assert_eq!(rect(1.0, 2.0, 4.0, 6.0).area(), 12.0);
    let triangle = Shape::Polygon { corners: vec![[10.0, 10.0], [14.0, 10.0], [10.0, 13.0]] };
    assert_eq!(triangle.area(), 6.0);
    assert_eq!(triangle.bounds(), Bounds { min: [10.0, 10.0], max: [14.0, 13.0] });
}

#[test]
fn the_core_is_the_deepest_quarter() {
    let map = open(40, 40);
    let goal = goal_cells(&map, &[rect(10.0, 10.0, 30.0, 22.0)], map.slowness()).unwrap();
    assert_eq!(goal.area().len(), 20 * 12);
    // Deepest 6; cells of depth 5 and 6 are 12 × 4.
    assert_eq!(goal.seeds().len(), 12 * 4);
    assert!(goal.seeds().iter().all(|s| goal.area().binary_search(s).is_ok()));
    assert_eq!(goal.seeds()[0], map.index(14, 14));
    let point = goal_cells(&map, &[Shape::Point { at: [5.5, 6.5] }], map.slowness()).unwrap();
    assert_eq!(point.seeds(), point.area());
    assert_eq!(point.seeds(), [map.index(5, 6)]);
}

#[test]
fn walls_cut_a_goal_into_pieces_with_a_core_each() {
    let map = map_of(&[
        "...........", //
        "...........",
        "...........",
        "###########",
        ".....#.....",
        "...........",
    ]);
    let goal = goal_cells(&map, &[rect(0.0, 0.0, 11.0, 6.0)], map.slowness()).unwrap();
    assert_eq!(goal.area().len(), 33 + 21);
    let upper: Vec<u32> = (1..10).map(|x| map.index(x, 1)).collect();
    assert_eq!(&goal.seeds()[..9], &upper[..]);
    // Below, no cell is deeper than one, so all are core.
    assert_eq!(goal.seeds().len(), 9 + 21);
    let wall = rect(0.0, 3.0, 11.0, 4.0);
    let error = goal_cells(&map, &[rect(0.0, 0.0, 4.0, 2.0), wall], map.slowness()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rect [0, 3, 11, 4] lies wholly in walls (or where the agents are too wide to stand)"
    );
}
