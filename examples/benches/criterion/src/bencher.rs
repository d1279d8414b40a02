use std::time::{Duration, Instant};

/// The value, of which the compiler knows nothing. (std's own needs Rust 1.66.)
#[inline(always)]
fn black_box<T>(value: T) -> T {
    let same = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    same
}

pub enum BatchSize {
    SmallInput,
    PerIteration,
}

pub struct Bencher {
    iters: u64,
    pub(crate) elapsed: Duration,
}

impl Bencher {
    pub(crate) fn new(iters: u64) -> Self {
        Bencher { iters, elapsed: Duration::ZERO }
    }

    #[inline(never)]
    pub fn iter<O, R: FnMut() -> O>(&mut self, mut routine: R) {
        let start = Instant::now();
        for _ in 0..self.iters {
            black_box(routine());
        }
        self.elapsed += start.elapsed();
    }

    #[inline(never)]
    pub fn iter_batched<I, O, S, R>(&mut self, mut setup: S, mut routine: R, _: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        for _ in 0..self.iters {
            let input = black_box(setup());
            let start = Instant::now();
            let output = routine(input);
            self.elapsed += start.elapsed();
            drop(black_box(output));
        }
    }
}
