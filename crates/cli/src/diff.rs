//! `throng diff`.

use crate::summary::plural;
use throng::replay::{Parting, compare};

use crate::args::DiffArgs;
use crate::error::CliError;
use crate::{load, say};

/// Most columns whose values are shown.
const MAX_SHOWN: usize = 12;

/// Most characters of the orders of a tick.
const MAX_ORDERS: usize = 600;

/// Compares two replays.
pub(crate) fn run(args: &DiffArgs) -> Result<bool, CliError> {
    let (a, fault_a) = load::replay(&args.a, args.cut.allow_cut)?;
    let (b, fault_b) = load::replay(&args.b, args.cut.allow_cut)?;
    let refused = |source| CliError::Replay { path: args.a.clone(), source };
    let found = compare(&a, &b).map_err(refused)?;
    let same_length = found.spans[0] == found.spans[1];
    let mut text = String::new();
    for began in &found.began {
        text.push_str(&format!("the runs begin with different {began}\n"));
    }
    match &found.parting {
        None => {
            text.push_str(&format!("the same: {} that both have\n", plural(found.ticks, "tick")));
            if let [(a, a_end), (b, b_end)] = found.spans
                && !same_length
            {
                let ticks = format!("A has ticks {a} to {a_end}, B {b} to {b_end}\n");
                text.push_str(&format!("different lengths: {ticks}"));
            }
        }
        Some(parting) => text.push_str(&describe(parting)),
    }
    say(&text)?;
    let whole = fault_a.or(fault_b).is_none();
    Ok(whole && same_length && found.parting.is_none() && found.began.is_empty())
}

/// A list of orders, which may name every agent, in some lines at most.
fn cut(orders: &str) -> String {
    match orders.char_indices().nth(MAX_ORDERS) {
        Some((end, _)) => format!("{}…", &orders[..end]),
        None => orders.to_owned(),
    }
}

fn describe(parting: &Parting) -> String {
    let mut text = format!("different: first after tick {}", parting.tick);
    match parting.columns.split_first() {
        None => text.push('\n'),
        Some((first, [])) => text.push_str(&format!(", column {first}\n")),
        Some((first, rest)) => {
            text.push_str(&format!(", column {first} (also {})\n", rest.join(", ")));
        }
    }
    if let Some([a, b]) = &parting.orders {
        let [a, b] = [a, b].map(|orders| cut(&format!("{orders:?}")));
        text.push_str(&format!("orders of that tick:\n  A {a}\n  B {b}\n"));
    }
    if let Some((stage, column)) = &parting.traced {
        text.push_str(&format!("by the traces: stage {}, column {column}\n", stage.name()));
    }
    let rerun = match parting.rerun.reproduced {
        [true, true] => "run again, both come to their digests",
        [true, false] => "run again, A comes to its digest and B does not: the fault is in B's run",
        [false, true] => "run again, B comes to its digest and A does not: the fault is in A's run",
        [false, false] => "neither could be run again to its digest",
    };
    text.push_str(&format!("{rerun}\n"));
    if let Some((stage, place)) = &parting.rerun.first {
        let chunk = place.chunk.map_or(String::new(), |chunk| format!(", chunk {chunk}"));
        let list = if place.list > 0 { format!(", list {}", place.list) } else { String::new() };
        text.push_str(&format!("stage {}, column {}{list}{chunk}\n", stage.name(), place.column));
    }
    for difference in parting.differences.iter().take(MAX_SHOWN) {
        text.push_str(&format!("  {difference}\n"));
    }
    let more = parting.differences.len().saturating_sub(MAX_SHOWN);
    if more > 0 {
        text.push_str(&format!("  and {} more\n", plural(more as u64, "column")));
    }
    text
}
