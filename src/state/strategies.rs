//! The strategies of an image, checked before they are taken on.

use crate::data::GroupId;
use crate::lane::Numbers;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::kept::{Kept, expect_lists};
use crate::state::rows::CommanderRow;
use crate::world::strategy::check_commander;
use crate::world::{Commander, Group};

/// The commanders of teams, ascending, over groups that there are.
pub(super) fn commanders<N: Numbers>(
    kept: &Kept<'_, N>,
    groups: &[Group<N>],
) -> Result<Vec<Commander<N>>, SnapshotError> {
    let (teams, tick) = (&kept.commanders.0, kept.tick());
    if !teams.is_sorted_by(|a, b| a.team < b.team) {
        return Err(contradiction("the teams with strategies are out of order"));
    }
    let (defs, courses) = (&kept.strategies.0, &kept.courses.0);
    expect_lists("strategies", teams.len(), [defs.len(), courses.len()])?;
    let mut commanders = Vec::new();
    for ((row, def), courses) in teams.iter().zip(defs).zip(courses) {
        let &CommanderRow { team, fallen } = row;
        let group = |id: GroupId| {
            let row = groups.get(usize::from(id))?;
            (row.generation == id.generation() && !row.is_removed).then_some(&row.def)
        };
        let wrong = |why: String| contradiction(format!("strategies of team {team}: {why}"));
        check_commander(team, def, group).map_err(wrong)?;
        let are_sound = def.strategies.len() == courses.len()
            && def.strategies.iter().zip(courses).all(|(def, course)| course.is_sound(def, tick));
        if def.strategies.is_empty() || !are_sound {
            return Err(wrong("they have not come so far".to_owned()));
        }
        let commander = Commander::new(team, def.clone());
        commanders.push(Commander { fallen, courses: courses.clone(), ..commander });
    }
    Ok(commanders)
}
