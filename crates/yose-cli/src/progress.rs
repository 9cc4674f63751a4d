//! Progress on stderr, for people who wait: hidden when quiet and when nobody watches.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yose_retro::reference;

use crate::context::Context;
use crate::output::grouped;

/// Nobody needs a bar for less than this.
const PATIENCE: Duration = Duration::from_millis(400);

/// A progress bar that shows itself only when something takes long. Indicatif hides it by itself
/// when stderr is not a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    wanted: bool,
    shown: bool,
    /// Whether the length of this phase is known, so that there is a bar to fill.
    measured: bool,
}

impl Progress {
    pub(crate) fn new(context: &Context) -> Progress {
        Progress {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            started: Instant::now(),
            wanted: !context.quiet,
            shown: false,
            measured: false,
        }
    }

    /// Shows `done` of `total` steps of a phase, with the time left.
    pub(crate) fn steps(&mut self, phase: &'static str, done: u64, total: u64) {
        if self.visible() {
            self.measure(true);
            if self.bar.length() != Some(total) || self.bar.message() != phase {
                self.bar.reset_eta();
                self.bar.set_length(total);
                self.bar.set_message(phase);
            }
            self.bar.set_position(done);
        }
    }

    /// Shows a phase whose length is unknown.
    pub(crate) fn note(&mut self, text: String) {
        if self.visible() {
            self.measure(false);
            self.bar.set_message(text);
        }
    }

    fn measure(&mut self, measured: bool) {
        if self.measured == measured {
            return;
        }
        self.measured = measured;
        let template = if measured {
            "{msg} {wide_bar} {percent}% {eta} left"
        } else {
            "{msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }

    /// Follows the reference solver.
    pub(crate) fn reference(&mut self, progress: reference::Progress) {
        match progress {
            reference::Progress::Counting { done, total } => {
                self.steps("counting moves", done, total);
            }
            reference::Progress::Expanding { done, total } => {
                self.steps("playing all moves", done, total);
            }
            reference::Progress::Level {
                level, undecided, ..
            } => self.note(format!(
                "distance {level}: {} still open",
                grouped(undecided)
            )),
        }
    }

    fn visible(&mut self) -> bool {
        if !self.shown && self.wanted && self.started.elapsed() > PATIENCE {
            self.shown = true;
            // Five times a second is all that a person can read.
            self.bar
                .set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        }
        self.shown
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
