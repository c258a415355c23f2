//! Backups: when one is made, that it is whole and private, which are kept.

use super::*;
use crate::Store;
use crate::files::beside;
use crate::fixture::{NOW, commit, new_session, said};

const HOUR: i64 = 3_600_000;

#[track_caller]
fn check(times: &[i64], expected: &[i64]) {
    let mut times: Vec<i64> = times.to_vec();
    times.sort_unstable_by_key(|time| std::cmp::Reverse(*time));
    let kept: Vec<i64> = kept(&times).into_iter().collect();
    assert_eq!(kept, expected);
}

#[test]
fn the_latest_ten_are_kept_and_the_last_of_each_day_of_a_week() {
    check(&[], &[]);
    check(&[5, 3], &[3, 5]);
    let of_one_day: Vec<i64> = (1..=12).collect();
    check(&of_one_day, &of_one_day[2..]);
    // Three a day for nine days: ten of the last days, then one a day, and none that is older than a week.
    let day_and_hour = |day: i64, hour: i64| day * DAY + hour * HOUR;
    let of_days: Vec<i64> = (0..9)
        .flat_map(|day| [1, 2, 3].map(|hour| day_and_hour(day, hour)))
        .collect();
    let mut expected = vec![day_and_hour(2, 3), day_and_hour(3, 3), day_and_hour(4, 3)];
    expected.push(day_and_hour(5, 3));
    expected.extend(&of_days[18..]);
    check(&of_days, &expected);
}

#[test]
fn a_backup_is_made_of_what_changed_and_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diglot.db");
    let store = Store::open(&path, NOW).unwrap().store;
    let session = store.create_session(&new_session("guide", 1)).unwrap();
    assert!(store.back_up(NOW).unwrap());
    assert!(!store.back_up(NOW + 1).unwrap(), "nothing changed");
    let mut work = commit(session, 0);
    work.entries = vec![said("hello")];
    store.commit(&work).unwrap();
    // What a crash left goes; what is somebody else's stays.
    let unfinished = folder.path().join(FOLDER).join("2020.db.new");
    let foreign = folder.path().join(FOLDER).join("notes.txt");
    for path in [&unfinished, &foreign] {
        fs::write(path, "x").unwrap();
    }
    assert!(store.back_up(NOW + 2).unwrap());
    assert!(!unfinished.exists() && foreign.exists());
    let found = list(&path);
    let times: Vec<i64> = found.iter().map(|backup| backup.at).collect();
    assert_eq!(times, [NOW + 2, NOW]);
    for backup in &found {
        for suffix in ["-wal", "-shm", "-journal"] {
            assert!(!beside(&backup.path, suffix).exists(), "{suffix}");
        }
    }
    drop(store);
    fs::copy(&found[0].path, &path).unwrap();
    let store = Store::open(&path, NOW).unwrap().store;
    assert_eq!(
        store.entries(session, diglot_agent::Seq(0)).unwrap().len(),
        1
    );
    assert!(
        !store.back_up(NOW + 3).unwrap(),
        "nothing changed since the start"
    );
}

#[test]
fn what_a_crash_left_unfinished_goes_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diglot.db");
    let names = [
        "diglot.db.new",
        "diglot.db.damaged-2026.new-wal",
        "diglot.db.before-v9.new-journal",
        "backups/2020.db.new",
    ];
    fs::create_dir(folder.path().join(FOLDER)).unwrap();
    let others = ["other.new", "diglot.db.damaged-2026", "backups/new.txt"];
    for name in names.iter().chain(&others) {
        fs::write(folder.path().join(name), "x").unwrap();
    }
    drop(Store::open(&path, NOW).unwrap());
    assert!(names.iter().all(|name| !folder.path().join(name).exists()));
    assert!(others.iter().all(|name| folder.path().join(name).exists()));
}

#[test]
fn the_file_alone_holds_what_the_latest_backup_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diglot.db");
    let store = Store::open(&path, NOW).unwrap().store;
    store.create_session(&new_session("guide", 1)).unwrap();
    store.back_up(NOW).unwrap();
    store.create_session(&new_session("later", 2)).unwrap();
    let alone = folder.path().join("alone.db");
    fs::copy(&path, &alone).unwrap();
    let alone = Store::open(&alone, NOW).unwrap().store;
    assert_eq!(alone.sessions(None, 0, 9).unwrap().n_total, 1);
}

#[test]
fn a_damaged_database_is_noticed_and_drives_no_backup_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diglot.db");
    let store = Store::open(&path, NOW).unwrap().store;
    for at in 0..300 {
        store.create_session(&new_session("guide", at)).unwrap();
    }
    store.back_up(NOW).unwrap();
    store.create_session(&new_session("guide", 1)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let from = bytes.len() - 3 * 4096;
    bytes[from..].fill(0xee);
    fs::write(&path, bytes).unwrap();
    let error = store.back_up(NOW + 1).unwrap_err();
    assert!(error.is_corruption(), "{error:?}");
    assert_eq!(list(&path).len(), 1);
    drop(store);
    let opened = Store::open(&path, NOW + 2).unwrap();
    let recovery = opened
        .recovered
        .clone()
        .expect("it is restored at the next start");
    assert_eq!(recovery.backup_at, Some(NOW));
    assert!(opened.store.sessions(None, 0, 9).unwrap().n_total >= 300);
    drop(opened);
    assert_eq!(Store::open(&path, NOW + 3).unwrap().recovered, None);
}
