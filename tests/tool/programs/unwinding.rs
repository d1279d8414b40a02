// unwinding.rs - panics six frames deep, caught, three times; work afterwards; trait objects.
use std::panic;

/// The value, of which the compiler knows nothing. (std's own is younger than some rustc this is for.)
fn black_box<T>(value: T) -> T {
    let same = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    same
}

#[no_mangle]
#[inline(never)]
pub fn burn(n: u64) -> u64 {
    let mut sum = 0;
    for i in 0..n {
        sum = black_box(sum + i);
    }
    sum
}

struct Guard;
impl Drop for Guard {
    #[inline(never)]
    fn drop(&mut self) {
        burn(1);
    }
}

#[no_mangle]
#[inline(never)]
pub fn dig(depth: u32) -> u64 {
    let _guard = Guard;
    burn(5);
    if depth == 0 {
        panic!("the bottom");
    }
    black_box(dig(black_box(depth - 1))) + 1
}

#[no_mangle]
#[inline(never)]
pub fn catch_it() -> bool {
    let failed = panic::catch_unwind(|| dig(black_box(5))).is_err();
    black_box(burn(20));
    failed
}

#[no_mangle]
#[inline(never)]
pub fn after() -> u64 {
    black_box(burn(500)) + 1
}

trait Shape {
    fn area(&self, n: u64) -> u64;
}
struct Square;
struct Circle;
impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        black_box(n * n)
    }
}
impl Shape for Circle {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        black_box(3 * n * n)
    }
}

#[no_mangle]
#[inline(never)]
fn measure(shapes: &[Box<dyn Shape>]) -> u64 {
    (0..30).map(|i| black_box(&shapes[(i % 3 == 0) as usize]).area(i)).sum()
}

#[no_mangle]
#[inline(never)]
pub fn run() -> u64 {
    let mut sum = 0;
    for _ in 0..3 {
        sum += catch_it() as u64;
        sum += after();
    }
    sum + measure(&[Box::new(Square), Box::new(Circle)])
}

fn main() {
    panic::set_hook(Box::new(|_| ()));
    std::process::exit((run() == 0) as i32);
}
