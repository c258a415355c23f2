//! Every command of the application, once: its name, what it takes and what it answers. Both hosts serve
//! exactly these, and the TypeScript map is written from here.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::error::{ApiError, ErrorCode};

use crate::view::action::ReversalView;
use crate::view::app::RecoveryView;
use crate::view::checks::ChecksView;
use crate::view::document::{DiffView, DocumentView, WhenMissingView};
use crate::view::guide::{ExportView, GuideFileView, GuidesView};
use crate::view::memory::{MemoryItemView, MemoryView};
use crate::view::project::{ProjectView, RulesView};
use crate::view::receipt::ReceiptView;
use crate::view::session::{FaultView, SessionPage, SessionSummary, SessionView};
use crate::view::settings::{
    LocalServerView, PackView, ProviderCheckView, ProviderSettings, Settings, SettingsView,
};
use crate::view::terms::{TermImportView, TermView, TermsView};
use crate::workbench::{Workbench, read_args, write_answer};

/// Declares the commands: a name, its request and its answer.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($request:ty) -> $response:ty;)+) => {
        /// Names of all commands, in the order of the schema.
        pub const COMMANDS: &[&str] = &[$(stringify!($name)),+];

        /// Shows `visitor` the type of every request and answer.
        pub fn visit_types(visitor: &mut impl ts_rs::TypeVisitor) {
            $(
                visitor.visit::<$request>();
                visitor.visit::<$response>();
                <$response as TS>::visit_generics(visitor);
            )+
        }

        /// Runs a command by its name.
        pub(crate) async fn dispatch(
            workbench: &Arc<Workbench>,
            command: &str,
            args: Value,
        ) -> Result<Value, ApiError> {
            match command {
                $(stringify!($name) => {
                    let request: $request = read_args(args)?;
                    // Boxed: together the commands' futures would make one of many kilobytes.
                    let answer: $response = Box::pin(workbench.$name(request)).await?;
                    write_answer(&answer)
                })+
                other => {
                    Err(ApiError::new(ErrorCode::BadRequest, format!("there is no command {other}")))
                }
            }
        }

        /// Writes the TypeScript map from command names to arguments and results.
        pub fn command_map(config: &ts_rs::Config) -> String {
            let mut lines = vec!["export type CommandMap = {".to_owned()];
            $(lines.push(format!(
                "  {}: {{ args: {}; result: {} }};",
                stringify!($name),
                <$request as TS>::name(config),
                <$response as TS>::name(config),
            ));)+
            lines.push("};".to_owned());
            lines.join("\n") + "\n"
        }

        /// Names of the TypeScript types that the map imports.
        pub fn command_types(config: &ts_rs::Config) -> std::collections::BTreeSet<String> {
            let names = [$(<$request as TS>::name(config), <$response as TS>::name(config)),+];
            names
                .iter()
                .flat_map(|name| name.split(|c: char| !c.is_alphanumeric()))
                .filter(|name| name.chars().next().is_some_and(char::is_uppercase) && *name != "Array")
                .map(str::to_owned)
                .collect()
        }
    };
}

