//! `serve`: commands as JSON lines. Owns the frame of a line; what stands in it is the application's.

mod output;

use std::sync::Arc;
use std::time::Duration;

use diglot_api::Workbench;
use diglot_api::error::{ApiError, ErrorCode};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::task::JoinSet;

use crate::args::ServeArgs;
use crate::exit::Exit;
use crate::{host, signal};
use output::Output;

/// Longest line that is read, in bytes; a document's text is far below.
const MAX_LINE: u64 = 16 * 1024 * 1024;

/// How long commands may go on after the end of the input before they are stopped.
const GRACE: Duration = Duration::from_secs(10);

/// Holds a command as it stands in a line.
#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    command: String,
    #[serde(default = "no_arguments")]
    args: Value,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Answers commands until the input ends.
pub(crate) async fn run(args: ServeArgs) -> Exit {
    let output = Output::start();
    let events = output.clone();
    let workbench = match host::open(args.data.as_deref(), move |event| events.event(&event)) {
        Ok(workbench) => workbench,
        Err(error) => {
            output.answer(&Value::Null, Err(error.clone()));
            output.finish().await;
            host::complain_of(&error);
            return Exit::of(&error);
        }
    };
    let mut commands = JoinSet::new();
    let input = BufReader::new(tokio::io::stdin());
    tokio::select! {
        () = read(input, &workbench, &output, &mut commands) => {}
        () = output.closed() => {}
        () = signal::ended() => {}
    }
    let finished = async { while commands.join_next().await.is_some() {} };
    let in_time = tokio::time::timeout(GRACE, finished).await.is_ok();
    workbench.close().await;
    if !in_time {
        // What was at work has been stopped by now, and still answers.
        while commands.join_next().await.is_some() {}
    }
    output.finish().await;
    Exit::Done
}

/// Starts a command for each line of the input, until it ends or cannot be read.
async fn read(
    mut input: impl AsyncBufRead + Unpin,
    workbench: &Arc<Workbench>,
    output: &Output,
    commands: &mut JoinSet<()>,
) {
    let mut line = Vec::new();
    loop {
        while commands.try_join_next().is_some() {}
        line.clear();
        match (&mut input)
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)
            .await
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if !line.ends_with(b"\n") && line.len() as u64 == MAX_LINE {
            output.answer(&Value::Null, Err(bad_line("the line is too long")));
            skip_line(&mut input).await;
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match parse(&line) {
            Ok(line) => {
                commands.spawn(answer(Arc::clone(workbench), line, output.clone()));
            }
            Err((id, error)) => output.answer(&id, Err(error)),
        }
    }
}

async fn skip_line(input: &mut (impl AsyncBufRead + Unpin)) {
    let mut rest = Vec::new();
    while let Ok(n) = (&mut *input)
        .take(MAX_LINE)
        .read_until(b'\n', &mut rest)
        .await
    {
        if n == 0 || rest.ends_with(b"\n") {
            return;
        }
        rest.clear();
    }
}

/// Reads a line; what is wrong goes to the id that the line names, where it names one.
fn parse(line: &[u8]) -> Result<Line, (Value, ApiError)> {
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        (
            Value::Null,
            bad_line(&format!("the line is no JSON: {error}")),
        )
    })?;
    let id = value.get("id").cloned().unwrap_or_default();
    serde_json::from_value(value).map_err(|error| (id, bad_line(&error.to_string())))
}

fn bad_line(detail: &str) -> ApiError {
    ApiError::new(ErrorCode::BadRequest, detail)
}

async fn answer(workbench: Arc<Workbench>, line: Line, output: Output) {
    let Line { id, command, args } = line;
    // In a task of its own, so that a fault of the program answers too.
    let call = tokio::spawn(async move { workbench.call(&command, args).await });
    let answer = call.await.unwrap_or_else(|_| {
        Err(ApiError::new(
            ErrorCode::Internal,
            "the command broke down; nothing was stored",
        ))
    });
    output.answer(&id, answer);
}

#[cfg(test)]
mod tests;
