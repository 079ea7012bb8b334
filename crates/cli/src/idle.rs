//! Parts of a scenario that can have no effect, for `throng check`.

use throng::GroupId;
use throng::scenario::Plan;
use throng::world::{Leader, Order};

use crate::summary_text::seconds;

/// Notes on sources outside of the run, leaders that there are never, and an end that never comes.
pub(crate) fn notes(plan: &Plan) -> Vec<String> {
    let mut notes: Vec<String> = sources(plan).chain(followers(plan)).collect();
    let may_leave = !plan.scene.sinks.is_empty();
    if plan.end.left.is_some() && !may_leave {
        notes.push(
            "`[end] left` never ends the run: there is no sink, and no group leaves".to_owned(),
        );
    }
    notes
}

/// Sources that bring no agents within the run.
fn sources(plan: &Plan) -> impl Iterator<Item = String> {
    let defs = plan.orders.iter().filter_map(|(_, order)| match order {
        Order::Source { def, .. } => Some(def),
        _ => None,
    });
    let end = plan.ticks as f64 / f64::from(plan.settings.tick_rate);
    plan.scene.sources.iter().zip(defs).filter_map(move |(name, def)| {
        let start = seconds(def.start);
        if def.end <= def.start {
            let stop = seconds(def.end);
            Some(format!(
                "source `{name}` brings no agents: it starts at {start} and ends at {stop}"
            ))
        } else if def.start >= end {
            let end = seconds(end);
            Some(format!(
                "source `{name}` brings no agents: it starts at {start}, the run ends at {end}"
            ))
        } else {
            None
        }
    })
}

/// Groups that follow groups which never have agents.
fn followers(plan: &Plan) -> impl Iterator<Item = String> {
    let has_agents = |group: GroupId| {
        plan.orders.iter().any(|(_, order)| match order {
            Order::Spawn { group: own, .. } | Order::Source { group: own, .. } => *own == group,
            _ => false,
        })
    };
    let name = |group: GroupId| &plan.scene.groups[usize::from(group)].name;
    plan.orders.iter().filter_map(move |(_, order)| match order {
        Order::Follow { group, def } => match def.leader {
            Leader::Group(leaders) if !has_agents(leaders) => {
                let [own, other] = [*group, leaders].map(name);
                Some(format!("`{own}` follows `{other}`, which never has agents"))
            }
            _ => None,
        },
        _ => None,
    })
}
