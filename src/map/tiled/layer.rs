//! The tile layer of a map, and its cells.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};

use crate::data::number::plural;
use crate::map::MapError;
use crate::map::tiled::xml::{Element, shown};

/// The tile layer of a name, or the first one; in groups too.
pub(super) fn find<'a, 'b>(
    map: Element<'a, 'b>,
    name: Option<&str>,
) -> Result<Element<'a, 'b>, MapError> {
    let mut layers = map.descendants("layer");
    let found = match name {
        None => layers.next(),
        Some(name) => layers.find(|layer| layer.text("name") == Some(name)),
    };
    found.ok_or_else(|| match name {
        None => map.wrong("the map has no tile layer".to_owned(), "a tile layer"),
        Some(name) => {
            let names = map.descendants("layer").filter_map(|layer| layer.text("name"));
            let names: Vec<String> =
                names.take(20).map(|name| format!("`{}`", shown(name))).collect();
            let wrong =
                format!("there is no tile layer `{}`, but {}", shown(name), names.join(", "));
            map.wrong(wrong, "the name of a tile layer")
        }
    })
}

/// The numbers of a layer's tiles, row by row.
pub(super) fn cells(layer: Element<'_, '_>, width: u32, height: u32) -> Result<Vec<u32>, MapError> {
    for (side, of_map) in [("width", width), ("height", height)] {
        let found = layer.number(side)?;
        if found != of_map {
            let wrong = format!("the layer's {side} is {found}, and that of the map {of_map}");
            return Err(layer.wrong_at(side, wrong, "a layer of the map's size"));
        }
    }
    let Some(data) = layer.children("data").next() else {
        return Err(layer.wrong("the layer has no `data`".to_owned(), "a layer with tiles"));
    };
    let encoding = data.text("encoding").unwrap_or("xml");
    let compression = data.text("compression").unwrap_or("");
    let text = data.node.text().unwrap_or("");
    let most = width as usize * height as usize;
    let cells = match (encoding, compression) {
        ("csv", "") => csv(data, text, most)?,
        ("base64", "" | "zlib" | "gzip") => {
            let packed = STANDARD.decode(text.trim());
            let packed =
                packed.map_err(|error| data.wrong(error.to_string(), "tiles in Base64"))?;
            words(&match compression {
                "" => unpacked(data, &packed[..], most),
                "zlib" => unpacked(data, ZlibDecoder::new(&packed[..]), most),
                _ => unpacked(data, GzDecoder::new(&packed[..]), most),
            }?)
        }
        _ => {
            let wrong = format!("tiles are in {} {}", shown(encoding), shown(compression));
            let expected = "CSV, or Base64 that is uncompressed, zlib or gzip";
            return Err(data.wrong(wrong.trim_end().to_owned(), expected));
        }
    };
    if cells.len() == most {
        return Ok(cells);
    }
    let found = plural(cells.len().min(most) as u64, "tile");
    let more = if cells.len() > most { "more than " } else { "" };
    let wrong = format!("the layer has {more}{found}, and the map {width} × {height} cells");
    Err(data.wrong(wrong, "a tile for each cell"))
}

/// Numbers with commas between them: one more than `most` at most.
fn csv(data: Element<'_, '_>, text: &str, most: usize) -> Result<Vec<u32>, MapError> {
    let mut cells = Vec::new();
    for word in text.split(',').take(most + 1) {
        let word = word.trim();
        let Ok(number) = word.parse() else {
            let wrong = format!("`{}` is tile {} of the layer", shown(word), cells.len());
            return Err(data.wrong(wrong, "a whole number"));
        };
        cells.push(number);
    }
    Ok(cells)
}

/// The bytes of tiles, one more than `most` tiles have at most.
fn unpacked(data: Element<'_, '_>, packed: impl Read, most: usize) -> Result<Vec<u8>, MapError> {
    let mut bytes = Vec::new();
    packed
        .take(4 * most as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| data.wrong(error.to_string(), "tiles that can be unpacked"))?;
    if bytes.len() % 4 == 0 || bytes.len() > 4 * most {
        return Ok(bytes);
    }
    Err(data
        .wrong(format!("tiles of {}", plural(bytes.len() as u64, "byte")), "4 bytes for each tile"))
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks(4)
        .map(|word| word.iter().rev().fold(0, |number, &byte| (number << 8) | u32::from(byte)))
        .collect()
}
