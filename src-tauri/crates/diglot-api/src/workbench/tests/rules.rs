//! Rules for the formats of a folder: counts, what is read anew, and what is kept.

use super::*;
use crate::schema::{DocumentViewRequest, ProjectRequest, ProjectSetRulesRequest};

const APP: &str = "{\"title\": \"Open the file\", \"remark\": \"Close the door\"}\n";

async fn set(bench: &Bench, off: &[&str], keys_out: &[&str]) -> Result<(), ApiError> {
    let path = bench.project.path().display().to_string();
    let request = ProjectOpenRequest { path };
    let project_id = bench.wb().project_open(request).await?.id;
    let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
    let request = ProjectSetRulesRequest {
        project_id: project_id.clone(),
        off: texts(off),
        keys_out: texts(keys_out),
        keys_in: Vec::new(),
        columns: Vec::new(),
        attributes: Vec::new(),
    };
    let set = bench.wb().project_set_rules(request).await?;
    let seen = bench
        .wb()
        .project_rules(ProjectRequest { project_id })
        .await?;
    assert_eq!(set, seen);
    Ok(())
}

async fn units(bench: &Bench, session_id: i64) -> Vec<(String, Option<String>)> {
    let request = DocumentViewRequest {
        session_id,
        path: "app.json".to_owned(),
        from_unit: None,
        limit: None,
    };
    let view = bench.wb().document_view(request).await.unwrap();
    let text = |unit: crate::view::document::UnitView| (unit.source, unit.target);
    view.units.into_iter().map(text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_left_out_is_no_unit_and_the_others_stay_confirmed() {
    let mut bench = Bench::new(&[("app.json", APP)]);
    let id = bench.start("de").await;
    bench.run(id).await;
    let drafts = proposals(&bench.run(id).await);
    let second = &drafts[1];
    assert_eq!(second.source, "Close the door");
    bench
        .respond(id, &second.call_id, refine("Schließe die Tür"))
        .await
        .unwrap();
    set(&bench, &[], &["title"]).await.unwrap();
    let kept = vec![(
        "Close the door".to_owned(),
        Some("Schließe die Tür".to_owned()),
    )];
    assert_eq!(units(&bench, id).await, kept);
    bench.reopen().await;
    assert_eq!(units(&bench, id).await, kept);
    set(&bench, &[], &[]).await.unwrap();
    assert_eq!(units(&bench, id).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_format_that_is_off_is_named_and_not_opened() {
    let bench = Bench::new(&[("app.json", APP), ("notes.txt", NOTES)]);
    set(&bench, &["json"], &[]).await.unwrap();
    let path = bench.project.path().display().to_string();
    let view = bench
        .wb()
        .project_open(ProjectOpenRequest { path })
        .await
        .unwrap();
    let app = view.files.iter().find(|file| file.path == "app.json");
    let reason = app.unwrap().reason;
    assert_eq!(reason, Some(crate::view::project::ReasonView::SwitchedOff));
    let id = bench.start("de").await;
    let read = |draft: ProposalView| draft.path;
    let drafted: Vec<String> = proposals(&bench.run(id).await)
        .into_iter()
        .map(read)
        .collect();
    assert!(drafted.iter().all(|path| path == "notes.txt") && !drafted.is_empty());
    let refused = set(&bench, &["klingon"], &[]).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::BadRequest);
}
