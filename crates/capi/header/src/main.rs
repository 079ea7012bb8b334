//! Makes `include/throng.h` of the source of `throng-capi`. With `--check` it writes nothing and fails
//! when the header that is there is another.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml"))?;
    let source = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut text = Vec::new();
    source.generate()?.write(&mut text);
    // Links of Rust's documentation are names in C's.
    let text = String::from_utf8(text)?.replace("[`", "`").replace("`]", "`");
    let path = root.join("include/throng.h");
    if std::env::args().nth(1).as_deref() != Some("--check") {
        return Ok(fs::write(path, text)?);
    }
    if fs::read_to_string(path)? != text {
        return Err("throng.h is not what the source gives: make it anew by leaving out --check".into());
    }
    Ok(())
}
