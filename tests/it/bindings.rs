//! The TypeScript that the front end is typed with is what Rust would write today.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::repository;

#[test]
fn committed_bindings_are_fresh() {
    let folder = tempfile::tempdir().unwrap();
    let config = ts_rs::Config::from_env().with_out_dir(folder.path());
    diglot_api::bindings::export(&config).unwrap();
    let fresh = read_folder(folder.path());
    let committed = read_folder(&repository::root().join("ui/src/backend/bindings"));
    let stale: Vec<String> = fresh
        .iter()
        .filter(|(name, text)| committed.get(*name) != Some(text))
        .map(|(name, _)| format!("{name} is stale; `cargo test -p diglot-api` writes it"))
        .chain(
            committed
                .keys()
                .filter(|name| !fresh.contains_key(*name))
                .map(|name| format!("{name} is of no command any more; remove it")),
        )
        .collect();
    repository::assert_none("ui/src/backend/bindings", &stale);
}

fn read_folder(folder: &Path) -> BTreeMap<String, String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}
