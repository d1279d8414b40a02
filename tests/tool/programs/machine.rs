//! Works a little, and asks for the processors, its own path and arguments. It panics, with a backtrace that needs its own file.
use std::collections::BTreeMap;

#[inline(never)]
fn fails(n: usize) -> usize {
    let v = vec![1usize; n];
    std::panic::catch_unwind(move || v[n + std::hint::black_box(1)]).unwrap_or(7)
}

fn main() {
    let text: String = (0..100).map(|i| format!("w{} ", i % 37)).collect();
    let mut words = BTreeMap::new();
    for w in text.split_whitespace() {
        *words.entry(w.to_string()).or_insert(0u32) += 1;
    }
    let big = vec![7u8; 1 << 20];
    let copy = big.clone();
    println!("{} {}", words.len(), copy.iter().map(|&x| x as u64).sum::<u64>());
    println!("processors {}", std::thread::available_parallelism().map_or(0, |n| n.get()));
    println!("exe {}", std::env::current_exe().map_or(0, |p| p.to_string_lossy().len()));
    println!("found {}", std::env::current_exe().map_or(false, |p| p.with_file_name("data.txt").exists()));
    if std::env::args().len() > 1 {
        println!("failed {}", fails(3));
    }
}
