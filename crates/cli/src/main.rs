//! The program.

fn main() -> std::process::ExitCode {
    throng_cli::main()
}
