//! The shell: one window around the workbench. Owns the window, its permissions and the way from a command's name to
//! the workbench. Must not know the store, the models or the folders; `diglot-api` does.

mod commands;
mod dirs;
mod events;
mod start;
mod window;

pub use start::Start;

use tauri::ipc::Invoke;
use tauri::{App, Builder, Context, Runtime};
use tauri_plugin_window_state::StateFlags;

/// Set by the driver of a test: the program then runs beside others.
const AUTOMATION: &str = "TAURI_WEBVIEW_AUTOMATION";

/// Lists the commands that the window answers, once as names and once for Tauri.
macro_rules! handlers {
    ($($module:ident::$command:ident,)+) => {
        /// Names of the commands that the window answers, in the order of the schema.
        pub const HANDLERS: &[&str] = &[$(stringify!($command)),+];

        fn handler<R: Runtime>() -> impl Fn(Invoke<R>) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$(commands::$module::$command),+]
        }
    };
}

handlers! {
    session::app_view,
    session::database_restore,
    project::project_open,
    project::project_pick,
    project::project_view,
    project::project_rules,
    project::project_set_rules,
    session::session_create,
    session::session_list,
    session::session_view,
    session::session_input,
    session::session_next,
    session::session_run,
    session::session_stop,
    session::session_respond,
    session::session_undo,
    session::session_redo,
    session::session_rename,
    session::session_delete,
    project::document_view,
    project::document_configure,
    project::document_set_when_missing,
    project::unit_revise,
    project::unit_skip,
    project::issue_dismiss,
    session::session_check,
    project::proposal_diff,
    project::draft_receipt,
    project::target_resolve,
    memory::memory_list,
    memory::memory_update,
    memory::memory_delete,
    memory::memory_settle,
    guide::guide_list,
    guide::guide_save,
    guide::guide_delete,
    guide::guide_attach,
    guide::guide_import,
    guide::guide_export,
    terms::term_list,
    terms::term_save,
    terms::term_delete,
    terms::term_import,
    terms::term_export,
    settings::settings_view,
    settings::settings_update,
    settings::provider_check,
    settings::provider_find_local,
    settings::provider_set_key,
    settings::pack_list,
    settings::pack_import,
}

/// Runs the program until its window is closed.
pub fn run() {
    trace();
    let mut builder = Builder::default();
    if std::env::var_os(AUTOMATION).is_none() {
        // Must be the first plugin: a second start ends before it touches anything.
        builder = builder.plugin(tauri_plugin_single_instance::init(
            |app, args, directory| window::second_start(app, &args, &directory),
        ));
    }
    let remember = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;
    let builder = builder.plugin(
        tauri_plugin_window_state::Builder::new()
            .with_state_flags(remember)
            .build(),
    );
    match build(builder, Start::of_program()) {
        Ok(app) => app.run(events::on_run),
        Err(error) => {
            tracing::error!("the window cannot be made: {error}");
            std::process::exit(start::EXIT_NO_WINDOW);
        }
    }
}

/// Builds the program on any runtime: the real one, or a test's.
pub fn build<R: Runtime>(builder: Builder<R>, start: Start) -> tauri::Result<App<R>> {
    builder
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(handler())
        .setup(move |app| Ok(start.set_up(app.handle())?))
        .build(context())
}

fn context<R: Runtime>() -> Context<R> {
    tauri::generate_context!()
}

/// Warnings of our own crates go to the standard error stream. Others stay silent: clients log bodies.
fn trace() {
    use tracing_subscriber::filter::{LevelFilter, Targets};
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::util::SubscriberInitExt;

    tracing_subscriber::registry()
        .with(tracing_subscriber::fmt::layer().with_writer(std::io::stderr))
        .with(Targets::new().with_target("diglot", LevelFilter::WARN))
        .init();
}
