//! Opening: locks, crashes, damage, other people's files, newer versions.

use diglot_agent::Seq;
use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::fixture::{NOW, commit, new_session, said};
use std::fs;

fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data").join("diglot.db");
    (folder, path)
}

/// A closed database with `n` sessions.
fn filled(path: &Path, n: i64) {
    let store = Store::open(path, NOW).unwrap().store;
    for at in 0..n {
        store.create_session(&new_session("guide", at)).unwrap();
    }
}

#[test]
fn the_linked_sqlite_is_new_enough() {
    assert!(
        rusqlite::version_number() >= SQLITE_NEEDED,
        "{}",
        rusqlite::version()
    );
}

#[test]
fn what_was_committed_is_there_after_reopening() {
    let (_folder, path) = file();
    let opened = Store::open(&path, NOW).unwrap();
    assert!(!opened.read_only && opened.recovered.is_none());
    let session = opened
        .store
        .create_session(&new_session("guide", 1))
        .unwrap();
    let mut work = commit(session, 0);
    work.entries = vec![said("hello")];
    opened.store.commit(&work).unwrap();
    assert_eq!(
        opened.store.entries(session, Seq(0)).unwrap().len(),
        1,
        "by the reader"
    );
    drop(opened);
    let store = Store::open(&path, NOW).unwrap().store;
    assert_eq!(
        store.entries(session, Seq(0)).unwrap(),
        [(Seq(1), said("hello"))]
    );
}

#[test]
fn every_connection_is_set_up_as_promised() {
    let (_folder, path) = file();
    let store = Store::open(&path, NOW).unwrap().store;
    let text = |connection: &Connection, name: &str| -> String {
        connection
            .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
            .map(|value| format!("{value:?}"))
            .unwrap()
    };
    let check = |connection: &Connection, expected: &[(&str, &str)]| {
        for (name, value) in expected {
            assert_eq!(text(connection, name), *value, "{name}");
        }
    };
    let common = [
        ("journal_mode", "Text(\"wal\")"),
        ("busy_timeout", "Integer(5000)"),
        ("foreign_keys", "Integer(1)"),
        ("trusted_schema", "Integer(0)"),
        ("cell_size_check", "Integer(1)"),
        ("application_id", "Integer(1147758444)"),
    ];
    let looked = store.read(|connection| {
        check(connection, &common);
        connection.execute("DELETE FROM session", []).unwrap_err();
        Ok(())
    });
    looked.unwrap();
    store
        .write(|tx| {
            check(tx, &common);
            check(
                tx,
                &[
                    ("synchronous", "Integer(2)"),
                    ("fullfsync", "Integer(1)"),
                    ("checkpoint_fullfsync", "Integer(1)"),
                    ("query_only", "Integer(0)"),
                    ("wal_autocheckpoint", "Integer(0)"),
                ],
            );
            Ok(())
        })
        .unwrap();
}

/// Whether a log is left tells the next start how the last one ended.
#[test]
fn an_end_in_order_leaves_no_log() {
    let (folder, path) = file();
    let store = Store::open(&path, NOW).unwrap().store;
    let session = store.create_session(&new_session("guide", 1)).unwrap();
    store.session(session).unwrap();
    assert!(size(&beside(&path, "-wal")) > 0);
    store.settle().unwrap();
    assert_eq!(size(&beside(&path, "-wal")), 0, "before it is closed");
    let alone = folder.path().join("alone.db");
    fs::copy(&path, &alone).unwrap();
    let alone = Store::open(&alone, NOW).unwrap().store;
    assert_eq!(alone.session(session).unwrap().title, "guide");
    store.rename_session(session, "Handbuch").unwrap();
    store.session(session).unwrap();
    drop(store);
    assert_eq!(size(&beside(&path, "-wal")), 0, "when it is closed");
}

#[test]
fn a_second_opening_is_told_that_the_file_is_in_use() {
    let (_folder, path) = file();
    let first = Store::open(&path, NOW).unwrap();
    assert!(matches!(
        Store::open(&path, NOW),
        Err(StoreError::Locked { .. })
    ));
    drop(first);
    Store::open(&path, NOW).unwrap();
}

/// A copy of the files while the database is open is what a crash leaves: the last commits are in the log of
/// SQLite alone.
#[test]
fn a_crash_loses_nothing_that_was_committed() {
    let (folder, path) = file();
    let store = Store::open(&path, NOW).unwrap().store;
    store.create_session(&new_session("guide", 1)).unwrap();
    let crashed = folder.path().join("crashed.db");
    for suffix in ["", "-wal"] {
        fs::copy(beside(&path, suffix), beside(&crashed, suffix)).unwrap();
    }
    let opened = Store::open(&crashed, NOW).unwrap();
    assert_eq!(
        (
            opened.recovered,
            opened.store.sessions(None, 0, 9).unwrap().n_total
        ),
        (None, 1)
    );
}

#[cfg(unix)]
#[test]
fn the_files_are_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = file();
    let store = Store::open(&path, NOW).unwrap().store;
    store.create_session(&new_session("guide", 1)).unwrap();
    assert!(store.back_up(NOW).unwrap());
    let backup = backups::list(&path).remove(0).path;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for suffix in ["", "-wal", "-shm"] {
        assert_eq!(mode(&beside(&path, suffix)), 0o600, "{suffix}");
    }
    assert_eq!(
        (mode(backup.parent().unwrap()), mode(&backup)),
        (0o700, 0o600)
    );
}

