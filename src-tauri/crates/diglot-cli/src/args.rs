//! The command line. Owns names and defaults; must not know what they do.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Translates folders without a window.
#[derive(Debug, Parser)]
#[command(name = "diglot-cli", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// Names what is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Answers commands: one JSON object a line on standard input and output.
    #[command(after_help = SERVE_HELP)]
    Serve(ServeArgs),
    /// Translates a folder.
    #[command(after_help = TRANSLATE_HELP)]
    Translate(TranslateArgs),
}

const SERVE_HELP: &str = "\
Reads  {\"id\": 1, \"command\": \"project_open\", \"args\": {\"path\": \"/a/folder\"}}
Writes {\"id\": 1, \"ok\": ...} or {\"id\": 1, \"error\": {\"code\", \"detail\"}}, and {\"event\", \"data\"} unasked.
Commands run side by side; answers come when they are ready. The end of the input ends the program.
Exit codes: 0 done, 1 failure, 3 Diglot is open elsewhere, 64 wrong command line.";

const TRANSLATE_HELP: &str = "\
The last line of the output is a JSON summary. The key of an endpoint comes from DIGLOT_API_KEY.
Exit codes: 0 every unit is confirmed, 1 failure, 2 units are open, 3 Diglot is open elsewhere,
64 wrong command line.";

/// Holds what `serve` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Folder of the database, settings and language packs; the window's by default
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

/// Holds what `translate` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct TranslateArgs {
    /// The folder to translate; the result stands beside it
    pub(crate) folder: PathBuf,
    /// Target language, for instance `pt` or `zh-Hans`
    #[arg(long, value_name = "LANG")]
    pub(crate) to: String,
    /// Source language; detected by default
    #[arg(long, value_name = "LANG")]
    pub(crate) from: Option<String>,
    /// `offline`, or the base URL of an OpenAI-compatible endpoint; what the settings say by default
    #[arg(long, value_name = "offline|URL")]
    pub(crate) provider: Option<String>,
    /// The model's name at the endpoint; not needed where there is only one
    #[arg(long, value_name = "NAME", requires = "provider")]
    pub(crate) model: Option<String>,
    /// Confirms drafts that carry no warning; the others stay open and are listed
    #[arg(long, value_name = "WHICH")]
    pub(crate) approve: Option<Approve>,
    /// What the agent should know from the start
    #[arg(long, value_name = "TEXT")]
    pub(crate) instructions: Option<String>,
    /// Units of a chunk, 4 to 40
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(4..=40))]
    pub(crate) chunk: Option<u8>,
    /// Folder of the database, settings and language packs; the window's by default
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Shows no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Names which drafts are confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Approve {
    /// Those without a warning
    All,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn a_model_needs_a_provider() {
        let parse = |line: &str| Args::try_parse_from(line.split(' '));
        assert!(parse("diglot-cli translate guide --to de --model m").is_err());
        assert!(
            parse("diglot-cli translate guide --to de --provider http://x/v1 --model m").is_ok()
        );
        assert!(parse("diglot-cli translate guide --to de --chunk 3").is_err());
        assert!(parse("diglot-cli translate guide").is_err());
    }
}
