//! Orders of a page as orders of a world.

use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::world::{AgentOrder, Order, World};

use crate::view::ask::{PageOrder, Whom};

/// Area of a goal for each agent, in squares of its diameter.
const ROOM: f64 = 1.6;

/// The order that a page means.
pub(super) fn order<N: Numbers>(world: &World<N>, order: PageOrder) -> Result<Order, String> {
    let polygon = |corners: Vec<[f64; 2]>| vec![Shape::Polygon { corners }];
    let group = |group: u16| match world.groups().get(usize::from(group)) {
        Some(found) => Ok((world.group_id(group), found)),
        None => Err(format!("there is no group {group}")),
    };
    Ok(match order {
        PageOrder::Move { whom: Whom::Group(index), to } => {
            let (index, found) = group(index)?;
            let goal = goal(to, found.members() as usize, found.def.radius);
            Order::Move { group: index, goal }
        }
        PageOrder::Move { whom: Whom::Agents(agents), to } => {
            let radii = world.groups().iter().map(|group| group.def.radius);
            let goal = goal(to, agents.len(), radii.fold(0.0, f64::max));
            Order::Agents { agents, order: AgentOrder::Send { goal } }
        }
        PageOrder::Stop(Whom::Group(index)) => Order::Stop { group: group(index)?.0 },
        PageOrder::Stop(Whom::Agents(agents)) => Order::Agents { agents, order: AgentOrder::Stop },
        PageOrder::Rejoin(agents) => Order::Agents { agents, order: AgentOrder::Rejoin },
        PageOrder::Build(corners) => Order::Build { area: polygon(corners) },
        PageOrder::Demolish(corners) => Order::Demolish { area: polygon(corners) },
    })
}

/// A disc with room for so many agents.
fn goal(centre: [f64; 2], agents: usize, radius: f64) -> Vec<Shape> {
    let side = 2.0 * radius;
    let area = agents.max(1) as f64 * side * side * ROOM;
    vec![Shape::Disc { centre, radius: (area / std::f64::consts::PI).sqrt().max(side) }]
}
