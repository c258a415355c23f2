//! Which folders are packs, and for which languages.

use super::*;
use crate::fake::pair;

fn write(folder: &Path, files: &[&str]) {
    fs::create_dir_all(folder).unwrap();
    for file in files {
        fs::write(folder.join(file), "x").unwrap();
    }
}

#[test]
fn our_names_and_firefox_names_are_packs() {
    let dir = tempfile::tempdir().unwrap();
    write(
        &dir.path().join("en-pt"),
        &["model.bin", "vocab.spm", "lex.bin"],
    );
    write(
        &dir.path().join("enzh"),
        &[
            "model.enzh.intgemm.alphas.bin",
            "srcvocab.enzh.spm",
            "trgvocab.enzh.spm",
        ],
    );
    write(&dir.path().join("de-en"), &["model.bin"]);
    write(&dir.path().join("other"), &["model.bin", "vocab.spm"]);
    write(
        &dir.path().join(".import-fr-en"),
        &["model.fren.bin", "vocab.fren.spm"],
    );
    let packs = list(dir.path());
    let names: Vec<_> = packs
        .iter()
        .map(|pack| (pack.name(), pack.n_bytes, pack.is_verified))
        .collect();
    assert_eq!(
        names,
        [
            ("en-pt".to_owned(), 3, false),
            ("en-zh".to_owned(), 3, false)
        ]
    );
    assert!(
        packs[1]
            .files
            .source_vocabulary
            .ends_with("srcvocab.enzh.spm")
    );
    assert!(
        packs[1]
            .files
            .target_vocabulary
            .ends_with("trgvocab.enzh.spm")
    );
    assert_eq!(list(&dir.path().join("nowhere")), []);
}

#[test]
fn a_pack_serves_the_regions_of_its_languages() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("en-pt"), &["model.bin", "vocab.spm"]);
    let find = |source, target| find(dir.path(), &pair(source, target)).map(|pack| pack.name());
    assert_eq!(find("en", "pt"), Some("en-pt".to_owned()));
    assert_eq!(find("en-GB", "pt-BR"), Some("en-pt".to_owned()));
    assert_eq!(find("pt", "en"), None);
    assert_eq!(find("en", "de"), None);
}

#[test]
fn languages_are_read_from_names() {
    let model = "model.enpt.intgemm.alphas.bin";
    for (folder, file) in [
        ("en-pt", "model.bin"),
        ("enpt", "model.bin"),
        ("enpt-1693087644", "model.bin"),
        ("base", model),
        ("", model),
    ] {
        assert_eq!(
            languages_of(folder, file),
            Some(pair("en", "pt")),
            "{folder}"
        );
    }
    assert_eq!(languages_of("my-models", "model.bin"), None);
    assert_eq!(languages_of("tiny", "model.bin"), None);
    assert_eq!(
        languages_of("en-zh-Hant", "model.bin"),
        Some(pair("en", "zh-Hant"))
    );
}
