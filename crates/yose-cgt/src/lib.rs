//! Combinatorial games: values, canonical forms, thermographs, sums.
