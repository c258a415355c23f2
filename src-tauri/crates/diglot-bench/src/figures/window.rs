//! The cold start of the window, seen from outside: from the start of the program until its first view is painted,
//! and the memory of all its processes then. Brings a screen (Xvfb) and a bus of its own.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Longest wait for the window.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause between two looks at the screen.
const PAUSE: Duration = Duration::from_millis(10);
/// Colours of a painted view: letters have many, a blank window has one.
const COLOURS: usize = 24;

/// Holds what a cold start costs.
#[derive(Debug, Clone, Copy)]
pub struct ColdStart {
    /// Time until the first view is painted.
    pub painted: Duration,
    /// Memory of all processes then, shared pages divided among those who share them, in bytes.
    pub memory: u64,
}

/// Starts the program once on an empty profile and measures it.
///
/// # Errors
/// When there is no Xvfb or D-Bus, or nothing is painted.
pub async fn cold_start(program: &Path) -> Result<ColdStart> {
    let home = tempfile::tempdir()?;
    let (mut screen, display) = screen(home.path()).await?;
    let start = Instant::now();
    let mut app = app(program, home.path(), &display)?;
    let painted = painted(&home.path().join("Xvfb_screen0"), start).await;
    let memory = app.id().map(memory);
    end(&mut app).await;
    screen.kill().await?;
    Ok(ColdStart {
        painted: painted?,
        memory: memory.unwrap_or_default(),
    })
}

async fn screen(folder: &Path) -> Result<(Child, String)> {
    let mut screen = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1280x900x24",
            "-nolisten",
            "tcp",
            "-fbdir",
        ])
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("Xvfb cannot be started")?;
    let stdout = screen.stdout.take().context("Xvfb has no output")?;
    let line = BufReader::new(stdout).lines().next_line().await?;
    let number = line.context("Xvfb named no display")?;
    Ok((screen, format!(":{}", number.trim())))
}

fn app(program: &Path, home: &Path, display: &str) -> Result<Child> {
    let folder = |name: &str| home.join(name);
    let mut command = Command::new("dbus-run-session");
    command
        .arg("--")
        .arg(program)
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("HOME", home)
        .env("XDG_DATA_HOME", folder("data"))
        .env("XDG_CONFIG_HOME", folder("config"))
        .env("XDG_CACHE_HOME", folder("cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    // A group of its own, so that the program can be ended together with its bus.
    #[cfg(unix)]
    command.process_group(0);
    command
        .spawn()
        .context("dbus-run-session cannot be started")
}

/// Waits until the screen shows a view.
async fn painted(screen: &Path, start: Instant) -> Result<Duration> {
    while start.elapsed() < PATIENCE {
        if colours(screen) >= COLOURS {
            return Ok(start.elapsed());
        }
        tokio::time::sleep(PAUSE).await;
    }
    bail!("nothing was painted within {} s", PATIENCE.as_secs())
}

/// Counts the colours of a screen's memory, up to what is looked for; its head is small and counts little.
fn colours(screen: &Path) -> usize {
    let bytes = fs::read(screen).unwrap_or_default();
    let mut seen = HashSet::new();
    let (_, rest) = bytes.split_at(bytes.len().min(4096));
    for pixel in rest.chunks_exact(4) {
        seen.insert(pixel);
        if seen.len() >= COLOURS {
            break;
        }
    }
    seen.len()
}

/// Sums the memory of a process and everything that it started.
fn memory(root: u32) -> u64 {
    let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            Some((process, parent(process)?))
        })
        .collect();
    let mut family = vec![root];
    let mut place = 0;
    while let Some(&process) = family.get(place) {
        family.extend(
            parents
                .iter()
                .filter(|(_, parent)| *parent == process)
                .map(|(child, _)| child),
        );
        place += 1;
    }
    family.into_iter().filter_map(share).sum()
}

fn parent(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    line.trim().parse().ok()
}

fn share(process: u32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

async fn end(app: &mut Child) {
    if let Some(group) = app.id() {
        let ended = Command::new("kill")
            .args(["-TERM", "--", &format!("-{group}")])
            .status()
            .await;
        if ended.is_ok_and(|status| status.success()) {
            // A program that does not end by itself is killed below.
            drop(tokio::time::timeout(Duration::from_secs(5), app.wait()).await);
        }
    }
    // It is gone already where it ended in time.
    drop(app.kill().await);
}
