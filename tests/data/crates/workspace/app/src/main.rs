//! Runs N steps. Whatever is not in a step happens once, and a step costs the same each time: all costs are a * N + b.

fn main() {
    let n: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut buffers = Box::new(engine_core::Buffers::new());
    for _ in 0..n {
        engine_core::step(&mut buffers);
    }
}
