//! The program: `throng run`, `verify`, `replay`, `diff`, `check`, `field`, `scenarios`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
