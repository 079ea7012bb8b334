//! What definitions have in common: a size that says who made them, and fields that the engine declares.

use throng::data::definition::Definition;

use crate::status::{Fault, ThrongStatus};

/// What a letter of the map costs the agents of a group.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongTerrainCost {
    /// The letter, printable ASCII.
    pub letter: u8,
    /// Its slowness in 1/16: 16 is plain ground, 32 takes twice as long to cross, 0 is forbidden.
    pub slowness: u8,
}

/// An entry of the table of a source.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ThrongInflow {
    /// In seconds from tick 0.
    pub time: f64,
    /// Agents a second from then on; in batches, so many at once.
    pub agents: f64,
}

/// Refuses a definition that no `throng_default_…` of this version has made.
pub(crate) fn check<T>(size: u32, name: &str) -> Result<(), Fault> {
    if size as usize == size_of::<T>() {
        return Ok(());
    }
    let words = format!(
        "the {name} was not made by throng_default_{name}() of this version: its size is {size}, not {}",
        size_of::<T>()
    );
    Err(Fault::new(ThrongStatus::Definition, words))
}

/// A definition of `defs.rs`.
pub(crate) trait Declared: Sized {
    /// The engine's.
    type Engine: Definition;
    /// What its function `throng_default_…` calls it.
    const NAME: &'static str;

    /// The size that its maker has set.
    fn size(&self) -> u32;

    /// The values of its fields, in the order of the declaration.
    fn numbers(&self) -> Vec<f64>;

    /// The definition of such values.
    fn of(numbers: &[f64]) -> Self;
}

/// A number of C's that stands for a value of a field.
pub(crate) trait Number {
    fn get(self) -> f64;

    fn of(number: f64) -> Self;
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Number for $type {
            fn get(self) -> f64 {
                self as f64
            }

            fn of(number: f64) -> Self {
                number as Self
            }
        }
    )+};
}
numbers!(f64, u8, u32, i32, u64);

/// Names the declared fields of a definition in their order, and what its other fields are by default.
macro_rules! declared {
    ($name:ident of $engine:ident, $maker:literal: $($key:ident),+; $($beside:ident = $plain:expr,)*) => {
        impl Declared for $name {
            type Engine = $engine;
            const NAME: &'static str = $maker;

            fn size(&self) -> u32 {
                self.size
            }

            fn numbers(&self) -> Vec<f64> {
                vec![$($crate::declared::Number::get(self.$key)),+]
            }

            fn of(numbers: &[f64]) -> Self {
                let mut numbers = numbers.iter().copied();
                let mut next = || numbers.next().expect("a number for each field");
                Self {
                    size: size_of::<Self>() as u32,
                    $($key: $crate::declared::Number::of(next()),)+
                    $($beside: $plain,)*
                }
            }
        }
    };
}
pub(crate) use declared;

/// The engine's definition, whose ranges the engine checks.
pub(crate) fn engine<D: Declared>(def: Option<&D>) -> Result<D::Engine, Fault> {
    let def = def.ok_or_else(|| Fault::null(D::NAME))?;
    check::<D>(def.size(), D::NAME)?;
    let mut engine = D::Engine::default();
    let fields = D::Engine::FIELDS.iter().zip(engine.values());
    for ((field, value), number) in fields.zip(def.numbers()) {
        let wrong = |why| {
            let words = format!("{}{}: {why}", D::Engine::OF, field.key);
            Fault::new(ThrongStatus::Value, words)
        };
        value.set(number).map_err(wrong)?;
    }
    Ok(engine)
}

/// C's definition for the engine's.
pub(crate) fn own<D: Declared>(engine: &D::Engine) -> D {
    D::of(&engine.numbers())
}
