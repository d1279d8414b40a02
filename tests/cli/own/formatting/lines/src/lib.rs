//! Lines of a ledger. Each is formatted on its own, with numbers that need not be fractions.
use entries::Entry;

#[inline]
pub fn line(out: &mut String, entry: &Entry, balance: i64) {
    out.push_str(&format!("{:>6} {:>12.2} {:>14.2}\n", entry.day, entry.cents as f64 / 100.0, balance as f64 / 100.0)); // planted
}

pub fn longest(text: &str) -> usize {
    text.lines().map(str::len).max().unwrap_or(0)
}
