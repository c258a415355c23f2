//! What lasts and what does not, from a few lines of calls.

use super::*;
use crate::reliability::strace::Log;

/// Writes a line as the tracer would.
fn line(call: &str, args: &[&str], result: &str) -> String {
    format!("1  {call}({}) = {result}\n", args.join(", "))
}

fn hex(text: &str) -> String {
    let escaped: Vec<String> = text.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
    escaped.concat()
}

/// Plays lines over an empty disk and returns what the cuts leave of the one folder `/w`.
fn after(lines: &[String]) -> [Vec<(String, String)>; 3] {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = Disk::of(folder.path()).unwrap();
    disk.root = PathBuf::from("/w");
    let log = Log::of(&lines.concat());
    for moment in &log.moments {
        disk.play(*moment, log.call(*moment).unwrap());
    }
    [Cut::All, Cut::Names, Cut::Synced].map(|mut cut| {
        let state = disk.state(&mut cut).into_iter();
        let text = |(path, bytes): (PathBuf, Vec<u8>)| {
            let text = String::from_utf8(bytes).unwrap();
            (path.display().to_string(), text)
        };
        state.map(text).collect()
    })
}

fn create(name: &str) -> String {
    let args = [
        "AT_FDCWD</w>",
        &format!("\"{}\"", hex(&format!("/w/{name}"))),
        "O_RDWR|O_CREAT",
    ];
    line("openat", &args, "3")
}

fn put(text: &str) -> String {
    line(
        "write",
        &["3", &format!("\"{}\"", hex(text)), "9"],
        &text.len().to_string(),
    )
}

fn sync_file() -> String {
    line("fsync", &["3"], "0")
}

fn sync_folder() -> String {
    line("fsync", &[&format!("9<{}>", hex("/w"))], "0")
}

fn files(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    expected.iter().map(owned).collect()
}

#[test]
fn data_lasts_by_its_file_and_names_by_their_folder() {
    let unsynced = after(&[create("a"), put("one"), put("two")]);
    assert_eq!(
        unsynced,
        [files(&[("a", "onetwo")]), files(&[("a", "")]), files(&[])]
    );
    let data = after(&[create("a"), put("one"), sync_file(), put("two")]);
    assert_eq!(
        data,
        [
            files(&[("a", "onetwo")]),
            files(&[("a", "one")]),
            files(&[])
        ]
    );
    let both = after(&[create("a"), put("one"), sync_file(), sync_folder()]);
    assert_eq!(both, [(); 3].map(|()| files(&[("a", "one")])));
}

#[test]
fn a_rename_lasts_once_the_folder_is_synced() {
    let rename = line(
        "rename",
        &[
            &format!("\"{}\"", hex("/w/a")),
            &format!("\"{}\"", hex("/w/b")),
        ],
        "0",
    );
    let lines = [create("a"), put("one"), sync_file(), sync_folder(), rename];
    let [all, _, synced] = after(&lines);
    assert_eq!(
        (all, synced),
        (files(&[("b", "one")]), files(&[("a", "one")]))
    );
}

#[test]
fn what_a_failed_sync_covered_is_lost_also_for_the_next_one() {
    let failed = line("fsync", &["3"], "-1 EIO (Input/output error) (INJECTED)");
    let lines = [
        create("a"),
        sync_folder(),
        put("one"),
        failed,
        put("two"),
        sync_file(),
    ];
    let [all, _, synced] = after(&lines);
    assert_eq!(all, files(&[("a", "onetwo")]));
    assert_eq!(synced, files(&[("a", "\0\0\0two")]));
}

#[test]
fn torn_writes_keep_whole_sectors() {
    let change = Change::Write {
        at: 500,
        bytes: vec![1; 1000],
    };
    let mut random = Random::new(1);
    for _ in 0..50 {
        let mut bytes = vec![0; 2000];
        change.apply_torn(&mut bytes, &mut random);
        for range in [500..512, 512..1024, 1024..1500] {
            let sector = &bytes[range];
            assert!(sector.iter().all(|byte| *byte == sector[0]));
        }
    }
}
