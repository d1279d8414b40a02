/// The value, of which the compiler knows nothing. (std's own needs Rust 1.66.)
#[inline(always)]
fn black_box<T>(value: T) -> T {
    let same = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    same
}

pub struct Bencher<G = ()> {
    iters: u64,
    argument: u64,
    gen_input: G,
}

impl Bencher {
    pub(crate) fn new(iters: u64, argument: u64) -> Self {
        Bencher { iters, argument, gen_input: () }
    }

    pub fn argument(&self) -> u64 {
        self.argument
    }

    pub fn with_inputs<I, G: FnMut() -> I>(self, gen_input: G) -> Bencher<G> {
        Bencher { iters: self.iters, argument: self.argument, gen_input }
    }

    pub fn bench<O, B: FnMut() -> O>(self, mut benched: B) {
        self.with_inputs(|| ()).bench_values(|_: ()| benched());
    }
}

impl<G> Bencher<G> {
    pub fn bench_values<I, O, B>(mut self, mut benched: B)
    where
        G: FnMut() -> I,
        B: FnMut(I) -> O,
    {
        for _ in 0..self.iters {
            let input = (self.gen_input)();
            let output = black_box(benched(input));
            drop(output);
        }
    }
}
