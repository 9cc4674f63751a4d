//! Frontiers that only the values still need, many in one piece.

use std::io::{self, Read, Write};

use yose_retro::partition::{BadBytes, Pack};

/// Frontiers with their plies, packed one after the other. Each by itself, thousands of small ones would
/// be as many files, and in memory what is kept of each would hold on to the pages between them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Stretch(Vec<u8>);

/// Bytes before a frontier: its ply and its length.
const HEAD: usize = 12;

/// Bytes for which memory is taken before they are read: the number of them may be anyone's.
const MOST_UNREAD: u64 = 1 << 20;

impl Stretch {
    /// Adds a frontier.
    pub(crate) fn push(&mut self, ply: u32, frontier: &impl Pack) {
        let bytes = frontier.to_bytes();
        self.0.extend(ply.to_le_bytes());
        self.0.extend((bytes.len() as u64).to_le_bytes());
        self.0.extend(bytes);
    }

    /// Bytes of memory that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.capacity() as u64
    }

    /// Reads the frontiers in order.
    pub(crate) fn read<F: Pack>(
        &self,
        mut each: impl FnMut(u32, F) -> Result<(), BadBytes>,
    ) -> Result<(), BadBytes> {
        let mut rest = self.0.as_slice();
        while !rest.is_empty() {
            let (ply, frontier, after) =
                split(rest).ok_or_else(|| BadBytes("expected a ply and a frontier".to_owned()))?;
            each(ply, F::from_bytes(frontier)?)?;
            rest = after;
        }
        Ok(())
    }
}

/// The ply and the bytes of the first frontier, and what comes after.
fn split(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
    let (ply, length) = head.split_first_chunk()?;
    let length = u64::from_le_bytes(length.try_into().ok()?);
    let (frontier, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    Some((u32::from_le_bytes(*ply), frontier, after))
}

impl Pack for Stretch {
    fn pack(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.0)
    }

    fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
        let room = usize::try_from(bytes.min(MOST_UNREAD)).unwrap_or(0);
        let mut all = Vec::with_capacity(room);
        from.take(bytes).read_to_end(&mut all)?;
        if all.len() as u64 != bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Stretch(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Eq)]
    struct Plain(Vec<u8>);

    impl Pack for Plain {
        fn pack(&self, out: &mut impl Write) -> io::Result<()> {
            out.write_all(&self.0)
        }

        fn unpack(from: &mut impl Read, bytes: u64) -> io::Result<Self> {
            Stretch::unpack(from, bytes).map(|Stretch(bytes)| Plain(bytes))
        }
    }

    fn read(stretch: &Stretch) -> Result<Vec<(u32, Plain)>, BadBytes> {
        let mut all = Vec::new();
        stretch.read(|ply, frontier| {
            all.push((ply, frontier));
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn frontiers_come_back_in_order() {
        let frontiers = [(3, vec![1, 2, 3]), (4, vec![]), (9, vec![7; 100])];
        let mut stretch = Stretch::default();
        for (ply, bytes) in &frontiers {
            stretch.push(*ply, &Plain(bytes.clone()));
        }
        let again = Stretch::from_bytes(&stretch.to_bytes()).unwrap();
        assert_eq!(again, stretch);
        let expected = frontiers.map(|(ply, bytes)| (ply, Plain(bytes)));
        assert_eq!(read(&again), Ok(Vec::from(expected)));
    }

    #[test]
    fn what_is_cut_or_longer_than_it_says_is_refused() {
        let mut stretch = Stretch::default();
        stretch.push(3, &Plain(vec![1, 2, 3]));
        let bytes = stretch.to_bytes();
        for end in 1..bytes.len() {
            assert!(read(&Stretch(bytes[..end].to_vec())).is_err(), "{end}");
        }
        for at in 4..HEAD {
            let mut longer = bytes.clone();
            longer[at] = 0xff;
            assert!(read(&Stretch(longer)).is_err(), "{at}");
        }
        assert!(Stretch::unpack(&mut bytes.as_slice(), u64::MAX).is_err());
    }
}
