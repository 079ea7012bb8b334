//! `throng completions` and `throng man`: what shells and `man` know of the arguments.

use clap::{Args as ClapArgs, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::error::CliError;
use crate::say_as_it_is;

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng completions bash > ~/.local/share/bash-completion/completions/throng
  throng completions zsh > ~/.zfunc/_throng
  throng completions fish > ~/.config/fish/completions/throng.fish")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  throng man > throng.1
  throng man run > throng-run.1")]
pub(crate) struct ManArgs {
    /// The page of a command [default: of the program]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Writes a shell's completions to the standard output.
pub(crate) fn complete(args: &CompletionsArgs, mut program: Command) -> Result<bool, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "throng", &mut script);
    say_as_it_is(&String::from_utf8_lossy(&script))?;
    Ok(true)
}

/// Writes a manual page to the standard output.
pub(crate) fn page(args: &ManArgs, mut program: Command) -> Result<bool, CliError> {
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => {
            let found = program.get_subcommands().find(|command| command.get_name() == name);
            let why = "it is no command: `throng --help` lists them";
            found.cloned().ok_or_else(|| CliError::value("COMMAND", name, why))?
        }
    };
    let mut page = Vec::new();
    // Commands have no version of their own, which would stand at the foot of the page.
    let source = concat!("throng ", env!("CARGO_PKG_VERSION"));
    let written = Man::new(command).source(source).render(&mut page);
    written.map_err(|source| CliError::Output { source })?;
    say_as_it_is(&String::from_utf8_lossy(&page))?;
    Ok(true)
}
