//! `[[door]]` of a scenario file: ground that is closed but at the times at which it is open.
//!
//! What comes of it are orders to doors of the engine or, where agents are to make a detour, orders that
//! build and demolish.

use crate::data::DoorId;
use crate::data::definition::Limits;
use crate::scenario::def::{DoorEntry, OrderEntry, OrderEntryKind, OrderTarget};
use crate::scenario::parse_group::MAX_ORDERS;
use crate::scenario::parse_name::{Taken, own_name};
use crate::scenario::parse_shape::{ground_of, numbers_within};
use crate::scenario::read::{Node, Table};
use crate::world::{MAX_DOORS, MAX_TIME};

pub(super) const DOOR: [&str; 8] =
    ["name", "open", "every", "detour", "rect", "disc", "polygon", "any"];

const A_DOOR: &str = "a table, as in { name = \"exit\", rect = [9, 4, 10, 6], open = [[30, 90]] }";
const TIMES: &str = "an array of times in seconds, as in [[0, 30], [60, 90]]";
const MAX_TIMES: usize = 10_000;
const TIME: Limits = Limits::from("a time in seconds", 0.0, MAX_TIME);
const EVERY: Limits = Limits::above("a time in seconds", 0.0, MAX_TIME);

/// The doors, and their orders in a run of so many ticks, this many a second.
pub(super) fn doors(
    top: &Table<'_>,
    [tick_rate, ticks]: [u64; 2],
    orders: &mut Vec<OrderEntry>,
) -> Vec<DoorEntry> {
    let tables = top.tables("door", MAX_DOORS, A_DOOR, &DOOR);
    let (mut doors, mut names, mut waiting) = (Vec::new(), Taken::default(), 0);
    for table in tables {
        let name = own_name(&table, "door", &mut names);
        let detour = table.truth("detour", false);
        let area = ground_of(&table);
        let every = table.get("every").and_then(|node| node.number(&EVERY));
        let Some(open) = table.needed("open", TIMES) else { continue };
        let (Some(area), Some(open)) = (area, times(&open, every)) else { continue };
        let mut changes = changes(&open, every, tick_rate as f64)
            .take_while(|&(tick, _)| tick < ticks)
            .peekable();
        // The first is of tick 0. The plan itself opens doors in the walls of the map.
        let open = changes.peek().is_some_and(|&(_, is_open)| is_open);
        for (tick, open) in changes.skip(usize::from(!detour || open)) {
            if orders.len() == MAX_ORDERS {
                table.problem("opens and closes too often", "1,000,000 times in all");
                return doors;
            }
            let kind = match detour {
                true => OrderEntryKind::Change { walls: !open, area: area.clone() },
                false => OrderEntryKind::Door { door: DoorId::new(waiting), open },
            };
            orders.push(OrderEntry { tick, target: OrderTarget::Map, kind });
        }
        waiting += u16::from(!detour);
        doors.push(DoorEntry { name, area, open, detour });
    }
    doors
}

/// From when to when a door is open, in order.
fn times(node: &Node<'_>, every: Option<f64>) -> Option<Vec<[f64; 2]>> {
    let mut times: Vec<[f64; 2]> = Vec::new();
    for entry in node.array(TIMES, MAX_TIMES)? {
        let [from, to] = numbers_within(&entry, "[from, to] in seconds", &TIME)?;
        let last = times.last().map_or(0.0, |last| last[1]);
        let most = every.unwrap_or(MAX_TIME);
        if from < last || to <= from || to > most {
            let expected = format!("ascending times from {last} to {most}");
            entry.bad_value("does not come in order", expected);
            return None;
        }
        times.push([from, to]);
    }
    Some(times)
}

/// The ticks at which a door changes, and whether it is open from then on; before the first it is as
/// the map has it.
fn changes(
    open: &[[f64; 2]],
    every: Option<f64>,
    tick_rate: f64,
) -> impl Iterator<Item = (u64, bool)> {
    let rounds = if every.is_some() && !open.is_empty() { u64::MAX } else { 1 };
    let edges = (0..rounds).flat_map(move |round| {
        let begins = every.unwrap_or(0.0) * round as f64;
        let tick = move |time: f64| ((begins + time) * tick_rate).round() as u64;
        open.iter().flat_map(move |&[from, to]| [(tick(from), true), (tick(to), false)])
    });
    // Of several edges in one tick the last one counts, and only what changes is a change. Where a whole
    // round brings none, none is to come.
    let mut edges = std::iter::once((0, false)).chain(edges).peekable();
    let (mut is_open, most) = (None, 2 * open.len() + 2);
    std::iter::from_fn(move || {
        for _ in 0..most {
            let (tick, opens) = edges.next()?;
            let is_last = edges.peek().is_none_or(|next| next.0 != tick);
            if is_last && is_open.replace(opens) != Some(opens) {
                return Some((tick, opens));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::changes;

    fn first(open: &[[f64; 2]], every: Option<f64>) -> Vec<(u64, bool)> {
        changes(open, every, 10.0).take(4).collect()
    }

    #[test]
    fn doors_open_and_close_at_their_times() {
        let open = [[1.0, 2.0], [2.0, 3.0]];
        assert_eq!(first(&open, None), [(0, false), (10, true), (30, false)]);
        assert_eq!(first(&[[0.0, 5.0]], None), [(0, true), (50, false)]);
        assert_eq!(first(&[], Some(5.0)), [(0, false)]);
        let again = first(&[[1.0, 2.0]], Some(4.0));
        assert_eq!(again, [(0, false), (10, true), (20, false), (50, true)]);
    }

    /// From the end of a round on it stays as it is where the next one begins so.
    #[test]
    fn what_does_not_change_is_no_change() {
        let all = first(&[[0.0, 1.0], [3.0, 4.0]], Some(4.0));
        assert_eq!(all, [(0, true), (10, false), (30, true), (50, false)]);
        assert_eq!(first(&[[0.0, 4.0]], Some(4.0)), [(0, true)]);
        assert_eq!(first(&[[1.0, 1.01]], Some(4.0)), [(0, false)]);
    }
}
