//! A crowd that stands packed against the edge of the map: contacts move some of a block and not the
//! others. Those used to come to rest too when one of their block was moved, so that what an agent
//! did depended on the lane width.

use throng::lane::Lane;
use throng::lane::Numbers;
use throng::map::Map;
use throng::map::area::Shape;
use throng::math::Fx;
use throng::state;
use throng::tick::Scratch;
use throng::tick::tick_with;
use throng::world::GroupDef;
use throng::world::Order;
use throng::world::Settings;
use throng::world::World;

/// The digests of the first ticks.
fn digests<L: Lane>(x: f64) -> Vec<u64>
where
    L::Num: Numbers,
{
    let map = Map::from_slowness(24, 16, 1.0, &[16; 24 * 16]);
    let mut world = World::<L::Num>::new(map, Settings::default()).unwrap();
    let area = vec![Shape::Disc { centre: [x, 8.0], radius: 2.0 }];
    let orders =
        [Order::Group { def: GroupDef::default() }, Order::Spawn { group: 0, area, count: 20 }];
    let mut scratch = Scratch::new();
    let mut digests = Vec::new();
    for at in 0..6 {
        let orders = if at == 0 { &orders[..] } else { &[] };
        tick_with::<L>(&mut world, orders, &mut scratch, &mut ());
        digests.push(state::digest(&world));
    }
    assert_eq!(world.len(), 20);
    digests
}

fn same_in_all_lanes<N: Numbers>() {
    for step in 0..100 {
        let x = 24.0 + f64::from(step) / 4_096.0;
        assert_eq!(digests::<N::Wide>(x), digests::<N::Single>(x), "a crowd around x = {x} m");
    }
}

#[test]
fn those_whom_contacts_do_not_move_go_on_as_they_would_alone() {
    same_in_all_lanes::<f32>();
    same_in_all_lanes::<Fx>();
}
