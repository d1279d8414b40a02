//! Entries of a ledger.
pub struct Entry {
    pub day: u32,
    pub cents: i64,
}

pub fn make(n: u32) -> Vec<Entry> {
    (0..n).map(|i| Entry { day: i / 3, cents: (i as i64 * 7919) % 100_000 - 50_000 }).collect()
}

#[inline(always)]
pub fn running<F: FnMut(&Entry, i64)>(entries: &[Entry], mut each: F) {
    let mut balance = 0;
    for entry in entries {
        balance += entry.cents;
        each(entry, balance);
    }
}
