//! Prints the figures as tables: `diglot-bench [--window] [--units N,N,..] [--formats] [--python PATH]`. Owns what is
//! measured by default.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use diglot_bench::figures::{self, Profile, Spread, Step, Table, Walk, bytes, milliseconds};

/// Lengths of the sessions.
const UNITS: [usize; 3] = [10, 1_000, 10_000];
/// Steps at the end of a session that its figures are taken from.
const SAMPLE: usize = 200;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The exit code says it as well.
            drop(writeln!(io::stderr(), "diglot-bench: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let (mut has_window, mut units) = (false, UNITS.to_vec());
    let (mut formats_alone, mut python) = (false, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--window" => has_window = true,
            "--units" => {
                let list = args
                    .next()
                    .context("--units needs a list such as 10,1000")?;
                units = list.split(',').map(str::parse).collect::<Result<_, _>>()?;
            }
            "--formats" => formats_alone = true,
            "--python" => {
                python = Some(PathBuf::from(args.next().context("--python needs a path")?));
            }
            other => {
                bail!("`{other}` is not known; there are --window, --units N,N,.., --formats")
            }
        }
    }
    let profile = Profile::of_this_program();
    writeln!(io::stdout(), "{}", figures::machine())?;
    writeln!(
        io::stdout(),
        "built with the {} profile; times as p50 / p95\n",
        profile.name()
    )?;
    writeln!(io::stderr(), "formats ...")?;
    writeln!(io::stdout(), "{}", figures::throughput(python.as_deref())?)?;
    if formats_alone {
        return Ok(());
    }
    let mut walks = Vec::new();
    for n_units in units {
        writeln!(io::stderr(), "a session of {n_units} units ...")?;
        walks.push(figures::walk(n_units).await?);
    }
    let mut table = sessions(&walks);
    whole(&mut table, has_window).await?;
    write!(io::stdout(), "{table}")?;
    Ok(())
}

/// The figures of sessions, one column each, and how the last compares with the one before.
fn sessions(walks: &[Walk]) -> Table {
    let mut table = Table::default();
    let mut row = |figure: &str, value: &dyn Fn(&Walk) -> String| {
        table.row(figure, &walks.iter().map(value).collect::<Vec<_>>());
    };
    row("units of the session", &|walk| walk.steps.len().to_string());
    row("request, at its end", &|walk| {
        bytes(middle(walk, |step| step.request_bytes))
    });
    row("request, the largest", &|walk| {
        bytes(
            walk.steps
                .iter()
                .map(|step| step.request_bytes as u64)
                .max()
                .unwrap_or(0),
        )
    });
    row("answer to a decision", &|walk| {
        bytes(middle(walk, |step| step.answer_bytes))
    });
    row("step without the model", &|walk| {
        spread(walk, |step| step.overhead)
    });
    row("confirmation to disk", &|walk| {
        spread(walk, |step| step.confirmation)
    });
    row("whole session, a unit", &|walk| {
        milliseconds(walk.duration / u32::try_from(walk.steps.len().max(1)).unwrap_or(u32::MAX))
    });
    row("target files written", &|walk| walk.n_writes.to_string());
    row("opening it, to send", &|walk| {
        bytes(walk.opening_bytes as u64)
    });
    row("opening it, time", &|walk| milliseconds(walk.opening));
    table
}

fn last(walk: &Walk) -> &[Step] {
    let from = walk.steps.len().saturating_sub(SAMPLE);
    walk.steps.get(from..).unwrap_or_default()
}

fn middle(walk: &Walk, of: impl Fn(&Step) -> usize) -> u64 {
    let mut values: Vec<usize> = last(walk).iter().map(of).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0) as u64
}

fn spread(walk: &Walk, of: impl Fn(&Step) -> Duration) -> String {
    Spread::of(last(walk).iter().map(of)).to_string()
}

/// The figures of the whole: sizes, and the window where it is asked for.
async fn whole(table: &mut Table, has_window: bool) -> Result<()> {
    let this = std::env::current_exe()?;
    let programs = this.parent().context("this program lies nowhere")?;
    for (name, size) in figures::sizes(programs, Path::new("ui/dist")) {
        table.row(&name, &[bytes(size)]);
    }
    if !has_window {
        return Ok(());
    }
    let program = programs.join(format!("diglot{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() {
        let start = figures::cold_start(&program).await?;
        table.row(
            "cold start to a painted view",
            &[milliseconds(start.painted)],
        );
        table.row("memory then, all processes", &[bytes(start.memory)]);
    } else {
        table.row(
            "cold start",
            &["the program diglot is not built".to_owned()],
        );
    }
    Ok(())
}
