//! A model server on loopback: HTTP/1.1 by hand, one thread a connection, no framework. Keeps every request and
//! holds each conversation to the rules of a strict server.

pub(crate) mod http;

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use serde_json::{Value, json};

use crate::PATIENCE;
use crate::cooperate::Cooperation;
use crate::gate::lock;
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
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    handler: Mutex<Handler>,
    log: Mutex<Log>,
    changed: Condvar,
    streams: Mutex<Vec<TcpStream>>,
    is_stopping: AtomicBool,
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
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            handler: Mutex::new(Box::new(handler)),
            log: Mutex::default(),
            changed: Condvar::new(),
            streams: Mutex::default(),
            is_stopping: AtomicBool::new(false),
        });
        let accepting = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || accept(&listener, &shared))
        };
        Ok(Self {
            address,
            shared,
            accepting: Some(accepting),
        })
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
        format!("http://{}/v1", self.address)
    }

    /// Returns its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns all requests so far.
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.shared.log).requests.clone()
    }

    /// Returns the requests for an answer of the model so far.
    pub fn chats(&self) -> Vec<Recorded> {
        let mut requests = self.requests();
        requests.retain(Recorded::is_chat);
        requests
    }

    /// Returns what broke the rules of a conversation so far; such requests were answered with 400.
    pub fn violations(&self) -> Vec<String> {
        lock(&self.shared.log).violations.clone()
    }

    /// Waits until so many requests have arrived in all; false when that took too long.
    pub fn wait_for_requests(&self, n: usize) -> bool {
        self.wait_for(|log| log.requests.len() >= n)
    }

    /// Waits until a client has closed a connection before its answer was sent; false when it did not.
    pub fn wait_for_disconnect(&self) -> bool {
        self.wait_for(|log| log.n_disconnects > 0)
    }

    fn wait_for(&self, condition: impl Fn(&Log) -> bool) -> bool {
        let log = lock(&self.shared.log);
        let waited = self
            .shared
            .changed
            .wait_timeout_while(log, PATIENCE, |log| !condition(log));
        let (log, _) = waited.unwrap_or_else(PoisonError::into_inner);
        condition(&log)
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.shared.is_stopping.store(true, Ordering::SeqCst);
        // A last connection wakes the accepting thread.
        drop(TcpStream::connect(self.address));
        if let Some(accepting) = self.accepting.take() {
            drop(accepting.join());
        }
        for stream in lock(&self.shared.streams).drain(..) {
            // It may be closed already, which is as good.
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

fn models() -> Reply {
    let model = json!({"id": "test-model", "object": "model", "owned_by": "test"});
    Reply::json(200, &json!({"object": "list", "data": [model]}))
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.is_stopping.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        if let Ok(clone) = stream.try_clone() {
            lock(&shared.streams).push(clone);
        }
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            // A client that goes away in the middle is no fault of the server.
            drop(serve(stream, &shared));
        });
    }
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
    {
        let mut log = lock(&shared.log);
        log.requests.push(request.clone());
        log.violations.extend(faults);
        shared.changed.notify_all();
    }
    let reply = if is_right {
        lock(&shared.handler)(&request)
    } else {
        Reply::json(
            400,
            &json!({"error": {"message": message, "type": "invalid_request_error"}}),
        )
    };
    if http::write(&mut stream, &reply)? == http::Sent::ClientLeft {
        lock(&shared.log).n_disconnects += 1;
        shared.changed.notify_all();
    }
    // Closed in full, since the list of streams keeps a copy of the handle.
    stream.shutdown(Shutdown::Both)
}

#[cfg(test)]
mod tests;
