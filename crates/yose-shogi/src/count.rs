//! How many positions a game has, exactly and by formula.

use thiserror::Error;

use crate::inventory::Inventory;
use crate::position::Side;
use crate::rules::Rules;
use crate::square::{Square, squares};
use crate::variant::{Goal, Variant};

/// How many positions an inventory has, by the number of pieces in hand.
///
/// All numbers are of one side to move; with both there are twice as many, and turning the board
/// pairs them off.
///
/// ```
/// use yose_shogi::{Counts, Inventory, Variant};
///
/// let shogi4 = Variant::built_in("shogi4").unwrap();
/// let counts = Counts::new(&shogi4, &Inventory::full(&shogi4)).unwrap();
/// assert_eq!(counts.arrangements(), 205_148_532_253_680);
/// assert_eq!(counts.canonical(), 36_713_949_235_800);
/// assert_eq!(counts.canonical_kings_apart(), 24_321_053_220_318);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// By pieces in hand: entry `n` is of positions with `n` pieces in both hands together.
    pub by_in_hand: Vec<Count>,
}

/// How many positions there are with a given number of pieces in hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Arrangements: the kings on two different squares; every other piece with either owner, on
    /// a square of its own with either of its faces, or in hand. Nothing else is asked: kings may
    /// touch and any piece may stand anywhere. Like pieces are not told apart. No mirror fold.
    pub arrangements: u128,
    /// The arrangements in the variant's domain, no mirror fold: no piece stands where it cannot
    /// have come; and in a variant with a Try, the kings do not touch and neither is on its far
    /// rank, since such positions are decided by rule.
    pub legal: u128,
    /// Legal positions with mirror images counted once.
    pub canonical: u128,
    /// Those of the canonical positions in which the kings do not touch.
    pub canonical_kings_apart: u128,
}

/// Why positions were not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountError {
    /// The variant does not have these pieces.
    #[error("the inventory has pieces that the variant does not have")]
    NotOfVariant,
    /// A number does not fit 128 bits.
    #[error("more than 2^128 positions")]
    TooLarge,
}

impl Counts {
    /// Counts the positions of an inventory.
    ///
    /// # Errors
    /// If the inventory is not of this variant or a number does not fit 128 bits.
    pub fn new(variant: &Variant, inventory: &Inventory) -> Result<Counts, CountError> {
        if !inventory.fits(variant) {
            return Err(CountError::NotOfVariant);
        }
        Counter::new(variant, inventory)
            .count()
            .ok_or(CountError::TooLarge)
    }

    /// All arrangements.
    #[must_use]
    pub fn arrangements(&self) -> u128 {
        self.sum(|count| count.arrangements)
    }

    /// All legal positions.
    #[must_use]
    pub fn legal(&self) -> u128 {
        self.sum(|count| count.legal)
    }

    /// All canonical positions.
    #[must_use]
    pub fn canonical(&self) -> u128 {
        self.sum(|count| count.canonical)
    }

    /// All canonical positions in which the kings do not touch.
    #[must_use]
    pub fn canonical_kings_apart(&self) -> u128 {
        self.sum(|count| count.canonical_kings_apart)
    }

    fn sum(&self, of: impl Fn(&Count) -> u128) -> u128 {
        // Counter::count has checked that the sum of the arrangements fits, the greatest of all.
        self.by_in_hand.iter().map(of).sum()
    }
}

/// A group of places that are alike: each holds one piece, or a piece and its mirror image.
#[derive(Debug, Clone, Copy)]
struct Places {
    number: u32,
    /// Pieces that fill one place.
    pieces: u8,
    /// Whether they are on a far rank, where some faces may be banned.
    edge: bool,
}

/// A kind of the inventory: how many pieces, and how many ways one stands on a square.
#[derive(Debug, Clone, Copy)]
struct Stock {
    pieces: u8,
    /// Owners times faces.
    ways: u128,
    /// The same on a far rank, without what cannot stand there.
    ways_on_edge: u128,
}

struct Counter<'a> {
    variant: &'a Variant,
    stock: Vec<Stock>,
    /// Stock without any ban.
    unbanned: Vec<Stock>,
    in_hand: usize,
}

