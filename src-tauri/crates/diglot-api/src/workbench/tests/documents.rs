//! Documents that the agent has not come to: shown as they are on disk, whatever was looked at before.

use super::*;
use crate::schema::DocumentViewRequest;

#[tokio::test(flavor = "multi_thread")]
async fn an_unread_document_is_shown_as_it_is_on_disk_now() {
    let bench = Bench::new(&[("intro.md", INTRO)]);
    let id = bench.start("de").await;
    let first = async || {
        let request = DocumentViewRequest {
            session_id: id,
            path: "intro.md".to_owned(),
            from_unit: None,
            limit: Some(1),
        };
        let page = bench.wb().document_view(request).await.unwrap();
        (page.n_units, page.units[0].source.clone())
    };
    assert_eq!(first().await, (3, "Title".to_owned()));
    bench.project.write("intro.md", "Only this.\n").unwrap();
    assert_eq!(first().await, (1, "Only this.".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_beginning_of_a_large_document_tells_its_language() {
    let text = "Das Ventil ist offen und die Pumpe läuft seit gestern Abend.\n\n".repeat(20_000);
    let bench = Bench::new(&[("buch.txt", text.as_str())]);
    let path = bench.project.path().display().to_string();
    let request = ProjectOpenRequest { path };
    let project = bench.wb().project_open(request).await.unwrap();
    assert_eq!(project.source_language.as_deref(), Some("de"));
    assert_eq!(
        project.files[0].n_units, None,
        "it is counted behind the page"
    );
}
