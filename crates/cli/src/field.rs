//! `throng field`.

use crate::draw::field_picture::draw_field;
use crate::summary::thousands;
use throng::map::area;
use throng::map::area::Shape;
use throng::nav::field;
use throng::nav::field::UNREACHED;

use crate::args::FieldArgs;
use crate::error::CliError;
use crate::output::Output;
use crate::say;

/// Solves a field and draws it.
pub(crate) fn run(args: &FieldArgs) -> Result<bool, CliError> {
    let (map, class) = args.ground.load()?;
    let shapes: Vec<Shape> = args.goal.iter().map(|&at| Shape::Point { at }).collect();
    let goal_error = |source| CliError::Goal { source };
    for shape in &shapes {
        shape.check_on(&map).map_err(goal_error)?;
        area::goal_cells(&map, std::slice::from_ref(shape), class.slowness())
            .map_err(goal_error)?;
    }
    let goals = area::goal_cells(&map, &shapes, class.slowness()).map_err(goal_error)?;
    let output = Output::open(&args.picture, "png")?;
    let solved = field::solve(&class, &goals);
    let image = draw_field(&map, &solved.distances, &solved.directions, goals.seeds());
    output.picture(&image, false)?;
    let reached = solved.distances.iter().filter(|&&distance| distance != UNREACHED);
    let (count, farthest) =
        reached.fold((0_u64, 0), |(count, most), &distance| (count + 1, most.max(distance)));
    let metres = f64::from(farthest) / 256.0 * map.cell_size();
    say(&format!(
        "{} the goal, the farthest over {metres:.1} m\npicture: {}",
        if count == 1 {
            "1 cell reaches".to_owned()
        } else {
            format!("{} cells reach", thousands(count))
        },
        args.picture.display()
    ))?;
    Ok(true)
}