impl Counter<'_> {
    fn new<'a>(variant: &'a Variant, inventory: &Inventory) -> Counter<'a> {
        let mut stock = Vec::new();
        for (number, kind) in variant.kinds.iter().enumerate() {
            let ways = if kind.promoted.is_some() { 4 } else { 2 };
            // Each far rank bans the base face of one owner.
            let banned = u128::from(!variant.base_on_far_rank(number));
            stock.push(Stock {
                pieces: inventory.count(number),
                ways,
                ways_on_edge: ways - banned,
            });
        }
        let unbanned = stock
            .iter()
            .map(|&stock| Stock {
                ways_on_edge: stock.ways,
                ..stock
            })
            .collect();
        Counter {
            variant,
            stock,
            unbanned,
            in_hand: inventory.pieces() as usize,
        }
    }

    fn count(&self) -> Option<Counts> {
        let board = self.variant.board();
        let rules = Rules::new(self.variant.clone());
        let with_try = self.variant.goal == Goal::TakeKingOrTry;
        let mut totals = vec![Count::default(); self.in_hand + 1];

        let pairs = u128::from(board.squares()) * u128::from(board.squares() - 1);
        let free = [Places {
            number: u32::from(board.squares()) - 2,
            pieces: 1,
            edge: false,
        }];
        let placements = self.placements(&self.unbanned, &free)?;
        for (total, ways) in totals.iter_mut().zip(placements) {
            total.arrangements = pairs.checked_mul(ways)?;
        }

        // King pairs that leave the same number of far-rank squares free have equally many
        // positions; so have those on the centre file, positions that are their own mirror image.
        let mut groups: Vec<PairGroup> = Vec::new();
        for own in squares(board.all()) {
            for other in squares(board.all() & !own.bit()) {
                let touching = rules.kings_touch(Side::Black, own, other);
                let on_far_rank = own.bit() & board.top_row() | other.bit() & board.bottom_row();
                if with_try && (touching || on_far_rank != 0) {
                    continue;
                }
                let edge = board.top_row() | board.bottom_row();
                let group = PairGroup {
                    kings_on_edge: ((own.bit() | other.bit()) & edge).count_ones(),
                    centred: self.on_centre_file(own) && self.on_centre_file(other),
                    touching,
                    pairs: 1,
                };
                match groups.iter_mut().find(|g| g.same(&group)) {
                    Some(known) => known.pairs += 1,
                    None => groups.push(group),
                }
            }
        }
        for group in groups {
            let all = self.placements(&self.stock, &self.free_places(&group))?;
            let own_mirror = if group.centred {
                self.placements(&self.stock, &self.mirror_places(&group))?
            } else {
                vec![0; self.in_hand + 1]
            };
            for ((total, all), own_mirror) in totals.iter_mut().zip(all).zip(own_mirror) {
                let legal = all.checked_mul(group.pairs)?;
                // Twice the number of mirror orbits, by Burnside's lemma. Groups come in mirror
                // pairs or are centred, so the sum over all groups is even.
                let twice = legal.checked_add(own_mirror.checked_mul(group.pairs)?)?;
                total.legal = total.legal.checked_add(legal)?;
                total.canonical = total.canonical.checked_add(twice)?;
                if !group.touching {
                    total.canonical_kings_apart = total.canonical_kings_apart.checked_add(twice)?;
                }
            }
        }
        let mut sum = 0_u128;
        for total in &mut totals {
            total.canonical /= 2;
            total.canonical_kings_apart /= 2;
            sum = sum.checked_add(total.arrangements)?;
        }
        Some(Counts { by_in_hand: totals })
    }

    fn on_centre_file(&self, square: Square) -> bool {
        let board = self.variant.board();
        board.mirrored(square) == square
    }

    fn free_places(&self, group: &PairGroup) -> Vec<Places> {
        let edge = 2 * u32::from(self.variant.columns);
        let inner = u32::from(self.variant.board().squares()) - edge;
        vec![
            Places {
                number: edge - group.kings_on_edge,
                pieces: 1,
                edge: true,
            },
            Places {
                number: inner - (2 - group.kings_on_edge),
                pieces: 1,
                edge: false,
            },
        ]
    }

    /// The places of a position that is its own mirror image, the kings on the centre file: the
    /// other squares of that file, and pairs of squares beside it.
    fn mirror_places(&self, group: &PairGroup) -> Vec<Places> {
        let beside = u32::from(self.variant.columns / 2);
        let inner = u32::from(self.variant.rows) - 2;
        let place = |number, pieces, edge| Places {
            number,
            pieces,
            edge,
        };
        vec![
            place(2 - group.kings_on_edge, 1, true),
            place(inner - (2 - group.kings_on_edge), 1, false),
            place(2 * beside, 2, true),
            place(inner * beside, 2, false),
        ]
    }

    /// By pieces in hand: the ways to share a stock out among places and the two hands.
    fn placements(&self, stock: &[Stock], places: &[Places]) -> Option<Vec<u128>> {
        let hands = self.in_hand + 1;
        let states: usize = places.iter().map(|p| p.number as usize + 1).product();
        // Entry `filled * hands + in_hand`, where `filled` has a digit for each group of places.
        let mut ways = vec![0_u128; states * hands];
        ways[0] = 1;
        for kind in stock {
            let mut next = vec![0_u128; states * hands];
            for (entry, &before) in ways.iter().enumerate() {
                if before > 0 {
                    let state = State {
                        filled: entry / hands,
                        stride: 1,
                        left: kind.pieces,
                        ways: before,
                    };
                    let mut add = |filled, in_hand, ways: u128| {
                        let sum: &mut u128 = &mut next[filled * hands + entry % hands + in_hand];
                        *sum = sum.checked_add(ways)?;
                        Some(())
                    };
                    share(kind, places, state, &mut add)?;
                }
            }
            ways = next;
        }
        let mut by_in_hand = vec![0_u128; hands];
        for (entry, ways) in ways.into_iter().enumerate() {
            let sum = &mut by_in_hand[entry % hands];
            *sum = sum.checked_add(ways)?;
        }
        Some(by_in_hand)
    }
}

