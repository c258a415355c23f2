//! Findings over all that was confirmed, and those that were set aside.

use super::*;
use crate::schema::{IssueDismissRequest, ProposalDiffRequest};
use crate::view::checks::ChecksView;

const TEXT: &str = "Press the **red** button.\n\nOpen 3 doors.\n\nOpen 3 doors.\n";

async fn checks(bench: &Bench, session_id: i64) -> ChecksView {
    let request = SessionRequest { session_id };
    bench.wb().session_check(request).await.unwrap()
}

async fn confirm(bench: &Bench, session_id: i64, unit: usize, target: &str) {
    let request = UnitReviseRequest {
        session_id,
        path: "a.md".to_owned(),
        unit,
        target: target.to_owned(),
    };
    bench.wb().unit_revise(request).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn confirmed_units_are_checked_and_a_finding_set_aside_stays_so() {
    let mut bench = Bench::new(&[("a.md", TEXT)]);
    let id = bench.start("de").await;
    bench.run(id).await;
    confirm(&bench, id, 1, "Drücken Sie den **roten** Knopf.").await;
    confirm(&bench, id, 2, "Öffnen Sie 5 Türen.").await;
    confirm(&bench, id, 3, "Öffnen Sie 3 Türen.").await;
    let found = checks(&bench, id).await;
    assert_eq!((found.n_checked, found.n_findings), (3, 1));
    let finding = found.findings[0].clone();
    assert_eq!(
        (finding.unit, finding.issue.missing.as_slice()),
        (2, &["3".to_owned()][..])
    );
    let places: Vec<usize> = found.inconsistencies[0]
        .targets
        .iter()
        .map(|target| target.places[0].unit)
        .collect();
    assert_eq!((found.n_inconsistencies, places), (1, vec![2, 3]));

    let dismiss = |dismissed| IssueDismissRequest {
        session_id: id,
        path: finding.path.clone(),
        unit: finding.unit,
        target: finding.target.clone(),
        fingerprint: finding.issue.fingerprint.clone(),
        dismissed,
    };
    bench.wb().issue_dismiss(dismiss(true)).await.unwrap();
    bench.reopen().await;
    let found = checks(&bench, id).await;
    assert_eq!(
        (found.n_findings, found.findings[0].issue.dismissed),
        (0, true)
    );
    let diff = |target: &str| ProposalDiffRequest {
        session_id: id,
        path: "a.md".to_owned(),
        unit: 2,
        target: target.to_owned(),
    };
    let same = bench
        .wb()
        .proposal_diff(diff("Öffnen Sie 5 Türen."))
        .await
        .unwrap();
    assert!(same.issues[0].dismissed, "for that text");
    let other = bench
        .wb()
        .proposal_diff(diff("Öffnen Sie 5 Tore."))
        .await
        .unwrap();
    assert!(!other.issues[0].dismissed, "not for another");
    bench.wb().issue_dismiss(dismiss(false)).await.unwrap();
    assert_eq!(checks(&bench, id).await.n_findings, 1);
}
