//! P20, P21: what documents, models, file names, memory and errors hold is shown as text. It starts no script, loads
//! nothing and leads nowhere, in the real window with the shipped policy.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use diglot_api::schema::{
    MemoryUpdateRequest, ProjectOpenRequest, SessionCreateRequest, SessionRenameRequest,
    SettingsUpdateRequest, UnitReviseRequest,
};
use diglot_api::view::memory::{MemoryKindView, MemoryStateView};
use diglot_api::view::settings::{ProtocolChoice, ProviderSettings};
use diglot_testkit::{Cooperation, FakeServer, Promise, Recorded, Reply};
use serde_json::{Value, json};

use crate::home::Home;
use crate::wanted;
use crate::window::{Window, until};

/// Markup, links and scripts, one a line; `{port}` stands for one that should hear nothing.
const PAYLOADS: &str = include_str!("../fixtures/payloads.txt");
/// A name that a file may have on Linux.
const NAME: &str = "<img src=x onerror=tripped()>\u{202e}.txt";
const MARKUP: &str =
    "<img src=x onerror=tripped()><script>tripped()</script>[x](javascript:tripped())";
/// Long enough for a unit of its own, short enough not to be divided.
const N_CONFIRMED: usize = 120;

/// Counts what must never happen; set up before anything of the folder is in the page.
const TRIPWIRE: &str = "window.trips = [];
    const trip = (name) => (...words) => { window.trips.push(name + ' ' + words.join(' ')); };
    window.tripped = trip('script');
    for (const name of ['alert', 'confirm', 'prompt', 'open', 'print']) window[name] = trip(name);
    document.addEventListener('securitypolicyviolation', (e) => trip('policy')(e.violatedDirective, e.blockedURI));";
