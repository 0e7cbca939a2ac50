//! Whatever a server does, a client ends with a sentence, and nothing of it goes on
//! in the background.

mod support;

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use markscope::catalog::Match;
use markscope::lookup::{Fetched, Question};
use markscope::mark::client::Tls;
use markscope::mark::wire::{Response, Status};
use markscope::serve::Access;
use markscope::world::{RemoteOptions, RemoteWorld};
use tokio::runtime::{Builder, Handle};
use tokio::time::{sleep, timeout};

#[path = "support/relay.rs"]
mod relay;
#[path = "support/servers.rs"]
#[allow(dead_code)]
mod servers;

use relay::Relay;
use servers::{Odd, Served, WAIT, any_port, golden_store, insecure};

const TABLE: &str = "\n| Path | Importance | Title | Tags | Snippet |\n|---|---|---|---|---|\n\
                     | /a.md | 0.50 | A | | |\n| /b.md |\n";
const MINUTE: Duration = Duration::from_secs(60);

fn question(query: &str) -> Question {
    let mut question = Question::new(query);
    question.request.match_sent = Some(Match::Body);
    question
}

fn answer() -> Response {
    Response::new(Status::Ok).with("matches", "2").with("match", "body").with_body(TABLE)
}

/// Many servers at once on a busy machine take their time.
fn patient() -> RemoteOptions {
    RemoteOptions { wait: Duration::from_secs(1), ..insecure() }
}

/// Tasks of a runtime once they are as few as `want`, or after a while that is longer
/// than a closed connection is remembered.
async fn settled(runtime: &Handle, want: usize) -> usize {
    for _ in 0..600 {
        if runtime.metrics().num_alive_tasks() <= want {
            break;
        }
        sleep(Duration::from_millis(25)).await;
    }
    runtime.metrics().num_alive_tasks()
}

/// A lookup with one document, all that is said of what went wrong, and the tasks
/// left behind when it is over. `patience` is when it is given up.
fn tasks_left(
    location: &str,
    options: &RemoteOptions,
    patience: Option<Duration>,
) -> (String, usize) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let asked = async {
            let world = RemoteWorld::open(location, options).await.map_err(|e| e.to_string())?;
            let asked = world.ask(&question("doom")).await.map_err(|error| error.to_string());
            let mut said = asked.map(|asked| asked.remarks().join("; "));
            if let Ok(said) = &mut said {
                let documents = vec!["/a.md".to_owned()];
                world
                    .fetch(documents, |_, fetched| match fetched {
                        Fetched::Document(_) => {}
                        Fetched::Error(error) => said.push_str(&error),
                        Fetched::Failed(failure) => said.push_str(&failure.sentence),
                    })
                    .await;
            }
            world.close().await;
            said
        };
        let said = match patience {
            Some(patience) => timeout(patience, asked).await.unwrap_or(Ok("given up".into())),
            None => asked.await,
        };
        let said = said.unwrap_or_else(|error| error);
        (said, settled(&Handle::current(), 0).await)
    })
}

fn silent() -> Odd {
    Odd::new(b"mark", |send, receive, _| async move {
        sleep(MINUTE).await;
        drop((send, receive));
    })
}

fn endless() -> Odd {
    Odd::new(b"mark", |mut send, _, _| async move {
        let _ = send.write_all(b"---\nstatus: ok\n---\n").await;
        let chunk = vec![b'x'; 1 << 16];
        for _ in 0..1024 {
            if send.write_all(&chunk).await.is_err() {
                return;
            }
        }
    })
}

fn breaking_off() -> Odd {
    Odd::new(b"mark", |mut send, _, _| async move {
        let _ = send.write_all(b"---\nstatus: ok\n").await;
        let _ = send.reset(quinn::VarInt::from_u32(7));
    })
}

/// Answers the LOOKUP, and is silent where a document is asked for.
fn silent_at_documents() -> Odd {
    Odd::new(b"mark", |mut send, _, request| async move {
        if request.starts_with("LOOKUP") {
            let _ = send.write_all(&answer().encode()).await;
            let _ = send.finish();
        }
        sleep(MINUTE).await;
    })
}

