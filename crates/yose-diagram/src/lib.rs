//! SVG pictures of what the other crates compute.
