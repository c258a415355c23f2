//! The faults, as tables.

use std::time::Duration;

use diglot_agent::model::PersonCause::{NoKey, Refused, Unreachable};
use diglot_testkit::Act;

use super::{CANARY, Came, SHORT};
use crate::config::OpenAiConfig;

/// Where the fault is met.
pub(super) enum Place {
    /// At a server that plays these acts.
    Acts(Vec<Act>),
    /// At another scheme of such a server.
    Https(Vec<Act>),
    /// At this address.
    Address(String),
}

pub(super) struct Fault {
    pub(super) name: &'static str,
    pub(super) place: Place,
    /// The limit that ends it, where one does.
    pub(super) limit: Option<fn(&mut OpenAiConfig)>,
    pub(super) came: Came,
    /// Words of the sentence.
    pub(super) says: &'static str,
}

pub(super) fn fault(name: &'static str, acts: Vec<Act>, came: Came, says: &'static str) -> Fault {
    Fault {
        name,
        place: Place::Acts(acts),
        limit: None,
        came,
        says,
    }
}

impl Fault {
    fn within(self, limit: fn(&mut OpenAiConfig)) -> Self {
        Self {
            limit: Some(limit),
            ..self
        }
    }
}

pub(super) const UNREACHABLE: Came = Came::Person(Unreachable);

fn first(config: &mut OpenAiConfig) {
    config.timeouts.first_byte = Some(SHORT);
}

fn idle(config: &mut OpenAiConfig) {
    config.timeouts.idle = SHORT;
}

fn whole(config: &mut OpenAiConfig) {
    config.timeouts.whole = Some(SHORT);
}

fn connect(config: &mut OpenAiConfig) {
    config.timeouts.connect = SHORT;
}

pub(super) fn good() -> Vec<u8> {
    br#"{"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]}"#.to_vec()
}

/// Reads the request, then says this.
pub(super) fn says(text: impl Into<String>) -> Vec<Act> {
    vec![Act::Read, Act::text(text)]
}

/// Says a body of this kind in full.
pub(super) fn body(kind: &str, bytes: &[u8]) -> Vec<Act> {
    vec![Act::Read, Act::answer(kind, bytes)]
}

/// Begins with these words, then goes on for ever, slowly.
fn trickle(start: &str, piece: &str) -> Vec<Act> {
    let pause = Duration::from_millis(10);
    let (bytes, n) = (piece.as_bytes().to_vec(), usize::MAX);
    vec![Act::Read, Act::text(start), Act::Repeat { bytes, n, pause }]
}

