//! The flow field of a group as arrows.

use serde_json::json;
use throng::lane::Numbers;
use throng::map::area::extent;
use throng::world::World;

use crate::view::ask::{Answer, Frame};
use crate::view::heat::Raster;

/// Directions at the middles of cells: x and y in 127ths, −128 where the field leads nowhere.
pub(super) fn answer<N: Numbers>(world: &World<N>, group: u16, frame: Frame, cells: u32) -> Answer {
    if usize::from(group) >= world.groups().len() {
        return Answer::refused(404, format!("there is no group {group}"));
    }
    let raster = Raster::over(frame, cells, world.map().cell_size() / 2.0, extent(world.map()));
    let [x, y] = raster.corner();
    let followed = followed(world, group);
    let head = json!({
        "x": x, "y": y, "cell": raster.cell, "columns": raster.columns, "rows": raster.rows,
        "followed": followed.is_some(),
    });
    Answer::with_head(&head, |body| {
        for row in 0..raster.rows {
            for column in 0..raster.columns {
                let middle = |from: f64, index: usize| from + (index as f64 + 0.5) * raster.cell;
                let at = [middle(x, column), middle(y, row)];
                let way = followed.and_then(|group| world.flow(world.group_id(group), at));
                let code = way.map_or([-128; 2], |way| way.map(|c| (c * 127.0) as i8));
                body.extend(code.map(|c| c as u8));
            }
        }
    })
}

/// The group whose field shows where this one goes: itself, or one of its variants and detachments.
fn followed<N: Numbers>(world: &World<N>, group: u16) -> Option<u16> {
    let others = (0..world.groups().len() as u16).filter(|&g| world.base_group(g) == group);
    std::iter::once(group)
        .chain(others)
        .find(|&g| world.groups()[usize::from(g)].field().is_some())
        .or_else(|| world.groups()[usize::from(group)].has_order().then_some(group))
}
