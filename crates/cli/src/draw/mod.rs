//! Pictures, films and plots. They take plain columns, so they work on any engine's output and need no
//! world.

mod agents;
mod areas;
mod canvas;
pub(crate) mod caption;
pub mod classes;
pub mod colour;
pub mod combat_overlay;
pub mod field_picture;
pub mod film;
mod film_file;
pub mod fixtures;
mod font;
pub(crate) mod ground;
pub mod heat_picture;
pub mod height_picture;
pub mod landscape;
mod lettering;
pub mod picture;
pub mod plot;
pub mod traffic;
pub mod trails;
pub mod walls;
pub mod ways_picture;
