//! A reader's lookup over the network, on loopback: the same bytes as from a world
//! in memory, and every fault in bounded time with a sentence.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use markscope::catalog::Match;
use markscope::document::Document;
use markscope::lookup::{Question, Store};
use markscope::mark::Address;
use markscope::mark::client::{Client, ClientError, ListOptions, Lookup, Tls, Tokens};
use markscope::mark::wire::{MAX_RESPONSE, Request, Response, Status};
use markscope::selection::Engine;
use markscope::serve::{Access, Identity};
use markscope::world::{Remote, RemoteError};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

#[path = "support/relay.rs"]
mod relay;
#[path = "support/servers.rs"]
mod servers;

use relay::Relay;
use servers::{BOUND, Odd, Served, WAIT, any_port, golden_store, insecure};
use support::{cases, golden, text};

fn question(case: &Value) -> Question {
    Question { request: support::request(case), engine: Engine::Selection, verbose: false }
}

/// Every expansion that comes from a lookup, once over the network.
#[test]
fn expansions_are_the_same_bytes() {
    let mut served = BTreeMap::new();
    let mut compared = 0;
    for case in cases("expand.json") {
        if !case["given_rows"].is_null() || case["answered"] != case["match"] {
            continue;
        }
        compared += 1;
        let name = text(&case, "world").to_owned();
        let (_, remote) = served.entry(name.clone()).or_insert_with(|| {
            let served = Served::new(golden_store(&name), Access::default());
            let remote = Remote::open(&served.location, &insecure()).expect("a connection");
            (served, remote)
        });
        let (requests, round_trips) = (remote.requests(), remote.round_trips());
        let mut asked = remote.ask(&question(&case)).expect("an answer");
        let budget = u64::try_from(case["budget_tokens"].as_i64().expect("a budget")).unwrap_or(0);
        let selection = remote.select(&mut asked, budget);
        assert_eq!(
            json!([selection.text(), selection.fetched]),
            json!([case["result"], case["fetched"]]),
            "{}",
            case["name"]
        );
        assert_eq!(asked.failures(), [""; 0], "{}", case["name"]);
        // Little is fetched in vain, and hardly anything one after the other.
        assert!(remote.requests() - requests <= 11, "{}", case["name"]);
        assert!(remote.round_trips() - round_trips <= 4, "{}", case["name"]);
    }
    assert!(compared > 200, "only {compared}");
}

/// One connection carries many lookups, and what has not changed is not sent again.
#[test]
fn a_hundred_lookups_on_one_connection() {
    let served = Served::new(golden_store("music"), Access::default());
    let mut remote = Remote::open(&served.location, &insecure()).expect("a connection");
    let store = golden_store("music");
    for at in 0..100u64 {
        let mut question = Question::new(["doom", "drone", "label", "band"][at as usize % 4]);
        question.request.match_sent = Some(Match::Body);
        let budget = 200 * (at % 20);
        let mut asked = remote.ask(&question).expect("an answer");
        let got = remote.select(&mut asked, budget).text();
        assert_eq!(got, store.ask(&question).select(&store, budget).text(), "lookup {at}");
    }
}

