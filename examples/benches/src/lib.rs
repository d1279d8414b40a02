//! Work whose cost is linear in `n`.

/// Adds up `n` numbers, one at a time.
#[inline(never)]
pub fn sum(n: u64) -> u64 {
    let mut sum = 0;
    for i in 0..n {
        sum += unsafe { std::ptr::read_volatile(&i) };
    }
    sum
}

/// The same, compiled into whoever calls it.
#[inline(always)]
pub fn sum_inlined(n: u64) -> u64 {
    let mut sum = 0;
    for i in 0..n {
        sum += unsafe { std::ptr::read_volatile(&i) };
    }
    sum
}
