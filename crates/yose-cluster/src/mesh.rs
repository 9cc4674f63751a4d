//! Between the processes: messages in epochs, over dataflows of `timely`.
//!
//! Every worker is the source of a dataflow of its own, which takes its messages to their targets. So a
//! source learns from the probe of its own dataflow how many of its messages are still under way, and
//! stops at a window; and an epoch is over when the probes of all dataflows have passed it. State lies
//! outside: the dataflows only fill the inbox.

use std::any::Any;
use std::cell::RefCell;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use socket2::{SockRef, TcpKeepalive};
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, networking};
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
    Thread(AllocatorBuilder),
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
                kind: Kind::Thread(AllocatorBuilder::Process(builder)),
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

/// Calls `then` when a peer of this process is lost, on the thread that notices, before anything is
/// torn down. The engine cannot go on without a peer, so `then` should end the process.
pub fn on_lost_peer(then: impl Fn(&str) + Send + Sync + 'static) {
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

/// What came in an epoch, besides the votes.
pub(crate) type Data = Vec<(usize, Vec<u8>)>;

type Input = InputHandle<u64, CapacityContainerBuilder<Vec<Letter>>>;

/// A worker among others.
pub(crate) struct Mesh {
    // Dropped in this order, see `leave`.
    input: Input,
    worker: Worker,
    threads: Box<dyn Any + Send>,
    probes: Vec<ProbeHandle<u64>>,
    inbox: Rc<RefCell<Vec<Letter>>>,
    seat: Seat,
    window: u32,
    epoch: u32,
    /// Within the epoch: so much is under way at most.
    step: u32,
    filled: usize,
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
        let sockets =
            panic::catch_unwind(AssertUnwindSafe(|| networking::create_sockets(addresses, index, false)));
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
    /// Takes a seat: waits until all others have taken theirs. `window` is in parts of
    /// [`PART_BYTES`].
    pub(crate) fn join(
        mut seat: Seat,
        window: u32,
        patience: Duration,
    ) -> Result<Mesh, ClusterError> {
        let (builder, threads): (AllocatorBuilder, Box<dyn Any + Send>) =
            match mem::replace(&mut seat.kind, Kind::Host) {
                Kind::Thread(builder) => (builder, Box::new(())),
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
                    let own =
                        ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), hooks.spill.clone());
                    let (mut builders, threads) =
                        initialize_networking_from_sockets(own, sockets, seat.index, 1, hooks)
                            .map_err(|error| failed(error.to_string()))?;
                    (AllocatorBuilder::Tcp(builders.remove(0)), Box::new(threads))
                }
            };
        // Cores have better things to do than to wait in a loop.
        let config = WorkerConfig::default().idle_spin(Duration::ZERO);
        let mut worker = Worker::new(config, builder.build(), Some(Instant::now()));
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let mut input = Input::new();
        let probes = (0..seat.workers())
            .map(|source| {
                let mut others = Input::new();
                let input = if source == seat.index {
                    &mut input
                } else {
                    // Dropped below: it has nothing to say.
                    &mut others
                };
                dataflow(&mut worker, input, &inbox)
            })
            .collect();
        Ok(Mesh {
            input,
            worker,
            threads,
            probes,
            inbox,
            seat,
            window: window.max(1),
            epoch: 0,
            step: 0,
            filled: 0,
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

    /// Whether something may be sent now, with no more than the window under way.
    pub(crate) fn has_room(&self) -> bool {
        let full = self.step >= self.window
            && self.probes[self.seat.index].less_than(&(time(self.epoch, self.step - self.window) + 1));
        !full
    }

    /// Lets the engine work for a moment, or sleep if there is nothing to do.
    pub(crate) fn turn(&mut self, at_most: Duration) {
        self.worker.step_or_park(Some(at_most));
    }

    /// Sends data. Who sends much asks before whether there is room.
    pub(crate) fn send(&mut self, target: usize, bytes: Vec<u8>) {
        if target != self.seat.index {
            self.sent += bytes.len() as u64;
        }
        self.filled += bytes.len();
        self.post(target, DATA, bytes);
        if self.filled >= PART_BYTES {
            self.filled = 0;
            self.step += 1;
            self.input.advance_to(time(self.epoch, self.step));
        }
    }

    fn post(&mut self, target: usize, kind: u8, bytes: Vec<u8>) {
        // There are at most a thousand workers.
        let number = |worker: usize| u32::try_from(worker).unwrap_or(u32::MAX);
        self.input.send(Letter {
            target: number(target),
            source: number(self.seat.index),
            epoch: self.epoch,
            kind,
            bytes: ByteBuf::from(bytes),
        });
        self.input.flush();
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
            Err(error) => (FAILURE, error.to_string().into_bytes()),
        };
        for target in 0..self.seat.workers() {
            self.post(target, kind, said.clone());
        }
        let epoch = self.epoch;
        self.epoch += 1;
        (self.step, self.filled) = (0, 0);
        let end = time(self.epoch, 0);
        self.input.advance_to(end);
        while self.probes.iter().any(|probe| probe.less_than(&end)) {
            self.turn(Duration::from_millis(100));
        }
        // Who is ahead may have sent something of the next epoch already.
        let mut letters = Vec::new();
        self.inbox.borrow_mut().retain_mut(|letter| {
            let now = letter.epoch == epoch;
            if now {
                letters.push((letter.source, letter.kind, mem::take(&mut letter.bytes)));
            }
            !now
        });
        mine?;
        let mut votes = vec![None; self.seat.workers()];
        let mut data = Vec::new();
        let mut failure: Option<(usize, String)> = None;
        for (source, kind, bytes) in letters {
            let (source, bytes) = (source as usize, bytes.into_vec());
            match (kind, votes.get_mut(source)) {
                (DATA, Some(_)) => data.push((source, bytes)),
                (VOTE, Some(vote)) => *vote = Some(bytes),
                (_, Some(_)) => {
                    if failure.as_ref().is_none_or(|(first, _)| source < *first) {
                        failure = Some((source, String::from_utf8_lossy(&bytes).into_owned()));
                    }
                }
                (_, None) => {
                    return Err(ClusterError::bytes(format!("process {source}"), "no such process"));
                }
            }
        }
        if let Some((process, what)) = failure {
            return Err(ClusterError::Peer {
                process,
                address: self.seat.address(process).to_owned(),
                what,
            });
        }
        let all: Option<Vec<Vec<u8>>> = votes.into_iter().collect();
        let all = all.ok_or_else(|| ClusterError::bytes("an epoch", "somebody did not vote"))?;
        Ok((all, data))
    }

    /// Leaves when all others do.
    pub(crate) fn leave(self) {
        let Mesh {
            input,
            mut worker,
            threads,
            ..
        } = self;
        drop(input);
        while worker.has_dataflows() {
            worker.step_or_park(Some(Duration::from_millis(100)));
        }
        drop(worker);
        // Waits until all others have said that nothing more will come.
        drop(threads);
    }
}

/// The dataflow that takes the messages of one worker to all others.
fn dataflow(
    worker: &mut Worker,
    input: &mut Input,
    inbox: &Rc<RefCell<Vec<Letter>>>,
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
                        letters.for_each(|_, more| inbox.borrow_mut().append(more));
                    }
                },
            )
            .probe_with(&probe);
    });
    probe
}