commands! {
    /// Tells what the program was started with.
    app_view(NoArgs) -> AppView;
    /// Restores a damaged database at once.
    database_restore(NoArgs) -> AppView;
    /// Opens a folder.
    project_open(ProjectOpenRequest) -> ProjectView;
    /// Lets the person choose a folder and opens it; `null` when they do not.
    project_pick(NoArgs) -> Option<ProjectView>;
    /// Shows a page of a folder's files.
    project_view(ProjectViewRequest) -> ProjectView;
    /// Shows what is set for the formats of a folder.
    project_rules(ProjectRequest) -> RulesView;
    /// Sets rules for the formats of a folder.
    project_set_rules(ProjectSetRulesRequest) -> RulesView;
    /// Makes a session of a folder, or opens the one that is there for the language.
    session_create(SessionCreateRequest) -> SessionView;
    /// Lists sessions, newest first.
    session_list(SessionListRequest) -> SessionPage;
    /// Shows a session.
    session_view(SessionViewRequest) -> SessionView;
    /// Says something to the agent; open requests are set aside first.
    session_input(SessionInputRequest) -> SessionView;
    /// Runs one step.
    session_next(SessionRequest) -> SessionView;
    /// Runs steps until the person must act; answers when it has ended.
    session_run(SessionRequest) -> SessionView;
    /// Stops the agent; nothing is lost.
    session_stop(SessionRequest) -> SessionView;
    /// Gives a decision on one request; answers when it is stored.
    session_respond(SessionRespondRequest) -> SessionView;
    /// Takes back what the person did last to a unit.
    session_undo(SessionRequest) -> ReversalView;
    /// Does again what was taken back last.
    session_redo(SessionRequest) -> ReversalView;
    /// Gives a session another title.
    session_rename(SessionRenameRequest) -> SessionSummary;
    /// Deletes a session from the history; files stay.
    session_delete(SessionRequest) -> NoArgs;
    /// Shows a page of a document.
    document_view(DocumentViewRequest) -> DocumentView;
    /// Chooses a document's encoding.
    document_configure(DocumentConfigureRequest) -> DocumentView;
    /// Says what becomes of characters that a document's encoding cannot hold.
    document_set_when_missing(DocumentWhenMissingRequest) -> DocumentView;
    /// Changes the target of a confirmed unit, or confirms an open one by hand.
    unit_revise(UnitReviseRequest) -> SessionView;
    /// Sets a unit aside; it stays open.
    unit_skip(UnitRequest) -> SessionView;
    /// Sets a finding on a text aside, or takes it up again.
    issue_dismiss(IssueDismissRequest) -> NoArgs;
    /// Checks all that was confirmed in a session.
    session_check(SessionRequest) -> ChecksView;
    /// Compares a draft with what the person made of it, and checks the result.
    proposal_diff(ProposalDiffRequest) -> DiffView;
    /// Says what the last draft of a unit was made from; `null` when there was none.
    draft_receipt(DraftReceiptRequest) -> Option<ReceiptView>;
    /// Decides what happens with a target file that somebody else wrote or changed.
    target_resolve(TargetResolveRequest) -> SessionView;
    /// Shows what was learnt for a session's languages.
    memory_list(SessionRequest) -> MemoryView;
    /// Changes an item, or adds one by hand.
    memory_update(MemoryUpdateRequest) -> MemoryItemView;
    /// Deletes an item.
    memory_delete(MemoryDeleteRequest) -> NoArgs;
    /// Settles which of two items holds that cannot both be kept.
    memory_settle(MemorySettleRequest) -> MemoryView;
    /// Shows all guides, and which hold for a folder.
    guide_list(ProjectRequest) -> GuidesView;
    /// Keeps a guide; a new one holds for the folder that it was written in.
    guide_save(GuideSaveRequest) -> GuidesView;
    /// Deletes a guide, for all folders.
    guide_delete(GuideRequest) -> NoArgs;
    /// Lets a guide hold for a folder, or no longer.
    guide_attach(GuideAttachRequest) -> GuidesView;
    /// Reads a file that may become a guide; `null` when the person chose none.
    guide_import(GuideImportRequest) -> Option<GuideFileView>;
    /// Writes a guide as a Markdown file.
    guide_export(GuideExportRequest) -> ExportView;
    /// Shows a page of the termbase of a session's languages.
    term_list(TermListRequest) -> TermsView;
    /// Keeps a term, or adds one.
    term_save(TermSaveRequest) -> TermView;
    /// Deletes a term.
    term_delete(TermRequest) -> NoArgs;
    /// Takes terms of a TBX or CSV file; `null` when the person chose none.
    term_import(TermImportRequest) -> Option<TermImportView>;
    /// Writes the terms of a session's languages to a TBX or CSV file.
    term_export(TermExportRequest) -> ExportView;
    /// Shows the settings.
    settings_view(NoArgs) -> SettingsView;
    /// Stores the settings as a whole.
    settings_update(SettingsUpdateRequest) -> SettingsView;
    /// Tests an endpoint and says what is wrong.
    provider_check(ProviderCheckRequest) -> ProviderCheckView;
    /// Looks for model servers on this machine.
    provider_find_local(NoArgs) -> Vec<LocalServerView>;
    /// Keeps or forgets an endpoint's key.
    provider_set_key(ProviderSetKeyRequest) -> SettingsView;
    /// Lists installed language packs.
    pack_list(NoArgs) -> Vec<PackView>;
    /// Installs language packs from a folder, a zip or a wheel.
    pack_import(PackImportRequest) -> Vec<PackView>;
}

