//! A tool that answers lookups for agents: an MCP server, run as a program and spoken
//! to over its standard streams. It gives texts alone, one for each budget.
//!
//! The tool is `mark_lookup` with the arguments `url`, `query`, `filter`, `match`,
//! `limit`, `budget` and `verbose`; what is not asked for is not sent.

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, Implementation, JsonObject,
};
use rmcp::service::{
    ClientInitializeError, Peer, RoleClient, RunningService, ServiceError, serve_client,
};
use rmcp::transport::TokioChildProcess;
use rmcp::transport::async_rw::DEFAULT_MAX_LINE_LENGTH;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use tokio::process::{ChildStderr, Command};
use tokio::time::timeout;

use crate::lookup::Question;
use crate::mark::Address;
use crate::text::visible_line;

/// The tool that is called.
const TOOL: &str = "mark_lookup";
/// The largest answer that the client reads; it passes over a longer one, in MiB.
const MOST: usize = DEFAULT_MAX_LINE_LENGTH >> 20;
/// The end of what the program writes beside its answers that is kept, in bytes.
const KEPT: usize = 2048;
/// How long it is waited for when it is told that nothing more comes.
const END: Duration = Duration::from_secs(1);

/// A running tool.
pub struct Tool {
    command: String,
    peer: Peer<RoleClient>,
    service: Mutex<Option<RunningService<RoleClient, ClientConfig>>>,
    said: Arc<Mutex<Vec<u8>>>,
    group: Group,
    /// The location that scopes are put behind; empty where they are bare paths.
    base: String,
    wait: Duration,
}

impl Tool {
    /// Starts the program, a command line as a shell takes it. `world` is what is
    /// looked up in: a location's server goes before each scope. `wait` is the longest
    /// wait for an answer.
    ///
    /// # Errors
    /// In a sentence: there is no such program, or it is no MCP server.
    pub async fn start(command: &str, world: &str, wait: Duration) -> Result<Self, String> {
        let name = visible_line(command);
        let mut shell = Command::new("sh");
        // It is in the shell's place, so that it hears what is sent to it.
        shell.arg("-c").arg(format!("exec {command}")).kill_on_drop(true);
        #[cfg(unix)]
        shell.process_group(0);
        let started = TokioChildProcess::builder(shell).stderr(Stdio::piped()).spawn();
        let (process, stderr) =
            started.map_err(|error| format!("the tool `{name}` cannot be run: {error}"))?;
        let group = Group(process.id());
        let said: Arc<Mutex<Vec<u8>>> = Arc::default();
        if let Some(stderr) = stderr {
            tokio::spawn(listen(stderr, Arc::clone(&said)));
        }
        let about = Implementation::new("markscope", env!("CARGO_PKG_VERSION"));
        let config = ClientConfig::new(ClientCapabilities::default(), about);
        let why = match timeout(wait, serve_client(config, process)).await {
            Ok(Ok(service)) => {
                let base = Address::parse(world).map_or_else(
                    |_| String::new(),
                    |(address, _)| address.to_string().trim_end_matches('/').to_owned(),
                );
                return Ok(Self {
                    command: command.to_owned(),
                    peer: service.peer().clone(),
                    service: Mutex::new(Some(service)),
                    said,
                    group,
                    base,
                    wait,
                });
            }
            Ok(Err(error)) => not_begun(&error),
            Err(_) => {
                format!("within {} s it did not answer the first message", wait.as_secs_f64())
            }
        };
        // What it said last arrives beside this.
        tokio::time::sleep(Duration::from_millis(50)).await;
        Err(format!(
            "the tool `{name}` cannot be asked: {}{}; a tool is a command that speaks MCP on its \
             stdin and stdout",
            visible_line(&why),
            last_words(&said)
        ))
    }

    /// The command line.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The text of a lookup at a budget in tokens; 0 sends none.
    ///
    /// # Errors
    /// What the tool says, or that it does not answer, in a sentence.
    pub async fn lookup(&self, question: &Question, budget: u64) -> Result<String, String> {
        let arguments = arguments(question, budget, &self.base);
        let call = CallToolRequestParams::new(TOOL).with_arguments(arguments);
        let failed = |why: &str| {
            format!(
                "the tool `{}` gives no result: {}{}",
                visible_line(&self.command),
                visible_line(why),
                last_words(&self.said)
            )
        };
        let result = match timeout(self.wait, self.peer.call_tool(call)).await {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => {
                // What it said last arrives beside this.
                tokio::time::sleep(Duration::from_millis(50)).await;
                return Err(failed(&not_answered(&error)));
            }
            Err(_) => {
                let wait = self.wait.as_secs_f64();
                let words = format!("no answer within {wait} s, or one of more than {MOST} MiB");
                return Err(failed(&words));
            }
        };
        let texts = result.content.iter().filter_map(|content| content.as_text());
        let text: String = texts.map(|text| text.text.as_str()).collect();
        match result.is_error {
            Some(true) if text.trim().is_empty() => {
                Err(failed("it calls the lookup an error, without a reason"))
            }
            Some(true) => Err(failed(&text)),
            _ => Ok(text),
        }
    }

