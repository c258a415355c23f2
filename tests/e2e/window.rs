//! The program in its window, as a person has it: find, click, type, look, wait. Knows how the driver is spoken to, and
//! nothing of what a test is about.

use std::ffi::OsStr;
use std::future::Future;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::home::Home;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_diglot");
/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time between two looks.
const INTERVAL: Duration = Duration::from_millis(50);

/// Holds the program with its driver; both end on drop.
pub(crate) struct Window {
    driver: WebDriver,
    process: Process,
}

/// Holds the driver's process, and with it the program's, which is its child.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        kill(&children(self.0.id()));
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Window {
    /// Starts the program and waits until it hears drops and events.
    pub(crate) async fn open(home: &Home, args: &[&Path]) -> Self {
        Self::open_program(home, Path::new(PROGRAM), args).await
    }

    /// Starts another build of the program.
    pub(crate) async fn open_program(home: &Home, program: &Path, args: &[&Path]) -> Self {
        // One of the clients in this build brings no encryption of its own; a second time is no harm.
        drop(rustls::crypto::ring::default_provider().install_default());
        let port = free_port();
        let process = Command::new("WebKitWebDriver")
            .args([&format!("--port={port}"), "--host=127.0.0.1"])
            .envs(home.environment())
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("DIGLOT_PICK", home.at("picked"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Process)
            .expect("WebKitWebDriver is installed");
        until("the driver listens", async || {
            TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
        })
        .await;
        let mut capabilities = Capabilities::new();
        let options = json!({ "binary": program, "args": args });
        capabilities
            .set("webkitgtk:browserOptions", options)
            .unwrap();
        let driver = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities)
            .await
            .unwrap();
        let window = Self { driver, process };
        let title = window.driver.title().await.unwrap();
        assert!(!title.contains("not built"), "the front end was not built");
        window.find("html[data-ready=true]").await;
        window
    }

    /// Ends the program as a crash of the machine would.
    pub(crate) fn kill(self) {
        let programs = children(self.process.0.id());
        assert_eq!(programs.len(), 1, "the driver has one child");
        kill(&programs);
    }

    /// Closes the window and waits until the program has ended by itself.
    pub(crate) async fn close(self) {
        self.driver.close_window().await.unwrap();
        let driver = self.process.0.id();
        until("the program ends", async || children(driver).is_empty()).await;
    }

    /// Returns the first element that a selector finds, waiting for it.
    pub(crate) async fn find(&self, css: &str) -> WebElement {
        let query = self.driver.query(By::Css(css)).wait(PATIENCE, INTERVAL);
        match query.first().await {
            Ok(element) => element,
            Err(error) => {
                self.photograph("failure").await;
                panic!("{css} is not there: {error}")
            }
        }
    }

    /// Returns an element by its test id.
    pub(crate) async fn get(&self, id: &str) -> WebElement {
        self.find(&format!("[data-testid={id}]")).await
    }

    /// Clicks on an element by its test id, once it can be clicked on.
    pub(crate) async fn click(&self, id: &str) {
        let element = self
            .find(&format!("[data-testid={id}]:not(:disabled)"))
            .await;
        if let Err(error) = element.click().await {
            self.photograph("failure").await;
            panic!("{id} cannot be clicked on: {error}");
        }
    }

    /// Puts text into a field by its test id, in the place of what is there.
    pub(crate) async fn fill(&self, id: &str, text: &str) {
        let field = self.get(id).await;
        field.click().await.unwrap();
        field.send_keys(Key::Control + "a").await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Returns the text of an element by its test id.
    pub(crate) async fn text(&self, id: &str) -> String {
        self.get(id).await.text().await.unwrap()
    }

    /// Waits until a unit of the document has a mark.
    pub(crate) async fn unit(&self, unit: usize, mark: &str) -> WebElement {
        self.find(&format!(
            "[data-testid=unit-row][data-unit='{unit}'][data-state={mark}]"
        ))
        .await
    }

    /// Waits until a unit is the one under review, with its editor.
    pub(crate) async fn under_review(&self, unit: usize) -> WebElement {
        self.find(&format!(
            "[data-unit='{unit}'][aria-selected=true] [data-testid=target-editor]"
        ))
        .await
    }

    /// Returns how many windows the program has.
    pub(crate) async fn n_windows(&self) -> usize {
        self.driver.windows().await.unwrap().len()
    }

    /// Runs a script in the page and returns what it returns.
    pub(crate) async fn run(&self, script: &str, args: Vec<Value>) -> Value {
        let answer = self.driver.execute(script, args).await.unwrap();
        answer.json().clone()
    }

    /// Runs a script that answers by calling its last argument.
    pub(crate) async fn run_async(&self, script: &str) -> Value {
        let answer = self.driver.execute_async(script, Vec::new()).await.unwrap();
        answer.json().clone()
    }

    /// Drops a folder on the window, by the event that Tauri sends for a real one.
    pub(crate) async fn drop_folder(&self, folder: &Path) {
        const DROP: &str = "return window.__TAURI_INTERNALS__.invoke('plugin:event|emit', {
            event: 'tauri://drag-drop',
            payload: { paths: [arguments[0]], position: { x: 100, y: 100 } },
        })";
        self.run(DROP, vec![json!(folder)]).await;
    }

    /// Keeps a picture of the page with the test output. WebKit takes it with the next frame, which a page at rest
    /// never draws without a graphics card.
    pub(crate) async fn photograph(&self, name: &str) {
        const MOVE: &str = "const style = document.documentElement.style;
            const shift = () => { style.outline = style.outline ? '' : '1px solid transparent'; };
            window.moving = setInterval(shift, 20);";
        const REST: &str = "clearInterval(window.moving);
            document.documentElement.style.outline = '';";
        let folder = pictures();
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{name}.png"));
        self.run(MOVE, Vec::new()).await;
        self.driver.screenshot(&path).await.unwrap();
        self.run(REST, Vec::new()).await;
    }
}

/// Waits until a condition holds.
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    let waiting = async {
        let mut looks = tokio::time::interval(INTERVAL);
        while !condition().await {
            looks.tick().await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "waited in vain: {what}");
}

/// Waits until a file has a text.
pub(crate) async fn until_file(path: &Path, expected: &str) {
    let read = || std::fs::read_to_string(path).unwrap_or_default();
    let waiting = async {
        let mut looks = tokio::time::interval(INTERVAL);
        while read() != expected {
            looks.tick().await;
        }
    };
    // A target file is up to date within a second of each confirmation; the machine of a test may be slower.
    if tokio::time::timeout(Duration::from_secs(5), waiting)
        .await
        .is_err()
    {
        assert_eq!(read(), expected, "{}", path.display());
    }
}

/// Returns where pictures are kept.
fn pictures() -> PathBuf {
    let target = Path::new(PROGRAM).parent().and_then(Path::parent);
    target.unwrap().join("e2e")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// Returns the direct children of a process.
fn children(process: u32) -> Vec<String> {
    let list = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let list = list.unwrap_or_default();
    list.split_whitespace().map(str::to_owned).collect()
}

fn kill(processes: &[String]) {
    if !processes.is_empty() {
        let args = std::iter::once(OsStr::new("-KILL")).chain(processes.iter().map(OsStr::new));
        // One that has ended meanwhile makes `kill` fail, which is as good.
        drop(
            Command::new("kill")
                .args(args)
                .stderr(Stdio::null())
                .status(),
        );
    }
}
