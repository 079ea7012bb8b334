//! The part of `bevy::prelude` that the documents use: their lines are compiled with it, and run
//! without a window.

/// As in Bevy.
pub mod prelude {
    pub use bevy_app::prelude::*;
    pub use bevy_ecs::prelude::*;
    pub use bevy_input::prelude::*;

    pub use crate::{DefaultPlugins, default, info};
}

/// As in Bevy.
pub fn default<T: Default>() -> T {
    T::default()
}

/// The clock and inputs; in Bevy a window, a renderer and much else too.
pub struct DefaultPlugins;

impl bevy_app::Plugin for DefaultPlugins {
    fn build(&self, app: &mut bevy_app::App) {
        app.add_plugins((bevy_time::TimePlugin, bevy_input::InputPlugin));
    }
}

/// In Bevy a line of the log.
#[macro_export]
macro_rules! info {
    ($($words:tt)*) => { let _ = format!($($words)*); };
}
