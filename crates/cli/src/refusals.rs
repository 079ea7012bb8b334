//! Refused orders in words, with the names that the scenario has.

use throng::scenario::{Plan, Scene};
use throng::world::{Order, Outcome};

/// A line for every order of a tick that was refused.
pub(crate) fn refusals(plan: &Plan, tick: u64, outcomes: &[Outcome]) -> Vec<String> {
    let first = plan.orders.partition_point(|(at, _)| *at < tick);
    let line = |(at, outcome): (usize, &Outcome)| match outcome {
        Outcome::Refused(why) => {
            let (subject, why) = (subject(plan, at), with_names(&why.to_string(), &plan.scene));
            Some(format!("order at tick {tick} to {subject} refused: {why}"))
        }
        _ => None,
    };
    (first..).zip(outcomes).filter_map(line).collect()
}

/// What an order of a plan is to, by its index there.
pub(crate) fn subject(plan: &Plan, at: usize) -> String {
    let order = &plan.orders[at].1;
    let same = |other: &Order| std::mem::discriminant(other) == std::mem::discriminant(order);
    // An order that adds something comes after as many as have been added before.
    let nth = || plan.orders[..at].iter().filter(|(_, other)| same(other)).count();
    let of = |kind: &str, names: &[String], index: usize| match names.get(index) {
        Some(name) => format!("{kind} `{name}`"),
        None => format!("{kind} {}", index + 1),
    };
    match order {
        Order::Structure { .. } => of("structure", &plan.scene.structures, nth()),
        Order::Door { .. } => of("door", &plan.scene.doors, nth()),
        Order::SetDoor { door, .. } => of("door", &plan.scene.doors, usize::from(*door)),
        Order::Source { .. } => of("source", &plan.scene.sources, nth()),
        Order::Sink { .. } => of("sink", &plan.scene.sinks, nth()),
        Order::Weapon { .. } => of("weapon", &plan.scene.weapons, nth()),
        Order::Company { .. } => of("company", &plan.companies, nth()),
        Order::Strategies { team, .. } => match plan.scene.teams.get(usize::from(*team)) {
            Some(team) => format!("team `{}`", team.name),
            None => format!("team {team}"),
        },
        Order::Build { .. } | Order::Demolish { .. } => "the map".to_owned(),
        Order::Mind { .. } => "a machine".to_owned(),
        order => match (order.group(), order.company()) {
            (Some(group), _) => format!("`{}`", plan.scene.groups[usize::from(group)].name),
            (None, Some(company)) => of("company", &plan.companies, usize::from(company)),
            (None, None) => plan
                .scene
                .groups
                .get(nth())
                .map_or("a group".to_owned(), |group| format!("`{}`", group.name)),
        },
    }
}

/// Words of the engine with names in place of indices: ``structure `gate` `` for `structure 0`. What has
/// no name keeps its number.
pub(crate) fn with_names(words: &str, scene: &Scene) -> String {
    let named = |kind: &str, index: usize| match kind {
        "group" => scene.groups.get(index).map(|group| &group.name),
        "team" => scene.teams.get(index).map(|team| &team.name),
        "weapon" => scene.weapons.get(index),
        "source" => scene.sources.get(index),
        "sink" => scene.sinks.get(index),
        "structure" => scene.structures.get(index),
        "door" => scene.doors.get(index),
        _ => None,
    };
    let (mut text, mut last) = (String::new(), "");
    for word in words.split_inclusive(' ') {
        let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let (number, rest) = word.split_at(end);
        let name = number.parse().ok().and_then(|index| named(last, index));
        match name.filter(|_| !rest.starts_with(|c: char| c == '.' || c.is_alphanumeric())) {
            Some(name) => text.push_str(&format!("`{name}`{rest}")),
            None => text.push_str(word),
        }
        last = word.trim_end();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::with_names;
    use throng::scenario::Scene;

    #[test]
    fn indices_become_names() {
        let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
        let scene = Scene {
            structures: names(["gate", "wall"]),
            doors: names(["in", "out"]),
            ..Scene::default()
        };
        for (words, wanted) in [
            ("structure 1 has fallen", "structure `wall` has fallen"),
            ("beside structure 0", "beside structure `gate`"),
            ("there is no door 7: the world has 2", "there is no door 7: the world has 2"),
            ("door 0: door 1, closed", "door `in`: door `out`, closed"),
            ("door 1.5 m wide, group 0", "door 1.5 m wide, group 0"),
        ] {
            assert_eq!(with_names(words, &scene), wanted);
        }
    }
}
