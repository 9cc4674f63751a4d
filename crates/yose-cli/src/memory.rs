//! Memory: how much there is, how sizes are written, and when to refuse.

use std::fs;

use crate::failure::Failure;

const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Reads a size such as `4GiB`, `512M` or `1.5TB`. `K`, `M`, `G`, `T`, `P` alone and `KiB`... are powers
/// of 1024, `kB`... powers of 1000.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim().to_ascii_lowercase();
    let factor = match unit.as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1_u64 << 40,
        "p" | "pib" => 1_u64 << 50,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "pb" => 1_000_000_000_000_000,
        _ => return Err(format!("unknown unit '{unit}'; write a size like 4GiB")),
    };
    // Whole numbers stay exact; only a fraction goes through floating point.
    if let Ok(whole) = number.parse::<u64>() {
        return whole
            .checked_mul(factor)
            .ok_or_else(|| format!("{text} is more than can be counted"));
    }
    let number: f64 = number
        .parse()
        .map_err(|_| format!("'{number}' is not a number; write a size like 4GiB"))?;
    #[allow(clippy::cast_precision_loss, reason = "a fraction is rounded anyway")]
    let bytes = number * factor as f64;
    if bytes >= 9e18 {
        return Err(format!("{text} is more than can be counted"));
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative and under 9e18"
    )]
    Ok(bytes as u64)
}

/// Writes a number of bytes for people, such as `1.5 GiB`.
pub(crate) fn format(bytes: u64) -> String {
    let mut unit = 0;
    #[allow(clippy::cast_precision_loss, reason = "three digits are shown")]
    let mut value = bytes as f64;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} B")
    } else if value < 10.0 {
        format!("{value:.1} {}", UNITS[unit])
    } else {
        format!("{value:.0} {}", UNITS[unit])
    }
}

/// What may be used: what was asked for, or 80 % of what is free now. `None` if nothing was asked
/// for and this system does not tell.
pub(crate) fn limit(asked: Option<u64>) -> Option<u64> {
    asked.or_else(|| available().map(|free| free / 5 * 4))
}

/// Refuses what will not fit, with the numbers.
pub(crate) fn check(what: &str, needed: u64, asked: Option<u64>) -> Result<(), Failure> {
    let Some(limit) = limit(asked) else {
        return Ok(());
    };
    if needed <= limit {
        return Ok(());
    }
    let source = if asked.is_some() {
        "as given by --memory"
    } else {
        "80 % of what is free"
    };
    Err(Failure::usage(format!(
        "{what} needs about {}, and {} may be used ({source})",
        format(needed),
        format(limit)
    )))
}

/// Free memory of the machine, or of the container if that is less.
fn available() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let free = field_kib(&meminfo, "MemAvailable:")?;
    let read = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let container = read("/sys/fs/cgroup/memory.max")
        .zip(read("/sys/fs/cgroup/memory.current"))
        .map(|(max, current)| max.saturating_sub(current));
    Some(container.map_or(free, |room| room.min(free)))
}

/// What so many bytes take that come and go: allocation wastes an eighth, measured.
pub(crate) fn with_waste(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 8)
}

/// A line `NAME   N kB` of a file under `/proc`, in bytes.
pub(crate) fn field_kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    let kib: u64 = line[name.len()..]
        .trim()
        .strip_suffix("kB")?
        .trim()
        .parse()
        .ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse("4GiB"), Ok(4 << 30));
        assert_eq!(parse("4g"), Ok(4 << 30));
        assert_eq!(parse("1.5 MiB"), Ok(3 << 19));
        assert_eq!(parse("2GB"), Ok(2_000_000_000));
        assert_eq!(parse("123"), Ok(123));
        for bad in [
            "",
            "GiB",
            "4 parsecs",
            "1e999",
            "-1",
            "..",
            "99999999999TiB",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_for_people() {
        assert_eq!(format(999), "999 B");
        assert_eq!(format(3 << 29), "1.5 GiB");
        assert_eq!(format(15 << 20), "15 MiB");
        assert!(format(u64::MAX).ends_with("EiB"));
    }

    #[test]
    fn proc_fields() {
        let text = "MemTotal:  10 kB\nMemAvailable:    7 kB\n";
        assert_eq!(field_kib(text, "MemAvailable:"), Some(7 * 1024));
        assert_eq!(field_kib(text, "Swap:"), None);
    }

    #[test]
    fn refusal_has_both_numbers() {
        assert!(check("it", 10, Some(10)).is_ok());
        let text = check("it", 5 << 30, Some(1 << 30)).unwrap_err().to_string();
        assert!(
            text.contains("5.0 GiB") && text.contains("1.0 GiB"),
            "{text}"
        );
    }
}
