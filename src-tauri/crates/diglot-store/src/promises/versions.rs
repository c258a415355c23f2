//! H5: files of every version open with all they hold, a migration that is killed leaves them whole, and a file of a
//! newer version is not touched.

use diglot_testkit::{Depth, Promise};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags};

use super::*;
use crate::files::size;
use crate::migrate::{MIGRATIONS, latest, version};
use crate::open::{Empty, connect};

/// The database as each released version left it, the first one first; made by `diglot-api`, which tests what is in it.
const RELEASED: &[&[u8]] = &[
    include_bytes!("../../tests/fixtures/v1.db"),
    include_bytes!("../../tests/fixtures/v2.db"),
    include_bytes!("../../tests/fixtures/v3.db"),
    include_bytes!("../../tests/fixtures/v4.db"),
    include_bytes!("../../tests/fixtures/v5.db"),
];

/// Returns every row of every table that a file of one version has.
fn dump(path: &Path, of: &Path) -> Vec<(String, Vec<Vec<Value>>)> {
    let open =
        |path: &Path| Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let (raw, of) = (open(path), open(of));
    let sql =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'tm_index' ORDER BY name";
    let mut statement = of.prepare(sql).unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    let names: Vec<String> = names.collect::<Result<_, _>>().unwrap();
    let table = |name: String| {
        let columns = of.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
        let columns: Vec<String> = columns
            .column_names()
            .map(|name| format!("\"{name}\""))
            .collect();
        let columns = columns.join(", ");
        let mut statement = raw
            .prepare(&format!(
                "SELECT {columns} FROM \"{name}\" ORDER BY {columns}"
            ))
            .unwrap();
        let n_columns = statement.column_count();
        let rows = statement
            .query_map([], |row| {
                (0..n_columns).map(|column| row.get(column)).collect()
            })
            .unwrap();
        (name, rows.collect::<Result<_, _>>().unwrap())
    };
    names.into_iter().map(table).collect()
}

fn write(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diglot.db");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn p9_files_of_every_version_keep_every_row() {
    assert_eq!(
        RELEASED.len(),
        MIGRATIONS.len(),
        "a released version needs its file here"
    );
    let mut n_rows = 0;
    for (place, bytes) in RELEASED.iter().enumerate() {
        assert!(bytes.len() <= 200_000);
        let (_old, old) = write(bytes);
        let (_folder, path) = write(bytes);
        let before = dump(&path, &old);
        let opened = Store::open(&path, NOW).unwrap();
        assert!(opened.recovered.is_none() && !opened.read_only);
        drop(opened);
        let raw = Connection::open(&path).unwrap();
        assert_eq!(version(&raw).unwrap(), latest(MIGRATIONS));
        drop(raw);
        assert!(
            dump(&path, &old) == before,
            "rows of version {} changed",
            place + 1
        );
        n_rows += before.iter().map(|(_, rows)| rows.len()).sum::<usize>();
        let kept = beside(&path, &format!(".before-v{}", MIGRATIONS.len()));
        let is_old = place + 1 < MIGRATIONS.len();
        assert_eq!(kept.exists(), is_old, "a copy is kept of what is migrated");
        assert!(!is_old || dump(&kept, &old) == before);
    }
    let figure = format!(
        "{} released versions, {n_rows} rows, 0 lost",
        RELEASED.len()
    );
    Promise::new(9, true, figure, "0 rows lost").tell();
}

/// A migration that writes much, so that its pages reach the file before it is committed.
const LONG: &[&str] = &[
    "ALTER TABLE unit ADD COLUMN note TEXT",
    "UPDATE unit SET note = hex(randomblob(2000))",
    "CREATE TABLE filler (x BLOB)",
    "INSERT INTO filler SELECT randomblob(9000) FROM unit",
    "UPDATE session SET title = upper(title)",
    "DELETE FROM dismissal",
];

