//! A model that proposes exactly what it is told to. Owns its wish; the server is the test kit's.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use diglot_testkit::{FakeServer, Recorded, Reply};
use serde_json::json;

/// Holds a model server that is led by hand.
pub(crate) struct Puppet {
    pub(crate) server: FakeServer,
    wish: Arc<Mutex<Wish>>,
}

#[derive(Default)]
struct Wish {
    read: BTreeSet<String>,
    draft: Option<Draft>,
}

/// Names a unit and its draft.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) path: String,
    pub(crate) unit: usize,
    pub(crate) text: String,
}

impl Puppet {
    /// Starts the server; without a wish the model answers in words.
    pub(crate) fn start() -> Result<Self> {
        let wish = Arc::new(Mutex::new(Wish::default()));
        let held = Arc::clone(&wish);
        let server = FakeServer::start(move |request| reply(&mut lock(&held), request))?;
        Ok(Self { server, wish })
    }

    /// Sets what the model proposes from now on.
    pub(crate) fn wish(&self, draft: Option<Draft>) {
        lock(&self.wish).draft = draft;
    }

    /// Lets the model read every document anew.
    pub(crate) fn forget(&self) {
        lock(&self.wish).read.clear();
    }
}

fn lock(wish: &Mutex<Wish>) -> MutexGuard<'_, Wish> {
    wish.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reply(wish: &mut Wish, request: &Recorded) -> Reply {
    if !request.is_chat() {
        return Reply::json(
            200,
            &json!({"object": "list", "data": [{"id": "test-model"}]}),
        );
    }
    if request.is_memory() {
        return Reply::words("{\"ops\": []}");
    }
    let Some(draft) = &wish.draft else {
        return Reply::words("I wait.");
    };
    if wish.read.insert(draft.path.clone()) {
        return Reply::call(
            "Read",
            &json!({"file_id": draft.path, "from_unit": draft.unit}),
        );
    }
    let arguments =
        json!({"file_id": draft.path, "unit": draft.unit, "translate_string": draft.text});
    Reply::call("Translate", &arguments)
}
