//! The one window: which pages it may show, and how a second start reaches it. Must not know what the page does.

use std::ffi::OsString;
use std::path::Path;

use diglot_api::event::ApiEvent;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, Runtime, Url, WebviewWindowBuilder};

use crate::{dirs, events};

/// Label of the window in tauri.conf.json and the capability.
pub(crate) const MAIN: &str = "main";

/// Opens the window as tauri.conf.json describes it. It can show nothing but the program's own page.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let windows = &app.config().app.windows;
    let config = windows
        .iter()
        .find(|window| window.label == MAIN)
        .ok_or(tauri::Error::WindowNotFound)?;
    WebviewWindowBuilder::from_config(app, config)?
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    Ok(())
}

/// Shows the window and opens the folder that a second start was given.
pub(crate) fn second_start<R: Runtime>(app: &AppHandle<R>, args: &[String], directory: &str) {
    if let Some(window) = app.get_webview_window(MAIN)
        && let Err(error) = window.unminimize().and_then(|()| window.set_focus())
    {
        tracing::warn!("the window cannot be shown: {error}");
    }
    let args = args.iter().skip(1).map(OsString::from);
    if let Some(path) = dirs::folder_argument(args, Path::new(directory)) {
        events::emit(app, &ApiEvent::FolderRequested { path });
    }
}

/// A page that is not ours would keep the way to our commands (GHSA-4wm2-cwcf-wwvp), and a place where there is none would
/// leave an empty window.
fn is_own_page(url: &Url) -> bool {
    let host = url.host_str();
    if !matches!(url.path(), "" | "/" | "/index.html") {
        return false;
    }
    match url.scheme() {
        "tauri" => host == Some("localhost"),
        // Windows has no schemes of its own.
        "http" | "https" if cfg!(windows) && host == Some("tauri.localhost") => true,
        "http" => tauri::is_dev() && host == Some("127.0.0.1") && url.port() == Some(1420),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_page_may_be_shown() {
        let is_own = |url: &str| is_own_page(&url.parse().unwrap());
        for own in [
            "tauri://localhost",
            "tauri://localhost/",
            "tauri://localhost/index.html#review",
        ] {
            assert!(is_own(own), "{own}");
        }
        for foreign in [
            "https://example.org/",
            "tauri://evil.localhost/",
            "tauri://localhost/other.html",
            "http://localhost/",
            "file:///etc/passwd",
            "data:text/html,x",
            "javascript:alert(1)",
            "about:blank",
        ] {
            assert!(!is_own(foreign), "{foreign}");
        }
    }
}
