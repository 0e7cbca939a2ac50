//! How long a budgeted lookup takes over a link with a delay, and how many round
//! trips it waits for after the handshake: 50 ms there and back, a world of 2,000
//! documents, budgets that buy nothing up to ten documents.

mod support;

use std::collections::BTreeMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use markscope::catalog::Match;
use markscope::lookup::{Question, Store};
use markscope::mark::client::Tls;
use markscope::serve::{Access, Identity, Library, Server};
use markscope::world::{Remote, RemoteOptions};

const ONE_WAY: Duration = Duration::from_millis(25);
const RUNS: usize = 5;

/// Takes a packet to be passed on.
type Pass = Box<dyn Fn(&[u8])>;

/// Passes packets on after a while, in their order.
fn delay(mut deliver: impl FnMut(Vec<u8>) + Send + 'static) -> impl Fn(&[u8]) {
    let (send, receive) = mpsc::channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        for (due, packet) in receive {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            deliver(packet);
        }
    });
    move |packet| {
        let _ = send.send((Instant::now() + ONE_WAY, packet.to_vec()));
    }
}

/// A link to a server for one client at a time.
fn link(server: SocketAddr) -> std::io::Result<SocketAddr> {
    let front = UdpSocket::bind("127.0.0.1:0")?;
    let address = front.local_addr()?;
    thread::spawn(move || -> std::io::Result<()> {
        let mut known = None;
        let mut onward: Option<Pass> = None;
        let mut buffer = [0; 65_536];
        loop {
            let (length, client) = front.recv_from(&mut buffer)?;
            if known != Some(client) {
                known = Some(client);
                let back = UdpSocket::bind("127.0.0.1:0")?;
                back.connect(server)?;
                let (from, to) = (back.try_clone()?, front.try_clone()?);
                let homeward = delay(move |packet| {
                    let _ = to.send_to(&packet, client);
                });
                thread::spawn(move || {
                    let mut buffer = [0; 65_536];
                    while let Ok(length) = from.recv(&mut buffer) {
                        homeward(&buffer[..length]);
                    }
                });
                onward = Some(Box::new(delay(move |packet| {
                    let _ = back.send(&packet);
                })));
            }
            if let Some(onward) = &onward {
                onward(&buffer[..length]);
            }
        }
    });
    Ok(address)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let documents = support::documents(2_000, 11);
    let runtime = tokio::runtime::Runtime::new()?;
    let server = runtime.block_on(async {
        let library = Arc::new(Library::new(Store::new("bench", documents, BTreeMap::new())));
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        Server::bind(library, Access::default(), any_port, Identity::self_signed()?)
            .map_err(Box::<dyn std::error::Error>::from)
    })?;
    let server = Arc::new(server);
    let running = Arc::clone(&server);
    runtime.spawn(async move { running.run().await });
    let location = format!("mark://{}/", link(server.address()?)?);
    let mut out = String::from("budget  round trips  requests  handshake  result (median of 5)\n");
    for budget in [0, 500, 1_500, 8_000] {
        let mut question = Question::new(support::term(3));
        question.request.match_sent = Some(Match::Body);
        let mut times = Vec::new();
        let (mut trips, mut requests, mut handshake) = (0, 0, Duration::ZERO);
        for _ in 0..RUNS {
            let begun = Instant::now();
            let options = RemoteOptions { tls: Tls::Insecure, ..Default::default() };
            let mut remote = Remote::open(&location, &options)?;
            handshake = begun.elapsed();
            let begun = Instant::now();
            let mut asked = remote.ask(&question)?;
            let selection = remote.select(&mut asked, budget);
            times.push(begun.elapsed());
            assert!(!selection.rows.is_empty(), "the query finds something");
            (trips, requests) = (remote.round_trips(), remote.requests());
        }
        times.sort();
        out.push_str(&format!(
            "{budget:>6}  {trips:>11}  {requests:>8}  {:>6} ms  {:>6} ms\n",
            handshake.as_millis(),
            times[RUNS / 2].as_millis()
        ));
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())?;
    Ok(())
}
