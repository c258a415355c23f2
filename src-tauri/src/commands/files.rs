//! The dialogs that choose folders and files. The page has no way to open them, nor to name a file in the person's place.

use tauri::{Runtime, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};

/// Says which files a dialog shows.
pub(crate) struct Kind {
    /// What they are called.
    pub(crate) name: &'static str,
    /// Ends of their names, without the dot.
    pub(crate) extensions: &'static [&'static str],
}

/// Asks for a folder.
pub(crate) async fn pick_folder<R: Runtime>(window: &WebviewWindow<R>) -> Option<String> {
    ask(window, FileDialogBuilder::pick_folder).await
}

/// Asks for a file that is there.
pub(crate) async fn pick_file<R: Runtime>(
    window: &WebviewWindow<R>,
    kind: &Kind,
) -> Option<String> {
    ask(window, |dialog, tell| {
        let dialog = dialog.add_filter(kind.name, kind.extensions);
        dialog.pick_file(tell);
    })
    .await
}

/// Asks where to write a file; the dialog itself asks before one is replaced.
pub(crate) async fn pick_target<R: Runtime>(
    window: &WebviewWindow<R>,
    kind: &Kind,
    name: &str,
) -> Option<String> {
    ask(window, |dialog, tell| {
        let dialog = dialog.add_filter(kind.name, kind.extensions);
        dialog.set_file_name(name).save_file(tell);
    })
    .await
}

type Tell = Box<dyn FnOnce(Option<FilePath>) + Send>;

async fn ask<R: Runtime>(
    window: &WebviewWindow<R>,
    open: impl FnOnce(FileDialogBuilder<R>, Tell),
) -> Option<String> {
    if let Some(answer) = test_answer() {
        return Some(answer);
    }
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let tell = move |chosen| {
        if sender.send(chosen).is_err() {
            tracing::warn!("nobody waits for what was chosen");
        }
    };
    let dialog = window.dialog().file().set_parent(window);
    open(dialog, Box::new(tell));
    let chosen = receiver.await.ok()??.into_path().ok()?;
    Some(chosen.display().to_string())
}

/// A test answers the dialogs by this variable, in debug builds only.
fn test_answer() -> Option<String> {
    cfg!(debug_assertions)
        .then(|| std::env::var("DIGLOT_PICK").ok())
        .flatten()
}
