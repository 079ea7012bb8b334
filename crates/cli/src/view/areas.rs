//! Where groups start and where they are ordered to, as the orders up to a tick say; sources and sinks, and
//! how many agents have entered and left by them.

use serde_json::{Value, json};
use throng::lane::Numbers;
use throng::map::area::Shape;
use throng::world::{Order, World};
use throng::{CompanyId, GroupId};

use crate::traffic::name_of;
use crate::view::ask::Answer;
use crate::view::names::Names;
use crate::view::script::Script;

/// Starts and goals by group, sources and sinks.
pub(super) fn answer<N: Numbers>(script: &Script, world: &World<N>, names: &Names) -> Answer {
    let [starts, goals] = of_groups(script, world).map(|by_group| {
        let named = by_group.iter().enumerate().flat_map(|(group, shapes)| {
            shapes.iter().map(move |shape| json!({ "group": group, "shape": outline(shape) }))
        });
        named.collect::<Vec<_>>()
    });
    let outlines = |area: &[Shape]| area.iter().map(outline).collect::<Vec<_>>();
    let sources = world.sources().iter().enumerate().map(|(index, source)| {
        json!({
            "name": name_of(&names.sources, index, "source"), "entered": source.entered(),
            "waiting": source.waiting(), "shapes": outlines(source.area()),
        })
    });
    let sinks = world.sinks().iter().enumerate().map(|(index, sink)| {
        json!({
            "name": name_of(&names.sinks, index, "sink"), "left": sink.left(),
            "shapes": outlines(sink.area()),
        })
    });
    Answer::json(&json!({
        "starts": starts, "goals": goals,
        "sources": sources.collect::<Vec<_>>(), "sinks": sinks.collect::<Vec<_>>(),
    }))
}

/// Starts and goals of every group, by its index.
fn of_groups<N: Numbers>(script: &Script, world: &World<N>) -> [Vec<Vec<Shape>>; 2] {
    let groups = world.groups().len();
    let (mut starts, mut goals) = (vec![Vec::new(); groups], vec![Vec::new(); groups]);
    let set = |goals: &mut Vec<Vec<Shape>>, group: GroupId, goal: &[Shape]| {
        if let Some(place) = goals.get_mut(usize::from(group)) {
            *place = goal.to_vec();
        }
    };
    let members = |company: CompanyId| {
        let company = world.companies().get(usize::from(company));
        company.map_or(Vec::new(), |company| company.def.groups.clone())
    };
    for order in script.orders_before(world.tick_count()) {
        match order {
            Order::Spawn { group, area, .. } => {
                if let Some(place) = starts.get_mut(usize::from(*group)) {
                    place.extend(area.iter().cloned());
                }
            }
            Order::Move { group, goal } => set(&mut goals, *group, goal),
            Order::Choose { group, def } => {
                let exits: Vec<Shape> =
                    def.exits.iter().flat_map(|exit| exit.area.clone()).collect();
                set(&mut goals, *group, &exits);
            }
            Order::Stop { group } => set(&mut goals, *group, &[]),
            Order::MoveCompany { company, goal } => {
                members(*company).into_iter().for_each(|group| set(&mut goals, group, goal));
            }
            Order::StopCompany { company } => {
                members(*company).into_iter().for_each(|group| set(&mut goals, group, &[]));
            }
            _ => {}
        }
    }
    [starts, goals]
}

fn outline(shape: &Shape) -> Value {
    match shape {
        Shape::Point { at } => json!({ "centre": at, "radius": 0.5 }),
        Shape::Disc { centre, radius } => json!({ "centre": centre, "radius": radius }),
        Shape::Rect { min: [x0, y0], max: [x1, y1] } => {
            json!({ "corners": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]] })
        }
        Shape::Polygon { corners } => json!({ "corners": corners }),
    }
}
