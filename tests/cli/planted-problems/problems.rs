// Programs with one problem each, the word behind `--cfg`, in planted(); decoy() works beside it.
#![allow(dead_code, unused_imports, unexpected_cfgs)]
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::io::Write;
use std::ops::Index;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

#[inline(never)]
fn decoy(n: u64) -> u64 {
    (0..n).fold(1u64, |s, i| s.wrapping_mul(31).wrapping_add(i ^ s >> 7))
}

#[cfg(formats)]
#[inline(never)]
fn planted() {
    for i in 0..600_000 {
        black_box(format!("{i}:{}", i * 3));
    }
}

#[cfg(clones)]
#[inline(never)]
fn planted() {
    let words: Vec<String> = (0..1000).map(|i| format!("a word with the number {i}")).collect();
    for _ in 0..1000 {
        black_box(words.clone());
    }
}

#[cfg(hashes)]
#[inline(never)]
fn planted() {
    let mut counts = HashMap::new();
    for i in 0..3_000_000u32 {
        *counts.entry(i % 1000).or_insert(0u32) += 1;
    }
    black_box(counts);
}

#[cfg(sorts)]
#[inline(never)]
fn planted() {
    let mut values: Vec<u32> = Vec::new();
    for i in 0..5000u32 {
        values.push(i.wrapping_mul(2654435761));
        values.sort();
    }
    black_box(values);
}

#[cfg(trees)]
#[inline(never)]
fn planted() {
    for n in 0..400u32 {
        let map: BTreeMap<u32, String> = (0..2000).map(|i| (i * n, i.to_string())).collect();
        black_box(map);
    }
}

#[cfg(locks)]
#[inline(never)]
fn planted(shared: &Mutex<u64>) {
    for _ in 0..8 {
        let mut value = shared.lock().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        *value += 1;
    }
}

#[cfg(joins)]
#[inline(never)]
fn planted() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let other = pair.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(600));
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    let mut ready = pair.0.lock().unwrap();
    while !*ready {
        ready = pair.1.wait(ready).unwrap();
    }
    drop(ready);
    thread.join().unwrap();
}

struct Matrix {
    data: Vec<f64>,
    columns: usize,
}

impl Index<[usize; 2]> for Matrix {
    type Output = f64;
    fn index(&self, at: [usize; 2]) -> &f64 {
        &self.data[at[0] * self.columns + at[1]]
    }
}

#[cfg(any(multiplies, multiplies_little))]
#[inline(never)]
fn planted() {
    let n = if cfg!(multiplies) { 1024 } else { 64 };
    let rows = if cfg!(multiplies) { 16 } else { 4096 };
    let a = Matrix { data: vec![1.0; rows * n], columns: n };
    let b = Matrix { data: vec![2.0; n * n], columns: n };
    let mut sum = 0.0;
    for i in 0..rows {
        for j in 0..n {
            for k in 0..n {
                sum += a[[i, k]] * b[[k, j]];
            }
        }
    }
    black_box(sum);
}

#[cfg(gathers)]
#[inline(never)]
fn planted(values: &[u64]) {
    let (mut at, mut sum) = (1usize, 0u64);
    for _ in 0..3_000_000 {
        at = at.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        sum = sum.wrapping_add(values[(at >> 33).wrapping_add(sum as usize) % values.len()]);
    }
    black_box(sum);
}

#[cfg(searches)]
#[inline(never)]
fn planted(values: &[u64]) {
    let (mut key, mut sum) = (1u64, 0u64);
    for _ in 0..400_000 {
        key = key.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let (mut low, mut high) = (0, values.len());
        while low < high {
            let middle = (low + high) / 2;
            if values[middle] < key >> 40 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        sum += low as u64;
    }
    black_box(sum);
}

fn main() {
    black_box(decoy(3_000_000));
    #[cfg(locks)]
    {
        let shared = Arc::new(Mutex::new(0));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let shared = shared.clone();
                std::thread::spawn(move || planted(&shared))
            })
            .collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
    }
    #[cfg(gathers)]
    planted(&vec![1; 8 << 20]);
    #[cfg(searches)]
    planted(&(0..8 << 20).map(|i| i * 2).collect::<Vec<u64>>());
    #[cfg(not(any(locks, gathers, searches)))]
    planted();
}
