// heap.rs [THREADS] - an allocator that counts what it is asked for, for heap.test. At its end the program prints its counts: allocations,
// reallocations, bytes of both, frees.
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

struct Counting;
static COUNTS: [AtomicU64; 4] = [AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0)];

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNTS[0].fetch_add(1, Relaxed);
        COUNTS[2].fetch_add(layout.size() as u64, Relaxed);
        System.alloc(layout)
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        COUNTS[0].fetch_add(1, Relaxed);
        COUNTS[2].fetch_add(layout.size() as u64, Relaxed);
        System.alloc_zeroed(layout)
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNTS[1].fetch_add(1, Relaxed);
        COUNTS[2].fetch_add(size as u64, Relaxed);
        System.realloc(block, layout, size)
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        COUNTS[3].fetch_add(1, Relaxed);
        System.dealloc(block, layout)
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[inline(never)]
fn boxes(n: usize) -> Vec<Box<[u8]>> {
    (0..n).map(|i| vec![0u8; i + 1].into_boxed_slice()).collect()
}

#[inline(never)]
fn words(n: usize) -> HashMap<String, usize> {
    let mut map = HashMap::new();
    for i in 0..n {
        *map.entry(format!("word {}", i % 17)).or_insert(0) += 1;
    }
    map
}

#[inline(never)]
fn pushed(n: usize) -> Vec<u64> {
    let mut v = Vec::new();
    for i in 0..n {
        v.push(i as u64);
    }
    v
}

fn main() {
    let kept = boxes(100);
    let map = words(500);
    let numbers = pushed(1000);
    let n: usize = std::env::args().nth(1).map_or(0, |n| n.parse().unwrap());
    let threads: Vec<_> = (0..n).map(|i| std::thread::spawn(move || boxes(50 + i).len())).collect();
    let ended: usize = threads.into_iter().map(|t| t.join().unwrap()).sum();
    assert_eq!((kept.len(), map.len(), numbers.len(), ended), (100, 17, 1000, (0..n).map(|i| 50 + i).sum()));
    drop((kept, map, numbers));
    let counts: Vec<u64> = COUNTS.iter().map(|c| c.load(Relaxed)).collect();
    eprintln!("{} {} {} {}", counts[0], counts[1], counts[2], counts[3]);
}
