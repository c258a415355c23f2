//! Guides: kept, attached, told to the model, and carried as files without a byte changed.

use std::fs;

use super::*;
use crate::schema::{
    GuideAttachRequest, GuideExportRequest, GuideImportRequest, GuideRequest, GuideSaveRequest,
    ProjectRequest,
};
use crate::view::guide::{GuideFileView, GuideView, GuidesView};

const HOUSE: &str = "\u{feff}# House style\r\n\r\nNever use an exclamation mark.\r\n";

impl Bench {
    async fn project_id(&self) -> String {
        let path = self.project.path().display().to_string();
        let opened = self.wb().project_open(ProjectOpenRequest { path }).await;
        opened.unwrap().id
    }

    async fn guides(&self) -> Vec<GuideView> {
        let project_id = self.project_id().await;
        let list = self.wb().guide_list(ProjectRequest { project_id }).await;
        list.unwrap().guides
    }

    pub(super) async fn save_guide(
        &self,
        id: Option<i64>,
        text: &str,
    ) -> Result<GuidesView, ApiError> {
        let request = GuideSaveRequest {
            project_id: self.project_id().await,
            id,
            text: text.to_owned(),
        };
        self.wb().guide_save(request).await
    }

    async fn attach(&self, id: i64, attached: bool) -> Result<GuidesView, ApiError> {
        let project_id = self.project_id().await;
        let request = GuideAttachRequest {
            project_id,
            id,
            attached,
        };
        self.wb().guide_attach(request).await
    }

    async fn import(&self, path: String) -> Result<GuideFileView, ApiError> {
        let request = GuideImportRequest { path: Some(path) };
        Ok(self.wb().guide_import(request).await?.unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guide_goes_through_files_without_a_byte_changed() {
    let mut bench = Bench::new(&[("intro.md", INTRO)]);
    let file = bench.data.path().join("house.md");
    fs::write(&file, HOUSE).unwrap();
    let read = bench.import(file.display().to_string()).await.unwrap();
    assert_eq!((read.id, read.title.as_str()), (None, "House style"));
    assert!(bench.guides().await.is_empty(), "nothing is kept yet");
    bench.save_guide(None, &read.text).await.unwrap();
    bench.reopen().await;
    let guide = bench.guides().await.remove(0);
    assert!(guide.is_attached && guide.n_tokens > 5);
    assert_eq!(guide.opening, "Never use an exclamation mark.");
    let out = bench.data.path().join("out.md");
    let request = GuideExportRequest {
        id: guide.id,
        path: Some(out.display().to_string()),
    };
    let told = bench.wb().guide_export(request).await.unwrap();
    assert_eq!(told.path, Some(out.display().to_string()));
    assert_eq!(fs::read(&out).unwrap(), HOUSE.as_bytes());
    let name = bench.wb().guide_file_name(guide.id).await.unwrap();
    assert_eq!(name, "House style.md");
    let again = bench.import(out.display().to_string()).await.unwrap();
    assert_eq!(
        again.id,
        Some(guide.id),
        "it would replace the one that is there"
    );
    // A page gives lines without carriage returns.
    let typed = "# House style\n\nNew.\n";
    bench.save_guide(Some(guide.id), typed).await.unwrap();
    assert_eq!(bench.guides().await[0].text, typed.replace('\n', "\r\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_guide_is_refused_in_plain_words() {
    let bench = Bench::new(&[("intro.md", INTRO)]);
    bench.save_guide(None, "# House style\n").await.unwrap();
    let code = |refused: Result<GuidesView, ApiError>| refused.unwrap_err().code;
    for text in ["", "\n \n", "a\0b", &"x ".repeat(40_000)] {
        assert_eq!(
            code(bench.save_guide(None, text).await),
            ErrorCode::GuideRefused
        );
    }
    let taken = bench.save_guide(None, "# house STYLE\n").await;
    assert_eq!(code(taken), ErrorCode::GuideTaken);
    assert_eq!(
        code(bench.save_guide(Some(99), "# X\n").await),
        ErrorCode::BadRequest
    );
    assert_eq!(code(bench.attach(99, true).await), ErrorCode::BadRequest);
    let latin = bench.data.path().join("latin.md");
    fs::write(&latin, b"# Gr\xf6\xdfe\n").unwrap();
    let refused = bench.import(latin.display().to_string()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::GuideRefused);
    let refused = bench
        .import("/no/such/file.md".to_owned())
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::FileUnreadable);
    for n in 1..diglot_agent::limits::GUIDES {
        bench
            .save_guide(None, &format!("# Guide {n}\n"))
            .await
            .unwrap();
    }
    let full = bench.save_guide(None, "# One more\n").await.unwrap().guides;
    let more = full.iter().find(|guide| guide.title == "One more").unwrap();
    assert!(!more.is_attached);
    assert_eq!(
        code(bench.attach(more.id, true).await),
        ErrorCode::GuideRefused
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agent_is_told_of_what_is_attached_and_loads_it() {
    let bench = Bench::new(&[("intro.md", INTRO)]);
    bench.save_guide(None, HOUSE).await.unwrap();
    bench
        .save_guide(None, "# Law\n\nCite by paragraph.\n")
        .await
        .unwrap();
    let id = bench
        .guides()
        .await
        .iter()
        .find(|guide| guide.title == "Law")
        .unwrap()
        .id;
    bench.attach(id, false).await.unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let server = FakeServer::start(move |request| {
        let mut asked = lock(&seen);
        asked.push(request.body.to_string());
        if asked.len() == 1 {
            Reply::call("Guide", &json!({"name": "House style"}))
        } else {
            Reply::words("Done.")
        }
    })
    .unwrap();
    bench.use_server(&server).await;
    let session = bench.start("de").await;
    let view = bench.run(session).await;
    let guided =
        |turn: &TurnKind| matches!(turn, TurnKind::Guided { title } if title == "House style");
    assert!(view.turns.iter().any(|turn| guided(&turn.turn)), "{view:?}");
    let texts = lock(&asked).clone();
    assert!(texts[0].contains("House style") && !texts[0].contains("Law"));
    assert!(texts[1].contains("by the person") && texts[1].contains("exclamation mark"));
    // What is attached in the middle holds from the next request on.
    bench.attach(id, true).await.unwrap();
    let say = SessionInputRequest {
        session_id: session,
        text: "Go on.".to_owned(),
    };
    bench.wb().session_input(say).await.unwrap();
    bench.run(session).await;
    let last = lock(&asked).last().cloned().unwrap();
    assert!(last.contains("Cite by paragraph"), "{last}");
    bench.wb().guide_delete(GuideRequest { id }).await.unwrap();
    assert_eq!(bench.guides().await.len(), 1);
}
