//! The command line from outside: every command as a user or a script runs it.
//!
//! A new test goes to the file of its command; what holds for all commands goes to `common`.

mod audit;
mod best;
mod board;
mod cgt;
mod cluster;
mod common;
mod count;
mod encode;
mod errors;
mod go;
mod go_asked;
mod hardships;
mod index;
mod info;
mod moves;
mod perft;
mod plan;
mod probe;
mod race;
#[cfg(feature = "s3")]
mod s3;
mod scratch;
mod solve;
mod sum;
mod table;
mod transcripts;
mod variants;
mod yose;
