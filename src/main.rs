//! The program: `throng run`, `verify`, `check`, `field`, `scenarios`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
