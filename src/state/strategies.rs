//! The strategies of an image, checked before they are taken on.

use crate::lane::Numbers;
use crate::mind::StrategiesDef;
use crate::state::error::{SnapshotError, contradiction};
use crate::state::lists::{Columns, item, rows};
use crate::world::strategy::check_commander;
use crate::world::{Commander, Course, Group};

/// The commanders of teams, ascending, over groups that there are.
pub(super) fn commanders<N: Numbers>(
    columns: &Columns<'_, '_>,
    groups: &[Group<N>],
    tick: u64,
) -> Result<Vec<Commander<N>>, SnapshotError> {
    let teams = columns.list("strategies.team")?;
    let teams = rows(teams, |from| Ok((from.u8("team")?, from.u64("fallen")?)))?;
    let defs = columns.lists("strategies.def", teams.len())?;
    let courses = columns.lists("strategies.course", teams.len())?;
    if !teams.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        return Err(contradiction("the teams with strategies are out of order"));
    }
    let mut commanders = Vec::new();
    for (index, (team, fallen)) in teams.into_iter().enumerate() {
        let def = item(defs[index], StrategiesDef::read)?;
        let group = |group: u16| groups.get(usize::from(group)).map(|group| &group.def);
        let wrong = |why: String| contradiction(format!("strategies of team {team}: {why}"));
        check_commander(team, &def, group).map_err(wrong)?;
        let courses = rows(courses[index], Course::read)?;
        let are_sound = def.strategies.len() == courses.len()
            && def.strategies.iter().zip(&courses).all(|(def, course)| course.is_sound(def, tick));
        if def.strategies.is_empty() || !are_sound {
            return Err(wrong("they have not come so far".to_owned()));
        }
        commanders.push(Commander { fallen, courses, ..Commander::new(team, def) });
    }
    Ok(commanders)
}
