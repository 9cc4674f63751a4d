//! Between the processes: messages in epochs, over dataflows of `timely`.
//!
//! Every worker is the source of a dataflow of its own, which takes its messages to their targets. So a
//! source learns from the probe of its own dataflow how many of its messages are still under way, and
//! stops at a window; and an epoch is over when the probes of all dataflows have passed it. State lies
//! outside: the dataflows only fill the inbox.
//!
//! A process that is cut off or dead is noticed by the system's sockets; one that hangs keeps them open. So
//! the thread of the network gives a sign of life now and then, also while its process computes, and
//! whoever says nothing for too long is lost.

use std::any::Any;
use std::cell::RefCell;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use socket2::{SockRef, TcpKeepalive};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards, initialize_from, networking};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Probe;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::block::PART_BYTES;
use crate::error::{ClusterError, HostsError};
use crate::hosts::Hosts;

/// A peer that sends nothing is asked for a sign of life after so long...
const IDLE: Duration = Duration::from_secs(5);
/// ...and again after so long, and is lost after a few such times.
const INTERVAL: Duration = Duration::from_secs(2);
const RETRIES: u32 = 3;
/// What was sent is acknowledged within this time, or the peer is lost.
const UNACKNOWLEDGED: Duration = Duration::from_secs(15);
/// How many signs of life a process gives in the time after which it counts as hanging.
const BEATS: u32 = 8;
/// How long the thread of the network sleeps at most.
const NAP: Duration = Duration::from_millis(100);

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

type Then = Arc<dyn Fn(&str) + Send + Sync>;

/// What to call when a peer is lost.
static ON_LOST_PEER: OnceLock<Then> = OnceLock::new();

/// Calls `then` when a peer of this process is lost, on the thread that notices, before anything is
/// torn down. The engine cannot go on without a peer, so `then` should end the process. Only the first
/// call in a process counts.
pub fn on_lost_peer(then: impl Fn(&str) + Send + Sync + 'static) {
    let then: Then = Arc::new(then);
    if ON_LOST_PEER.set(Arc::clone(&then)).is_err() {
        return;
    }
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or_default();
        let thread = thread::current();
        let name = thread.name().unwrap_or_default();
        // The threads of the engine that read and write, and what others say once those are gone.
        if name.starts_with("timely:") || text.contains("timely communication error:") {
            then(text);
        }
        before(info);
    }));
}

/// Somebody is, and no socket noticed.
fn lost(what: &str) {
    if let Some(then) = ON_LOST_PEER.get() {
        then(what);
    }
}

/// A message on its way.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Letter {
    target: u32,
    source: u32,
    epoch: u32,
    kind: u8,
    bytes: ByteBuf,
}

/// What a worker sends in an epoch.
const DATA: u8 = 0;
const VOTE: u8 = 1;
const FAILURE: u8 = 2;
/// A failure that is damage.
const DAMAGE: u8 = 3;
/// Nothing but that it lives.
const BEAT: u8 = 4;

/// What came in an epoch, besides the votes.
pub(crate) type Data = Vec<(usize, Vec<u8>)>;

type Input = InputHandle<u64, CapacityContainerBuilder<Vec<Letter>>>;

/// What the thread of the network is asked to do.
enum Command {
    Post(usize, u8, Vec<u8>),
    /// End the epoch; its letters are the answer.
    Meet,
}

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

