//! Rejections with a fault and a marked piece, and the drafts that come after them.

use diglot_testkit::FakeServer;

use super::*;
use crate::schema::{MarkedRequest, RejectRequest};
use crate::view::document::DiffKindView;
use crate::view::session::FaultView;

const FOUR: &str = "One file.\n\nTwo files.\n\nThree files.\n\nFour files.\n";

/// Reads, then gives each unit in turn the next draft of the list.
fn server(drafts: &'static [(usize, &'static str)]) -> FakeServer {
    let (mut has_read, mut left) = (false, drafts.iter());
    let reply = move |_: &diglot_testkit::Recorded| {
        if !std::mem::replace(&mut has_read, true) {
            return Reply::call("Read", &json!({"file_id": "a.txt"}));
        }
        left.next().map_or_else(
            || Reply::words("Done."),
            |(unit, text)| {
                let arguments = json!({"file_id": "a.txt", "unit": unit, "translate_string": text});
                Reply::call("Translate", &arguments)
            },
        )
    };
    FakeServer::start(reply).unwrap()
}

fn reject(fault: FaultView, text: &str, occurrence: usize) -> DecisionRequest {
    DecisionRequest::Reject(RejectRequest {
        reason: String::new(),
        fault: Some(fault),
        marked: Some(MarkedRequest {
            text: text.to_owned(),
            occurrence,
        }),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redraft_is_shown_against_the_draft_that_was_rejected() {
    let bench = Bench::new(&[("a.txt", FOUR)]);
    let server = server(&[(1, "Eine Akte."), (1, "Eine Datei.")]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let draft = proposals(&bench.run(id).await)[0].clone();
    assert!(draft.redraft.is_none());
    let nowhere = reject(FaultView::Term, "Akte", 2);
    let refused = bench.respond(id, &draft.call_id, nowhere).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::DecisionIncomplete);
    let rejection = reject(FaultView::Term, "Akte", 1);
    bench.respond(id, &draft.call_id, rejection).await.unwrap();
    let again = proposals(&bench.run(id).await)[0].clone();
    let redraft = again.redraft.unwrap();
    assert_eq!(
        (
            redraft.fault,
            redraft.marked.as_deref(),
            redraft.reason.as_str()
        ),
        (Some(FaultView::Term), Some("Akte"), "")
    );
    let pieces: Vec<(DiffKindView, &str)> = redraft
        .pieces
        .iter()
        .map(|piece| (piece.kind, piece.text.as_str()))
        .collect();
    let expected = [
        (DiffKindView::Equal, "Eine "),
        (DiffKindView::Removed, "Akte"),
        (DiffKindView::Added, "Datei"),
        (DiffKindView::Equal, "."),
    ];
    assert_eq!(pieces, expected);
}