#[test]
fn all_verbs() {
    let tokens = std::fs::read_to_string(golden("tokens.toml")).expect("a tokens file");
    let access = Access::parse(&tokens).expect("tokens");
    let served = Served::new(golden_store("decisions"), access);
    Runtime::new().expect("a runtime").block_on(async {
        let (address, _) = Address::parse(&served.location).expect("a location");
        let client =
            Client::connect(address.clone(), &Tls::Insecure, WAIT).await.expect("a client");
        let fetched = client.fetch("/adr/0003-queue.md", None).await.expect("an answer");
        assert_eq!(fetched.status, Status::Ok);
        let again = client.fetch("/adr/0003-queue.md", fetched.get("etag")).await;
        assert_eq!(again.expect("an answer").status, Status::NotModified);
        let versions = client.versions("/adr/0003-queue.md").await.expect("an answer");
        assert_eq!(versions.get("total"), Some("1"));
        let options = ListOptions { page_size: Some(5), ..Default::default() };
        let first = client.list("/adr", &options).await.expect("an answer");
        assert_eq!(first.get("complete"), Some("false"));
        let options =
            ListOptions { cursor: first.get("next-cursor").map(str::to_owned), ..options };
        assert_eq!(
            client.list("/adr", &options).await.expect("an answer").get("entries"),
            Some("5")
        );
        let lookup = Lookup {
            scope: "/adr",
            query: "log",
            filter: "",
            limit: Some(2),
            matched: Some("body"),
        };
        assert_eq!(client.lookup(&lookup).await.expect("an answer").get("matches"), Some("2"));
        let journal = "/journal/2026-08-15.md";
        let denied = client.fetch(journal, None).await.expect("an answer");
        assert_eq!(denied.status, Status::Unauthorized);
        let tokens = Tokens::new(None, Some("tok-journal-91ae"), None).expect("tokens");
        let client = client.with_token(tokens.find(&address, true).expect("a token"));
        assert_eq!(client.fetch(journal, None).await.expect("an answer").status, Status::Ok);
        let elsewhere = client.send(Request::new("FETCH", "/specs/intake.md")).await;
        assert_eq!(elsewhere.expect("an answer").status, Status::NotPermitted);
        // More at once than a server lets in at once.
        let all = (0..40).map(|_| client.fetch("/adr/0003-queue.md", None));
        for answer in futures_util::future::join_all(all).await {
            assert_eq!(answer.expect("an answer").status, Status::Ok);
        }
        client.close().await;
    });
}

#[test]
fn ipv6_by_its_literal() {
    let identity = Identity::self_signed().expect("a certificate");
    let address = "[::1]:0".parse().expect("an address");
    if std::net::UdpSocket::bind(address).is_err() {
        return;
    }
    let served = Served::with(golden_store("music"), Access::default(), identity, address);
    assert!(served.location.starts_with("mark://[::1]:"));
    let remote = Remote::open(&served.location, &insecure()).expect("a connection");
    assert!(remote.name().starts_with("mark://[::1]:"));
}

/// A server that has gone and come back at the same port is found again.
#[test]
fn a_stale_connection_is_made_anew() {
    let served = Served::new(golden_store("music"), Access::default());
    let mut remote = Remote::open(&served.location, &insecure()).expect("a connection");
    let ask = |remote: &mut Remote| {
        remote.ask(&Question::new("doom")).map(|asked| asked.status().to_owned())
    };
    assert_eq!(ask(&mut remote).expect("an answer"), "ok");
    let address = served.server.address().expect("an address");
    drop(served);
    let begun = Instant::now();
    assert!(matches!(ask(&mut remote), Err(RemoteError::Client(ClientError::NoAnswer { .. }))));
    assert!(begun.elapsed() < BOUND);
    let identity = Identity::self_signed().expect("a certificate");
    let _again = Served::with(golden_store("music"), Access::default(), identity, address);
    assert_eq!(ask(&mut remote).expect("an answer"), "ok");
}

#[test]
fn nothing_listens() {
    let socket = std::net::UdpSocket::bind(any_port()).expect("a port");
    let location = format!("mark://{}/", socket.local_addr().expect("an address"));
    drop(socket);
    let begun = Instant::now();
    let error = Remote::open(&location, &insecure()).err().expect("nobody").to_string();
    assert!(error.contains("no answer from") && error.contains("within 0.4 s"), "{error}");
    assert!(begun.elapsed() < BOUND);
}

#[test]
fn another_protocol() {
    let odd = Odd::new(b"h3", |_, _, _| async {});
    assert!(odd.fault().contains("does not speak the Mark Protocol"), "{}", odd.fault());
}

#[test]
fn silence() {
    let odd = Odd::new(b"mark", |send, receive, _| async move {
        tokio::time::sleep(Duration::from_secs(60)).await;
        drop((send, receive));
    });
    assert!(odd.fault().contains("said nothing for 0.4 s"), "{}", odd.fault());
}

/// What keeps coming is waited for, however long the whole takes.
#[test]
fn a_trickle_arrives() {
    let odd = Odd::new(b"mark", |mut send, _, _| async move {
        for byte in b"---\nstatus: ok\nmatches: \"0\"\n---\n" {
            let _ = send.write_all(&[*byte]).await;
            tokio::time::sleep(WAIT / 16).await;
        }
        let _ = send.finish();
        let _ = send.stopped().await;
    });
    let begun = Instant::now();
    let (asked, _) = odd.ask().expect("an answer");
    assert_eq!(asked.status(), "ok");
    assert!(begun.elapsed() > WAIT);
}

