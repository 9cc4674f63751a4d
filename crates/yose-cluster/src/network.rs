//! The thread of the network: messages in epochs, over dataflows of `timely`.
//!
//! Every worker is the source of a dataflow of its own, which takes its messages to their targets. So a
//! source learns from the probe of its own dataflow how many of its messages are still under way, and
//! stops at a window; and an epoch is over when the probes of all dataflows have passed it. State lies
//! outside: the dataflows only fill the inbox.
//!
//! A process that is cut off or dead is noticed by the system's sockets; one that hangs keeps them open. So
//! the thread of the network gives a sign of life now and then, also while its process computes, and
//! whoever says nothing for too long is lost.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use timely::WorkerConfig;
use timely::communication::allocator::Allocator;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Probe;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::block::PART_BYTES;
use crate::lost::lost;

/// How many signs of life a process gives in the time after which it counts as hanging.
const BEATS: u32 = 8;
/// How long the thread of the network sleeps at most.
const NAP: Duration = Duration::from_millis(100);

/// A message on its way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Letter {
    pub(crate) target: u32,
    pub(crate) source: u32,
    pub(crate) epoch: u32,
    pub(crate) kind: u8,
    pub(crate) bytes: ByteBuf,
}

/// What a worker sends in an epoch.
pub(crate) const DATA: u8 = 0;
pub(crate) const VOTE: u8 = 1;
pub(crate) const FAILURE: u8 = 2;
/// A failure that is damage.
pub(crate) const DAMAGE: u8 = 3;
/// Nothing but that it lives.
pub(crate) const BEAT: u8 = 4;

type Input = InputHandle<u64, CapacityContainerBuilder<Vec<Letter>>>;

/// What the thread of the network is asked to do.
pub(crate) enum Command {
    Post(usize, u8, Vec<u8>),
    /// End the epoch; its letters are the answer.
    Meet,
}

fn time(epoch: u32, step: u32) -> u64 {
    u64::from(epoch) << 32 | u64::from(step)
}

/// A peer has said nothing for too long.
pub(crate) struct Hangs;

/// The thread of the network.
pub(crate) struct Network {
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
    pub(crate) fn new(
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
    pub(crate) fn run(mut self, commands: &Receiver<Command>, replies: &Sender<Vec<Letter>>) {
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

    /// A step without a thread that serves it.
    #[cfg(test)]
    pub(crate) fn forget_a_step(&mut self) {
        self.worker.step();
        self.inbox.borrow_mut().letters.clear();
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

    pub(crate) fn post(&mut self, target: usize, kind: u8, bytes: Vec<u8>) {
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
    pub(crate) fn meet(&mut self) -> Result<Vec<Letter>, Hangs> {
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

    pub(crate) fn leave(mut self) {
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
