//! The second host: the command schema as JSON lines, and whole-folder translation. Owns the command line and the
//! exit codes; must not know what lies behind `diglot-api`.

mod args;
mod exit;
mod host;
mod progress;
mod serve;
mod signal;
mod translate;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Task};
use crate::exit::Exit;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(refusal) => {
            // Nowhere is left to say that a message could not be printed.
            drop(refusal.print());
            return if refusal.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            }
            .into();
        }
    };
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("DIGLOT_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            host::complain(&format!("no thread can be started: {error}"));
            return Exit::Failure.into();
        }
    };
    let exit = runtime.block_on(async {
        match args.task {
            Task::Serve(args) => serve::run(args).await,
            Task::Translate(args) => translate::run(args).await,
        }
    });
    // A read of standard input cannot be called back, and must not keep the program alive.
    runtime.shutdown_background();
    exit.into()
}
