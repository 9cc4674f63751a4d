//! SVG pictures of what the other crates compute.

pub mod go_board;
mod scale;
pub mod thermograph;

pub use go_board::{GoBoardStyle, go_board_svg};
pub use thermograph::{ThermographStyle, thermograph_svg};
