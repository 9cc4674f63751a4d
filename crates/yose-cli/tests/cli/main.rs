//! The command line from outside: every command as a user or a script runs it.
//!
//! A new test goes to the file of its command; what holds for all commands goes to `common`.

mod best;
mod common;
mod count;
mod errors;
mod moves;
mod perft;
mod race;
mod solve;
mod transcripts;
mod variants;
mod yose;
