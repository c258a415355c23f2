//! The system's wish that the program ends.

/// Waits until the person or the system asks the program to end.
pub(crate) async fn ended() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Without a way to hear of it, the program ends when its work does.
        std::future::pending::<()>().await;
    }
}
