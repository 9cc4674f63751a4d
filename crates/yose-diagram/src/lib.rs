//! SVG pictures of what the other crates compute.

mod scale;
pub mod thermograph;

pub use thermograph::{ThermographStyle, thermograph_svg};
