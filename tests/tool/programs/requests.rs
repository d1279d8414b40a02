// Client requests of callgrind.h by inline assembly, as crates for benchmarks make them.
use std::arch::asm;

const CALLGRIND: usize = (b'C' as usize) << 24 | (b'T' as usize) << 16;

fn request(code: usize, argument: usize) -> usize {
    let words = [CALLGRIND + code, argument, 0, 0, 0, 0];
    let mut result = 0usize;
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            inout("rdx") result, in("rax") words.as_ptr(), out("rdi") _, options(nostack)
        );
    }
    result
}

const DUMP: usize = 0;
const ZERO: usize = 1;
const TOGGLE: usize = 2;
const DUMP_AT: usize = 3;
const START: usize = 4;
const STOP: usize = 5;

/// The value, of which the compiler knows nothing. (std's own needs Rust 1.66.)
fn black_box<T>(value: T) -> T {
    let same = unsafe { std::ptr::read_volatile(&value) };
    std::mem::forget(value);
    same
}

// The same for each round.
#[no_mangle]
#[inline(never)]
pub extern "C" fn burn(n: u64) {
    let mut i = 0;
    while i < n {
        i = black_box(i + 1);
    }
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("instrumentation") => {
            burn(1);
            request(START, 0);
            burn(10);
            request(STOP, 0);
            burn(100);
            request(START, 0);
            burn(1000);
            request(STOP, 0);
        }
        Some("toggle") => {
            burn(1);
            request(TOGGLE, 0);
            burn(10);
            request(TOGGLE, 0);
            burn(100);
        }
        Some("zero") => {
            burn(1);
            request(ZERO, 0);
            burn(10);
        }
        Some("dump") => {
            burn(1);
            request(DUMP, 0);
            burn(10);
            request(DUMP_AT, b"the second\0".as_ptr() as usize);
            burn(100);
        }
        Some(rounds) => burn(rounds.parse().unwrap()),
        None => {}
    }
}
