//! Drop shogi on small boards.
