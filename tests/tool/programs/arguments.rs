// Calls of a generic method with 0, 100, 200 and 300.
/// The value, of which the compiler knows nothing. (std's own needs Rust 1.66.)
fn black_box<T>(value: T) -> T {
    let same = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    same
}

struct Store<T>(Vec<T>);

impl<T: Default> Store<T> {
    #[inline(never)]
    fn add_room(&mut self, n: usize) {
        self.0.reserve(n);
        black_box(&self.0);
    }
}

fn main() {
    let mut store = Store::<u32>(Vec::new());
    for i in 0..black_box(4) {
        store.add_room(i * 100);
    }
}
