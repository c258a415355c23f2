//! Finds model servers on this machine, when the person asks. Knocks on loopback ports only, and only on
//! those given; must never run by itself.

use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::config::Timeouts;
use crate::{exchange, json, wire};

/// Limit on the connection; a server on this machine answers at once or is not there.
const CONNECT: Duration = Duration::from_millis(300);
/// Limit on the whole of one knock.
const TOTAL: Duration = Duration::from_secs(1);
/// Limit on finding out the program, once it has listed its models.
const SIGNS_TOTAL: Duration = Duration::from_millis(500);
/// Longest answer that is read, in bytes.
const CAP: usize = 1 << 20;

/// Describes a port on which a program listens by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalPort {
    /// The port.
    pub port: u16,
    /// The program.
    pub program: &'static str,
    /// Other programs like the port too, so it says nothing about who answers.
    pub is_shared: bool,
}

impl LocalPort {
    const fn new(port: u16, program: &'static str, is_shared: bool) -> Self {
        Self {
            port,
            program,
            is_shared,
        }
    }
}

/// Ports that local servers listen on by default.
pub const LOCAL_PORTS: [LocalPort; 6] = [
    LocalPort::new(11434, "Ollama", false),
    LocalPort::new(1234, "LM Studio", false),
    LocalPort::new(8080, "llama.cpp", true),
    LocalPort::new(1337, JAN, false),
    LocalPort::new(8000, "vLLM", true),
    LocalPort::new(5001, "KoboldCpp", true),
];

/// Runs the server of llama.cpp behind its own, so what that says of itself is not what runs.
const JAN: &str = "Jan";

/// Tells a program by an address that only it has, and by what stands there.
struct Sign {
    program: &'static str,
    path: &'static str,
    is_it: fn(&Value) -> bool,
}

/// In this order, since KoboldCpp answers as others too.
const SIGNS: [Sign; 5] = [
    Sign {
        program: "KoboldCpp",
        path: "/api/extra/version",
        is_it: |answer| json::text(answer, "result") == Some("KoboldCpp"),
    },
    Sign {
        program: "LM Studio",
        path: "/api/v0/models",
        is_it: |answer| answer.get("data").is_some_and(Value::is_array),
    },
    Sign {
        program: "llama.cpp",
        path: "/props",
        is_it: |answer| answer.get("default_generation_settings").is_some(),
    },
    Sign {
        program: "Ollama",
        path: "/api/version",
        is_it: |answer| json::text(answer, "version").is_some(),
    },
    Sign {
        program: "vLLM",
        path: "/version",
        is_it: |answer| json::text(answer, "version").is_some(),
    },
];

/// Describes a server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// The program, as far as it can be told; else its host and port.
    pub name: String,
    /// The address to put into the settings.
    pub base_url: String,
    /// Its models, in its order, may be empty.
    pub models: Vec<String>,
    /// It tells nothing without a key.
    pub wants_key: bool,
}

/// Looks on the usual ports of this machine. Takes about a second at most, and a moment when nothing listens.
pub async fn find_local() -> Vec<LocalServer> {
    find_local_on(&LOCAL_PORTS).await
}

/// Looks on the given ports; answers in their order. Counts only what lists models as an OpenAI-compatible
/// server does, and Jan where it asks for its key.
pub async fn find_local_on(ports: &[LocalPort]) -> Vec<LocalServer> {
    let timeouts = Timeouts {
        connect: CONNECT,
        ..Timeouts::for_address("http://127.0.0.1")
    };
    let Ok(http) = exchange::http_client(true, timeouts) else {
        return Vec::new();
    };
    let mut knocks = JoinSet::new();
    for (place, &port) in ports.iter().enumerate() {
        let http = http.clone();
        knocks.spawn(async move { (place, knock(&http, port).await) });
    }
    let mut found = Vec::new();
    while let Some(outcome) = knocks.join_next().await {
        if let Ok((place, Some(server))) = outcome {
            found.push((place, server));
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, server)| server).collect()
}

async fn knock(http: &Client, spot: LocalPort) -> Option<LocalServer> {
    let root = format!("http://127.0.0.1:{}", spot.port);
    let base_url = format!("{root}/v1");
    let (status, answer) = timeout(TOTAL, get(http, format!("{base_url}/models")))
        .await
        .ok()??;
    if status == StatusCode::UNAUTHORIZED && spot.program == JAN {
        return Some(LocalServer {
            name: JAN.to_owned(),
            base_url,
            models: Vec::new(),
            wants_key: true,
        });
    }
    let is_list = status.is_success() && answer.get("data").is_some_and(Value::is_array);
    let models = wire::model_ids(&answer).filter(|_| is_list)?;
    let sign = timeout(SIGNS_TOTAL, sign(http, &root)).await.ok().flatten();
    let name = sign
        .or((spot.program == JAN).then_some(JAN))
        .or_else(|| owner(&answer))
        .or((!spot.is_shared).then_some(spot.program));
    Some(LocalServer {
        name: name.map_or_else(|| format!("localhost:{}", spot.port), str::to_owned),
        base_url,
        models,
        wants_key: false,
    })
}

/// Finds the first sign that a server shows.
async fn sign(http: &Client, root: &str) -> Option<&'static str> {
    let mut questions = JoinSet::new();
    for (place, sign) in SIGNS.iter().enumerate() {
        let (http, url) = (http.clone(), format!("{root}{}", sign.path));
        questions.spawn(async move {
            let (status, answer) = get(&http, url).await?;
            (status.is_success() && (sign.is_it)(&answer)).then_some((place, sign.program))
        });
    }
    let shown = questions.join_all().await.into_iter().flatten();
    shown.min_by_key(|(place, _)| *place).map(|(_, name)| name)
}

/// Asks for an address; what is no JSON counts as nothing in it.
async fn get(http: &Client, url: String) -> Option<(StatusCode, Value)> {
    let mut response = http.get(url).send().await.ok()?;
    let status = response.status();
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.ok()? {
        if bytes.len() + piece.len() > CAP {
            return None;
        }
        bytes.extend_from_slice(&piece);
    }
    let answer = json::parse(&String::from_utf8_lossy(&bytes));
    Some((status, answer.unwrap_or_default()))
}

/// Tells the program by what it says owns its models.
fn owner(answer: &Value) -> Option<&'static str> {
    let model = answer.pointer("/data/0")?;
    match json::text(model, "owned_by")? {
        "library" => Some("Ollama"),
        "llamacpp" => Some("llama.cpp"),
        "vllm" => Some("vLLM"),
        "organization_owner" => Some("LM Studio"),
        "koboldcpp" => Some("KoboldCpp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