#[test]
fn p9_a_migration_that_is_killed_leaves_a_whole_file() {
    let n_cuts: u64 = Depth::of_run().pick(8, 150);
    let step = LONG.join("; ");
    let steps = [MIGRATIONS, &[step.as_str()]].concat();
    let (_old, old) = write(RELEASED[RELEASED.len() - 1]);
    let (_folder, path) = write(RELEASED[RELEASED.len() - 1]);
    drop(Store::open(&path, NOW).unwrap());
    let before = dump(&path, &old);
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch("PRAGMA journal_mode = WAL; PRAGMA cache_size = 5; BEGIN IMMEDIATE;")
        .unwrap();
    let mut n_kills = 0_usize;
    for statement in LONG {
        raw.execute_batch(statement).unwrap();
        for seed in 0..n_cuts {
            n_kills += 1;
            let killed = tempfile::tempdir().unwrap();
            let copy = killed.path().join("diglot.db");
            for suffix in ["", "-wal"] {
                fs::copy(beside(&path, suffix), beside(&copy, suffix)).unwrap();
            }
            let log = beside(&copy, "-wal");
            if seed > 0 {
                let length = 1 + Dice(seed).below(usize::try_from(size(&log)).unwrap().max(1));
                let file = fs::File::options().write(true).open(&log).unwrap();
                file.set_len(length as u64).unwrap();
            }
            // Half a copy that was made ahead of it may lie there too.
            fs::write(
                beside(&copy, &format!(".before-v{}.new", steps.len())),
                "half",
            )
            .unwrap();
            drop(Store::open(&copy, NOW).unwrap());
            assert!(dump(&copy, &old) == before, "seed {seed} after {statement}");
            drop(connect(&copy, &steps, Empty::New).unwrap());
            let again = Connection::open(&copy).unwrap();
            assert_eq!(version(&again).unwrap(), latest(&steps));
            let kept = beside(&copy, &format!(".before-v{}", steps.len()));
            assert!(dump(&kept, &old) == before);
        }
    }
    let figure =
        format!("{n_kills} kills in a migration, each file whole and migrated by the next start");
    Promise::new(9, true, figure, "0 rows lost").tell();
}

#[test]
fn p9_a_file_of_a_newer_version_is_not_touched() {
    let (_folder, path) = write(RELEASED[RELEASED.len() - 1]);
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch(
        "PRAGMA journal_mode = WAL; ALTER TABLE unit ADD COLUMN note TEXT; \
         CREATE TABLE later (x); PRAGMA user_version = 7;",
    )
    .unwrap();
    // As the newer program leaves it when it ends, and when it is killed with work in its log.
    for killed in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("diglot.db");
        if killed {
            fs::copy(beside(&path, "-wal"), beside(&copy, "-wal")).unwrap();
        } else {
            raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
                .unwrap();
        }
        fs::copy(&path, &copy).unwrap();
        let before = bytes(&copy);
        let opened = Store::open(&copy, NOW).unwrap();
        assert!(opened.read_only && opened.recovered.is_none() && !opened.is_check_due);
        let page = opened.store.sessions(None, 0, 9).unwrap();
        assert!(page.n_total > 0 && page.rows.len() == page.n_total);
        for row in &page.rows {
            let log = opened.store.log(row.id).unwrap();
            assert!(log.fault.is_none() && !log.entries.is_empty());
            let refused = opened.store.rename_session(row.id, "x");
            assert!(matches!(refused, Err(crate::StoreError::ReadOnly)));
        }
        assert!(!opened.store.back_up(NOW).unwrap());
        opened.store.check().unwrap();
        drop(opened);
        let after = bytes(&copy);
        assert!(after[0] == before[0], "the file has its bytes");
        if killed {
            assert!(after[1] == before[1], "and so has its log");
        }
        // Work in its log comes first in the other round.
        raw.execute_batch("INSERT INTO later VALUES (1);").unwrap();
    }
    Promise::new(
        9,
        true,
        "a newer file: read, 0 bytes changed",
        "newer schema read-only",
    )
    .tell();
}