#[test]
fn death_in_the_middle() {
    let odd = Odd::new(b"mark", |mut send, _, _| async move {
        let _ = send.write_all(b"---\nstatus: ok\n").await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        let _ = send.reset(quinn::VarInt::from_u32(7));
    });
    assert!(odd.fault().contains("broke off its answer"), "{}", odd.fault());
    assert!(Odd::dying().fault().contains("was lost before the answer was complete"));
}

#[test]
fn too_much() {
    let odd = Odd::new(b"mark", |mut send, _, _| async move {
        let chunk = vec![b'x'; 1 << 16];
        let _ = send.write_all(b"---\nstatus: ok\n---\n").await;
        for _ in 0..1024 {
            if send.write_all(&chunk).await.is_err() {
                return;
            }
        }
    });
    assert!(odd.fault().contains("larger than 4 MiB"), "{}", odd.fault());
    // The largest that is read.
    let head = "---\nstatus: ok\n---\n";
    let whole = format!("{head}{}", "x".repeat(MAX_RESPONSE - head.len()));
    assert!(Odd::sending(whole.as_bytes()).ask().is_ok());
}

#[test]
fn broken_answers() {
    for (bytes, want) in [
        (&b""[..], "gave an empty answer"),
        (b"---\nstatus: ok\n", "its metadata has no end"),
        (b"---\nstatus: \"a\n---\n", "is not YAML"),
        (b"---\n- a\n---\n", "no list of `key: value` lines"),
        (b"---\nstatus: ok\nx: [a]\n---\n", "holds a list"),
        (b"---\nstatus: ok\nstatus: ok\n---\n", "a second time"),
        (b"---\nstatus: \xff\n---\n", "is not UTF-8"),
    ] {
        let error = Odd::sending(bytes).fault();
        assert!(error.contains(want), "{error}");
    }
    let long = format!("---\nstatus: ok\nx: {}\n---\n", "x".repeat(200_000));
    let error = Odd::sending(long.as_bytes()).fault();
    assert!(error.contains("metadata is larger than 128 KiB"), "{error}");
}

/// Servers that do not know what they are asked say so, and it is told.
#[test]
fn servers_that_know_less() {
    let old = Odd::answering(
        Response::error(Status::BadRequest, "bad request"),
        Response::new(Status::Ok),
    );
    let (asked, _) = old.ask().expect("an answer");
    assert!(asked.remarks()[0].contains("does not know LOOKUP"), "{:?}", asked.remarks());
    let table =
        "\n| Path | Importance | Title | Tags |\n|---|---|---|---|\n| /a.md | 0.50 | A | |\n";
    let catalog = Response::new(Status::Ok).with("matches", "1").with_body(table);
    let document = Response::new(Status::Ok).with("version", "1").with_body("# A\n\ntext\n");
    let older = Odd::answering(catalog, document);
    let (mut asked, mut remote) = older.ask().expect("an answer");
    assert!(asked.remarks()[0].contains("cannot match the text"), "{:?}", asked.remarks());
    let text = remote.select(&mut asked, 1000).text();
    assert!(text.contains("server answered from the catalog") && text.contains("# A"), "{text}");
    for status in ["rate-limited", "unauthorized", "unheard-of"] {
        let server = Odd::answering(Response::new(Status::from(status)), Response::new(Status::Ok));
        let (mut asked, mut remote) = server.ask().expect("an answer");
        assert_eq!(asked.status(), status);
        assert!(asked.remarks()[0].contains(status), "{:?}", asked.remarks());
        assert!(remote.select(&mut asked, 1000).text().starts_with(&format!("status: {status}\n")));
    }
}