#[test]
fn no_fault_leaves_a_task() {
    let oversized = format!("---\nstatus: ok\nx: {}\n---\n", "x".repeat(200_000));
    let five_mib = format!("---\nstatus: ok\n---\n{}", "x".repeat(5 << 20));
    let document = || Response::new(Status::Ok).with("version", "1").with_body("# A\n");
    let gone = Response::error(Status::NotFound, "/a.md not found");
    let altered = document().with("content-hash", format!("sha256-{}", "0".repeat(64)));
    let other_protocol = Odd::new(b"h3", |_, _, _| async {});
    let untrusted = RemoteOptions { tls: Tls::Platform, ..patient() };
    let faults: Vec<(&str, Odd, RemoteOptions, &str)> = vec![
        ("TLS refused", silent(), untrusted, "certificate"),
        ("wrong ALPN", other_protocol, patient(), "does not speak the Mark Protocol"),
        ("silence", silent(), patient(), "said nothing for 1 s"),
        ("broken off", breaking_off(), patient(), "broke off its answer"),
        ("death", Odd::dying(), patient(), "was lost before the answer was complete"),
        ("64 MiB", endless(), patient(), "larger than 4 MiB"),
        ("5 MiB", Odd::sending(five_mib.as_bytes()), patient(), "larger than 4 MiB"),
        ("oversized header", Odd::sending(oversized.as_bytes()), patient(), "larger than 128 KiB"),
        ("malformed header", Odd::sending(b"---\n- a\n---\n"), patient(), "unusable"),
        ("closed early", Odd::sending(b""), patient(), "gave an empty answer"),
        ("broken rows", Odd::answering(answer(), document()), patient(), "tells of 2 rows, but 1"),
        ("document gone", Odd::answering(answer(), gone), patient(), "not-found"),
        ("document altered", Odd::answering(answer(), altered), patient(), "content hash"),
        ("silent documents", silent_at_documents(), patient(), "said nothing for 1 s"),
    ];
    thread::scope(|scope| {
        for (name, odd, options, want) in &faults {
            scope.spawn(move || {
                let (said, left) = tasks_left(&odd.location, options, None);
                assert!(said.contains(want) && !said.contains('\n'), "{name}: {said}");
                assert_eq!(left, 0, "{name}");
                let patience = Some(WAIT / 8);
                assert_eq!(tasks_left(&odd.location, options, patience).1, 0, "{name}, given up");
            });
        }
        scope.spawn(|| {
            let socket = std::net::UdpSocket::bind(any_port()).expect("a port");
            let location = format!("mark://{}/", socket.local_addr().expect("an address"));
            drop(socket);
            let (said, left) = tasks_left(&location, &patient(), None);
            assert!(said.contains("no answer from"), "{said}");
            assert_eq!(left, 0, "nothing listens");
        });
        scope.spawn(|| {
            let served = Served::new(golden_store("music"), Access::default());
            let relay = Relay::to(served.server.address().expect("an address"));
            relay.faults.every.store(5, Ordering::Relaxed);
            let options = RemoteOptions { wait: Duration::from_secs(20), ..patient() };
            let location = format!("mark://{}/", relay.address);
            let (said, left) = tasks_left(&location, &options, None);
            assert_eq!((said.as_str(), left), ("not-found", 0), "one packet of five lost");
        });
    });
}

/// A hundred lookups on one connection, each with its documents, some given up in the
/// middle: none fails, and as many tasks and streams are open behind them as before,
/// on either side.
#[test]
fn a_hundred_lookups_leave_nothing_open() {
    let served = Served::new(golden_store("music"), Access::default());
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (here, there) = (Handle::current(), served.runtime.handle().clone());
        // A server has a task for its socket and one that accepts connections; each
        // connection has two more, and each open stream another one.
        assert_eq!(settled(&there, 2).await, 2);
        let world = RemoteWorld::open(&served.location, &insecure()).await.expect("a connection");
        let first = world.ask(&question("doom")).await.expect("an answer");
        assert_eq!(first.status(), "ok");
        let before = (settled(&here, 2).await, settled(&there, 4).await);
        assert_eq!(before, (2, 4));
        for at in 0..100 {
            if at % 10 == 9 {
                let _ = timeout(Duration::ZERO, world.ask(&question("drone"))).await;
                continue;
            }
            let mut asked = world.ask(&question("doom")).await.expect("an answer");
            while let Err(waiting) = asked.try_select(1500) {
                let give = |location, fetched| asked.give(location, fetched);
                world.fetch(waiting.wanted, give).await;
            }
            assert_eq!((asked.status(), asked.failures()), ("ok", &[][..]), "lookup {at}");
        }
        let after = (settled(&here, before.0).await, settled(&there, before.1).await);
        assert_eq!(after, before);
        world.close().await;
        drop(world);
        assert_eq!((settled(&here, 0).await, settled(&there, 2).await), (0, 2));
    });
}

