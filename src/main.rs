//! The program: `throng run`, `verify`, `replay`, `diff`, `check`, `field`, `path`,
//! `compare`, `mesh`, `network`, `aim`, `scenarios`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
