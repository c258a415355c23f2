//! Care for the database while it is in use: backups after work and at the end, and looks for damage. All of it in the
//! background: no decision waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use diglot_store::{Recovery, Store, StoreError};

use super::{EventSink, Workbench, blocking, lock, now};
use crate::error::ApiError;
use crate::event::ApiEvent;
use crate::schema::{AppView, NoArgs};
use crate::view::app::RecoveryView;

/// Confirmed units after which a backup is made.
const UNITS: usize = 50;
/// Time of work after which one is made.
pub(super) const WORK: Duration = Duration::from_secs(15 * 60);
/// Size of the file, in bytes, above which only time counts: a copy after every fifty units would wear the disk.
const LARGE: u64 = 64 * 1024 * 1024;

/// Holds what is known of the database's health, and when a backup is due.
pub(super) struct Safety {
    store: Arc<Store>,
    events: EventSink,
    /// Time of work after which a backup is made.
    after: Duration,
    pending: Mutex<Pending>,
    is_damaged: AtomicBool,
    recovered: Mutex<Option<Recovery>>,
}

/// Counts what the latest backup may lack.
#[derive(Debug, Default)]
struct Pending {
    n_units: usize,
    /// Whether a backup will be made when the time of work is over.
    is_timed: bool,
}

impl Safety {
    pub(super) fn new(
        store: Arc<Store>,
        events: EventSink,
        recovered: Option<Recovery>,
        after: Duration,
    ) -> Arc<Self> {
        Arc::new(Self {
            store,
            events,
            after,
            pending: Mutex::default(),
            is_damaged: AtomicBool::new(false),
            recovered: Mutex::new(recovered),
        })
    }

    /// Tells whether damage was found that is not mended yet.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::SeqCst)
    }

    /// Shows what was done about a damaged file.
    pub(super) fn recovery(&self) -> Option<RecoveryView> {
        lock(&self.recovered).as_ref().map(RecoveryView::from)
    }

    /// Notes work that was written, with the units that a person confirmed in it.
    pub(super) fn note_work(self: &Arc<Self>, n_units: usize) {
        let mut pending = lock(&self.pending);
        pending.n_units += n_units;
        if pending.n_units >= UNITS && self.store.n_bytes() <= LARGE {
            pending.n_units = 0;
            self.back_up_after(Duration::ZERO);
        }
        if !pending.is_timed {
            pending.is_timed = true;
            self.back_up_after(self.after);
        }
    }

    /// Makes a backup after a while, unless the application has ended by then.
    fn back_up_after(self: &Arc<Self>, delay: Duration) {
        let safety: Weak<Self> = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(delay).await;
            let Some(safety) = safety.upgrade() else {
                return;
            };
            if !delay.is_zero() {
                *lock(&safety.pending) = Pending::default();
            }
            safety.back_up().await;
        });
    }

    /// Makes a backup where there is something new.
    pub(super) async fn back_up(self: &Arc<Self>) {
        self.watched(|store| store.back_up(now()).map(drop)).await;
    }

    /// Makes the last backup, and leaves the file as after an end in order.
    pub(super) async fn end(self: &Arc<Self>) {
        self.back_up().await;
        self.watched(Store::settle).await;
    }

    /// Looks through the whole file.
    pub(super) fn check_in_background(self: &Arc<Self>) {
        let safety = Arc::clone(self);
        tokio::spawn(async move { safety.watched(Store::check).await });
    }

    /// Runs work on the store away from the runtime, and tells the host of damage that comes to light.
    async fn watched(
        self: &Arc<Self>,
        work: impl FnOnce(&Store) -> Result<(), StoreError> + Send + 'static,
    ) {
        let safety = Arc::clone(self);
        let done = blocking(move || {
            if let Err(error) = work(&safety.store) {
                tracing::error!(%error, "the database was not looked after");
                if error.is_corruption() {
                    safety.is_damaged.store(true, Ordering::SeqCst);
                    (safety.events)(ApiEvent::AppChanged {});
                }
            }
            Ok(())
        });
        if let Err(error) = done.await {
            tracing::error!(%error, "the database was not looked after");
        }
    }
}

impl Workbench {
    /// Restores a damaged database at once: sessions are closed, the file is kept aside, and the latest good backup
    /// takes its place.
    pub async fn database_restore(self: &Arc<Self>, request: NoArgs) -> Result<AppView, ApiError> {
        self.writable()?;
        let open: Vec<_> = lock(&self.sessions).drain().map(|(_, open)| open).collect();
        for session in open {
            session.run.end().await;
        }
        let workbench = Arc::clone(self);
        blocking(move || {
            let recovery = workbench.store.restore(now())?;
            let loaded = super::settings::load(&workbench.store)?;
            *lock(&workbench.settings) = loaded.settings;
            *lock(&workbench.safety.recovered) = Some(recovery);
            workbench.safety.is_damaged.store(false, Ordering::SeqCst);
            workbench.models.forget_endpoints();
            workbench.emit(ApiEvent::AppChanged {});
            Ok(())
        })
        .await?;
        self.app_view(request).await
    }
}
