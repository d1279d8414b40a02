//! Outside the workspace, by path.

/// The value, as one that the compiler knows nothing of.
pub fn hide<T>(value: T) -> T {
    let result = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    result
}

#[inline(never)]
pub fn mix(rounds: u64) -> u64 {
    let mut sum = 0;
    for i in 0..hide(rounds) {
        sum ^= hide(i);
    }
    hide(sum)
}

/// Generic: one instance for each type.
#[inline(never)]
pub fn blend<T: Copy + Into<u64>>(values: &[T]) -> u64 {
    hide(values.iter().fold(0, |sum, &v| sum + hide(v).into()))
}

/// Leaves the work to memcpy.
#[inline(never)]
pub fn copy(from: &[u8], to: &mut [u8]) -> u8 {
    let size = hide(from.len());
    to[..size].copy_from_slice(&from[..size]);
    hide(to[0]) // so that memcpy is called, not jumped to
}