/// A body that does not have its hash is no document: it is told, and not shown.
#[test]
fn a_body_that_is_not_its_hash() {
    let hash = format!("sha256-{}", "0".repeat(64));
    let document = Response::new(Status::Ok).with("content-hash", hash).with_body("# Altered\n");
    let odd = Odd::answering(answer(), document);
    let (mut asked, mut remote) = odd.ask().expect("an answer");
    let text = remote.select(&mut asked, 1000).text();
    assert!(text.contains("/a.md: no answer") && !text.contains("Altered"), "{text}");
    let server = odd.location.trim_start_matches("mark://").trim_end_matches('/');
    assert_eq!(
        asked.failures(),
        [format!(
            "/a.md: {server} gave a text for /a.md that does not have the content hash named for it: \
             it was damaged or altered; try again, and tell the server's administrator if it stays \
             so"
        )]
    );
}

/// The sentence for each status, as the command says it, with its exit code.
#[test]
fn every_status_has_its_sentence() {
    let home = tempfile::tempdir().expect("a folder");
    let sentence = |status: &str, token: Option<&str>| {
        let fetch = Response::new(Status::from(status)).with("version", "1").with_body("# A\n");
        let odd = Odd::answering(answer(), fetch);
        let world = odd.location.trim_end_matches('/').to_owned();
        let mut command = assert_cmd::Command::cargo_bin("markscope").expect("the program");
        command.env("HOME", home.path()).env_remove("DEMARKUS_AUTH");
        if let Some(token) = token {
            command.env("DEMARKUS_AUTH", token);
        }
        let output =
            command.args(["outline", &world, "/x.md", "--insecure"]).output().expect("it ran");
        let stderr = String::from_utf8(output.stderr).expect("text").replace(&world, "SERVER");
        let last = stderr.lines().last().unwrap_or_default().to_owned();
        (output.status.code().expect("a code"), last.replace("markscope: ", ""))
    };
    for (status, token, code, want) in [
        ("not-found", None, 1, "SERVER has no /x.md (not-found); check the path"),
        (
            "archived",
            None,
            1,
            "SERVER/x.md is archived (archived); a version of it can still be read as /x.md/vN",
        ),
        (
            "unauthorized",
            None,
            3,
            "SERVER wants a token for /x.md (unauthorized); give one with --token-file or in \
             DEMARKUS_AUTH, or keep it in ~/.mark/tokens.toml or ~/.mark/tokens.d",
        ),
        (
            "unauthorized",
            Some("tok-secret"),
            3,
            "SERVER does not accept the token of DEMARKUS_AUTH for /x.md (unauthorized); it may \
             have expired: ask for another one",
        ),
        (
            "not-permitted",
            Some("tok-secret"),
            3,
            "SERVER does not let the token of DEMARKUS_AUTH read /x.md (not-permitted); another one \
             is needed",
        ),
        (
            "not-permitted",
            None,
            3,
            "SERVER does not let /x.md be read without a token (not-permitted); give one with \
             --token-file or in DEMARKUS_AUTH",
        ),
        (
            "rate-limited",
            None,
            3,
            "SERVER wants fewer requests (rate-limited); it was asked three times: try again later",
        ),
        ("server-error", None, 3, "SERVER answered server-error for /x.md"),
        ("too-large", None, 3, "SERVER answered too-large for /x.md"),
        ("unheard-of", None, 3, "SERVER answered unheard-of for /x.md"),
    ] {
        assert_eq!(sentence(status, token), (code, want.to_owned()), "{status}");
    }
}

/// A server that says nothing ends the command in the time that was set, and with the
/// code of a network that failed.
#[test]
fn the_command_and_silence() {
    let odd = silent();
    let mut command = assert_cmd::Command::cargo_bin("markscope").expect("the program");
    command.env_remove("DEMARKUS_AUTH");
    command.args(["lookup", &odd.location, "doom", "--insecure", "--timeout", "0.3"]);
    let output = command.timeout(Duration::from_secs(20)).output().expect("it ended");
    assert_eq!(output.status.code(), Some(3));
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert!(stderr.contains("was asked and said nothing for 0.3 s; try again"), "{stderr}");
    assert_eq!(output.stdout, b"");
}
