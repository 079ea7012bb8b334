//! Areas, in the words of scenario files.

use serde::Deserialize;
use throng::Shape;
use wasm_bindgen::JsValue;

use crate::Result;

/// The keys of an area, of which it has one.
pub(crate) const KEYS: [&str; 5] = ["rect", "disc", "point", "polygon", "any"];

/// A shape, or several taken together. Lengths in metres.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Area {
    /// x and y of two opposite corners, the smaller ones first.
    Rect([f64; 4]),
    /// x, y of the centre and the radius.
    Disc([f64; 3]),
    /// x, y.
    Point([f64; 2]),
    /// x, y of every corner.
    Polygon(Vec<[f64; 2]>),
    /// All of these.
    Any(Vec<Area>),
}

impl Area {
    /// The shapes of the engine.
    pub(crate) fn shapes(self) -> Vec<Shape> {
        match self {
            Self::Rect([x0, y0, x1, y1]) => Shape::rect([x0, y0], [x1, y1]).into(),
            Self::Disc([x, y, radius]) => Shape::disc([x, y], radius).into(),
            Self::Point(at) => Shape::point(at).into(),
            Self::Polygon(corners) => Shape::Polygon { corners }.into(),
            Self::Any(areas) => areas.into_iter().flat_map(Self::shapes).collect(),
        }
    }
}

/// The shapes of an area that an object says.
pub(crate) fn read_area(object: JsValue) -> Result<Vec<Shape>> {
    Ok(serde_wasm_bindgen::from_value::<Area>(object)?.shapes())
}