/// Broken rows are left out, and told; the others are expanded.
#[test]
fn a_table_with_broken_rows() {
    let table = "\n| Path | Importance | Title | Tags | Snippet |\n|---|---|---|---|---|\n\
                 | /a.md | 0.50 | A | | |\n| /b.md | 0.50 |\n| /c.md | 0.50 | C | | | |\n\
                 /d.md | 0.50 | D | | |\n| /e.md | high | E | | |\n| | | | | |\n";
    let answer =
        Response::new(Status::Ok).with("matches", "6").with("match", "body").with_body(table);
    let document = Response::new(Status::Ok).with("version", "1").with_body("# A\n\ntext\n");
    let odd = Odd::answering(answer, document);
    let (mut asked, mut remote) = odd.ask().expect("an answer");
    let rows = asked.session().answered().rows().iter();
    assert_eq!(rows.map(|row| row.path.as_str()).collect::<Vec<_>>(), ["/a.md", "/e.md", ""]);
    assert!(
        asked.remarks()[0].contains("tells of 6 rows, but 3 can be read"),
        "{:?}",
        asked.remarks()
    );
    let text = remote.select(&mut asked, 1000).text();
    assert!(text.contains("# A"), "{text}");
}

/// A document of the table that is gone, forbidden, or no document at its fetch.
#[test]
fn documents_that_cannot_be_had() {
    let table = "\n| Path | Importance | Title | Tags | Snippet |\n|---|---|---|---|---|\n\
                 | /a.md | 0.50 | A | | |\n";
    let answer =
        || Response::new(Status::Ok).with("matches", "1").with("match", "body").with_body(table);
    let index = Response::new(Status::Ok).with("entries", "0").with_body("\n# Index of /a.md/\n");
    for (fetch, want) in [
        (Response::error(Status::NotFound, "/a.md not found"), "/a.md: not-found"),
        (Response::error(Status::Archived, "/a.md is archived"), "/a.md: archived"),
        (Response::error(Status::NotPermitted, "no"), "/a.md: not-permitted"),
        (Response::new(Status::from("unheard-of")), "/a.md: unheard-of"),
        (index, "/a.md: not-found"),
        (Response::new(Status::Ok).with_body(b"\xff\xfe".to_vec()), "/a.md: not text"),
    ] {
        let odd = Odd::answering(answer(), fetch);
        let (mut asked, mut remote) = odd.ask().expect("an answer");
        let text = remote.select(&mut asked, 1000).text();
        assert!(text.contains(want), "{want} is not in\n{text}");
        assert_eq!(asked.failures(), [""; 0]);
    }
}

