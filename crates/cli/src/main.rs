//! The program: `throng run`, `view`, `verify`, `replay`, `diff`, `check`, `field`, `path`,
//! `compare`, `mesh`, `network`, `aim`, `scenarios`.

fn main() -> std::process::ExitCode {
    throng_cli::main()
}
