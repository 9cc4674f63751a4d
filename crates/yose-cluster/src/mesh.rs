//! Between the processes: who sits where, and the end of an epoch, at which everybody says something.
//!
//! A process that is cut off or dead is noticed by the system's sockets; one that hangs, by the
//! [network](crate::network).

use std::any::Any;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards, initialize_from, networking};

use crate::error::{ClusterError, HostsError};
use crate::hosts::Hosts;
use crate::network::{Command, DAMAGE, DATA, FAILURE, Letter, Network, VOTE};

/// A peer that sends nothing is asked for a sign of life after so long...
const IDLE: Duration = Duration::from_secs(5);
/// ...and again after so long, and is lost after a few such times.
const INTERVAL: Duration = Duration::from_secs(2);
const RETRIES: u32 = 3;
/// What was sent is acknowledged within this time, or the peer is lost.
const UNACKNOWLEDGED: Duration = Duration::from_secs(15);

/// A place in a cluster, not yet taken.
#[derive(Debug)]
pub struct Seat {
    index: usize,
    addresses: Vec<String>,
    kind: Kind,
}

enum Kind {
    /// One of several hosts.
    Host,
    /// A thread of this process, or all there is.
    Thread(Box<AllocatorBuilder>),
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::Host => "Host",
            Kind::Thread(_) => "Thread",
        })
    }
}

impl Seat {
    /// The seat of process `process` among these hosts.
    ///
    /// # Errors
    ///
    /// [`HostsError::Process`] if there is no such process.
    pub fn at(hosts: &Hosts, process: usize) -> Result<Seat, HostsError> {
        hosts.check(process)?;
        let addresses = hosts.addresses().to_vec();
        if addresses.len() == 1 {
            // Nobody to listen for.
            return Ok(Seat {
                addresses,
                ..Seat::threads(1).remove(0)
            });
        }
        Ok(Seat {
            index: process,
            addresses,
            kind: Kind::Host,
        })
    }

    /// Seats for so many threads of this process, which meet without a network.
    #[must_use]
    pub fn threads(count: usize) -> Vec<Seat> {
        let addresses: Vec<String> = (0..count).map(|i| format!("thread {i}")).collect();
        let hooks = Hooks::default();
        let builders = ProcessBuilder::new_bytes_vector(count, hooks.refill, hooks.spill);
        let seats = (0..).zip(builders);
        seats
            .map(|(index, builder)| Seat {
                index,
                addresses: addresses.clone(),
                kind: Kind::Thread(Box::new(AllocatorBuilder::Process(builder))),
            })
            .collect()
    }

    /// How many workers there are.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.addresses.len()
    }

    /// Which one this is; 0 leads.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Where a worker listens.
    #[must_use]
    pub fn address(&self, worker: usize) -> &str {
        &self.addresses[worker]
    }
}

/// What came in an epoch, besides the votes.
pub(crate) type Data = Vec<(usize, Vec<u8>)>;

/// A worker among others. The engine has a thread of its own, so that whoever sends to us need not wait
/// while we compute.
pub(crate) struct Mesh {
    seat: Seat,
    /// None once this worker leaves.
    commands: Option<SyncSender<Command>>,
    letters: Receiver<Vec<Letter>>,
    guards: WorkerGuards<()>,
    /// Bytes of data sent to others.
    pub(crate) sent: u64,
}

/// Waits for all others, at most as long as `patience`.
fn sockets(seat: &Seat, patience: Duration) -> Result<Vec<Option<std::net::TcpStream>>, String> {
    let (addresses, index) = (seat.addresses.clone(), seat.index);
    let (sender, receiver) = mpsc::channel();
    // It cannot be interrupted; when it takes too long, it is left behind with the process.
    thread::spawn(move || {
        // What is no worker may have connected: that is a panic in there.
        let sockets = panic::catch_unwind(AssertUnwindSafe(|| {
            networking::create_sockets(addresses, index, false)
        }));
        // Nobody may be waiting any more.
        let _ = sender.send(sockets);
    });
    match receiver.recv_timeout(patience) {
        Ok(Ok(Ok(sockets))) => Ok(sockets),
        Ok(Ok(Err(error))) => Err(error.to_string()),
        Ok(Err(_)) => Err("something that is no peer connected".to_owned()),
        Err(_) => Err(format!("gave up after {} s", patience.as_secs())),
    }
}

/// A peer that was cut off says nothing, so the system asks.
fn watch(socket: &std::net::TcpStream) -> std::io::Result<()> {
    let socket = SockRef::from(socket);
    let keepalive = TcpKeepalive::new()
        .with_time(IDLE)
        .with_interval(INTERVAL)
        .with_retries(RETRIES);
    socket.set_tcp_keepalive(&keepalive)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))?;
    Ok(())
}

