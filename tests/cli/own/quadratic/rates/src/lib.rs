//! Sums over records.
use records::Record;
use std::collections::BTreeMap;

#[inline]
pub fn errors<'a, I: Iterator<Item = &'a Record>>(records: I) -> usize {
    records.filter(|r| r.status >= 400).count()
}

pub fn bytes_by_path(records: &[Record]) -> BTreeMap<&str, u64> {
    let mut sums = BTreeMap::new();
    for record in records {
        *sums.entry(record.path.as_str()).or_insert(0) += record.bytes;
    }
    sums
}