/// Declares a request type.
macro_rules! request {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Deserialize, TS)]
        #[serde(rename_all = "camelCase")]
        #[ts(export, optional_fields)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }
    };
}

mod guide;
mod memory;
mod terms;

pub use terms::{
    TermExportRequest, TermImportRequest, TermListRequest, TermRequest, TermSaveRequest,
};

pub use guide::{
    GuideAttachRequest, GuideExportRequest, GuideImportRequest, GuideRequest, GuideSaveRequest,
};
pub use memory::{MemoryDeleteRequest, MemorySettleRequest, MemoryUpdateRequest};

/// Stands for no arguments, or no answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export, type = "Record<string, never>")]
pub struct NoArgs {}

/// Tells what the program was started with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct AppView {
    /// Version of the program.
    pub version: String,
    /// Folder that was given at the start, absolute; given out once.
    pub folder: Option<String>,
    /// Whether a newer version wrote the database, so that it can only be read.
    pub read_only: bool,
    /// Whether damage of the database was found that is not mended yet.
    pub damaged: bool,
    /// What was done about a damaged database.
    pub recovered: Option<RecoveryView>,
    /// Whether stored settings could not be read, so that their defaults hold.
    pub lost_settings: bool,
    /// Absolute path of the sample folder, when it is installed.
    pub sample: Option<String>,
}

request! {
    /// Names a folder.
    ProjectOpenRequest {
        /// Absolute path.
        path: String,
    }
}
request! {
    /// Names a page of a project.
    ProjectViewRequest {
        /// The project.
        project_id: String,
        /// Position of the first file, from 0.
        offset: Option<usize>,
        /// Files at most.
        limit: Option<usize>,
    }
}
request! {
    /// Describes a new session.
    SessionCreateRequest {
        /// The project.
        project_id: String,
        /// BCP 47 tag; detected when missing.
        source_language: Option<String>,
        /// BCP 47 tag.
        target_language: String,
        /// What the agent should know from the start.
        instructions: Option<String>,
        /// Whether to start afresh although there is a session for the language.
        afresh: Option<bool>,
    }
}
request! {
    /// Names a folder.
    ProjectRequest {
        /// The folder.
        project_id: String,
    }
}
request! {
    /// Holds rules for the formats of a folder; see `RulesView`.
    ProjectSetRulesRequest {
        /// The folder.
        project_id: String,
        /// Formats that are left out, by their ids.
        off: Vec<String>,
        /// Keys that hold no text.
        keys_out: Vec<String>,
        /// Keys that hold text.
        keys_in: Vec<String>,
        /// Columns that hold text.
        columns: Vec<String>,
        /// Attributes that hold text.
        attributes: Vec<String>,
    }
}
request! {
    /// Names a page of the history.
    SessionListRequest {
        /// Words to look for.
        query: Option<String>,
        /// Position of the first, from 0.
        offset: Option<usize>,
        /// Sessions at most.
        limit: Option<usize>,
    }
}
request! {
    /// Names a session.
    SessionRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
    }
}
request! {
    /// Names a session and what the caller knows already.
    SessionViewRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// Last sequence number that the caller has.
        #[ts(optional, type = "number")]
        since_seq: Option<u64>,
    }
}
request! {
    /// Holds what the person says.
    SessionInputRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// What.
        text: String,
    }
}
request! {
    /// Holds a decision on one request.
    SessionRespondRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The request.
        call_id: String,
        /// The decision.
        decision: DecisionRequest,
    }
}

