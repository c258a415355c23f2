//! Looks for input that breaks the product: `diglot-fuzz [--format F] [--seconds N] [--seed S] [FOLDER..]`. Owns
//! the choice of seeds, one process for each kind of file, and the printed lines.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use diglot_bench::fuzz::{self, Found, Plan};
use diglot_bench::samples::{Sample, samples};
use diglot_bench::{formats, roundtrip};

/// Where inputs that break a law are kept.
const KEPT: &str = "target/fuzz";
/// Longest file that serves as a seed.
const MAX_SEED: usize = 48 * 1024;
/// Length of the file of many units.
const LONG: usize = 3_000_000;
/// Seeds of one kind.
const MAX_SEEDS: usize = 40;
/// Says that this process is to run one kind of file itself.
const HERE: &str = "--here";

struct Options {
    format: Option<String>,
    time: Duration,
    seed: u64,
    here: bool,
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // The exit code says it as well.
            drop(writeln!(io::stderr(), "diglot-fuzz: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn read(mut args: impl Iterator<Item = String>) -> Result<Options> {
    let mut options = Options {
        format: None,
        time: Duration::from_secs(10),
        seed: 1,
        here: false,
        folders: Vec::new(),
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--format" => options.format = Some(value()?),
            "--seconds" => {
                options.time = Duration::from_secs(value()?.parse().context("--seconds")?);
            }
            "--seed" => options.seed = value()?.parse().context("--seed")?,
            HERE => options.here = true,
            flag if flag.starts_with("--") => {
                bail!("`{flag}` is not known; there are --format, --seconds, --seed")
            }
            folder => options.folders.push(folder.into()),
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<bool> {
    let chosen: Vec<&Sample> = samples()
        .filter(|sample| is_chosen(sample, options))
        .collect();
    if chosen.is_empty() {
        bail!(
            "no sample is of that format; name a format such as Markdown, or a file such as guide.md"
        );
    }
    fs::create_dir_all(KEPT)?;
    let (mut n_passed, mut n_failed) = (0, 0);
    for sample in chosen {
        let holds = if options.here {
            here(sample, options)?
        } else {
            apart(sample)?
        };
        n_passed += usize::from(holds);
        n_failed += usize::from(!holds);
    }
    if !options.here {
        writeln!(io::stdout(), "{n_passed} passed, {n_failed} failed")?;
    }
    Ok(n_failed == 0)
}

/// Tells whether a sample is of a format that is built, and of the one that is asked for.
fn is_chosen(sample: &Sample, options: &Options) -> bool {
    let Ok(document) = formats::open(sample.name, &sample.repeated(2)) else {
        return false;
    };
    let format = document.format.name();
    let wished = options.format.as_deref();
    wished.is_none_or(|wished| wished.eq_ignore_ascii_case(format) || wished == sample.name)
}

/// Runs one kind of file in a process of its own, since an overflowing stack or memory ends it.
fn apart(sample: &Sample) -> Result<bool> {
    let status = Command::new(std::env::current_exe()?)
        .arg(HERE)
        .args(std::env::args_os().skip(1))
        // The last one counts.
        .args(["--format", sample.name])
        .status()?;
    if status.code().is_none_or(|code| code > 1) {
        let trace = trace(sample);
        writeln!(
            io::stdout(),
            "FAILED  {}: crash: {status}; the input is {}",
            sample.name,
            trace.display()
        )?;
    }
    Ok(status.success())
}

fn here(sample: &Sample, options: &Options) -> Result<bool> {
    std::panic::set_hook(Box::new(|_| {}));
    let plan = Plan {
        name: sample.name.to_owned(),
        seeds: seeds(sample, &options.folders)?,
        long: sample.sized(LONG),
        time: options.time,
        seed: options.seed,
        share: 1,
        trace: Some(trace(sample)),
        measures_memory: true,
    };
    let n_seeds = plan.seeds.len();
    let found = fuzz::run(plan)?;
    report(sample, n_seeds, &found)?;
    Ok(found.faults.is_empty())
}

fn report(sample: &Sample, n_seeds: usize, found: &Found) -> Result<()> {
    let Found {
        n_cases,
        n_refused,
        slowest,
        ..
    } = found;
    writeln!(
        io::stdout(),
        "{:<24}{n_cases:>8} inputs, {n_refused} refused, {n_seeds} seeds, {slowest:.2} s a megabyte at most",
        sample.name
    )?;
    for broken in &found.faults {
        let kept = Path::new(KEPT).join(format!("{}.{}", broken.case, file_name(sample)));
        fs::write(&kept, &broken.input)?;
        writeln!(
            io::stdout(),
            "FAILED  {} case {}: {} ({})",
            sample.name,
            broken.case,
            broken.what,
            kept.display()
        )?;
    }
    Ok(())
}

fn file_name(sample: &Sample) -> String {
    sample.name.replace('/', "_")
}

fn trace(sample: &Sample) -> PathBuf {
    Path::new(KEPT).join(format!("now.{}", file_name(sample)))
}

/// Collects seeds: the sample, and files of the folders with the same ending and format, evenly taken.
fn seeds(sample: &Sample, folders: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    let own = sample.repeated(3);
    let format = formats::open(sample.name, &own)
        .ok()
        .map(|document| document.format);
    let mut found = BTreeMap::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for path in roundtrip::files(folder)? {
            let name = path.to_string_lossy().into_owned();
            if formats::ending(&name) != formats::ending(sample.name) {
                continue;
            }
            let bytes = fs::read(&path)?;
            let read = formats::open(&name, &bytes)
                .ok()
                .map(|document| document.format);
            if bytes.len() <= MAX_SEED && read == format {
                found.insert(name, bytes);
            }
        }
    }
    let step = found.len().div_ceil(MAX_SEEDS).max(1);
    Ok(std::iter::once(own)
        .chain(found.into_values().step_by(step))
        .collect())
}
