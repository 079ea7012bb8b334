//! The scenarios that ship inside the program.

use std::io;

/// A scenario and the maps it names.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name, as in `crossing`.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
    /// Maps: the path as the scenario writes it, and the file's bytes.
    pub maps: &'static [(&'static str, &'static [u8])],
}

impl Builtin {
    /// The bytes of one of its maps, as [`ScenarioDef::load_map`] asks for them.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] for every other path.
    ///
    /// [`ScenarioDef::load_map`]: crate::scenario::ScenarioDef::load_map
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.maps.iter().find(|(name, _)| *name == path) {
            Some((_, bytes)) => Ok(bytes.to_vec()),
            None => Err(io::Error::new(io::ErrorKind::NotFound, "no such map in the program")),
        }
    }
}

const BUILTINS: [Builtin; 20] = [
    Builtin {
        name: "barricades",
        text: include_str!("../../scenarios/barricades.toml"),
        maps: &[],
    },
    Builtin { name: "battle", text: include_str!("../../scenarios/battle.toml"), maps: &[] },
    Builtin { name: "breach", text: include_str!("../../scenarios/breach.toml"), maps: &[] },
    Builtin { name: "circle", text: include_str!("../../scenarios/circle.toml"), maps: &[] },
    Builtin {
        name: "city",
        text: include_str!("../../scenarios/city.toml"),
        maps: &[("maps/city.map", include_bytes!("../../scenarios/maps/city.map"))],
    },
    Builtin { name: "columns", text: include_str!("../../scenarios/columns.toml"), maps: &[] },
    Builtin {
        name: "crossing",
        text: include_str!("../../scenarios/crossing.toml"),
        maps: &[("maps/valley.map", include_bytes!("../../scenarios/maps/valley.map"))],
    },
    Builtin { name: "doors", text: include_str!("../../scenarios/doors.toml"), maps: &[] },
    Builtin { name: "flock", text: include_str!("../../scenarios/flock.toml"), maps: &[] },
    Builtin {
        name: "formations",
        text: include_str!("../../scenarios/formations.toml"),
        maps: &[],
    },
    Builtin { name: "foyer", text: include_str!("../../scenarios/foyer.toml"), maps: &[] },
    Builtin { name: "frontier", text: include_str!("../../scenarios/frontier.toml"), maps: &[] },
    Builtin { name: "hexagons", text: include_str!("../../scenarios/hexagons.toml"), maps: &[] },
    Builtin { name: "horde", text: include_str!("../../scenarios/horde.toml"), maps: &[] },
    Builtin { name: "million", text: include_str!("../../scenarios/million.toml"), maps: &[] },
    Builtin { name: "siege", text: include_str!("../../scenarios/siege.toml"), maps: &[] },
    Builtin { name: "skirmish", text: include_str!("../../scenarios/skirmish.toml"), maps: &[] },
    Builtin { name: "small", text: include_str!("../../scenarios/small.toml"), maps: &[] },
    Builtin { name: "stadium", text: include_str!("../../scenarios/stadium.toml"), maps: &[] },
    Builtin {
        name: "two_routes",
        text: include_str!("../../scenarios/two_routes.toml"),
        maps: &[],
    },
];

/// The scenario of a name that ships inside the program.
pub fn builtin(name: &str) -> Option<Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name).copied()
}

/// The names of all scenarios that ship inside the program, in alphabetical order.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|builtin| builtin.name)
}
