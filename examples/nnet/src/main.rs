//! Learns to read noisy digits. `nnet [EPOCHS]` prints how well it went.

mod data;
mod matrix;
mod net;

use std::collections::HashMap;

use data::{Random, Sample};
use net::Network;

const BATCH: usize = 20;

fn train(network: &mut Network, samples: &[Sample], random: &mut Random) -> f64 {
    let mut order: Vec<&Sample> = samples.iter().collect();
    let mut loss = 0.0;
    random.shuffle(&mut order);
    for chunk in order.chunks(BATCH) {
        let (pixels, answers) = data::batch(chunk);
        loss += network.learn(&pixels, &answers, chunk.len()) * chunk.len() as f64;
    }
    loss / samples.len() as f64
}

/// How often each digit was taken for another: (digit, answer) to count.
fn confusions(network: &Network, samples: &[Sample]) -> HashMap<(usize, usize), u32> {
    let mut counts = HashMap::new();
    for chunk in samples.chunks(BATCH) {
        let (pixels, _) = data::batch(&chunk.iter().collect::<Vec<_>>());
        let output = network.answer(&pixels);
        for (column, sample) in chunk.iter().enumerate() {
            *counts.entry((sample.digit, output.argmax(column))).or_insert(0) += 1;
        }
    }
    counts
}

fn report(counts: &HashMap<(usize, usize), u32>) {
    let total: u32 = counts.values().sum();
    let right: u32 = counts.iter().filter(|((digit, answer), _)| digit == answer).map(|(_, n)| n).sum();
    // By count, then by digits: a HashMap has no order of its own.
    let mut wrong: Vec<_> = counts.iter().filter(|((digit, answer), _)| digit != answer).collect();
    wrong.sort_by_key(|&(pair, &n)| (u32::MAX - n, *pair));
    println!("{} of {} right", right, total);
    for ((digit, answer), n) in wrong.iter().take(3) {
        println!("  {} read as {}: {} times", digit, answer, n);
    }
}

fn main() {
    let epochs = match std::env::args().nth(1).map(|text| text.parse::<u32>()) {
        None => 6,
        Some(Ok(n)) => n,
        Some(Err(error)) => {
            eprintln!("usage: nnet [EPOCHS]: {}", error);
            std::process::exit(2);
        }
    };
    let mut random = Random::new(42);
    let learning = data::samples(1000, 0.5, &mut random);
    let testing = data::samples(500, 0.5, &mut random);
    let mut network = Network::new(&[data::PIXELS, 48, data::CLASSES], &mut random);
    for epoch in 1..=epochs {
        let loss = train(&mut network, &learning, &mut random);
        println!("epoch {}: loss {:.4}", epoch, loss);
    }
    report(&confusions(&network, &testing));
}
