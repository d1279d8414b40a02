// mix.rs - Rust as it comes: generics, closures, trait objects, collections (no HashMap, whose keys are random), a caught panic.
use std::collections::BTreeMap;
use std::fmt::Write;

trait Step {
    fn step(&self, x: u64) -> u64;
}
struct Add(u64);
struct Rotate(u32);
impl Step for Add {
    fn step(&self, x: u64) -> u64 {
        x.wrapping_add(self.0)
    }
}
impl Step for Rotate {
    fn step(&self, x: u64) -> u64 {
        x.rotate_left(self.0)
    }
}

#[inline(never)]
fn product(n: usize) -> f64 {
    let a: Vec<f64> = (0..n * n).map(|i| (i % 17) as f64).collect();
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            c[i * n + j] = (0..n).map(|k| a[i * n + k] * a[k * n + j]).sum();
        }
    }
    c.iter().sum()
}

#[inline(never)]
fn words(n: u64) -> usize {
    let mut text = String::new();
    for i in 0..n {
        write!(text, "w{} ", i * i % 97).unwrap();
    }
    let mut counts = BTreeMap::new();
    for word in text.split(' ') {
        *counts.entry(word.to_string()).or_insert(0u32) += 1;
    }
    counts.len()
}

fn main() {
    let steps: Vec<Box<dyn Step>> = vec![Box::new(Add(7)), Box::new(Rotate(3)), Box::new(Add(1))];
    let mut x = 1u64;
    for i in 0..3000 {
        x = steps[i % steps.len()].step(x);
    }
    let mut numbers: Vec<u64> = (0..2000).map(|i| i * 7919 % 5003).collect();
    numbers.sort_by(|a, b| b.cmp(a));
    numbers.sort_unstable();
    std::panic::set_hook(Box::new(|_| ()));
    let caught = std::panic::catch_unwind(|| numbers[numbers.len() + 5]).is_err();
    println!("{} {} {} {} {}", x, numbers[7], product(20), words(500), caught);
}