impl Mesh {
    /// Takes a seat: waits until all others have taken theirs, at most as long as `patience`. `window` is
    /// in MiB; who says nothing for as long as `silence` is lost.
    pub(crate) fn join(
        mut seat: Seat,
        window: u32,
        patience: Duration,
        silence: Duration,
    ) -> Result<Mesh, ClusterError> {
        let (builder, threads): (AllocatorBuilder, Box<dyn Any + Send>) =
            match mem::replace(&mut seat.kind, Kind::Host) {
                Kind::Thread(builder) => (*builder, Box::new(())),
                Kind::Host => {
                    let failed = |why: String| ClusterError::Connect {
                        process: seat.index,
                        address: seat.addresses[seat.index].clone(),
                        why,
                    };
                    let sockets = sockets(&seat, patience).map_err(failed)?;
                    for socket in sockets.iter().flatten() {
                        watch(socket).map_err(|error| failed(error.to_string()))?;
                    }
                    let hooks = Hooks::default();
                    let own = ProcessBuilder::new_typed_vector(
                        1,
                        hooks.refill.clone(),
                        hooks.spill.clone(),
                    );
                    let (mut builders, threads) =
                        initialize_networking_from_sockets(own, sockets, seat.index, 1, hooks)
                            .map_err(|error| failed(error.to_string()))?;
                    (AllocatorBuilder::Tcp(builders.remove(0)), Box::new(threads))
                }
            };
        let (sender, commands) = mpsc::sync_channel(1);
        let (replies, letters) = mpsc::channel();
        let (index, addresses) = (seat.index, seat.addresses.clone());
        // The engine would start several workers; ours is one.
        let ends = Mutex::new(Some((commands, replies)));
        let guards = initialize_from(vec![builder], threads, move |allocator| {
            let ends = ends.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((commands, replies)) = ends {
                let addresses = addresses.clone();
                Network::new(allocator, index, addresses, window, silence).run(&commands, &replies);
            }
        })
        .map_err(|why| ClusterError::Connect {
            process: index,
            address: seat.addresses[index].clone(),
            why,
        })?;
        Ok(Mesh {
            seat,
            commands: Some(sender),
            letters,
            guards,
            sent: 0,
        })
    }

    pub(crate) fn seat(&self) -> &Seat {
        &self.seat
    }

    pub(crate) fn index(&self) -> usize {
        self.seat.index
    }

    pub(crate) fn leads(&self) -> bool {
        self.seat.index == 0
    }

    fn command(&self, command: Command) -> Result<(), ClusterError> {
        let commands = self.commands.as_ref().ok_or_else(|| self.lost())?;
        commands.send(command).map_err(|_| self.lost())?;
        for guard in self.guards.guards() {
            guard.thread().unpark();
        }
        Ok(())
    }

    fn lost(&self) -> ClusterError {
        ClusterError::Lost {
            process: self.seat.index,
            address: self.seat.addresses[self.seat.index].clone(),
        }
    }

    /// Sends data, and waits for that as long as the window is full.
    pub(crate) fn send(&mut self, target: usize, bytes: Vec<u8>) -> Result<(), ClusterError> {
        if target != self.seat.index {
            self.sent += bytes.len() as u64;
        }
        self.command(Command::Post(target, DATA, bytes))
    }

    /// The end of an epoch: everybody says something, and returns when all messages of all have
    /// arrived. Gives what the workers said, by number, and the data that came in this epoch.
    ///
    /// If anybody failed, everybody returns an error: who failed its own, the others that of the
    /// failed worker with the lowest number.
    pub(crate) fn meet(
        &mut self,
        mine: Result<Vec<u8>, ClusterError>,
    ) -> Result<(Vec<Vec<u8>>, Data), ClusterError> {
        let (kind, said) = match &mine {
            Ok(said) => (VOTE, said.clone()),
            Err(error) => {
                let kind = if error.is_damage() { DAMAGE } else { FAILURE };
                (kind, error.to_string().into_bytes())
            }
        };
        for target in 0..self.seat.workers() {
            self.command(Command::Post(target, kind, said.clone()))?;
        }
        self.command(Command::Meet)?;
        let letters = self.letters.recv().map_err(|_| self.lost())?;
        mine?;
        let mut votes = vec![None; self.seat.workers()];
        let mut data = Vec::new();
        let mut failure: Option<(usize, String, bool)> = None;
        for letter in letters {
            let (source, kind) = (letter.source as usize, letter.kind);
            let bytes = letter.bytes.into_vec();
            match (kind, votes.get_mut(source)) {
                (DATA, Some(_)) => data.push((source, bytes)),
                (VOTE, Some(vote)) => *vote = Some(bytes),
                (_, Some(_)) => {
                    if failure.as_ref().is_none_or(|(first, ..)| source < *first) {
                        let what = String::from_utf8_lossy(&bytes).into_owned();
                        failure = Some((source, what, kind == DAMAGE));
                    }
                }
                (_, None) => {
                    return Err(ClusterError::bytes(
                        format!("process {source}"),
                        "no such process",
                    ));
                }
            }
        }
        if let Some((process, what, damage)) = failure {
            return Err(self.peer(process, what, damage));
        }
        let all: Option<Vec<Vec<u8>>> = votes.into_iter().collect();
        let all = all.ok_or_else(|| ClusterError::bytes("an epoch", "somebody did not vote"))?;
        Ok((all, data))
    }

