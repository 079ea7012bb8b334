//! Shapes: where agents appear and go.

use std::ptr;

use throng::Shape;

use crate::memory;
use crate::status::{Fault, ThrongStatus};
use crate::vectors::ThrongVec2d;

/// `ThrongShape.kind`: one point, `numbers` are x, y.
pub const THRONG_POINT: u32 = 0;
/// `ThrongShape.kind`: an axis-parallel rectangle, `numbers` are x, y of one corner and of the
/// opposite.
pub const THRONG_RECT: u32 = 1;
/// `ThrongShape.kind`: a disc, `numbers` are x, y and the radius.
pub const THRONG_DISC: u32 = 2;
/// `ThrongShape.kind`: a simple polygon of `corners`, in order.
pub const THRONG_POLYGON: u32 = 3;

/// A part of the map, in metres.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongShape {
    /// `THRONG_POINT`, `THRONG_RECT`, `THRONG_DISC` or `THRONG_POLYGON`.
    pub kind: u32,
    /// What they are depends on the kind.
    pub numbers: [f64; 4],
    /// Corners of a polygon; they are read when the shape is used.
    pub corners: *const ThrongVec2d,
    /// How many corners there are.
    pub corner_count: usize,
}

fn plain(kind: u32, numbers: [f64; 4]) -> ThrongShape {
    ThrongShape { kind, numbers, corners: ptr::null(), corner_count: 0 }
}

/// A point, in metres.
#[unsafe(no_mangle)]
pub extern "C" fn throng_point(x: f64, y: f64) -> ThrongShape {
    plain(THRONG_POINT, [x, y, 0.0, 0.0])
}

/// An axis-parallel rectangle between two opposite corners, in metres.
#[unsafe(no_mangle)]
pub extern "C" fn throng_rect(x: f64, y: f64, to_x: f64, to_y: f64) -> ThrongShape {
    plain(THRONG_RECT, [x, y, to_x, to_y])
}

/// A disc, in metres.
#[unsafe(no_mangle)]
pub extern "C" fn throng_disc(x: f64, y: f64, radius: f64) -> ThrongShape {
    plain(THRONG_DISC, [x, y, radius, 0.0])
}

/// A simple polygon, its corners in order, in metres. They are read when the shape is used.
#[unsafe(no_mangle)]
pub extern "C" fn throng_polygon(corners: *const ThrongVec2d, corner_count: usize) -> ThrongShape {
    ThrongShape { kind: THRONG_POLYGON, numbers: [0.0; 4], corners, corner_count }
}

/// The shapes of a list.
///
/// # Safety
/// As [`memory::list`], for the shapes and for the corners of each polygon.
pub(crate) unsafe fn shapes(first: *const ThrongShape, count: usize) -> Result<Vec<Shape>, Fault> {
    // SAFETY: as the caller promises.
    let list = unsafe { memory::list(first, count, "shapes")? };
    let shape = |shape: &ThrongShape| {
        let [a, b, c, d] = shape.numbers;
        Ok(match shape.kind {
            THRONG_POINT => Shape::point([a, b]),
            THRONG_RECT => Shape::rect([a, b], [c, d]),
            THRONG_DISC => Shape::disc([a, b], c),
            THRONG_POLYGON => {
                // SAFETY: as the caller promises.
                let list = unsafe { memory::list(shape.corners, shape.corner_count, "corners")? };
                Shape::Polygon { corners: list.iter().map(|corner| [corner.x, corner.y]).collect() }
            }
            kind => {
                let words = format!("there is no kind {kind} of shape");
                return Err(Fault::new(ThrongStatus::Value, words));
            }
        })
    };
    list.iter().map(shape).collect()
}
