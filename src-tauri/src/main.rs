//! Starts the window. Everything else is in the library.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() {
    #[cfg(target_os = "linux")]
    choose_renderer();
    diglot_app::run();
}

/// Leaves WebKit's DMA-BUF renderer off unless the person chose otherwise: it gives blank windows with some drivers
/// (tauri issue 10702), and costs seconds at the start where there is no graphics card.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "setting a variable is unsafe once other threads may read it"
)]
fn choose_renderer() {
    const NAME: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if std::env::var_os(NAME).is_none() {
        // SAFETY: this is the first thing that the program does; no other thread exists yet.
        unsafe { std::env::set_var(NAME, "1") };
    }
}
