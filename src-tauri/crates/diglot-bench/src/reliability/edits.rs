//! P15, P16: somebody else changes sources and targets at every point of the work. Owns the points; each is played with
//! watching, and again while the system gives no watches.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, ensure};
use diglot_testkit::{Cooperation, FakeServer, Promise};

use super::Bench;
use super::place::Place;
use super::trial::{NAME, Start, Trial};
use super::watched;

/// Points that are played at once: most of each is waiting.
const AT_ONCE: usize = 6;
/// What somebody else writes.
const MINE: &str = "Mine, by hand.\n";
/// What somebody else adds to a source: before all units, and after them.
const ABOVE: &str = "Read this first.\n\n";
const BELOW: &str = "\nStop the motor.\n";

/// One point at which files change: its name, and whether the person must be told before anything is written.
type Point = (&'static str, bool, fn(&mut Trial) -> Result<()>);

/// Plays every point twice.
pub(super) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let server = FakeServer::cooperative(Cooperation::default())?;
    let model = server.base_url();
    let watching = |place: &Place| serve(Command::new(&bench.cli), place);
    let goal = "each told before a write, both versions kept";
    let (figure, faults) = play(&model, &watching, true);
    let mut promises = vec![Promise::new(15, faults == 0, figure, goal)];
    if watched::is_possible() {
        let deaf = |place: &Place| {
            let mut strace = Command::new("strace");
            strace
                .args(["-f", "--seccomp-bpf", "-qq", "-e", "signal=none"])
                .args(["-e", "trace=?inotify_init,inotify_init1"])
                .args(["-e", "inject=?inotify_init,inotify_init1:error=EMFILE"])
                .arg("-o")
                .arg(place.beside("calls.log"))
                .arg(&bench.cli);
            serve(strace, place)
        };
        let (figure, faults) = play(&model, &deaf, false);
        let figure = format!("no watch can be made: {figure}");
        promises.push(Promise::new(16, faults == 0, figure, goal));
    } else {
        promises.push(Promise::new(16, true, "passed over: no strace", goal));
    }
    Ok(promises)
}

fn serve(mut program: Command, place: &Place) -> Command {
    program.args(["serve", "--data"]).arg(place.data());
    program
}

