//! The receipt of a draft: read back from the log, with the request as it was sent.

use std::sync::Arc;

use diglot_agent::context::{Given, GivenTerm, Receipt, Share, ShareKind};
use diglot_agent::entry::UnitRef;
use diglot_agent::message::{Asked, Usage};
use diglot_agent::{CallId, Context, Seq, prompt};
use diglot_document::TermStatus;
use diglot_openai::{Manner, Protocol};

use crate::error::ApiError;
use crate::schema::DraftReceiptRequest;
use crate::view::receipt::{
    BlockView, GivenMatchView, GivenTermView, GivenView, PairView, ReceiptView, ShareKindView,
    ShareView, UsageView,
};
use crate::view::settings::ProtocolChoice;
use crate::workbench::decide::unit_ref;
use crate::workbench::sessions::Session;
use crate::workbench::{Workbench, blocking, lock};

impl Workbench {
    /// Says what the last draft of a unit was made from; `None` when there was none.
    pub async fn draft_receipt(
        self: &Arc<Self>,
        request: DraftReceiptRequest,
    ) -> Result<Option<ReceiptView>, ApiError> {
        let unit = unit_ref(&request.path, request.unit)?;
        let session = self.session(request.session_id).await?;
        let workbench = Arc::clone(self);
        let with_request = request.with_request == Some(true);
        blocking(move || workbench.receipt_of(&session, &unit, with_request)).await
    }

    fn receipt_of(
        &self,
        session: &Session,
        unit: &UnitRef,
        with_request: bool,
    ) -> Result<Option<ReceiptView>, ApiError> {
        let Some(id) = ({
            let mut context = lock(&session.context);
            self.catch_up(session, &mut context)?;
            context.last_draft_of(unit)
        }) else {
            return Ok(None);
        };
        self.with_past(session, &id, |context| {
            let receipt = context.receipt(&id)?;
            Some(self.shown(context, &receipt, with_request))
        })
    }

    fn shown(&self, context: &Context, receipt: &Receipt, with_request: bool) -> ReceiptView {
        let asked = receipt.asked.as_deref();
        let manner = asked.and_then(|asked| Manner::read(&asked.manner));
        // A log of a version that did not keep how models were asked tells by the tokens.
        let was_sent = match asked {
            Some(_) => manner.is_some(),
            None => receipt.usage.total() > 0,
        };
        let mut view = receipt_view(receipt, manner.as_ref(), was_sent);
        if was_sent {
            let request = prompt::past_request(context, receipt.answer, asked, &self.tools);
            let shares = receipt.shares(context, &request).into_iter();
            view.shares = shares.map(share_view).collect();
            view.request = asked
                .zip(manner)
                .filter(|_| with_request)
                .map(|(asked, manner)| manner.body(&request, &asked.model));
        }
        view
    }

    /// Looks at a session as it was when a call was proposed: by the context at hand where that still holds it, else by a
    /// fold of the log up to there.
    fn with_past<T>(
        &self,
        session: &Session,
        id: &CallId,
        look: impl FnOnce(&Context) -> Option<T>,
    ) -> Result<Option<T>, ApiError> {
        let Some(answer) = id.seq() else {
            return Ok(None);
        };
        {
            let context = lock(&session.context);
            if context.call(id).is_some() && context.holds_request(answer) {
                return Ok(look(&context));
            }
        }
        let row = lock(&session.row).clone();
        let settings = lock(&self.settings).clone();
        let context = self.fold_before(&row, &settings, Seq(answer.0 + 1))?;
        Ok(look(&context))
    }
}

/// Takes the name that a model has in the log apart: its own, and the host where it is asked.
pub(super) fn model_and_host(name: &str) -> (String, Option<String>) {
    let Some(rest) = name.strip_prefix("openai-compatible:") else {
        return (name.to_owned(), None);
    };
    match rest.rsplit_once('@') {
        Some((model, host)) => (model.to_owned(), Some(host.to_owned())),
        None => (rest.to_owned(), None),
    }
}

fn receipt_view(receipt: &Receipt, manner: Option<&Manner>, was_sent: bool) -> ReceiptView {
    let asked = receipt.asked.as_deref();
    let name = asked.map(|asked| model_and_host(&asked.model));
    let is_exact = |asked: &Asked| asked.program == prompt::PROGRAM;
    let pair = |(source, target): &(String, String)| PairView {
        source: source.clone(),
        target: target.clone(),
    };
    let found = receipt.matches.iter().map(|found| GivenMatchView {
        percent: found.percent,
        source: found.source.clone(),
        target: found.target.clone(),
    });
    ReceiptView {
        call_id: receipt.call_id.to_string(),
        origin: receipt.origin.into(),
        host: name.as_ref().and_then(|(_, host)| host.clone()),
        model: name.map(|(model, _)| model),
        protocol: manner.map(|manner| match manner.protocol {
            Protocol::Tools => ProtocolChoice::Tools,
            Protocol::JsonSchema => ProtocolChoice::JsonSchema,
        }),
        usage: usage_view(receipt.usage),
        n_drafts: receipt.n_drafts,
        memory_version: receipt.memory_version.clone(),
        given: receipt.given.iter().map(given_view).collect(),
        terms: receipt.terms.iter().map(term_view).collect(),
        pairs: receipt.pairs.iter().map(pair).collect(),
        matches: found.collect(),
        block: receipt.block.as_ref().map(|(path, from, to)| BlockView {
            path: path.as_str().to_owned(),
            from_unit: *from,
            to_unit: *to,
        }),
        shares: Vec::new(),
        was_sent,
        is_exact: was_sent && asked.is_some_and(is_exact),
        request: None,
    }
}

fn given_view(given: &Given) -> GivenView {
    GivenView {
        id: given.id,
        text: given.text.clone(),
        is_late: given.is_late,
    }
}

fn term_view(given: &GivenTerm) -> GivenTermView {
    GivenTermView {
        source: given.entry.source.clone(),
        target: given.entry.target.clone(),
        is_forbidden: given.entry.status == TermStatus::Forbidden,
        is_late: given.is_late,
        concerns: given.concerns,
    }
}

pub(super) fn usage_view(usage: Usage) -> UsageView {
    UsageView {
        n_input: usage.n_input,
        n_cached: usage.n_cached,
        n_output: usage.n_output,
    }
}

fn share_view(share: Share) -> ShareView {
    ShareView {
        kind: match share.kind {
            ShareKind::System => ShareKindView::System,
            ShareKind::Tools => ShareKindView::Tools,
            ShareKind::Memory => ShareKindView::Memory,
            ShareKind::Terms => ShareKindView::Terms,
            ShareKind::Messages => ShareKindView::Messages,
            ShareKind::Examples => ShareKindView::Examples,
            ShareKind::Matches => ShareKindView::Matches,
            ShareKind::Source => ShareKindView::Source,
            ShareKind::Turns => ShareKindView::Turns,
        },
        n_tokens: share.n_tokens,
    }
}