/// Where the network fails at the documents, each says so and none is waited for
/// after the first ones.
#[test]
fn the_network_fails_at_the_documents() {
    let rows: String = (0..30).map(|at| format!("| /d{at}.md | 0.50 | D | | |\n")).collect();
    let table =
        format!("\n| Path | Importance | Title | Tags | Snippet |\n|---|---|---|---|---|\n{rows}");
    let odd = Odd::new(b"mark", move |mut send, _, request| {
        let table = table.clone();
        async move {
            if request.starts_with("LOOKUP") {
                let answer = Response::new(Status::Ok).with("match", "body").with_body(table);
                let _ = send.write_all(&answer.encode()).await;
                let _ = send.finish();
            }
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
    });
    let (mut asked, mut remote) = odd.ask().expect("an answer");
    let begun = Instant::now();
    let text = remote.select(&mut asked, 5000).text();
    assert!(begun.elapsed() < BOUND, "{:?}", begun.elapsed());
    assert!(text.contains("/d0.md: no answer"), "{text}");
    assert!(asked.failures()[0].contains("said nothing for 0.4 s"), "{:?}", asked.failures());
}

/// A document that its publisher changed between two lookups is read anew.
#[test]
fn what_has_changed_is_fetched_again() {
    let served = |body: &str, address| {
        let documents = [Arc::new(Document::new("/a.md", body).with_version(Some(1)))];
        let store = Store::new("small", documents, BTreeMap::new());
        let identity = Identity::self_signed().expect("a certificate");
        Served::with(store, Access::default(), identity, address)
    };
    let first = served("# Doom\n\nold\n", any_port());
    let address = first.server.address().expect("an address");
    let mut remote = Remote::open(&first.location, &insecure()).expect("a connection");
    let mut look = || {
        let mut asked = remote.ask(&Question::new("doom")).expect("an answer");
        remote.select(&mut asked, 500).text()
    };
    assert!(look().contains("old"));
    assert!(look().contains("old"));
    drop(first);
    let _second = served("# Doom\n\nnew\n", address);
    assert!(look().contains("new"));
}

/// The command, with its exit codes; a token is sent and never printed.
#[test]
fn the_command() {
    let tokens = std::fs::read_to_string(golden("tokens.toml")).expect("a tokens file");
    let access = Access::parse(&tokens).expect("tokens");
    let served = Served::new(golden_store("decisions"), access);
    let home = tempfile::tempdir().expect("a folder");
    let run = |location: &str, options: &[&str], token: Option<&str>| {
        let mut command = assert_cmd::Command::cargo_bin("markscope").expect("the program");
        command.env("HOME", home.path()).env_remove("DEMARKUS_AUTH");
        command.args(["lookup", location, "*", "--timeout", "0.5"]).args(options);
        if let Some(token) = token {
            command.env("DEMARKUS_AUTH", token);
        }
        let output = command.output().expect("it ran");
        let stdout = String::from_utf8(output.stdout).expect("text");
        let stderr = String::from_utf8(output.stderr).expect("text");
        for secret in ["tok-journal-91ae", "tok-part-3d77"] {
            assert!(!stdout.contains(secret) && !stderr.contains(secret), "{stdout}{stderr}");
        }
        (output.status.code().expect("a code"), stdout, stderr)
    };
    let journal = format!("{}journal", served.location);
    let insecure = &["--insecure"][..];
    let (code, stdout, stderr) = run(&served.location, insecure, None);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.starts_with("status: ok\nmatches: 10\n"), "{stdout}");
    assert!(stderr.contains("WARNING: --insecure") && stderr.lines().count() == 1, "{stderr}");
    assert_eq!(run(&journal, insecure, None).0, 1);
    let (code, stdout, _) = run(&journal, insecure, Some("tok-journal-91ae"));
    assert_eq!((code, stdout.lines().nth(1)), (0, Some("matches: 2")));
    let file = home.path().join("token");
    std::fs::write(&file, "tok-journal-91ae\n").expect("written");
    let with_file = ["--insecure", "--token-file", file.to_str().expect("a path")];
    assert_eq!(run(&journal, &with_file, Some("tok-part-3d77")).0, 0);
    std::fs::create_dir_all(home.path().join(".mark")).expect("made");
    let dial = served.location.trim_start_matches("mark://").trim_end_matches('/');
    let kept = format!("[\"{dial}\"]\ntoken = \"tok-journal-91ae\"\n");
    std::fs::write(home.path().join(".mark/tokens.toml"), kept).expect("written");
    let (code, stdout, _) = run(&journal, &["--insecure", "--format", "json"], None);
    assert_eq!(code, 0);
    let object: Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(object["world"]["name"], json!(served.location.trim_end_matches('/')));
    assert_eq!(object["request"]["scope"], json!("/journal"));
    for (location, options, want, said) in [
        (served.location.as_str(), &[][..], 3, "certificate"),
        ("mark://127.0.0.1:1/", insecure, 3, "no answer from 127.0.0.1:1 within 0.5 s"),
        ("mark://::1/", insecure, 3, "in brackets"),
        (&journal, &["--insecure", "--scope", "/adr"], 2, "not both"),
        (&format!("{}nowhere", served.location), insecure, 1, "/nowhere not found"),
        (&served.location, &["--insecure", "--filter", "tag"], 2, "malformed filter clause"),
        (&served.location, &["--token-file", "/no/such"], 3, "/no/such cannot be read"),
    ] {
        let (code, _, stderr) = run(location, options, None);
        assert_eq!(code, want, "{location} {options:?}: {stderr}");
        assert!(stderr.contains(said), "{said:?} is not in {stderr:?}");
    }
}

/// A network that drops all that belongs to a connection, without a word.
#[test]
fn a_connection_that_went_silent_is_made_anew() {
    let served = Served::new(golden_store("music"), Access::default());
    let relay = Relay::to(served.server.address().expect("an address"));
    let location = format!("mark://{}/", relay.address);
    let mut remote = Remote::open(&location, &insecure()).expect("a connection");
    let mut ask = || remote.ask(&Question::new("doom")).map(|asked| asked.status().to_owned());
    assert_eq!(ask().expect("an answer"), "ok");
    relay.faults.cut_known.store(true, Ordering::Relaxed);
    let begun = Instant::now();
    assert_eq!(ask().expect("an answer"), "ok");
    assert!(begun.elapsed() >= WAIT && begun.elapsed() < BOUND, "{:?}", begun.elapsed());
}

