#![doc = include_str!("../../../docs/cgt.md")]

mod algebra;
mod arena;
mod cache;
mod canonical;
mod dyadic;
mod error;
mod form;
mod hash;
mod infinitesimal;
mod kind;
mod nus;
mod order;
mod parse;
mod print;
mod probes;
pub mod ranking;
mod rational;
pub mod reference;
pub mod report;
mod sum;
mod switches;
mod temperature;
pub mod text;
mod thermograph;

pub use arena::{GameId, Games, Limits};
pub use dyadic::Dyadic;
pub use error::{Error, ParseError, Result};
pub use form::{Form, FormId, Function};
pub use kind::Kind;
pub use nus::Nus;
pub use order::{Outcome, Relation};
pub use rational::Rational;
pub use sum::{
    Bounds, Game, GameMove, PartSolution, Pick, Player, ScoredMove, Strategy, SumLimits,
    SumSolution, Thermostrat,
};
pub use switches::{Cold, Switch, SwitchValues, switch_values};
pub use thermograph::{Thermograph, Wall};