/// King pairs that are alike for counting, and how many there are.
struct PairGroup {
    kings_on_edge: u32,
    centred: bool,
    touching: bool,
    pairs: u128,
}

impl PairGroup {
    fn same(&self, other: &PairGroup) -> bool {
        self.kings_on_edge == other.kings_on_edge
            && self.centred == other.centred
            && self.touching == other.touching
    }
}

/// Where the sharing out of one kind stands.
#[derive(Clone, Copy)]
struct State {
    /// Places filled, a digit for each group of places.
    filled: usize,
    /// The worth of the next digit.
    stride: usize,
    /// Pieces of the kind that are still to be placed.
    left: u8,
    ways: u128,
}

/// Shares the pieces of a kind out among groups of places; what is left goes to the hands. Calls
/// `add(filled, in hand, ways)`; `None` is an overflow.
fn share(
    kind: &Stock,
    places: &[Places],
    state: State,
    add: &mut impl FnMut(usize, usize, u128) -> Option<()>,
) -> Option<()> {
    let Some((here, rest)) = places.split_first() else {
        // A hand holds 0, 1, ... or all of them, the other hand the rest.
        let ways = state.ways.checked_mul(u128::from(state.left) + 1)?;
        return add(state.filled, usize::from(state.left), ways);
    };
    let radix = here.number as usize + 1;
    let used = state.filled / state.stride % radix;
    let free = here.number as usize - used;
    let each = if here.edge {
        kind.ways_on_edge
    } else {
        kind.ways
    };
    // `choose` runs through the binomials of `free`, each from the one before.
    let (mut choose, mut faces) = (1_u128, 1_u128);
    let mut left = state.left;
    for more in 0..=free {
        let next = State {
            filled: state.filled + more * state.stride,
            stride: state.stride * radix,
            left,
            ways: state.ways.checked_mul(choose)?.checked_mul(faces)?,
        };
        share(kind, rest, next, add)?;
        let Some(fewer) = left.checked_sub(here.pieces) else {
            break;
        };
        left = fewer;
        choose = choose * (free - more) as u128 / (more as u128 + 1);
        faces = faces.checked_mul(each)?;
    }
    Some(())
}
