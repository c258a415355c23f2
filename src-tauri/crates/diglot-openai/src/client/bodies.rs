//! Answers of servers of every kind, one file each under `tests/fixtures`, served over a real connection. Owns the
//! form of these files; what is expected stands in them.

use std::fs;
use std::path::{Path, PathBuf};

use diglot_agent::model::{Finish, ModelMessage, PersonCause, ProposedCall};
use diglot_agent::{ModelError, ModelResponse, ToolArguments, ToolSpec};
use diglot_testkit::{FakeServer, Reply};
use serde_json::json;

use crate::client::OpenAiModel;
use crate::config::OpenAiConfig;
use crate::key::ApiKey;
use crate::wire::{Ask, Protocol};

/// Fewest files of each folder, so that a lost one is missed.
const FOLDERS: [(&str, usize); 3] = [("replies", 100), ("errors", 40), ("streams", 24)];

/// Holds a file.
struct Body {
    reply: Reply,
    protocol: Protocol,
    expected: String,
}

impl Body {
    fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut body = Self {
            reply: Reply::raw(0, "", &bytes[end + 2..]),
            protocol: Protocol::Tools,
            expected: String::new(),
        };
        for line in head.lines() {
            let (name, value) = line.split_once(": ").unwrap();
            match name {
                "status" => body.reply.status = value.parse().unwrap(),
                "content-type" => value.clone_into(&mut body.reply.headers[0].1),
                "protocol" => body.protocol = Protocol::JsonSchema,
                "expect" => value.clone_into(&mut body.expected),
                _ => body.reply = body.reply.header(name, value),
            }
        }
        body
    }

    async fn told(self) -> String {
        let server = FakeServer::replies([self.reply]).unwrap();
        let mut config = OpenAiConfig::new(server.base_url(), "m");
        config.protocol = self.protocol;
        config.key = Some(ApiKey::new("sk-fixture").unwrap());
        let tools = ["Read", "Translate"].map(|name| ToolSpec {
            name,
            description: String::new(),
            parameters: json!({"type": "object"}),
        });
        let ask = Ask {
            system: "s",
            messages: &[ModelMessage::User("u".into())],
            tools: &tools,
            answer_schema: None,
        };
        let outcome = OpenAiModel::new(config).unwrap().answer(ask).await;
        assert_eq!(server.chats().len(), 1, "one answer is one request");
        match outcome {
            Ok(response) if self.expected.starts_with("answer ") => {
                format!("answer {}", answer(&response))
            }
            Ok(response) => answer(&response),
            Err(error) => failure(&error),
        }
    }
}

fn answer(response: &ModelResponse) -> String {
    let call = |call: &ProposedCall| match &call.arguments {
        ToolArguments::Parsed(value) => format!("{}{value}", call.name),
        ToolArguments::Malformed(text) => format!("{}!{text}", call.name),
    };
    let calls: String = response.tool_calls.iter().map(call).collect();
    let reasoning = response.reasoning.as_deref().unwrap_or_default();
    let finish = match response.finish {
        Finish::Stop => "",
        Finish::Length => " length",
        Finish::Filtered => " filtered",
    };
    let (n_input, n_output) = (response.usage.n_input, response.usage.n_output);
    format!(
        "{}|{}|{calls} [{n_input}+{n_output}]{finish}",
        response.text.replace('\n', "\u{b6}"),
        reasoning.replace('\n', "\u{b6}"),
    )
}

fn failure(error: &ModelError) -> String {
    let (class, wait, detail) = match error {
        ModelError::Transient {
            retry_after_ms,
            detail,
            ..
        } => ("transient", *retry_after_ms, detail),
        ModelError::Unusable { detail, .. } => ("unusable", None, detail),
        ModelError::TooLarge { detail } => ("too large", None, detail),
        ModelError::NeedsPerson { cause, detail, .. } => (name(*cause), None, detail),
    };
    let wait = wait.map(|wait| format!(" {wait}")).unwrap_or_default();
    format!("{class}{wait}: {detail}")
}

fn name(cause: PersonCause) -> &'static str {
    match cause {
        PersonCause::NoKey => "no key",
        PersonCause::Unauthorized => "unauthorized",
        PersonCause::Billing => "billing",
        PersonCause::UnknownModel => "unknown model",
        PersonCause::Unreachable => "unreachable",
        PersonCause::Unsupported => "unsupported",
        PersonCause::Refused => "refused",
    }
}

#[tokio::test]
async fn every_known_answer_is_read_or_refused_as_its_file_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut faults = Vec::new();
    for (folder, n_fewest) in FOLDERS {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        assert!(paths.len() >= n_fewest, "{folder}: {}", paths.len());
        for path in paths {
            let body = Body::read(&path);
            let expected = body.expected.clone();
            let told = body.told().await;
            if told != expected {
                let name = path.file_name().unwrap().to_string_lossy();
                faults.push(format!(
                    "{folder}/{name}\n  read     {told}\n  expected {expected}"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