/// Begins with these words, then goes on, as fast as it can.
fn flood(start: &str, piece: &str, n: usize) -> Vec<Act> {
    let (bytes, pause) = (piece.as_bytes().to_vec(), Duration::ZERO);
    vec![Act::Read, Act::text(start), Act::Repeat { bytes, n, pause }]
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn connections() -> Vec<Fault> {
    let stall = |start: &str| vec![Act::Read, Act::text(start), Act::Stall];
    let lost = "connection broke";
    let slow = "took too long";
    let http = "does not speak HTTP";
    vec![
        fault(
            "accepts and never answers",
            vec![Act::Read, Act::Stall],
            Came::Transient,
            slow,
        )
        .within(first),
        fault("closes at once", vec![], Came::Transient, lost),
        fault(
            "closes after the request",
            vec![Act::Read],
            Came::Transient,
            lost,
        ),
        fault("resets at once", vec![Act::Reset], Came::Transient, lost),
        fault(
            "resets after the request",
            vec![Act::Read, Act::Reset],
            Came::Transient,
            lost,
        ),
        fault(
            "half a head, then silence",
            stall(HEAD),
            Came::Transient,
            slow,
        )
        .within(first),
        fault(
            "half a head, then the end",
            says(HEAD),
            Came::Transient,
            lost,
        ),
        fault("half a status line", says("HTTP/1."), Came::Transient, lost),
        fault(
            "a head without end",
            flood(HEAD, "x-pad: aaaaaaaaaaaaaaaa\r\n", 1 << 20),
            UNREACHABLE,
            http,
        ),
        fault(
            "a head that trickles",
            trickle(HEAD, "x: y\r\n"),
            Came::Transient,
            slow,
        )
        .within(first),
        fault(
            "a banner of another service",
            vec![Act::text("SSH-2.0-OpenSSH_9.9\r\n"), Act::Stall],
            UNREACHABLE,
            http,
        ),
        fault(
            "a TLS alert to a plain request",
            vec![
                Act::Hear,
                Act::Send(b"\x15\x03\x01\x00\x02\x02\x50".to_vec()),
            ],
            UNREACHABLE,
            http,
        ),
        fault(
            "a length that is no number",
            says(format!("{HEAD}content-length: many\r\n\r\n{{}}")),
            UNREACHABLE,
            http,
        ),
        fault(
            "a header of control characters",
            says("HTTP/1.1 200 OK\r\nx\u{1}y: z\r\n\r\n"),
            UNREACHABLE,
            http,
        ),
        fault(
            "an upgrade that nobody asked for",
            says("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
            Came::Person(Refused),
            "status 101",
        ),
        fault(
            "a length that is too long, then the end",
            says(format!("{HEAD}content-length: 99\r\n\r\n{{\"{CANARY}")),
            Came::Transient,
            lost,
        ),
        fault(
            "a length that is too long, then silence",
            stall(&format!("{HEAD}content-length: 99\r\n\r\n{{")),
            Came::Transient,
            slow,
        )
        .within(idle),
        fault(
            "a length that is too short",
            says(format!(
                "{HEAD}content-length: 9\r\n\r\n{{\"{CANARY}\": 1}}"
            )),
            Came::Unusable,
            "cut off",
        ),
        fault(
            "chunks of garbage",
            says(format!(
                "{HEAD}transfer-encoding: chunked\r\n\r\nzz{CANARY}\r\n"
            )),
            Came::Transient,
            lost,
        ),
        fault(
            "a chunk of unheard-of size",
            says(format!(
                "{HEAD}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{{"
            )),
            Came::Transient,
            lost,
        ),
        fault(
            "chunks without the last",
            says(format!(
                "{HEAD}transfer-encoding: chunked\r\n\r\n2\r\n{{}}\r\n"
            )),
            Came::Transient,
            lost,
        ),
        fault(
            "silence in the body",
            stall(&format!("{HEAD}\r\n{{")),
            Came::Transient,
            slow,
        )
        .within(idle),
        fault(
            "a body that trickles",
            trickle(&format!("{HEAD}\r\n"), " "),
            Came::Transient,
            slow,
        )
        .within(whole),
        fault(
            "a stream of nothing but comments",
            trickle(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n",
                ": wait\n\n",
            ),
            Came::Transient,
            slow,
        )
        .within(whole),
        fault(
            "a reset in the body",
            vec![
                Act::Read,
                Act::text(format!("{HEAD}content-length: 99\r\n\r\n{{")),
                Act::Reset,
            ],
            Came::Transient,
            lost,
        ),
        fault(
            "a body of 1 GB",
            flood(
                &format!("{HEAD}content-length: 1073741824\r\n\r\n"),
                &"x".repeat(1 << 16),
                1 << 14,
            ),
            Came::Unusable,
            "32 MB",
        ),
        fault(
            "words after a refusal that never end",
            flood("HTTP/1.1 500 No\r\n\r\n", &"x".repeat(1 << 16), 1 << 14),
            Came::Transient,
            "x",
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn bodies() -> Vec<Fault> {
    let json = "application/json";
    let page = format!("<!doctype html><title>{CANARY}</title>");
    // Two bytes of gzip's mark; nothing is ever unpacked, because nothing packed is asked for.
    let packed = [
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f\x8b\x08".as_slice(),
        &[0xff; 64],
    ]
    .concat();
    let deep = "[".repeat(100_000);
    vec![
        fault(
            "a web page",
            body("text/html", page.as_bytes()),
            UNREACHABLE,
            "web page",
        ),
        fault("nothing", body(json, b""), Came::Unusable, "empty"),
        fault(
            "204",
            says("HTTP/1.1 204 No Content\r\n\r\n"),
            Came::Unusable,
            "empty",
        ),
        fault(
            "bytes that are no UTF-8",
            body(
                json,
                b"{\"choices\": [{\"message\": {\"content\": \"F\xfcllen\"}}]}",
            ),
            Came::Unusable,
            "UTF-8",
        ),
        fault(
            "what looks packed",
            vec![Act::Read, Act::Send(packed)],
            Came::Unusable,
            "UTF-8",
        ),
        fault(
            "half of it",
            body(json, format!("{{\"{CANARY}\": ").as_bytes()),
            Came::Unusable,
            "cut off",
        ),
        fault(
            "100,000 brackets",
            body(json, deep.as_bytes()),
            Came::Unusable,
            "not JSON",
        ),
        fault("a list", body(json, b"[]"), Came::Unusable, "no message"),
        fault(
            "other words",
            body("text/plain", CANARY.as_bytes()),
            Came::Unusable,
            "not JSON",
        ),
        fault(
            "a refusal that is cut",
            says("HTTP/1.1 401 No\r\ncontent-length: 99\r\n\r\n{"),
            Came::Person(NoKey),
            "401",
        ),
        fault(
            "a byte-order mark",
            body(json, &[b"\xef\xbb\xbf".as_slice(), &good()].concat()),
            Came::Answer,
            "",
        ),
        fault(
            "100 before it",
            vec![
                Act::Read,
                Act::text("HTTP/1.1 100 Continue\r\n\r\n"),
                Act::answer(json, &good()),
            ],
            Came::Answer,
            "",
        ),
        fault(
            "103 before it",
            vec![
                Act::Read,
                Act::text("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"),
                Act::answer(json, &good()),
            ],
            Came::Answer,
            "",
        ),
        fault(
            "no length at all",
            vec![Act::Read, Act::unbounded(json, &good())],
            Came::Answer,
            "",
        ),
    ]
}

pub(super) fn places(closed: u16) -> Vec<Fault> {
    let at = |name, address: String, says| Fault {
        name,
        place: Place::Address(address),
        limit: None,
        came: UNREACHABLE,
        says,
    };
    // No name server is asked about a label of more than 63 characters: it cannot be a name.
    let nobody = format!("http://{}.example/v1", "x".repeat(64));
    let plain = vec![Act::Hear, Act::text("HTTP/1.1 400 Bad Request\r\n\r\n")];
    vec![
        at(
            "nobody at the port",
            format!("http://127.0.0.1:{closed}/v1"),
            "no server runs",
        ),
        at("a name that is not known", nobody, "name is not known"),
        Fault {
            place: Place::Https(plain),
            ..at("TLS on a plain port", String::new(), "no safe connection")
        },
        Fault {
            came: Came::Transient,
            place: Place::Https(vec![Act::Stall]),
            ..at(
                "a handshake without an answer",
                String::new(),
                "cannot be reached",
            )
        }
        .within(connect),
    ]
}

#[cfg(target_os = "linux")]
pub(super) fn full(port: &diglot_testkit::FullPort) -> Fault {
    Fault {
        name: "a port that does not answer",
        place: Place::Address(port.base_url()),
        limit: Some(connect),
        came: Came::Transient,
        says: "cannot be reached",
    }
}
