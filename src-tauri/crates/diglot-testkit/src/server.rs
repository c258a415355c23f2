//! A model server on loopback: HTTP/1.1 by hand, one thread a connection, no framework. Keeps every request and
//! holds each conversation to the rules of a strict server.

pub(crate) mod http;

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::cooperate::Cooperation;
use crate::gate::lock;
use crate::loopback::{Port, Watched};
use crate::pairing;
use crate::reply::Reply;
use crate::script::{Player, Script};

/// Holds a request as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// `GET` or `POST`.
    pub method: String,
    /// Path with query.
    pub path: String,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body decoded; null when there is none or it is no JSON.
    pub body: Value,
    /// The body as it arrived, without what is no UTF-8.
    pub text: String,
    /// Length of the body in bytes.
    pub n_bytes: usize,
    /// When it arrived.
    pub at: Instant,
}

impl Recorded {
    /// Returns a header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.as_str())
    }

    /// Tells whether an answer of a model is asked for.
    pub fn is_chat(&self) -> bool {
        let path = self.path.split('?').next().unwrap_or_default();
        self.method == "POST" && path.ends_with("/chat/completions")
    }

    /// Tells whether it comes from the memory step: no tools, and not the protocol that does without.
    pub fn is_memory(&self) -> bool {
        let action = self.body.pointer("/response_format/json_schema/name");
        self.is_chat() && self.body.get("tools").is_none() && action != Some(&json!("action"))
    }

    /// Returns the messages, empty when there are none.
    pub fn messages(&self) -> &[Value] {
        self.body
            .get("messages")
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }
}

type Handler = Box<dyn FnMut(&Recorded) -> Reply + Send>;

/// Serves until it is dropped.
#[derive(Debug)]
pub struct FakeServer {
    port: Port,
    shared: Arc<Shared>,
}

struct Shared {
    handler: Mutex<Handler>,
    log: Watched<Log>,
}

#[derive(Debug, Default)]
struct Log {
    requests: Vec<Recorded>,
    violations: Vec<String>,
    n_disconnects: usize,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("log", &self.log)
            .finish_non_exhaustive()
    }
}

impl FakeServer {
    /// Starts a server that answers by a function; it sees every request, also `GET /models`.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start(handler: impl FnMut(&Recorded) -> Reply + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            handler: Mutex::new(Box::new(handler)),
            log: Watched::default(),
        });
        let served = Arc::clone(&shared);
        let port = Port::open(Arc::default(), move |stream| {
            let shared = Arc::clone(&served);
            thread::spawn(move || {
                // A client that goes away in the middle is no fault of the server.
                drop(serve(stream, &shared));
            });
        })?;
        Ok(Self { port, shared })
    }

    /// Starts a server that gives the replies in order, and refuses with 500 afterwards. It lists one model.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn replies(replies: impl IntoIterator<Item = Reply>) -> io::Result<Self> {
        let mut replies: VecDeque<Reply> = replies.into_iter().collect();
        Self::start(move |request| {
            if !request.is_chat() {
                return models();
            }
            let end = json!({"error": {"message": "no further reply"}});
            replies
                .pop_front()
                .unwrap_or_else(|| Reply::json(500, &end))
        })
    }

    /// Starts a server that plays a script of the field cases.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn script(script: Script) -> io::Result<Self> {
        let mut player = Player::new(script);
        Self::start(move |request| {
            if request.is_chat() {
                player.reply(request)
            } else {
                models()
            }
        })
    }

    /// Starts a server whose model works well: it reads and proposes each open unit, marked.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn cooperative(cooperation: Cooperation) -> io::Result<Self> {
        Self::start(move |request| {
            if !request.is_chat() {
                models()
            } else if request.is_memory() {
                Reply::words("{\"ops\": []}")
            } else {
                cooperation.reply(request)
            }
        })
    }

    /// Returns the address to put into settings.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.port.address)
    }

    /// Returns its port.
    pub fn port(&self) -> u16 {
        self.port.address.port()
    }

    /// Returns all requests so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.log.look().requests.clone()
    }

    /// Returns the requests for an answer of the model so far.
    pub fn chats(&self) -> Vec<Recorded> {
        let mut requests = self.requests();
        requests.retain(Recorded::is_chat);
        requests
    }

    /// Returns what broke the rules of a conversation so far; such requests were answered with 400.
    pub fn violations(&self) -> Vec<String> {
        self.shared.log.look().violations.clone()
    }

    /// Waits until so many requests have arrived in all; false when that took too long.
    pub fn wait_for_requests(&self, n: usize) -> bool {
        self.shared.log.wait_for(|log| log.requests.len() >= n)
    }

    /// Waits until a client has closed a connection before its answer was sent; false when it did not.
    pub fn wait_for_disconnect(&self) -> bool {
        self.shared.log.wait_for(|log| log.n_disconnects > 0)
    }
}

fn models() -> Reply {
    let model = json!({"id": "test-model", "object": "model", "owned_by": "test"});
    Reply::json(200, &json!({"object": "list", "data": [model]}))
}

fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let Some(request) = http::read(&mut stream)? else {
        return Ok(());
    };
    let faults = if request.is_chat() {
        pairing::violations(&request.body)
    } else {
        Vec::new()
    };
    let is_right = faults.is_empty();
    let message = faults.join("; ");
    shared.log.note(|log| {
        log.requests.push(request.clone());
        log.violations.extend(faults);
    });
    let reply = if is_right {
        lock(&shared.handler)(&request)
    } else {
        Reply::json(
            400,
            &json!({"error": {"message": message, "type": "invalid_request_error"}}),
        )
    };
    if http::write(&mut stream, &reply)? == http::Sent::ClientLeft {
        shared.log.note(|log| log.n_disconnects += 1);
    }
    // Closed in full, since the list of streams keeps a copy of the handle.
    stream.shutdown(Shutdown::Both)
}

#[cfg(test)]
mod tests;
