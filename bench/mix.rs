// mix.rs SCALE - what Rust programs spend their time on: a product of matrices, a HashMap, sorting numbers and strings, a BTreeMap, calls.
use std::collections::{BTreeMap, HashMap};

/// Numbers without order, the same ones each time.
struct Numbers(u64);

impl Iterator for Numbers {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Some(self.0 >> 20)
    }
}

#[inline(never)]
fn product(size: usize) -> f64 {
    let a: Vec<f64> = (0..size * size).map(|i| (i % 13) as f64).collect();
    let b: Vec<f64> = (0..size * size).map(|i| (i % 7) as f64).collect();
    let mut sum = 0.0;
    for row in 0..size {
        for column in 0..size {
            sum += (0..size).map(|k| a[row * size + k] * b[k * size + column]).sum::<f64>();
        }
    }
    sum
}

#[inline(never)]
fn count(n: usize) -> u64 {
    let mut counts: HashMap<u64, u64> = HashMap::new();
    for x in Numbers(1).take(n) {
        *counts.entry(x % 40_000).or_insert(0) += x & 3;
    }
    counts.values().sum()
}

#[inline(never)]
fn sorted(n: usize) -> u64 {
    let mut numbers: Vec<u64> = Numbers(2).take(n).collect();
    let mut words: Vec<String> = Numbers(3).take(n / 10).map(|x| format!("{:x}", x)).collect();
    numbers.sort();
    words.sort_by(|a, b| b.cmp(a));
    numbers[n / 2] ^ words[0].len() as u64
}

#[inline(never)]
fn ordered(n: usize) -> u64 {
    let map: BTreeMap<u64, usize> = Numbers(4).take(n).enumerate().map(|(i, x)| (x, i)).collect();
    map.range(1 << 40..).take(1000).map(|(x, i)| x ^ *i as u64).fold(0, u64::wrapping_add)
}

#[inline(never)]
fn fibonacci(n: u32) -> u64 {
    if n < 2 {
        n as u64
    } else {
        fibonacci(n - 1) + fibonacci(n - 2)
    }
}

fn main() {
    let scale: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    for _ in 0..scale {
        println!("{} {} {} {}", product(160), count(500_000), sorted(200_000), ordered(100_000));
        println!("{}", fibonacci(25));
    }
}