/// A large document arrives whole over a network that loses packets, and over one
/// that lets only small ones through from the middle of a connection on.
#[test]
fn a_bad_network() {
    let body: String = (0..1 << 16).map(|line| format!("line {line:>10}\n")).collect();
    assert_eq!(body.len(), 1 << 20);
    let documents = [Arc::new(Document::new("/big.md", body.clone()))];
    let store = Store::new("large", documents, BTreeMap::new());
    let served = Served::new(store, Access::default());
    let relay = Relay::to(served.server.address().expect("an address"));
    let (address, _) = Address::parse(&format!("mark://{}/", relay.address)).expect("a location");
    Runtime::new().expect("a runtime").block_on(async {
        let wait = Duration::from_secs(20);
        let client = Client::connect(address, &Tls::Insecure, wait).await.expect("a connection");
        for (every, larger_than) in [(0, 0), (20, 0), (5, 0), (0, 1250)] {
            relay.faults.every.store(every, Ordering::Relaxed);
            relay.faults.larger_than.store(larger_than, Ordering::Relaxed);
            let answer = client.fetch("/big.md", None).await.expect("an answer");
            assert!(answer.body == body.as_bytes(), "{every} {larger_than}");
        }
        client.close().await;
    });
}

/// A server that wants fewer requests is asked again after a pause, and not for ever.
#[test]
fn a_server_that_puts_off() {
    let put_off = |times: usize| {
        let left = Arc::new(std::sync::atomic::AtomicUsize::new(times));
        Odd::new(b"mark", move |mut send, _, _| {
            let left = Arc::clone(&left);
            async move {
                let is_put_off = left
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
                    .is_ok();
                let answer = if is_put_off {
                    "---\nstatus: rate-limited\n---\n"
                } else {
                    "---\nstatus: ok\nmatches: \"0\"\n---\n"
                };
                let _ = send.write_all(answer.as_bytes()).await;
                let _ = send.finish();
                let _ = send.stopped().await;
            }
        })
    };
    let (asked, _) = put_off(2).ask().expect("an answer");
    assert_eq!(asked.status(), "ok");
    let odd = put_off(3);
    let (asked, _) = odd.ask().expect("an answer");
    assert_eq!(asked.status(), "rate-limited");
    assert!(asked.remarks()[0].contains("wants fewer requests"), "{:?}", asked.remarks());
}

/// One document of a server, and all of them.
#[test]
fn documents_on_a_server() {
    let tokens = std::fs::read_to_string(golden("tokens.toml")).expect("tokens");
    let access = Access::parse(&tokens).expect("tokens");
    let served = Served::new(golden_store("decisions"), access);
    let run = |args: &[&str], token: Option<&str>| {
        let mut command = assert_cmd::Command::cargo_bin("markscope").expect("the program");
        command.env("HOME", "/nonexistent").env_remove("DEMARKUS_AUTH").args(args);
        if let Some(token) = token {
            command.env("DEMARKUS_AUTH", token);
        }
        let output = command.output().expect("it ran");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
    };
    let world = served.location.trim_end_matches('/');
    let store = golden_store("decisions");
    let document = &store.catalog().documents()[0];
    let location = format!("{world}{}", document.path());
    let (code, stdout, _) = run(&["outline", &location, "--insecure", "--format", "json"], None);
    assert_eq!(code, 0);
    let sections: Value = serde_json::from_str(&stdout).expect("JSON");
    let anchors: Vec<&str> =
        document.outline().headings().iter().map(|h| h.anchor.as_str()).collect();
    let got: Vec<&str> =
        sections.as_array().expect("a list").iter().map(|s| text(s, "anchor")).collect();
    assert_eq!(got, anchors);
    assert_eq!(
        run(&["outline", world, document.path(), "--insecure", "--format", "json"], None).1,
        stdout
    );
    for (args, token, code, said) in [
        (&["outline", world, "--insecure"][..], None, 2, "is a whole world: name a document"),
        (&["relations", world, "--insecure"], None, 2, "listed and read with --crawl"),
        (&["outline", "mark://nowhere.invalid"], None, 2, "is a whole world: name a document"),
        (&["outline", &location, "/x.md", "--insecure"], None, 2, "give its path once"),
        (
            &["outline", world, "/nowhere.md", "--insecure"],
            None,
            1,
            "has no /nowhere.md (not-found); check the path",
        ),
        (
            &["outline", world, "/journal/x.md", "--insecure"],
            None,
            3,
            "wants a token for /journal/x.md (unauthorized)",
        ),
        (
            &["outline", world, "/journal/x.md", "--insecure"],
            Some("tok-part-3d77"),
            3,
            "does not let the token of DEMARKUS_AUTH read /journal/x.md (not-permitted)",
        ),
        (&["relations", &location, "--insecure", "--crawl", "/x.md"], None, 2, "without --crawl"),
        (&["lookup", world, "x", "--insecure", "--chain"], None, 2, "need the store itself"),
    ] {
        let (got, _, stderr) = run(args, token);
        assert!(got == code && stderr.contains(said), "{args:?}: {got}: {stderr}");
    }
    let (code, stdout, stderr) = run(&["relations", world, "--insecure", "--crawl"], None);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains(" relations in "), "{stdout}");
    assert!(stderr.contains("crawled: the documents were read one by one"), "{stderr}");
}

