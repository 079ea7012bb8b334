//! Pairs and triples of numbers.

/// Two numbers in single precision.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThrongVec2f {
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

/// Two numbers in double precision.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThrongVec2d {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// Three numbers in double precision.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThrongVec3d {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
    /// Upwards.
    pub z: f64,
}
