//! The main job with a model, played by a server on loopback: it asks, drafts, and hears what the person says.

use diglot_api::view::settings::{ProtocolChoice, ProviderSettings, Theme};
use diglot_testkit::{Cooperation, FakeServer, Recorded, Reply, marked};
use serde_json::json;

use crate::home::Home;
use crate::journey::start;
use crate::wanted;
use crate::window::{Window, until, until_file};

const SOURCE: &str = "# Tides\n\nThe sea comes.\n\nThe sea goes.\n";
const INSTRUCTION: &str = "use the informal form";

#[tokio::test(flavor = "multi_thread")]
async fn a_model_asks_drafts_and_listens() {
    if !wanted() {
        return;
    }
    let server = FakeServer::start(inquisitive()).unwrap();
    let base_url = server.base_url();
    let home = Home::with_settings(|settings| {
        settings.providers = vec![ProviderSettings {
            id: "loopback".to_owned(),
            name: "Loopback".to_owned(),
            base_url,
            model: "test-model".to_owned(),
            protocol: ProtocolChoice::Tools,
            temperature: None,
            max_output_tokens: None,
        }];
        "loopback".clone_into(&mut settings.translator);
        settings.theme = Theme::Dark;
    })
    .await;
    let folder = home.folder("tides", &[("tides.md", SOURCE)]);

    let window = Window::open(&home, &[&folder]).await;
    start(&window, "Arabic").await;
    window
        .find("[data-testid=ask-card][data-state=waiting]")
        .await;
    window.click("ask-option").await;
    window.photograph("question-dark").await;
    window.click("ask-send").await;
    window
        .find("[data-testid=ask-card][data-state=answered]")
        .await;

    window.under_review(1).await;
    let cards = "return document.querySelectorAll('[data-testid=ask-card]').length";
    assert_eq!(
        window.run(cards, Vec::new()).await,
        1,
        "one question, one card"
    );
    window.photograph("review-rtl-dark").await;
    window.fill("talk-input", INSTRUCTION).await;
    window.click("talk-send").await;
    until("the model hears the instruction", async || {
        server.chats().iter().any(|chat| says(chat, INSTRUCTION))
    })
    .await;
    for unit in 1..=3 {
        window.under_review(unit).await;
        window.click("approve").await;
        window.unit(unit, "approved").await;
    }
    window
        .find("[data-testid=finish-note][data-kind=complete]")
        .await;
    let expected = format!(
        "# {}\n\n{}\n\n{}\n",
        marked("Tides"),
        marked("The sea comes."),
        marked("The sea goes.")
    );
    until_file(&home.at("tides-ar/tides.md"), &expected).await;
    assert_eq!(server.violations(), [] as [String; 0]);
    let last = server.chats().pop().unwrap();
    assert!(says(&last, INSTRUCTION), "the model forgot");
}

/// Makes a model that asks once, then works well.
fn inquisitive() -> impl FnMut(&Recorded) -> Reply {
    let mut has_asked = false;
    move |request| {
        if !request.is_chat() {
            let models =
                json!({"object": "list", "data": [{"id": "test-model", "object": "model"}]});
            return Reply::json(200, &models);
        }
        if request.is_memory() {
            return Reply::words("{\"ops\": []}");
        }
        if has_asked {
            return Cooperation::default().reply(request);
        }
        has_asked = true;
        let question = json!({"question": "How formal?", "options": ["Formal", "Informal"]});
        Reply::call("Ask", &question)
    }
}

fn says(request: &Recorded, text: &str) -> bool {
    let mut messages = request.messages().iter();
    messages.any(|message| {
        message["content"]
            .as_str()
            .is_some_and(|said| said.contains(text))
    })
}