/// Worlds beside each other: named by their authority or folder, a missing one told.
#[test]
fn worlds_beside_each_other() {
    let served = Served::new(golden_store("music"), Access::default());
    let world = served.location.trim_end_matches('/');
    let mut command = assert_cmd::Command::cargo_bin("markscope").expect("the program");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(["lookup", "examples/decisions", "retention", "--also", world, "--insecure"]);
    let output = command.args(["--also", "nowhere-at-all"]).output().expect("it ran");
    let stdout = String::from_utf8(output.stdout).expect("text");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert!(
        stdout.starts_with("status: partial\nworlds: 3\nsucceeded: 2\nfailed: 1\n"),
        "{stdout}"
    );
    assert!(stdout.contains("| mark://decisions/"), "{stdout}");
    assert!(stdout.contains("| nowhere-at-all |"), "{stdout}");
    assert!(stderr.contains("nowhere-at-all"), "{stderr}");
    assert_eq!(output.status.code(), Some(3));
}

/// A token given for the command goes to the first server that it names, and to no
/// other; a file of tokens by server serves all of them.
#[test]
fn a_token_goes_to_one_server() {
    let tokens = std::fs::read_to_string(golden("tokens.toml")).expect("tokens");
    let served = || {
        let access = Access::parse(&tokens).expect("tokens");
        Served::new(golden_store("decisions"), access)
    };
    let (first, second) = (served(), served());
    let home = tempfile::tempdir().expect("a folder");
    let rows = |also: &str, options: &[&str], token: Option<&str>| {
        let mut command = assert_cmd::Command::cargo_bin("markscope").expect("the program");
        command.env("HOME", home.path()).env_remove("DEMARKUS_AUTH");
        command.args(["lookup", &first.location, "*", "--insecure", "--budget", "0"]);
        command.args(["--limit", "1000", "--also", also]).args(options);
        if let Some(token) = token {
            command.env("DEMARKUS_AUTH", token);
        }
        let text = String::from_utf8(command.output().expect("it ran").stdout).expect("text");
        let protected = |served: &Served| {
            let journal = format!("| {}journal/", served.location);
            text.lines().filter(|line| line.starts_with(&journal)).count()
        };
        (protected(&first), protected(&second))
    };
    assert_eq!(rows(&second.location, &[], None), (0, 0));
    assert_eq!(rows(&second.location, &[], Some("tok-journal-91ae")), (2, 0));
    let dial = |served: &Served| {
        served.location.trim_start_matches("mark://").trim_end_matches('/').to_owned()
    };
    let file = home.path().join("by-server");
    let kept: String = [&first, &second]
        .map(|served| format!("[\"{}\"]\ntoken = \"tok-journal-91ae\"\n", dial(served)))
        .concat();
    std::fs::write(&file, kept).expect("written");
    let with_file = ["--token-file", file.to_str().expect("a path")];
    assert_eq!(rows(&second.location, &with_file, None), (2, 2));
}