/// Lists what markup of a document would leave in the page.
const TRACES: &str = "const traces = [...window.trips];
    for (const element of document.querySelectorAll('*')) {
        const name = element.localName;
        if (/^(img|iframe|object|embed|base|audio|video|source|track|applet|marquee|portal|math|image|use|animate|set)$/.test(name))
            traces.push('<' + name + '>');
        for (const { name: attribute, value } of element.attributes)
            if (/^on/.test(attribute) || /^(href|action|srcdoc|formaction)$/.test(attribute) && !/^tauri:|^\\/|^\\.\\//.test(value))
                traces.push(name + ' ' + attribute + '=' + value);
    }
    for (const entry of performance.getEntriesByType('resource'))
        if (!/^(tauri:\\/\\/localhost|ipc:)/.test(entry.name)) traces.push('load ' + entry.name);
    if (location.protocol + location.host !== 'tauri:localhost') traces.push('page ' + location.href);
    return traces;";
/// Goes to the top.
const TOP: &str = "document.querySelector('[data-testid=unit-grid]').scrollTop = 0";
/// Scrolls one screen down; tells which units were in the page, and whether that was the end.
const SCROLL: &str = "const grid = document.querySelector('[data-testid=unit-grid]');
    const units = [...document.querySelectorAll('[data-unit]')].map((row) => Number(row.dataset.unit));
    const isEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 2;
    grid.scrollTop += grid.clientHeight * 0.8;
    return { units, isEnd };";

/// Addresses that a link could have.
const ADDRESSES: [&str; 12] = [
    "https://example.org/",
    "http://127.0.0.1:9/",
    "file:///etc/passwd",
    "smb://127.0.0.1/x",
    "javascript:document.title='x'",
    "data:text/html,x",
    "vbscript:x",
    "//127.0.0.1/x",
    "tauri://evil.localhost/",
    "https://xn--exmple-cua.org/",
    "mailto:a@b.c",
    "about:blank",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_text_becomes_more_than_text() {
    if !wanted() {
        return;
    }
    let trap = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    trap.set_nonblocking(true).unwrap();
    let port = trap.local_addr().unwrap().port().to_string();
    let text = PAYLOADS.replace("{port}", &port);
    // Some are nothing to translate; with a word before them, each is a unit.
    let payloads: Vec<String> = text.lines().map(|line| format!("Text {line}")).collect();
    let server = FakeServer::start(hostile()).unwrap();
    let home = Home::new();
    prepare(&home, &payloads, &server).await;

    let window = Window::open(&home, &[]).await;
    window.run(TRIPWIRE, Vec::new()).await;
    assert_seen(&window).await;
    window.click("history-item").await;
    window.find("[data-testid=unit-row]").await;
    let mut n_seen = look_through(&window, payloads.len()).await;
    for tab in ["memory", "checks", "talk"] {
        let tab = window.find(&format!("[role=tab][data-tab={tab}]")).await;
        tab.click().await.unwrap();
        assert_clean(&window).await;
        n_seen += 1;
    }
    // The model asks, then its service fails with words of its own.
    window.fill("talk-input", MARKUP).await;
    window.click("talk-send").await;
    window.get("ask-card").await;
    assert_clean(&window).await;
    window.click("ask-option").await;
    window.click("ask-send").await;
    until("the service refuses", async || server.chats().len() >= 2).await;
    window.find("[data-testid=agent-state]").await;
    assert_clean(&window).await;
    assert!(trap.accept().is_err(), "something was loaded");
    let figure = format!(
        "{} payloads in {n_seen} looks: 0 scripts, 0 loads, 0 navigations, 0 dialogs",
        payloads.len()
    );
    Promise::new(20, true, figure, "0 of each").tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_link_opens_by_itself() {
    if !wanted() {
        return;
    }
    let home = Home::new();
    let window = Window::open(&home, &[]).await;
    let before = window.run("return location.href", Vec::new()).await;
    for address in ADDRESSES {
        // As hard as a script of an attacker could try, and no such script runs.
        let go = "try { window.open(arguments[0]); } catch {}
            const a = document.createElement('a');
            a.href = arguments[0]; a.target = arguments[1];
            document.body.append(a); a.click(); a.remove();";
        for target in ["_blank", "_self", "_top"] {
            window.run(go, vec![json!(address), json!(target)]).await;
            let now = window.run("return location.href", Vec::new()).await;
            assert_eq!(now, before, "{address} {target}");
        }
    }
    assert_eq!(window.run("return location.href", Vec::new()).await, before);
    let n_windows = window.n_windows().await;
    assert_eq!(n_windows, 1);
    window.find("html[data-ready=true]").await;
    let figure = format!(
        "{} addresses tried in 4 ways: none opened; no command opens one",
        ADDRESSES.len()
    );
    Promise::new(21, true, figure, "none without consent").tell();
}

/// Makes a session in which every text is a payload: source, target, name, title, instruction, memory.
async fn prepare(home: &Home, payloads: &[String], server: &FakeServer) {
    let folder: PathBuf = home.folder(
        "<b onclick=tripped()>x",
        &[(NAME, &(payloads.join("\n\n") + "\n"))],
    );
    let workbench = home.workbench();
    let mut settings = workbench
        .settings_view(diglot_api::schema::NoArgs {})
        .await
        .unwrap()
        .settings;
    settings.providers = vec![ProviderSettings {
        id: "loopback".to_owned(),
        name: MARKUP.to_owned(),
        base_url: server.base_url(),
        model: MARKUP.to_owned(),
        protocol: ProtocolChoice::Tools,
        temperature: None,
        max_output_tokens: None,
    }];
    "loopback".clone_into(&mut settings.translator);
    workbench
        .settings_update(SettingsUpdateRequest { settings })
        .await
        .unwrap();
    let path = folder.to_string_lossy().into_owned();
    let project = workbench
        .project_open(ProjectOpenRequest { path })
        .await
        .unwrap();
    let created = workbench
        .session_create(SessionCreateRequest {
            project_id: project.id,
            source_language: Some("en".to_owned()),
            target_language: "de".to_owned(),
            instructions: Some(MARKUP.to_owned()),
            afresh: None,
        })
        .await
        .unwrap();
    let session_id = created.session.id;
    let title = MARKUP.to_owned();
    workbench
        .session_rename(SessionRenameRequest { session_id, title })
        .await
        .unwrap();
    for (at, payload) in payloads.iter().enumerate().take(N_CONFIRMED) {
        let (path, unit, target) = (NAME.to_owned(), at + 1, format!("{payload} {MARKUP}"));
        let request = UnitReviseRequest {
            session_id,
            path,
            unit,
            target,
        };
        workbench.unit_revise(request).await.unwrap();
    }
    let memory = MemoryUpdateRequest {
        session_id,
        id: None,
        kind: Some(MemoryKindView::Style),
        text: Some("<img src=x onerror=tripped()> [x](javascript:tripped())".to_owned()),
        term_source: None,
        term_target: None,
        state: Some(MemoryStateView::Active),
        wording_write: None,
        wording_instead_of: None,
        scope: None,
    };
    workbench.memory_update(memory).await.unwrap();
    home.close(workbench).await;
}

/// Makes a model that asks in markup, and whose service then refuses in markup.
fn hostile() -> impl FnMut(&Recorded) -> Reply {
    let mut has_asked = false;
    move |request| {
        if !request.is_chat() || request.is_memory() {
            return Cooperation::default().reply(request);
        }
        if has_asked {
            let error = json!({ "error": { "message": MARKUP, "code": MARKUP } });
            return Reply::json(401, &error);
        }
        has_asked = true;
        Reply::call(
            "Ask",
            &json!({ "question": MARKUP, "options": [MARKUP, "B"] }),
        )
    }
}

/// Scrolls through the document and looks at every screen; returns the number of looks.
async fn look_through(window: &Window, n_units: usize) -> usize {
    let mut seen = BTreeSet::new();
    window.run(TOP, Vec::new()).await;
    for n_looks in 1..=4 * n_units {
        let shown = window.run(SCROLL, Vec::new()).await;
        assert_clean(window).await;
        let units = shown["units"].as_array().unwrap().iter();
        seen.extend(units.filter_map(Value::as_u64));
        if shown["isEnd"] == true {
            if seen.len() >= n_units {
                return n_looks;
            }
            // Rows that were passed before they were there.
            window.run(TOP, Vec::new()).await;
        }
    }
    panic!("{} of {n_units} units were shown", seen.len());
}

async fn assert_clean(window: &Window) {
    assert_eq!(window.run(TRACES, Vec::new()).await, json!([]));
}

/// Shows that markup in the page would be seen.
async fn assert_seen(window: &Window) {
    const MARK: &str = "document.body.insertAdjacentHTML('beforeend', '<b id=mark onclick=tripped()></b>'); tripped();";
    const CLEAN: &str = "document.getElementById('mark').remove(); window.trips = [];";
    window.run(MARK, Vec::new()).await;
    let traces = window.run(TRACES, Vec::new()).await;
    assert_eq!(traces, json!(["script ", "b onclick=tripped()"]));
    window.run(CLEAN, Vec::new()).await;
}
