//! Another program that reads the database while the product works. Owns its process; without Python there is none.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};

use super::folder::python;

/// Name of the database in the data folder.
const DATABASE: &str = "diglot.db";
/// Largest write-ahead log after the reader has gone, in bytes.
const LARGEST_LOG: u64 = 4 << 20;
/// Holds a read transaction until its input ends.
const HOLD: &str = "\
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute('BEGIN')
db.execute('SELECT count(*) FROM sqlite_master').fetchone()
print('ready', flush=True)
sys.stdin.read()
";
/// Prints what the database says of itself.
const ASK: &str = "\
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(db.execute('PRAGMA integrity_check').fetchone()[0], db.execute('PRAGMA journal_mode').fetchone()[0])
";

/// Reads until it is dropped.
pub(crate) struct Reader {
    _child: Child,
    _input: ChildStdin,
}

impl Reader {
    /// Starts the program and waits until it holds its transaction; `None` without Python.
    pub(crate) async fn start(data: &Path) -> Result<Option<Self>> {
        let Some(python) = python().await else {
            return Ok(None);
        };
        let mut child = Command::new(python)
            .args(["-c", HOLD])
            .arg(data.join(DATABASE))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let input = child.stdin.take().context("the reader has no input")?;
        let output = child.stdout.take().context("the reader has no output")?;
        let ready = BufReader::new(output).lines().next_line().await?;
        ready.context("the reader cannot read the database")?;
        Ok(Some(Self {
            _child: child,
            _input: input,
        }))
    }
}

/// Tells what is wrong with a database that is closed; `None` without Python.
pub(crate) async fn faults(data: &Path) -> Result<Option<Vec<String>>> {
    let Some(python) = python().await else {
        return Ok(None);
    };
    let mut found = Vec::new();
    let log = PathBuf::from(format!("{}-wal", data.join(DATABASE).display()));
    let n_bytes = std::fs::metadata(log).map_or(0, |log| log.len());
    if n_bytes >= LARGEST_LOG {
        found.push(format!("the write-ahead log has {n_bytes} bytes"));
    }
    let mut command = Command::new(python);
    let output = command
        .args(["-c", ASK])
        .arg(data.join(DATABASE))
        .output()
        .await?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if said != "ok wal" {
        found.push(format!("the database says {said:?}"));
    }
    Ok(Some(found))
}
