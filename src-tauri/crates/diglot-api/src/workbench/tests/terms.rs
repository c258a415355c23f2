//! Terms of a session: shown while somebody types, and waived for a source.

use diglot_document::TermStatus;
use diglot_store::TermRow;

use super::*;
use crate::schema::{IssueDismissRequest, ProposalDiffRequest};
use crate::view::document::{DiffView, IssueKindView};
use crate::view::terms::TermStateView;

const TEXT: &str = "Oil the **seal** ring.\n\nTwo seals.\n\nThe seal.\n\nThe seal.\n";

fn term(source: &str, target: &str, status: TermStatus) -> TermRow {
    TermRow {
        source: source.to_owned(),
        target: target.to_owned(),
        status,
        updated_at: 1,
        ..TermRow::default()
    }
}

async fn started() -> (Bench, i64) {
    let bench = Bench::new(&[("a.md", TEXT)]);
    let id = bench.start("de").await;
    let languages = lock(&bench.wb().session(id).await.unwrap().context)
        .settings()
        .languages
        .clone();
    let terms = [
        term("seal", "Dichtung", TermStatus::Preferred),
        term("seal", "Gummi", TermStatus::Forbidden),
        term("seal ring", "Simmerring", TermStatus::Preferred),
    ];
    bench.wb().store().add_terms(&languages, &terms).unwrap();
    bench.run(id).await;
    (bench, id)
}

async fn diff(bench: &Bench, session_id: i64, unit: usize, target: &str) -> DiffView {
    let request = ProposalDiffRequest {
        session_id,
        path: "a.md".to_owned(),
        unit,
        target: target.to_owned(),
    };
    bench.wb().proposal_diff(request).await.unwrap()
}

