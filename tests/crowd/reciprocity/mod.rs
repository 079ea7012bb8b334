//! Agents that avoid each other pass, and do not touch: in pairs, in columns that meet head-on, and
//! on circles where every agent meets every other. Overlap is measured at every tick.
//!
//! Of the circle of 1,000 only the first part is compared for other numbers of threads. All of it:
//!
//! ```text
//! THRONG_ALL=1 cargo test --release --test crowd reciprocity -- --nocapture
//! ```

mod crowds;
mod heed;
mod pairs;

use crate::common::meeting::{Meeting, Party, Way};
use crate::common::stage::map;
use throng::world::{Avoidance, GroupDef, Settings};

/// The deepest overlap that is let pass, in radii.
const TOUCH: f64 = 0.05;

fn orca() -> GroupDef {
    GroupDef { avoidance: Avoidance::Orca, ..GroupDef::default() }
}

fn settings(contact_passes: u32) -> Settings {
    Settings { contact_passes, ..Settings::default() }
}

/// Single agents on open ground, 40 m wide and high, each of which goes to the point opposite its
/// own across the middle.
fn crossing(kinds: &[(GroupDef, [f64; 2])]) -> Meeting {
    let party = |(def, start): &(GroupDef, [f64; 2])| Party {
        def: def.clone(),
        starts: vec![*start],
        way: Way::Opposite([20.0, 20.0]),
    };
    let parties = kinds.iter().map(party).collect();
    Meeting { map: map(40, 40, &[]), settings: settings(4), parties }
}

#[test]
fn the_sweep_sees_what_a_double_loop_sees() {
    crate::common::sweep::check();
}