fn time(epoch: u32, step: u32) -> u64 {
    u64::from(epoch) << 32 | u64::from(step)
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
    /// in parts of [`PART_BYTES`]; who says nothing for as long as `silence` is lost.
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

/// A peer has said nothing for too long.
struct Hangs;

/// The thread of the network.
struct Network {
    worker: Worker,
    input: Input,
    probes: Vec<ProbeHandle<u64>>,
    inbox: Rc<RefCell<Inbox>>,
    index: usize,
    addresses: Vec<String>,
    window: u32,
    epoch: u32,
    /// Within the epoch; grows with every [`PART_BYTES`] sent.
    step: u32,
    filled: usize,
    silence: Duration,
    /// When we gave the last sign of life.
    beaten: Instant,
    /// When we looked for those of the others.
    looked: Instant,
}

/// What came from the others.
struct Inbox {
    letters: Vec<Letter>,
    /// When each worker was heard last.
    heard: Vec<Instant>,
}

impl Inbox {
    fn take(&mut self, letter: Letter) {
        if let Some(heard) = self.heard.get_mut(letter.source as usize) {
            *heard = Instant::now();
        }
        if letter.kind != BEAT {
            self.letters.push(letter);
        }
    }
}

impl Network {
    fn new(
        allocator: Allocator,
        index: usize,
        addresses: Vec<String>,
        window: u32,
        silence: Duration,
    ) -> Network {
        // Cores have better things to do than to wait in a loop.
        let config = WorkerConfig::default().idle_spin(Duration::ZERO);
        let now = Instant::now();
        let mut worker = Worker::new(config, allocator, Some(now));
        let inbox = Rc::new(RefCell::new(Inbox {
            letters: Vec::new(),
            heard: vec![now; addresses.len()],
        }));
        let mut input = Input::new();
        let probes = (0..addresses.len())
            .map(|source| {
                if source == index {
                    return dataflow(&mut worker, &mut input, &inbox);
                }
                // The source is another worker: what we could say in it ends here.
                dataflow(&mut worker, &mut Input::new(), &inbox)
            })
            .collect();
        Network {
            worker,
            input,
            probes,
            inbox,
            index,
            addresses,
            window: window.max(1),
            epoch: 0,
            step: 0,
            filled: 0,
            silence,
            beaten: now,
            looked: now,
        }
    }

    /// Serves until the worker leaves. If a peer hangs, the replies end early.
    fn run(mut self, commands: &Receiver<Command>, replies: &Sender<Vec<Letter>>) {
        loop {
            while self.has_room() {
                match commands.try_recv() {
                    Ok(Command::Post(target, kind, bytes)) => self.post(target, kind, bytes),
                    Ok(Command::Meet) => match self.meet() {
                        // Who does not wait for it will not ask again.
                        Ok(letters) => drop(replies.send(letters)),
                        Err(Hangs) => return,
                    },
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => return self.leave(),
                }
            }
            if self.wait().is_err() {
                return;
            }
        }
    }

    /// Waits for commands and peers, which wake us; gives signs of life and looks for those of others.
    fn wait(&mut self) -> Result<(), Hangs> {
        if self.beaten.elapsed() >= self.silence / BEATS {
            let us = self.index;
            for target in (0..self.addresses.len()).filter(|&target| target != us) {
                self.give(target, BEAT, Vec::new());
            }
            self.input.flush();
            self.beaten = Instant::now();
        }
        self.worker.step_or_park(Some(NAP));
        self.look()
    }

    /// Whether all others still live.
    fn look(&mut self) -> Result<(), Hangs> {
        let now = Instant::now();
        let mut inbox = self.inbox.borrow_mut();
        if now - self.looked > self.silence / 2 {
            // It is we who were stopped, or the whole machine: what was sent meanwhile is yet to be read.
            inbox.heard.fill(now);
        }
        self.looked = now;
        let others = (0..).zip(&inbox.heard).filter(|&(i, _)| i != self.index);
        let Some((last, _)) = others
            .min_by_key(|&(_, heard)| heard)
            .filter(|&(_, heard)| now - *heard > self.silence)
        else {
            return Ok(());
        };
        let what = format!(
            "process {last} at {} hangs: it has said nothing for {} s",
            self.addresses[last],
            self.silence.as_secs_f64()
        );
        lost(&what);
        Err(Hangs)
    }

    /// Whether something may be sent now, with no more than the window under way.
    fn has_room(&self) -> bool {
        let Some(oldest) = self.step.checked_sub(self.window) else {
            return true;
        };
        !self.probes[self.index].less_equal(&time(self.epoch, oldest))
    }

    fn post(&mut self, target: usize, kind: u8, bytes: Vec<u8>) {
        self.filled += bytes.len();
        self.give(target, kind, bytes);
        self.input.flush();
        if self.filled >= PART_BYTES {
            self.filled = 0;
            self.step += 1;
            self.input.advance_to(time(self.epoch, self.step));
        }
    }

    fn give(&mut self, target: usize, kind: u8, bytes: Vec<u8>) {
        // There are at most a thousand workers.
        let number = |worker: usize| u32::try_from(worker).unwrap_or(u32::MAX);
        self.input.send(Letter {
            target: number(target),
            source: number(self.index),
            epoch: self.epoch,
            kind,
            bytes: ByteBuf::from(bytes),
        });
    }

    /// Ends the epoch: returns when all have ended it and all letters have arrived.
    fn meet(&mut self) -> Result<Vec<Letter>, Hangs> {
        let epoch = self.epoch;
        self.epoch += 1;
        (self.step, self.filled) = (0, 0);
        let end = time(self.epoch, 0);
        self.input.advance_to(end);
        while self.probes.iter().any(|probe| probe.less_than(&end)) {
            self.wait()?;
        }
        // Who is ahead may have sent something of the next epoch already.
        let letters = &mut self.inbox.borrow_mut().letters;
        let (now, later) = letters.drain(..).partition(|letter| letter.epoch == epoch);
        *letters = later;
        Ok(now)
    }

    fn leave(mut self) {
        self.input.close();
        // No more signs of life: all leave together, or somebody hangs.
        let begun = Instant::now();
        while self.worker.has_dataflows() {
            self.worker.step_or_park(Some(NAP));
            if begun.elapsed() > self.silence {
                lost("a process hangs at the end");
                return;
            }
        }
    }
}

/// The dataflow that takes the messages of one worker to all others.
fn dataflow(
    worker: &mut Worker,
    input: &mut Input,
    inbox: &Rc<RefCell<Inbox>>,
) -> ProbeHandle<u64> {
    let inbox = Rc::clone(inbox);
    let probe = ProbeHandle::new();
    worker.dataflow::<u64, _, _>(|scope| {
        let letters = input.to_stream(scope);
        letters
            .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                Exchange::new(|letter: &Letter| u64::from(letter.target)),
                "Inbox",
                |_, _| {
                    move |letters, _| {
                        let mut inbox = inbox.borrow_mut();
                        letters.for_each(|_, more| more.drain(..).for_each(|one| inbox.take(one)));
                    }
                },
            )
            .probe_with(&probe);
    });
    probe
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

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
                        network.worker.step();
                        network.inbox.borrow_mut().letters.clear();
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
