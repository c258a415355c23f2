//! What the page is allowed to do, as a snapshot: a change here is a change of the security floor.

use diglot_testkit::Promise;
use serde_json::{Value, json};

use crate::repository::read_json;

#[test]
fn the_page_has_core_and_own_commands() {
    let folder = crate::repository::files("src-tauri/capabilities", &[".json", ".toml"]);
    assert_eq!(folder.len(), 1, "one capability");
    let mut capability = read_json("src-tauri/capabilities/main.json");
    let fields = capability.as_object_mut().unwrap();
    fields.remove("$schema");
    fields.remove("description");
    assert_eq!(
        capability,
        json!({
            "identifier": "main",
            "local": true,
            "windows": ["main"],
            "permissions": ["core:default", "own-commands"],
        })
    );
    let permissions = read_json("src-tauri/permissions/main.json");
    let permission = &permissions["permission"];
    assert_eq!(permission.as_array().unwrap().len(), 1);
    assert_eq!(permission[0]["identifier"], "own-commands");
    assert_eq!(
        permission[0]["commands"]["allow"],
        json!(diglot_api::COMMANDS)
    );
    let figure = format!(
        "{} own commands and Tauri's core",
        diglot_api::COMMANDS.len()
    );
    Promise::new(
        22,
        true,
        figure,
        "the list, the capability and the policy are those of this file",
    )
    .tell();
}

#[test]
fn the_page_is_closed_in() {
    let app = &read_json("tauri.conf.json")["app"];
    assert_eq!(app["withGlobalTauri"], false);
    assert_eq!(app["windows"].as_array().unwrap().len(), 1);
    assert_eq!(app["windows"][0]["label"], "main");
    assert_eq!(app["windows"][0]["url"], Value::Null);
    let security = &app["security"];
    assert_eq!(security["freezePrototype"], true);
    assert_eq!(security["assetProtocol"], Value::Null);
    assert_eq!(
        security["dangerousDisableAssetCspModification"],
        Value::Null
    );
    assert_eq!(security["capabilities"], json!(["main"]));
    assert_eq!(
        security["csp"],
        json!({
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "font-src": "'self'",
            "img-src": "'self'",
            "connect-src": "ipc: http://ipc.localhost",
            "object-src": "'none'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
        })
    );
}

#[test]
fn the_data_folder_is_named_once() {
    let identifier = read_json("tauri.conf.json")["identifier"].clone();
    let folder = diglot_api::data_folder().unwrap();
    assert_eq!(json!(folder.file_name().unwrap().to_str()), identifier);
}
