//! Writes the seeds of every target: `cargo run --bin seeds -- FOLDER` makes `FOLDER/<target>/<seed>`.

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "seeds".to_owned());
    for target in throng_fuzz::targets::TARGETS {
        let folder = Path::new(&folder).join(target.name);
        fs::create_dir_all(&folder)?;
        for (name, bytes) in (target.seeds)() {
            fs::write(folder.join(name), bytes)?;
        }
    }
    Ok(())
}
