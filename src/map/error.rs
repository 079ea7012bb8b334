//! What can be wrong with a map.

use crate::data::number::plural;

/// Why bytes, rows or numbers are not a map. Lines, columns and rows count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A byte that no text map has.
    #[error(
        "line {line}, column {column}: byte 0x{byte:02x} is not text; a map file is plain ASCII: \
         four header lines (`type octile`, `height H`, `width W`, `map`), then rows of letters"
    )]
    NotText {
        /// Line of the byte.
        line: u32,
        /// Column of the byte.
        column: u32,
        /// The byte.
        byte: u8,
    },
    /// A header line that is not the one that belongs there.
    #[error("line {line}, column {column}: `{found}` where the header needs {expected}")]
    Header {
        /// Line of the wrong header.
        line: u32,
        /// Column of the wrong word.
        column: u32,
        /// Its first character, or a number as it is.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A header line that came before.
    #[error("line {line}, column {column}: `{key}` is given twice; give it once")]
    DuplicateHeader {
        /// Line of the second one.
        line: u32,
        /// Column of its first letter.
        column: u32,
        /// `height` or `width`.
        key: &'static str,
    },
    /// The file ends inside its header.
    #[error("line {line}, column {column}: the file ends where the header needs {expected}")]
    HeaderTruncated {
        /// Line after the last one.
        line: u32,
        /// Always 1.
        column: u32,
        /// What would be right.
        expected: &'static str,
    },
    /// A side of no cells or too many.
    #[error("line {line}, column {column}: {key} `{found}`; a side is 1 to {limit} cells")]
    HeaderSize {
        /// Line of the size.
        line: u32,
        /// Column of the number.
        column: u32,
        /// `height` or `width`.
        key: &'static str,
        /// The number as it is written, or the first character of what is none.
        found: String,
        /// Most cells a side.
        limit: u32,
    },
    /// A side of no cells or too many, in a map that is not from a file.
    #[error("a map of {width} x {height} cells; a side is 1 to {limit} cells")]
    Size {
        /// Cells a row.
        width: u64,
        /// Rows.
        height: u64,
        /// Most cells a side.
        limit: u32,
    },
    /// Too many cells in all.
    #[error("a map of {width} x {height} = {cells} cells; at most {limit} are possible")]
    TooManyCells {
        /// Cells a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Their product.
        cells: u64,
        /// Most cells of a map.
        limit: u64,
    },
    /// A number of cells that is not width times height.
    #[error("{} for a map of {width} x {height}; {expected} are needed", plural(*found, "cell"))]
    CellCount {
        /// Cells a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Cells given.
        found: u64,
        /// Cells needed.
        expected: u64,
    },
    /// A row that is too short or too long.
    #[error(
        "line {line}, column {column}: row {row} has {}; every row needs {expected}",
        plural(*found, "letter")
    )]
    RowLength {
        /// Line in the file, or row.
        line: u32,
        /// Where the row ends too early, or its first letter too many.
        column: u32,
        /// Row of the map.
        row: u32,
        /// Letters in the row.
        found: u64,
        /// Letters needed.
        expected: u32,
    },
    /// The file ends before the last row.
    #[error(
        "line {line}, column {column}: the file ends after {}; {expected} are needed",
        plural(u64::from(*found), "row")
    )]
    TooFewRows {
        /// Line after the last one.
        line: u32,
        /// Always 1.
        column: u32,
        /// Rows found.
        found: u32,
        /// Rows needed.
        expected: u32,
    },
    /// Something follows the last row.
    #[error("line {line}, column {column}: `{found}` after the last of {expected} rows; end here")]
    TooManyRows {
        /// Line of the first row too many.
        line: u32,
        /// Always 1.
        column: u32,
        /// Its first character, or a number as it is.
        found: String,
        /// Rows needed.
        expected: u32,
    },
    /// A letter that the legend does not explain.
    #[error(
        "line {line}, column {column}: letter `{letter}` is not in the legend; it has `{known}`"
    )]
    UnknownLetter {
        /// Line in the file, or row.
        line: u32,
        /// Column of the letter.
        column: u32,
        /// The letter.
        letter: char,
        /// The letters of the legend.
        known: String,
    },
    /// A letter that no legend can hold.
    #[error("legend letter {letter:?}; a letter is one printable ASCII character")]
    LegendLetter {
        /// The letter.
        letter: char,
    },
    /// A cell size that is not a length, or that makes the map too large.
    #[error(
        "cell size {cell_size} m on a map of {width} x {height} cells; it must be above 0 and no \
         side may exceed {limit} m"
    )]
    CellSize {
        /// Side of a cell in metres.
        cell_size: f64,
        /// Cells a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Longest side in metres.
        limit: f64,
    },
    /// Walking distances on the map could exceed what a field can hold.
    #[error(
        "the longest way on this map may cost {bound} (256 is one plain cell); fields hold at most \
         {limit}: use larger or faster cells, or fewer of them"
    )]
    DistanceBound {
        /// An upper bound of the greatest distance, 256 a plain cell.
        bound: u64,
        /// Greatest distance of a field.
        limit: u64,
    },
    /// Ground that is too high or too deep.
    #[error("ground at {height} m in row {row}, column {column}; heights go to ±{limit} m")]
    Height {
        /// Row of the cell.
        row: u32,
        /// Column of the cell.
        column: u32,
        /// Height of the ground in metres.
        height: f64,
        /// Greatest height in metres.
        limit: f64,
    },
    /// Walls of a height that none have.
    #[error("walls of {height} m; they are 0 to {limit} m high")]
    WallHeight {
        /// Their height in metres.
        height: f64,
        /// Greatest height in metres.
        limit: f64,
    },
    /// A name of a colour that is none, or that is given twice.
    #[error("`{key}` {wrong}; a colour is `#rrggbb`, `#rrggbbaa` or a range of greys as `0-127`")]
    ColourName {
        /// The name.
        key: String,
        /// What is wrong with it.
        wrong: &'static str,
    },
    /// A file that is no picture that can be read.
    #[error("{wrong}")]
    Picture {
        /// What is wrong.
        wrong: String,
    },
    /// A pixel whose colour stands for no letter.
    #[error("pixel ({x}, {y}) is {found}, which stands for no letter; {}", nearest_colour(.nearest))]
    PixelColour {
        /// Column of the pixel, from 0.
        x: u32,
        /// Row of the pixel, from 0.
        y: u32,
        /// Colour of the pixel.
        found: String,
        /// The nearest colour that stands for a letter; empty when there is none.
        nearest: String,
    },
    /// A pixel whose colour stands for a letter that the legend does not explain.
    #[error("pixel ({x}, {y}) stands for `{letter}`, which is not in the legend; it has `{known}`")]
    PixelLetter {
        /// Column of the pixel, from 0.
        x: u32,
        /// Row of the pixel, from 0.
        y: u32,
        /// The letter.
        letter: char,
        /// The letters of the legend.
        known: String,
    },
    /// Something in a Tiled map or tileset.
    #[error("{}line {line}, column {column}: {wrong}; expected {expected}", in_file(.file))]
    Tiled {
        /// The tileset's file; empty when it is in the map's file.
        file: String,
        /// Line in the file.
        line: u32,
        /// Column in the line.
        column: u32,
        /// What is wrong.
        wrong: String,
        /// What would be right.
        expected: &'static str,
    },
    /// Something in a file of well-known text.
    #[error("line {line}, column {column}: {wrong}")]
    Wkt {
        /// Line in the file.
        line: u32,
        /// Column in the line.
        column: u32,
        /// What is wrong.
        wrong: String,
    },
    /// A radius that is not one, or larger than wall distances reach.
    #[error("radius {radius} m; with cells of {cell_size} m it must be 0 to {limit} m")]
    Radius {
        /// Radius in metres.
        radius: f64,
        /// Side of a cell in metres.
        cell_size: f64,
        /// Largest radius in metres.
        limit: f64,
    },
}

fn nearest_colour(nearest: &str) -> String {
    if nearest.is_empty() {
        "no colour does".to_owned()
    } else {
        format!("the nearest is {nearest}")
    }
}

fn in_file(file: &str) -> String {
    if file.is_empty() { String::new() } else { format!("`{file}`, ") }
}
