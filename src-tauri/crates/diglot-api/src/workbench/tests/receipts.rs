//! Receipts: what a draft was made from, and the very request that was sent for it.

use diglot_agent::{Entry, Message, Seq, SessionId};
use diglot_testkit::Recorded;

use super::*;
use crate::schema::DraftReceiptRequest;
use crate::view::receipt::{ReceiptView, ShareKindView};

const LINES: usize = 14;

/// Makes a document of so many paragraphs.
fn document() -> String {
    let lines = (1..=LINES).map(|line| format!("Line {line} opens the valve.\n"));
    lines.collect::<Vec<_>>().join("\n")
}

fn settings(server: &FakeServer, protocol: ProtocolChoice, temperature: f32) -> Settings {
    let provider = ProviderSettings {
        id: "fake".to_owned(),
        name: "Fake".to_owned(),
        base_url: server.base_url(),
        model: "m".to_owned(),
        protocol,
        temperature: Some(temperature),
        max_output_tokens: Some(900),
    };
    Settings {
        providers: vec![provider],
        translator: "fake".to_owned(),
        chunk_units: 4,
        ..Settings::default()
    }
}

async fn set(bench: &Bench, settings: Settings) {
    let request = SettingsUpdateRequest { settings };
    bench.wb().settings_update(request).await.unwrap();
}

async fn learn(bench: &Bench, session_id: i64, source: &str, target: &str) {
    let request = MemoryUpdateRequest {
        kind: Some(MemoryKindView::Terminology),
        term_source: Some(source.to_owned()),
        term_target: Some(target.to_owned()),
        ..memory_update(session_id, None)
    };
    bench.wb().memory_update(request).await.unwrap();
}

/// Decides drafts until so many units are confirmed: every third is refined, one is rejected.
async fn work(bench: &Bench, id: i64, n_units: u64) {
    let mut n = 0;
    loop {
        let view = bench.run(id).await;
        if view.session.n_confirmed >= n_units {
            return;
        }
        for draft in proposals(&view) {
            n += 1;
            let decision = match n % 3 {
                0 if n == 6 => DecisionRequest::reject("too literal"),
                0 => refine(&format!("Zeile {} öffnet das Ventil.", draft.unit)),
                _ => approve(),
            };
            bench.respond(id, &draft.call_id, decision).await.unwrap();
        }
    }
}

async fn receipt(bench: &Bench, session_id: i64, unit: usize) -> Option<ReceiptView> {
    let request = DraftReceiptRequest {
        session_id,
        path: "guide.txt".to_owned(),
        unit,
        with_request: Some(true),
    };
    bench.wb().draft_receipt(request).await.unwrap()
}

/// Returns for each answer of the log the calls in it, in order.
fn answers(bench: &Bench, id: i64) -> Vec<Vec<String>> {
    let entries = bench.wb().store().entries(SessionId(id), Seq(0)).unwrap();
    let calls = |entry| {
        let Entry::Message(Message::Assistant { tool_calls, .. }) = entry else {
            return None;
        };
        Some(tool_calls.iter().map(|call| call.id.to_string()).collect())
    };
    entries
        .into_iter()
        .filter_map(|(_, entry)| calls(entry))
        .collect()
}

/// Holds that the receipt of every unit gives the bytes that came over the wire for it; the n-th request was answered
/// by the n-th answer.
async fn assert_as_sent(bench: &Bench, id: i64, sent: &[Recorded]) {
    let answers = answers(bench, id);
    assert_eq!(answers.len(), sent.len());
    for unit in 1..=LINES {
        let receipt = receipt(bench, id, unit).await.unwrap();
        let place = answers
            .iter()
            .position(|calls| calls.contains(&receipt.call_id));
        let sent = &sent[place.unwrap()];
        assert_eq!(sent.n_bytes, sent.text.len());
        assert_eq!(
            receipt.request.as_deref(),
            Some(sent.text.as_str()),
            "unit {unit}"
        );
        assert!(receipt.is_exact && receipt.was_sent);
        let n_shared: u64 = receipt.shares.iter().map(|share| share.n_tokens).sum();
        assert_eq!(n_shared, receipt.usage.n_input, "unit {unit}");
    }
}

async fn the_request_is_shown_as_it_was_sent(protocol: ProtocolChoice) {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let mut bench = Bench::new(&[("guide.txt", &document())]);
    set(&bench, settings(&server, protocol, 0.3)).await;
    let id = bench.start("de").await;
    learn(&bench, id, "valve", "Ventil").await;
    work(&bench, id, 5).await;
    // What is set and learnt later is in later requests alone.
    let changed = Settings {
        look_ahead: 2,
        ..settings(&server, protocol, 0.7)
    };
    set(&bench, changed).await;
    learn(&bench, id, "opens", "öffnet").await;
    work(&bench, id, LINES as u64).await;
    let sent = server.chats();
    assert_as_sent(&bench, id, &sent).await;
    bench.reopen().await;
    assert_as_sent(&bench, id, &sent).await;

    let first = receipt(&bench, id, 1).await.unwrap();
    let last = receipt(&bench, id, LINES).await.unwrap();
    let terms = |receipt: &ReceiptView| -> Vec<(String, bool)> {
        let given = receipt.terms.iter();
        let mut terms: Vec<(String, bool)> = given
            .map(|given| (given.source.clone(), given.concerns))
            .collect();
        terms.sort_unstable();
        terms
    };
    assert_eq!(terms(&first), [("valve".to_owned(), true)]);
    // Terms that the person goes against again and again are suspended, so the last units are told of none.
    let mut later = None;
    for unit in 2..LINES {
        let told = receipt(&bench, id, unit).await.unwrap();
        let is_told = terms(&told).contains(&("opens".to_owned(), true));
        later = later.or(is_told.then_some(told));
    }
    let later = later.unwrap();
    assert_ne!(first.memory_version, later.memory_version);
    assert_eq!(later.memory_version.len(), 8);
    assert_eq!((first.pairs.len(), last.pairs.len()), (0, 5));
    assert_eq!(first.model.as_deref(), Some("m"));
    assert_eq!(first.protocol, Some(protocol));
    let block = last.block.unwrap();
    assert!(block.from_unit > 1 && block.to_unit == LINES, "{block:?}");
    let shares = last.shares.iter().chain(&later.shares);
    let kinds: Vec<ShareKindView> = shares.map(|share| share.kind).collect();
    for kind in [
        ShareKindView::System,
        ShareKindView::Terms,
        ShareKindView::Examples,
        ShareKindView::Source,
    ] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_tools_is_shown_as_it_was_sent() {
    the_request_is_shown_as_it_was_sent(ProtocolChoice::Tools).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_by_json_actions_is_shown_as_it_was_sent() {
    the_request_is_shown_as_it_was_sent(ProtocolChoice::JsonSchema).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_drafted_here_sends_nothing_and_what_is_typed_has_no_receipt() {
    let bench = Bench::new(&[("guide.txt", &document())]);
    let id = bench.start("de").await;
    assert_eq!(receipt(&bench, id, 1).await, None);
    let view = bench.run(id).await;
    let draft = proposals(&view).remove(0);
    let receipt = receipt(&bench, id, draft.unit).await.unwrap();
    assert_eq!((receipt.call_id, receipt.host), (draft.call_id, None));
    assert!(!receipt.was_sent && !receipt.is_exact);
    assert_eq!((receipt.request, receipt.shares.len()), (None, 0));
}