fn term_issues(view: &DiffView) -> Vec<(IssueKindView, bool)> {
    let issues = view.issues.iter();
    let of_terms = issues.filter(|issue| {
        matches!(
            issue.kind,
            IssueKindView::Term | IssueKindView::ForbiddenTerm
        )
    });
    of_terms
        .map(|issue| (issue.kind, issue.dismissed))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn terms_are_lit_in_the_source_and_met_or_not_while_somebody_types() {
    let (bench, id) = started().await;
    let view = diff(&bench, id, 1, "Den Ring ölen.").await;
    let parts: Vec<(&str, bool, Option<usize>)> = view
        .source_parts
        .iter()
        .map(|part| (part.text.as_str(), part.placeable.is_some(), part.term))
        .collect();
    assert_eq!(
        parts,
        [
            ("Oil the ", false, None),
            ("**", true, None),
            ("seal", false, Some(0)),
            ("**", true, Some(0)),
            (" ring", false, Some(0)),
            (".", false, None),
        ]
    );
    assert_eq!(view.terms.len(), 1);
    let found = &view.terms[0];
    assert_eq!(found.targets[0].target, "Simmerring");
    assert_eq!((found.certain, found.state), (true, TermStateView::Unmet));
    let view = diff(&bench, id, 1, "Den Simmerring ölen.").await;
    assert_eq!(view.terms[0].state, TermStateView::Met);
    let view = diff(&bench, id, 2, "Zwei Gummi.").await;
    assert_eq!(
        (view.terms[0].certain, view.terms[0].state),
        (false, TermStateView::Forbidden)
    );
    assert_eq!(term_issues(&view), [(IssueKindView::ForbiddenTerm, false)]);
    // A term that is added meanwhile is known with the next letter.
    let languages = lock(&bench.wb().session(id).await.unwrap().context)
        .settings()
        .languages
        .clone();
    let ring = term("seal", "Robbe", TermStatus::Admitted);
    bench.wb().store().put_term(&languages, &ring).unwrap();
    let view = diff(&bench, id, 2, "Zwei Robben.").await;
    assert_eq!(view.terms[0].state, TermStateView::Met);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_waived_for_a_source_does_not_come_again() {
    let (mut bench, id) = started().await;
    let before = diff(&bench, id, 2, "Zwei Robben.").await;
    assert_eq!(term_issues(&before), [(IssueKindView::Term, false)]);
    let issue = before.issues.iter().find(|i| i.kind == IssueKindView::Term);
    let dismiss = |dismissed| IssueDismissRequest {
        session_id: id,
        path: "a.md".to_owned(),
        unit: 2,
        target: "Zwei Robben.".to_owned(),
        fingerprint: issue.unwrap().fingerprint.clone(),
        dismissed,
    };
    bench.wb().issue_dismiss(dismiss(true)).await.unwrap();
    let other = diff(&bench, id, 2, "Zwei alte Robben.").await;
    assert_eq!(term_issues(&other), [(IssueKindView::Term, true)]);
    bench.wb().issue_dismiss(dismiss(false)).await.unwrap();
    let other = diff(&bench, id, 2, "Zwei alte Robben.").await;
    assert_eq!(term_issues(&other), [(IssueKindView::Term, false)]);

    // Who confirms a unit without its term has said so, for every unit with this source.
    let request = UnitReviseRequest {
        session_id: id,
        path: "a.md".to_owned(),
        unit: 3,
        target: "Die Robbe.".to_owned(),
    };
    bench.wb().unit_revise(request).await.unwrap();
    bench.reopen().await;
    let twin = diff(&bench, id, 4, "Eine Robbe.").await;
    assert_eq!(term_issues(&twin), [(IssueKindView::Term, true)]);
    let request = SessionRequest { session_id: id };
    let checks = bench.wb().session_check(request).await.unwrap();
    let open = checks
        .findings
        .iter()
        .filter(|found| !found.issue.dismissed);
    assert_eq!(
        open.filter(|f| f.issue.kind == IssueKindView::Term).count(),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_termbase_is_listed_changed_and_exchanged_with_files() {
    let (bench, id) = started().await;
    let call = |command: &'static str, args: Value| {
        let workbench = Arc::clone(bench.wb());
        async move { workbench.call(command, args).await }
    };
    let list = |query: &str| call("term_list", json!({ "sessionId": id, "query": query }));
    let listed = list("").await.unwrap();
    assert_eq!(listed["nTerms"], 3);
    assert_eq!(listed["terms"][0]["source"], "seal");
    let save = |args: Value| {
        let mut all = json!({ "sessionId": id, "status": "preferred" });
        all.as_object_mut()
            .unwrap()
            .extend(args.as_object().unwrap().clone());
        call("term_save", all)
    };
    let refused = save(json!({ "source": "→", "target": "Pfeil" })).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::TermRefused);
    let pump = save(json!({ "source": " pump\n", "target": "Pumpe", "note": "n" }))
        .await
        .unwrap();
    assert_eq!(
        (&pump["source"], &pump["note"]),
        (&json!("pump"), &json!("n"))
    );
    let changed = json!({ "id": pump["id"], "source": "pump", "target": "Förderpumpe" });
    save(changed).await.unwrap();
    assert_eq!(list("förder").await.unwrap()["nTerms"], 1);
    assert_eq!(list("").await.unwrap()["nTerms"], 4);

    for form in ["tbx2", "tbx3", "csv"] {
        let path = bench
            .data
            .path()
            .join(format!("terms.{form}"))
            .display()
            .to_string();
        let args = json!({ "sessionId": id, "form": form, "path": path });
        call("term_export", args).await.unwrap();
        let args = json!({ "sessionId": id, "path": path });
        let again = call("term_import", args.clone()).await.unwrap();
        assert_eq!(
            (&again["nSame"], &again["nAdded"]),
            (&json!(4), &json!(0)),
            "{form}"
        );
        call("term_delete", json!({ "sessionId": id, "id": pump["id"] }))
            .await
            .unwrap();
        let again = call("term_import", args).await.unwrap();
        let n_added = again["nAdded"].as_u64().unwrap();
        assert!(
            n_added <= 1 && list("").await.unwrap()["nTerms"] == 4,
            "{form}"
        );
    }
    let path = bench.data.path().join("bad.csv");
    std::fs::write(&path, "a,b\n1,2\n").unwrap();
    let bad = call(
        "term_import",
        json!({ "sessionId": id, "path": path.display().to_string() }),
    )
    .await;
    assert_eq!(bad.unwrap_err().code, ErrorCode::TermsUnreadable);
    let nowhere = call("term_import", json!({ "sessionId": id })).await;
    assert_eq!(nowhere.unwrap_err().code, ErrorCode::BadRequest);
}