/// Plays all points, several at once; returns what was seen and the number of faults.
fn play(model: &str, start: &Start<'_>, is_watched: bool) -> (String, usize) {
    let (next, n_told) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let faults: Mutex<Vec<String>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(point) = POINTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match play_one(point, model, start, is_watched) {
                        Ok(n) => {
                            n_told.fetch_add(n, Ordering::Relaxed);
                        }
                        Err(error) => {
                            let fault = format!("{}: {error:#}", point.0);
                            let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
                            faults.push(fault);
                        }
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    let first = faults.first().map_or(String::new(), |at| format!("; {at}"));
    let figure = format!(
        "{} points, told {} times before a write: {} faults{first}",
        POINTS.len(),
        n_told.into_inner(),
        faults.len()
    );
    (figure, faults.len())
}

fn play_one(point: &Point, model: &str, start: &Start<'_>, is_watched: bool) -> Result<usize> {
    let (_, is_told, play) = point;
    let mut trial = Trial::new(Place::new()?, start, model, is_watched)?;
    play(&mut trial)?;
    if !is_watched {
        let calls = fs::read_to_string(trial.place.beside("calls.log"))?;
        ensure!(calls.contains("INJECTED"), "a watch was made");
    }
    let n_told = trial.end()?;
    ensure!(n_told > 0 || !is_told, "nobody was told");
    Ok(n_told)
}

/// Every point. What happens to a source before anything was read of it needs no word.
const POINTS: &[Point] = &[
    ("a source, before there is a session", false, |trial| {
        trial.edit_source(&Trial::text("", BELOW))?;
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a source, before it is read", false, |trial| {
        trial.open_session()?;
        trial.edit_source(&Trial::text(ABOVE, ""))?;
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a source, while its draft waits", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        let draft = trial.draft()?;
        trial.edit_source(&Trial::text(ABOVE, BELOW))?;
        ensure!(!trial.approve(&draft)?, "an old draft was approved");
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a source, with its time and length kept", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        let draft = trial.draft()?;
        let path = trial.place.project().join(NAME);
        let time = fs::metadata(&path)?.modified()?;
        let text = Trial::text("", "").replace("Read the gauge", "Stop the motor");
        fs::write(&path, &text)?;
        fs::File::options()
            .write(true)
            .open(&path)?
            .set_modified(time)?;
        trial.source_is(&text)?;
        ensure!(!trial.approve(&draft)?, "an old draft was approved");
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a source, right after an approval", false, |trial| {
        trial.open_session()?;
        let draft = trial.draft()?;
        ensure!(trial.approve(&draft)?, "nothing had changed");
        trial.edit_source(&Trial::text(ABOVE, BELOW))?;
        trial.target_is_right()
    }),
    ("a source, before a unit is revised", false, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        trial.edit_source(&Trial::text(ABOVE, BELOW))?;
        // Unwatched, the first try is against a text that is no more.
        if !trial.revise("Pump", "Die Pumpe")? {
            ensure!(trial.revise("Pump", "Die Pumpe")?, "refused once more");
        }
        trial.target_is_right()
    }),
    (
        "a source, while the application is closed",
        false,
        |trial| {
            trial.open_session()?;
            trial.confirm()?;
            trial.target_is_right()?;
            trial.close()?;
            let text = Trial::text(ABOVE, BELOW);
            fs::write(trial.place.project().join(NAME), &text)?;
            trial.start_again()?;
            trial.source_is(&text)?;
            trial.target_is_right()
        },
    ),
    ("a source that is deleted and comes back", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        let draft = trial.draft()?;
        fs::remove_file(trial.place.project().join(NAME))?;
        ensure!(!trial.approve(&draft)?, "a text that is gone was approved");
        trial.target_is_right()?;
        trial.edit_source(&Trial::text("", BELOW))?;
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a source that an editor replaces", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        let draft = trial.draft()?;
        let text = Trial::text(ABOVE, BELOW);
        for name in ["guide.md~", "guide.md"] {
            let path = trial.place.project().join(name);
            let saved = path.with_extension("swp");
            fs::write(&saved, &text)?;
            fs::rename(saved, path)?;
        }
        fs::remove_file(trial.place.project().join("guide.md~"))?;
        trial.source_is(&text)?;
        ensure!(!trial.approve(&draft)?, "an old draft was approved");
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a target, which goes aside", true, |trial| {
        trial.edit_target()?;
        trial.choose("overwrite")?;
        trial.target_is_right()
    }),
    ("a target, which stays, with ours beside", true, |trial| {
        trial.edit_target()?;
        trial.choose("beside")?;
        trial.target_at("guide.diglot.md")?;
        trial.confirm()?;
        trial.target_at("guide.diglot.md")?;
        ensure!(
            fs::read_to_string(trial.target())? == MINE,
            "it did not stay"
        );
        Ok(())
    }),
    (
        "a target, which stays, and ours is not written",
        true,
        |trial| {
            trial.edit_target()?;
            trial.choose("keep")?;
            trial.confirm()?;
            trial.close()?;
            ensure!(
                fs::read_to_string(trial.target())? == MINE,
                "it did not stay"
            );
            trial.start_again()
        },
    ),
    ("a target, twice", true, |trial| {
        trial.edit_target()?;
        trial.choose("overwrite")?;
        trial.target_is_right()?;
        trial.put(NAME, "Mine again.\n")?;
        trial.confirm()?;
        trial.told()?;
        trial.choose("overwrite")?;
        trial.target_is_right()
    }),
    ("a target, while the application is closed", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        trial.close()?;
        trial.put(NAME, MINE)?;
        trial.start_again()?;
        trial.told()?;
        trial.choose("overwrite")?;
        trial.target_is_right()
    }),
    ("a target that is deleted", false, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        fs::remove_dir_all(trial.place.targets())?;
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a target that becomes a link", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        fs::remove_file(trial.target())?;
        symlink(trial.place.beside("outside/secret.md"), trial.target())?;
        trial.confirm()?;
        trial.told()?;
        trial.choose("overwrite")?;
        trial.target_is_right()?;
        ensure!(!trial.target().is_symlink(), "it is a link still");
        Ok(())
    }),
    ("a file that was there before", true, |trial| {
        trial.open_session()?;
        trial.put(NAME, MINE)?;
        trial.confirm()?;
        trial.told()?;
        trial.choose("overwrite")?;
        trial.target_is_right()
    }),
    ("a folder where the target goes", true, |trial| {
        trial.open_session()?;
        fs::create_dir_all(trial.target().join("inner"))?;
        trial.confirm()?;
        trial.told()?;
        trial.choose("overwrite")?;
        trial.target_is_right()
    }),
    ("a file where the folder of targets goes", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        let (folder, away) = (trial.place.targets(), trial.place.beside("away"));
        fs::rename(&folder, &away)?;
        fs::write(&folder, MINE)?;
        trial.leaves(MINE);
        trial.confirm()?;
        trial.told()?;
        // Nothing but moving it helps; then the next decision writes what is behind.
        fs::rename(&folder, away.join("mine.md"))?;
        fs::rename(away, folder)?;
        trial.confirm()?;
        trial.target_is_right()
    }),
    ("a link where the folder of targets goes", true, |trial| {
        trial.open_session()?;
        let folder = trial.place.targets();
        symlink(trial.place.beside("outside"), &folder)?;
        trial.confirm()?;
        trial.told()?;
        fs::remove_file(folder)?;
        trial.choose("overwrite")?;
        trial.target_is_right()
    }),
    ("a target that may not be written", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        let mode = |mode| fs::set_permissions(trial.target(), fs::Permissions::from_mode(mode));
        mode(0o444)?;
        trial.confirm()?;
        trial.told()?;
        fs::set_permissions(trial.target(), fs::Permissions::from_mode(0o644))?;
        trial.choose("overwrite")?;
        trial.target_is_right()?;
        let n_files = fs::read_dir(trial.place.targets())?.count();
        ensure!(n_files == 1, "our own file was put aside");
        Ok(())
    }),
    ("a source and its target at once", true, |trial| {
        trial.open_session()?;
        trial.confirm()?;
        trial.target_is_right()?;
        let draft = trial.draft()?;
        trial.put(NAME, MINE)?;
        trial.edit_source(&Trial::text(ABOVE, BELOW))?;
        ensure!(!trial.approve(&draft)?, "an old draft was approved");
        trial.confirm()?;
        trial.told()?;
        trial.choose("overwrite")?;
        trial.target_is_right()
    }),
];

impl Trial<'_> {
    /// Changes a target that was written, and confirms another unit: the person is told.
    fn edit_target(&mut self) -> Result<()> {
        self.open_session()?;
        self.confirm()?;
        self.target_is_right()?;
        self.put(NAME, MINE)?;
        self.confirm()?;
        self.told().context("an edited target")
    }
}
