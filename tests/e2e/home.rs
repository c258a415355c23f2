//! A person's home: folders of its own for everything that the program keeps, so that no test sees another's.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diglot_api::schema::{NoArgs, SettingsUpdateRequest};
use diglot_api::view::settings::Settings;
use diglot_api::{ApiError, Workbench, WorkbenchConfig};
use tempfile::TempDir;

use crate::window::until;

/// Name of the folder in which the program keeps its data; `tests/it` holds it equal to tauri.conf.json.
const IDENTIFIER: &str = "org.diglot.app";

/// Holds the home and the folder that is translated; removed on drop.
pub(crate) struct Home {
    dir: TempDir,
}

impl Home {
    /// Makes an empty home.
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    /// Makes a home in which the settings were changed before.
    pub(crate) async fn with_settings(change: impl FnOnce(&mut Settings)) -> Self {
        let home = Self::new();
        let workbench = home.workbench();
        let mut settings = workbench.settings_view(NoArgs {}).await.unwrap().settings;
        change(&mut settings);
        let request = SettingsUpdateRequest { settings };
        workbench.settings_update(request).await.unwrap();
        home.close(workbench).await;
        home
    }

    /// Closes what `workbench` opened and waits until nothing has the database any more: work behind a session ends later,
    /// and the program would find it locked.
    pub(crate) async fn close(&self, workbench: Arc<Workbench>) {
        workbench.close().await;
        drop(workbench);
        let lock = self.data().join(IDENTIFIER).join("diglot.db.lock");
        until("the database is let go", async || {
            File::open(&lock).is_ok_and(|file| file.try_lock().is_ok())
        })
        .await;
    }

    /// Opens the database as the program would; both cannot have it at once.
    pub(crate) fn workbench(&self) -> Arc<Workbench> {
        self.try_workbench().unwrap()
    }

    /// Does the same, or says who has the database.
    pub(crate) fn try_workbench(&self) -> Result<Arc<Workbench>, ApiError> {
        let config = WorkbenchConfig {
            data_folder: self.data().join(IDENTIFIER),
            sample: None,
            folder: None,
            events: Arc::new(|_| ()),
        };
        Workbench::open(config)
    }

    /// Returns the path of the database.
    pub(crate) fn database(&self) -> PathBuf {
        self.data().join(IDENTIFIER).join("diglot.db")
    }

    /// Writes a folder to translate and returns its path.
    pub(crate) fn folder(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.dir.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for (path, text) in files {
            std::fs::write(folder.join(path), text).unwrap();
        }
        folder
    }

    /// Returns the environment that keeps a program inside the home.
    pub(crate) fn environment(&self) -> [(&'static str, PathBuf); 3] {
        [
            ("XDG_DATA_HOME", self.data()),
            ("XDG_CONFIG_HOME", self.dir.path().join("config")),
            ("XDG_CACHE_HOME", self.dir.path().join("cache")),
        ]
    }

    /// Returns a path inside the home.
    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join(path)
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }
}