#[test]
fn a_file_is_copied_before_it_is_migrated_and_a_new_one_is_not() {
    let (_folder, path) = file();
    filled(&path, 3);
    let steps = [MIGRATIONS, &["DELETE FROM session WHERE id > 1;"]].concat();
    let next = format!(".before-v{}", steps.len());
    let n_sessions = |path: &Path| -> i64 {
        let raw = Connection::open(path).unwrap();
        raw.query_row("SELECT count(*) FROM session", [], |row| row.get(0))
            .unwrap()
    };
    drop(connect(&path, &steps, Empty::New).unwrap());
    let copy = beside(&path, &next);
    assert_eq!((n_sessions(&path), n_sessions(&copy)), (1, 3));
    drop(connect(&path, &steps, Empty::New).unwrap());
    let new = path.with_file_name("new.db");
    drop(connect(&new, &steps, Empty::New).unwrap());
    let names: Vec<_> = fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("before"))
        .collect();
    assert_eq!(names, [format!("diglot.db{next}")]);
}

#[test]
fn a_migration_that_fails_leaves_the_file_as_it_was() {
    let (_folder, path) = file();
    filled(&path, 3);
    let broken = [MIGRATIONS, &["DELETE FROM session; nonsense;"]].concat();
    assert!(connect(&path, &broken, Empty::New).is_err());
    let store = Store::open(&path, NOW).unwrap().store;
    assert_eq!(store.sessions(None, 0, 9).unwrap().n_total, 3);
}

#[test]
fn a_newer_file_can_be_looked_at_and_not_changed() {
    let (_folder, path) = file();
    filled(&path, 1);
    let raw = Connection::open(&path).unwrap();
    raw.pragma_update(None, "user_version", 999).unwrap();
    drop(raw);
    let opened = Store::open(&path, NOW).unwrap();
    assert!(opened.read_only && opened.store.is_read_only());
    let id = opened.store.sessions(None, 0, 9).unwrap().rows[0].id;
    let store = &opened.store;
    let refused = [
        store.create_session(&new_session("x", 2)).map(|_| ()),
        store.commit(&commit(id, 0)).map(|_| ()),
        store.set_setting("a", &json!(1)),
        store.delete_session(id),
    ];
    for result in refused {
        assert!(matches!(result, Err(StoreError::ReadOnly)), "{result:?}");
    }
    drop(opened);
    let version: i64 = Connection::open(&path)
        .unwrap()
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap();
    assert_eq!(version, 999);
}

#[test]
fn damage_inside_is_found_when_asked_for() {
    let (_folder, path) = file();
    filled(&path, 500);
    let mut bytes = fs::read(&path).unwrap();
    let from = bytes.len() - 3 * 4096;
    bytes[from..].fill(0xee);
    fs::write(&path, bytes).unwrap();
    let error = Store::open(&path, NOW).unwrap().store.check().unwrap_err();
    assert!(error.is_corruption(), "{error:?}");
}

/// A file system without shared memory, for instance a share: one connection, and no write-ahead log.
#[cfg(unix)]
#[test]
fn without_shared_memory_one_connection_has_the_file_to_itself() {
    let (_folder, path) = file();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = Connection::open_with_flags_and_vfs(&path, flags, "unix-dotfile").unwrap();
    assert!(!set_up_writer(&connection).unwrap());
    for (name, expected) in [("journal_mode", "truncate"), ("locking_mode", "exclusive")] {
        let found: String = connection
            .pragma_query_value(None, name, |row| row.get(0))
            .unwrap();
        assert_eq!(found, expected, "{name}");
    }
}

/// What a crash leaves without write-ahead logging is a journal to roll back, which a look at the file must not trip on.
#[test]
fn a_journal_to_roll_back_is_rolled_back() {
    let (folder, path) = file();
    filled(&path, 3);
    let raw = Connection::open(&path).unwrap();
    raw.query_row("PRAGMA journal_mode = TRUNCATE", [], |_| Ok(()))
        .unwrap();
    raw.execute_batch(
        "PRAGMA cache_size = 1; BEGIN; DELETE FROM session; UPDATE setting SET value = 'x';",
    )
    .unwrap();
    raw.execute_batch("CREATE TABLE filler (x); INSERT INTO filler VALUES (randomblob(200000));")
        .unwrap();
    let crashed = folder.path().join("crashed.db");
    for suffix in ["", "-journal"] {
        fs::copy(beside(&path, suffix), beside(&crashed, suffix)).unwrap();
    }
    assert!(
        size(&beside(&crashed, "-journal")) > 0,
        "there is something to roll back"
    );
    let opened = Store::open(&crashed, NOW).unwrap();
    let n_sessions = opened.store.sessions(None, 0, 9).unwrap().n_total;
    assert_eq!((opened.recovered, n_sessions), (None, 3));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = Store::open(&file.join("diglot.db"), NOW).unwrap_err();
    assert!(
        matches!(&error, StoreError::Io { path, .. } if *path == file),
        "{error:?}"
    );
}