    pub(crate) fn peer(&self, process: usize, what: String, damage: bool) -> ClusterError {
        let address = self.seat.address(process).to_owned();
        ClusterError::Peer {
            process,
            address,
            what,
            damage,
        }
    }

    /// Leaves when all others do.
    pub(crate) fn leave(mut self) {
        self.commands = None;
        for guard in self.guards.guards() {
            guard.thread().unpark();
        }
        // Waits until all others have said that nothing more will come. If one of them was lost, there
        // is nobody to be told now: what was agreed on stands.
        let _ = self.guards.join();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;
    use crate::block::PART_BYTES;

    const SILENCE: Duration = Duration::from_secs(60);

    fn mesh(seat: Seat, window: u32) -> Mesh {
        let patience = Duration::from_secs(60);
        Mesh::join(seat, window, patience, SILENCE).unwrap()
    }

    #[test]
    fn letters_arrive_in_their_epoch() {
        let seats = Seat::threads(3);
        thread::scope(|scope| {
            for seat in seats {
                scope.spawn(move || {
                    let mut mesh = mesh(seat, 4);
                    for epoch in 0..50_u8 {
                        let us = u8::try_from(mesh.index()).unwrap();
                        for target in 0..3 {
                            mesh.send(target, vec![epoch, us]).unwrap();
                        }
                        let (votes, mut data) = mesh.meet(Ok(vec![us])).unwrap();
                        data.sort();
                        assert_eq!(votes, [[0], [1], [2]]);
                        let expected = [0, 1, 2].map(|from| (usize::from(from), vec![epoch, from]));
                        assert_eq!(data, expected);
                    }
                    assert_eq!(mesh.sent, 50 * 2 * 2);
                    mesh.leave();
                });
            }
        });
    }

    #[test]
    fn all_hear_of_a_failure() {
        let errors: Vec<String> = thread::scope(|scope| {
            let workers: Vec<_> = Seat::threads(3)
                .into_iter()
                .map(|seat| {
                    scope.spawn(move || {
                        let mut mesh = mesh(seat, 4);
                        let mine = match mesh.index() {
                            1 => Err(ClusterError::Checkpoint("no more ink".to_owned())),
                            _ => Ok(Vec::new()),
                        };
                        let error = mesh.meet(mine).unwrap_err().to_string();
                        mesh.leave();
                        error
                    })
                })
                .collect();
            workers.into_iter().map(|w| w.join().unwrap()).collect()
        });
        let first_hand = "the checkpoint cannot be continued: no more ink";
        let heard = format!("process 1 at thread 1: {first_hand}");
        assert_eq!(errors, [heard.as_str(), first_hand, heard.as_str()]);
    }

    /// The receiver takes nothing for a while: the sender stops at its window.
    #[test]
    fn a_slow_receiver_is_waited_for() {
        const WINDOW: u32 = 3;
        const PARTS: u32 = 20;
        let (mut to, from) = {
            let mut seats = Seat::threads(2);
            let from = seats.remove(1);
            (seats.remove(0), from)
        };
        let Kind::Thread(slow) = mem::replace(&mut to.kind, Kind::Host) else {
            panic!("a seat for a thread");
        };
        let sent = AtomicU32::new(0);
        thread::scope(|scope| {
            let sent = &sent;
            scope.spawn(move || {
                let mut mesh = mesh(from, WINDOW);
                for _ in 0..PARTS {
                    mesh.send(0, vec![0; PART_BYTES]).unwrap();
                    sent.fetch_add(1, Ordering::SeqCst);
                }
                mesh.meet(Ok(Vec::new())).unwrap();
                mesh.leave();
            });
            let (report, reports) = mpsc::channel();
            let ends = Mutex::new(Some((slow, report)));
            // A network without the thread that serves it: steps only when we say so.
            scope.spawn(move || {
                let (builder, report) = ends.into_inner().unwrap().unwrap();
                let report = Mutex::new(report);
                let guards = initialize_from(vec![*builder], Box::new(()), move |allocator| {
                    let mut network =
                        Network::new(allocator, 0, vec![String::new(); 2], WINDOW, SILENCE);
                    // Long enough for all of it, were there no window.
                    for _ in 0..40 {
                        network.forget_a_step();
                    }
                    thread::sleep(Duration::from_millis(500));
                    report.lock().unwrap().send(()).unwrap();
                    thread::sleep(Duration::from_millis(500));
                    network.post(0, VOTE, Vec::new());
                    network.post(1, VOTE, Vec::new());
                    let Ok(letters) = network.meet() else {
                        panic!("nobody hangs");
                    };
                    assert!(letters.iter().filter(|letter| letter.kind == DATA).count() > 5);
                    network.leave();
                });
                guards
                    .unwrap()
                    .join()
                    .into_iter()
                    .for_each(|done| done.unwrap());
            });
            reports.recv().unwrap();
            let before = sent.load(Ordering::SeqCst);
            assert!(before < PARTS, "all {before} parts are under way");
            thread::sleep(Duration::from_millis(200));
            // One in the hand of the network's thread, one in the queue to it.
            assert_eq!(sent.load(Ordering::SeqCst), before);
        });
        assert_eq!(sent.load(Ordering::SeqCst), PARTS);
    }
}
