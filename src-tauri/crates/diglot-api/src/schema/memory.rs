//! What the commands about memory take.

use serde::Deserialize;
use ts_rs::TS;

use crate::view::memory::{MemoryKindView, MemoryScopeView, MemoryStateView};

request! {
    /// Changes an item of memory.
    MemoryUpdateRequest {
        /// The session whose languages it holds for.
        #[ts(type = "number")]
        session_id: i64,
        /// The item; missing adds one.
        #[ts(optional, type = "number")]
        id: Option<i64>,
        /// What it is about.
        kind: Option<MemoryKindView>,
        /// The instruction.
        text: Option<String>,
        /// Source term.
        term_source: Option<String>,
        /// Target term.
        term_target: Option<String>,
        /// How far it is trusted.
        state: Option<MemoryStateView>,
        /// What the person writes.
        wording_write: Option<String>,
        /// What they do not write.
        wording_instead_of: Option<String>,
        /// Where it holds.
        scope: Option<MemoryScopeView>,
    }
}
request! {
    /// Settles a disagreement of two items.
    MemorySettleRequest {
        /// The session whose languages they hold for.
        #[ts(type = "number")]
        session_id: i64,
        /// One item.
        #[ts(type = "number")]
        one: i64,
        /// The other one.
        #[ts(type = "number")]
        other: i64,
        /// The one that is kept; missing when both hold, each in its place.
        #[ts(optional, type = "number")]
        keep: Option<i64>,
    }
}
request! {
    /// Names an item of memory.
    MemoryDeleteRequest {
        /// The session whose languages it holds for.
        #[ts(type = "number")]
        session_id: i64,
        /// The item.
        #[ts(type = "number")]
        id: i64,
    }
}
