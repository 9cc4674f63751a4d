//! The red-and-black race on four rows.
