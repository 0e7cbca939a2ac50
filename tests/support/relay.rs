//! A stretch of network between a client and a server that loses what it is told to.

use std::collections::HashMap;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// What is lost, to be changed at any time.
#[derive(Default)]
pub struct Faults {
    /// Every so many packets, one; 0 for none.
    pub every: AtomicUsize,
    /// Packets of more bytes than this; 0 for none.
    pub larger_than: AtomicUsize,
    /// Everything of the clients known when this is set.
    pub cut_known: AtomicBool,
}

/// Passes packets on from any number of clients to one server, and back.
pub struct Relay {
    pub address: SocketAddr,
    pub faults: Arc<Faults>,
}

impl Relay {
    pub fn to(server: SocketAddr) -> Self {
        let front = UdpSocket::bind("127.0.0.1:0").expect("a port");
        let address = front.local_addr().expect("an address");
        let faults = Arc::new(Faults::default());
        let known = Arc::clone(&faults);
        thread::spawn(move || pass(&front, server, &known));
        Self { address, faults }
    }
}

/// Runs until the test's process ends.
fn pass(front: &UdpSocket, server: SocketAddr, faults: &Arc<Faults>) {
    let mut backs: HashMap<SocketAddr, (UdpSocket, Arc<AtomicBool>)> = HashMap::new();
    let mut buffer = [0; 65_536];
    let count = Arc::new(AtomicUsize::new(0));
    while let Ok((length, client)) = front.recv_from(&mut buffer) {
        if faults.cut_known.swap(false, Ordering::Relaxed) {
            for (_, cut) in backs.values() {
                cut.store(true, Ordering::Relaxed);
            }
        }
        let (back, cut) = backs.entry(client).or_insert_with(|| {
            let back = UdpSocket::bind("127.0.0.1:0").expect("a port");
            back.connect(server).expect("a server");
            let cut = Arc::new(AtomicBool::new(false));
            let (from, to) =
                (back.try_clone().expect("a socket"), front.try_clone().expect("a socket"));
            let (faults, gone, count) = (Arc::clone(faults), Arc::clone(&cut), Arc::clone(&count));
            from.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
            thread::spawn(move || {
                let mut buffer = [0; 65_536];
                while let Ok(length) = from.recv(&mut buffer) {
                    if !gone.load(Ordering::Relaxed) && !is_lost(&faults, &count, length) {
                        let _ = to.send_to(&buffer[..length], client);
                    }
                }
            });
            (back, cut)
        });
        if !cut.load(Ordering::Relaxed) && !is_lost(faults, &count, length) {
            let _ = back.send(&buffer[..length]);
        }
    }
}

fn is_lost(faults: &Faults, count: &AtomicUsize, length: usize) -> bool {
    let every = faults.every.load(Ordering::Relaxed);
    let larger_than = faults.larger_than.load(Ordering::Relaxed);
    let number = count.fetch_add(1, Ordering::Relaxed);
    (every > 0 && number % every == every - 1) || (larger_than > 0 && length > larger_than)
}
