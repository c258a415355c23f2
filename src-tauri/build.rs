//! Prepares the window's part of the build: Tauri's resources and permissions, and a page to embed.
//! Must not build the front end; `cargo xtask` does.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;
use tauri_build::{AppManifest, Attributes};

/// What is embedded until the front end was built, so that checks and tests work in a fresh clone.
const PLACEHOLDER: &str = "<!doctype html><title>Diglot: front end not built</title>\
    <p>The front end was not built. Run <code>cargo xtask run</code>.\n";

fn main() -> Result<()> {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=src-tauri/permissions");
    println!("cargo:rerun-if-changed=ui/dist/index.html");
    ensure_page(Path::new("ui/dist"))?;
    // Naming our own permissions puts our own commands under the access list, too (GHSA, Tauri 2.11.1).
    let manifest = AppManifest::new().permissions_path_pattern("src-tauri/permissions/*.json");
    tauri_build::try_build(
        Attributes::new()
            .capabilities_path_pattern("src-tauri/capabilities/*.json")
            .app_manifest(manifest),
    )
}

/// `generate_context!` wants a page at compile time.
fn ensure_page(dist: &Path) -> Result<()> {
    let page = dist.join("index.html");
    if !page.exists() {
        fs::create_dir_all(dist).with_context(|| format!("create {}", dist.display()))?;
        fs::write(&page, PLACEHOLDER).with_context(|| format!("write {}", page.display()))?;
        println!("cargo:warning=ui/dist was missing: a placeholder page is embedded");
    }
    Ok(())
}
