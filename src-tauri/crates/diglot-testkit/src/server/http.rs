//! As much of HTTP/1.1 as the fake server needs: one request and one answer a connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use serde_json::Value;

use super::Recorded;
use crate::PATIENCE;
use crate::reply::{Fault, Reply};

/// Tells how sending an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// As the reply says.
    Done,
    /// The client closed the connection first.
    ClientLeft,
}

/// Reads one request; `None` when the client closes without one.
pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Option<Recorded>> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut parts = line.split_whitespace().map(str::to_owned);
    let method = parts.next().unwrap_or_default();
    let path = parts.next().unwrap_or_default();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: u64 = length
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    let n_bytes = body.len();
    let text = String::from_utf8_lossy(&body).into_owned();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(Recorded {
        method,
        path,
        headers,
        body,
        text,
        n_bytes,
        at: Instant::now(),
    }))
}

/// Sends an answer with its fault.
pub(super) fn write(stream: &mut TcpStream, reply: &Reply) -> io::Result<Sent> {
    let body = reply.body.as_slice();
    match &reply.fault {
        Fault::Drop => return Ok(Sent::Done),
        Fault::Hang => return wait_for_end(stream),
        Fault::HoldUntil(gate) => {
            gate.wait();
        }
        Fault::None | Fault::CutAt(_) | Fault::StallAt(_) | Fault::Pieces(_) => {}
    }
    stream.write_all(head(reply).as_bytes())?;
    match reply.fault {
        Fault::CutAt(length) => {
            stream.write_all(body.get(..length).unwrap_or(body))?;
        }
        Fault::StallAt(length) => {
            stream.write_all(body.get(..length).unwrap_or(body))?;
            return wait_for_end(stream);
        }
        Fault::Pieces(length) => {
            stream.set_nodelay(true)?;
            for piece in body.chunks(length.max(1)) {
                stream.write_all(piece)?;
                stream.flush()?;
            }
        }
        Fault::None | Fault::HoldUntil(_) | Fault::Hang | Fault::Drop => stream.write_all(body)?,
    }
    stream.flush()?;
    Ok(Sent::Done)
}

fn head(reply: &Reply) -> String {
    let (status, length) = (reply.status, reply.body.len());
    let headers = reply
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let headers: String = headers.collect();
    format!(
        "HTTP/1.1 {status} Reply\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
    )
}

/// Waits until the client closes the connection.
fn wait_for_end(stream: &mut TcpStream) -> io::Result<Sent> {
    let mut rest = [0; 64];
    loop {
        match stream.read(&mut rest) {
            Ok(0) => return Ok(Sent::ClientLeft),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {
                return Ok(Sent::ClientLeft);
            }
            Err(error) => return Err(error),
        }
    }
}
