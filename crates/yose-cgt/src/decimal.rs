//! Powers of two beyond 128 bits, in decimal and back: denominators of very fine dyadics.

const CHUNK: u64 = 1_000_000_000;
/// Decimal digits of the largest denominator, 2^131072.
const MAX_DIGITS: usize = 39_457;

/// 2^exponent in decimal. Cost quadratic in the exponent (2^100000: some milliseconds).
pub(crate) fn power_of_two(exponent: u32) -> String {
    // Base 10^9, least first; 29 doublings at a time keep every product within u64.
    let mut digits: Vec<u64> = vec![1];
    let mut left = exponent;
    while left > 0 {
        let step = left.min(29);
        let mut carry = 0;
        for d in &mut digits {
            let x = (*d << step) + carry;
            *d = x % CHUNK;
            carry = x / CHUNK;
        }
        if carry > 0 {
            digits.push(carry);
        }
        left -= step;
    }
    let mut text = String::new();
    for (i, d) in digits.iter().rev().enumerate() {
        let part = if i == 0 {
            d.to_string()
        } else {
            format!("{d:09}")
        };
        text.push_str(&part);
    }
    text
}

/// The k with `text` = 2^k, if there is one within the range of dyadics. `text` holds digits only.
pub(crate) fn log2_of(text: &str) -> Option<u32> {
    let text = text.trim_start_matches('0');
    if let Ok(n) = text.parse::<u128>() {
        return n.is_power_of_two().then(|| n.trailing_zeros());
    }
    if text.is_empty() || text.len() > MAX_DIGITS {
        return None;
    }
    // At most four powers of two share a number of digits: find them by length, then compare.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a first guess for at most 39,457 digits, checked exactly below"
    )]
    let guess = ((text.len() - 1) as f64 * std::f64::consts::LOG2_10) as u32;
    (guess.saturating_sub(1)..=guess + 5).find(|&k| power_of_two(k) == text)
}