/// Holds a decision as the screen sends it.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[ts(export, optional_fields)]
pub enum DecisionRequest {
    /// Takes the draft.
    Approve {
        /// Whether the person has seen the faults and takes it all the same.
        #[serde(default)]
        despite_issues: Option<bool>,
        /// Whether many are confirmed at once.
        #[serde(default)]
        bulk: Option<bool>,
    },
    /// Takes this text.
    Refine {
        /// The final text.
        target: String,
    },
    /// Refuses the draft.
    Reject(RejectRequest),
    /// Answers a question.
    Answer {
        /// The option taken.
        #[serde(default)]
        choice: Option<String>,
        /// Free text.
        #[serde(default)]
        text: Option<String>,
    },
    /// Sets the request aside.
    Cancel,
}

impl DecisionRequest {
    /// Refuses a draft with the person's words alone.
    pub fn reject(reason: &str) -> Self {
        Self::Reject(RejectRequest {
            reason: reason.to_owned(),
            fault: None,
            marked: None,
        })
    }
}

request! {
    /// Says why a draft is refused: by its fault, in words, or both.
    RejectRequest {
        /// In the person's own words; empty where a fault is enough.
        reason: String,
        /// The fault in one word.
        fault: Option<FaultView>,
        /// The piece of the draft that is wrong.
        marked: Option<MarkedRequest>,
    }
}
request! {
    /// Names a piece of a draft.
    MarkedRequest {
        /// Its text.
        text: String,
        /// Which of the places with this text it is, from 1, also where they overlap.
        occurrence: usize,
    }
}

request! {
    /// Gives a session a title.
    SessionRenameRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The title.
        title: String,
    }
}
request! {
    /// Names a page of a document.
    DocumentViewRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// First unit, from 1.
        from_unit: Option<usize>,
        /// Units at most.
        limit: Option<usize>,
    }
}
request! {
    /// Chooses an encoding.
    DocumentConfigureRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// WHATWG label; missing detects it again.
        encoding: Option<String>,
    }
}
request! {
    /// Says what becomes of characters that a document's encoding cannot hold.
    DocumentWhenMissingRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// What becomes of them.
        when_missing: WhenMissingView,
    }
}
request! {
    /// Sets a finding aside for a text, or takes it up again.
    IssueDismissRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// The unit, from 1.
        unit: usize,
        /// The text that it was found in.
        target: String,
        /// The finding.
        fingerprint: String,
        /// Whether it is set aside.
        dismissed: bool,
    }
}
request! {
    /// Names a unit.
    UnitRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// The unit, from 1.
        unit: usize,
    }
}
request! {
    /// Gives a unit a target.
    UnitReviseRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// The unit, from 1.
        unit: usize,
        /// The target.
        target: String,
    }
}
request! {
    /// Holds a draft as the person has changed it so far.
    ProposalDiffRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// The unit, from 1.
        unit: usize,
        /// The text in the editor.
        target: String,
    }
}
request! {
    /// Names the unit whose draft is asked about.
    DraftReceiptRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// The unit, from 1.
        unit: usize,
        /// Whether the request is wanted as it was sent.
        with_request: Option<bool>,
    }
}
request! {
    /// Decides about a target file.
    TargetResolveRequest {
        /// The session.
        #[ts(type = "number")]
        session_id: i64,
        /// The document.
        path: String,
        /// What happens.
        choice: TargetChoice,
    }
}

/// Names what happens with a target file that somebody else wrote or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub enum TargetChoice {
    /// It stays; Diglot writes no target for the document.
    Keep,
    /// It is renamed, and Diglot writes in its place.
    Overwrite,
    /// It stays, and Diglot writes under another name beside it.
    Beside,
}

request! {
    /// Holds the settings as a whole.
    SettingsUpdateRequest {
        /// The settings.
        settings: Settings,
    }
}
request! {
    /// Names an endpoint to test, stored or not.
    ProviderCheckRequest {
        /// The endpoint.
        provider: ProviderSettings,
        /// A key to test with; missing takes the stored one.
        key: Option<String>,
    }
}
request! {
    /// Keeps a key.
    ProviderSetKeyRequest {
        /// The endpoint's id.
        provider_id: String,
        /// The key; missing forgets it.
        key: Option<String>,
    }
}
request! {
    /// Names a file or folder with language packs.
    PackImportRequest {
        /// Absolute path.
        path: String,
    }
}