    /// Ends the program.
    pub async fn close(&self) {
        let service = self.service.lock().map(|mut service| service.take()).unwrap_or_default();
        if let Some(mut service) = service {
            let _ = service.close_with_timeout(END).await;
        }
        self.group.end();
    }
}

/// The program and whatever it started: a script around a server is not the server.
/// None of it outlives this.
struct Group(Option<u32>);

impl Group {
    fn end(&self) {
        #[cfg(unix)]
        if let Some(pid) = self.0.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) {
            // Where it has ended by itself there is nobody to be told.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// The arguments of the tool.
fn arguments(question: &Question, budget: u64, base: &str) -> JsonObject {
    let request = &question.request;
    let scope = if request.scope.is_empty() { "/" } else { &request.scope };
    let mut arguments = JsonObject::new();
    let mut add = |name: &str, value: Value| arguments.insert(name.to_owned(), value);
    add("url", format!("{base}{scope}").into());
    add("query", request.query.clone().into());
    if !request.filter.is_empty() {
        add("filter", request.filter.clone().into());
    }
    if let Some(matched) = request.match_sent {
        add("match", matched.to_string().into());
    }
    if let Some(limit) = request.limit {
        add("limit", limit.into());
    }
    if budget > 0 {
        add("budget", budget.into());
    }
    if question.verbose {
        add("verbose", true.into());
    }
    arguments
}

/// Keeps the end of what a program says beside its answers, and keeps it off the
/// screen.
async fn listen(mut stderr: ChildStderr, said: Arc<Mutex<Vec<u8>>>) {
    let mut bytes = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut bytes).await {
        if let Ok(mut said) = said.lock() {
            said.extend_from_slice(&bytes[..read]);
            let over = said.len().saturating_sub(KEPT);
            said.drain(..over);
        }
    }
}

/// Why a program does not begin to speak MCP.
fn not_begun(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::JsonRpcError(error) => {
            format!("it refuses the first message of MCP: {}", error.message)
        }
        ClientInitializeError::ConnectionClosed(_)
        | ClientInitializeError::TransportError { .. } => {
            "it ended before it answered the first message of MCP".into()
        }
        ClientInitializeError::NoCompatibleProtocolVersion { .. } => {
            "it speaks another version of MCP".into()
        }
        _ => "what it answers the first message of MCP is no answer to it".into(),
    }
}

/// Why a program does not answer a call.
fn not_answered(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => error.message.to_string(),
        ServiceError::TransportSend(_) | ServiceError::TransportClosed => {
            "it ended before it answered".into()
        }
        ServiceError::Cancelled { .. } => "it ended the call without an answer".into(),
        _ => "what it answers is no result of a tool".into(),
    }
}

/// The longest last line that is told, in characters.
const LINE: usize = 200;

/// The last line that a program said, to go behind a sentence.
fn last_words(said: &Mutex<Vec<u8>>) -> String {
    let said = said.lock().map(|said| String::from_utf8_lossy(&said).into_owned());
    let said = said.unwrap_or_default();
    match said.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => {
            let line = visible_line(line.trim());
            match line.char_indices().nth(LINE) {
                Some((end, _)) => format!("; it says: {}…", &line[..end]),
                None => format!("; it says: {line}"),
            }
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Match;

    #[test]
    fn arguments_are_those_of_the_question() {
        let mut question = Question::new("rye hours");
        let plain = arguments(&question, 0, "");
        assert_eq!(Value::Object(plain).to_string(), r#"{"query":"rye hours","url":"/"}"#);
        question.request.scope = "/bread".into();
        question.request.filter = "tag=a".into();
        question.request.match_sent = Some(Match::Body);
        question.request.limit = Some(3);
        question.verbose = true;
        let all = arguments(&question, 800, "mark://kb.example");
        assert_eq!(
            Value::Object(all).to_string(),
            r#"{"budget":800,"filter":"tag=a","limit":3,"match":"body","query":"rye hours","url":"mark://kb.example/bread","verbose":true}"#
        );
    }
}
