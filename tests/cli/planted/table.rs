// Bits are counted by a table of a quarter of a million numbers.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
const ENTRIES: usize = 1 << 18;
const ZERO: AtomicU64 = AtomicU64::new(0); // rustc 1.63 takes a name for each element, and no block
static BITS: [AtomicU64; ENTRIES] = [ZERO; ENTRIES]; // planted
#[inline(never)]
fn count(values: &[u32]) -> u64 {
    values.iter().map(|&v| BITS[v as usize % ENTRIES].load(Relaxed)).sum()
}
#[inline(never)]
fn fill() {
    for (i, bits) in BITS.iter().enumerate() {
        bits.store(i.count_ones() as u64, Relaxed);
    }
}
fn main() {
    fill();
    let values: Vec<u32> = (0..100_000u32).map(|i| i.wrapping_mul(2654435761) >> 7).collect();
    println!("{}", count(&values));
}
