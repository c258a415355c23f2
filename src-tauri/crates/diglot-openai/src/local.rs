//! Finds model servers on this machine, when the person asks. Knocks on loopback ports only, and only on
//! those given; must never run by itself.

use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::client::OpenAiModel;
use crate::config::{OpenAiConfig, Timeouts};
use crate::{json, wire};

/// Ports that local servers listen on by default, with the server that usually does.
pub const LOCAL_PORTS: [(u16, &str); 6] = [
    (11434, "Ollama"),
    (1234, "LM Studio"),
    (8080, "llama.cpp"),
    (1337, "Jan"),
    (8000, "vLLM"),
    (5001, "KoboldCpp"),
];

/// Limit on the connection; a server on this machine answers at once or is not there.
const CONNECT: Duration = Duration::from_millis(300);
/// Limit on the whole of one knock.
const TOTAL: Duration = Duration::from_secs(1);

/// Describes a server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// The program, as far as it can be told.
    pub name: String,
    /// The address to put into the settings.
    pub base_url: String,
    /// Its models, in its order, may be empty.
    pub models: Vec<String>,
}

/// Looks on the usual ports of this machine. Takes about a second at most.
pub async fn find_local() -> Vec<LocalServer> {
    find_local_on(&LOCAL_PORTS).await
}

/// Looks on the given ports, with the name that each server is expected to have; answers in their order.
/// Counts only what lists models as an OpenAI-compatible server does.
pub async fn find_local_on(ports: &[(u16, &'static str)]) -> Vec<LocalServer> {
    let mut knocks = JoinSet::new();
    for (place, &(port, name)) in ports.iter().enumerate() {
        knocks.spawn(async move {
            (
                place,
                timeout(TOTAL, knock(port, name)).await.ok().flatten(),
            )
        });
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

async fn knock(port: u16, name: &str) -> Option<LocalServer> {
    let base_url = format!("http://127.0.0.1:{port}/v1");
    let mut config = OpenAiConfig::new(base_url.clone(), "none");
    config.timeouts = Timeouts {
        connect: CONNECT,
        first_byte: Some(TOTAL),
        idle: TOTAL,
        whole: Some(TOTAL),
    };
    let answer = OpenAiModel::new(config).ok()?.list().await.ok()?;
    let models = wire::model_ids(&answer)?;
    let owner = answer
        .pointer("/data/0")
        .and_then(|model| json::text(model, "owned_by"));
    let is_list = answer.get("data").is_some_and(Value::is_array);
    is_list.then(|| LocalServer {
        name: program(owner, name).to_owned(),
        base_url,
        models,
    })
}

/// Tells the program by what it says owns its models; ports are moved, this is not.
fn program<'a>(owner: Option<&str>, usual: &'a str) -> &'a str {
    match owner {
        Some("library") => "Ollama",
        Some("llamacpp") => "llama.cpp",
        Some("vllm") => "vLLM",
        Some("organization_owner") => "LM Studio",
        _ => usual,
    }
}

#[cfg(test)]
mod tests;
