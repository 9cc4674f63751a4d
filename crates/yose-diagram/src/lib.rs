//! SVG pictures of what the other crates compute.

pub mod endgame;
pub mod go_board;
mod legend;
mod scale;
pub mod thermograph;

pub use endgame::{EndgameFigure, RegionFigure, endgame_html, endgame_svg, heat_colour};
pub use go_board::{GoBoardStyle, go_board_svg};
pub use thermograph::{ThermographStyle, thermograph_svg};
