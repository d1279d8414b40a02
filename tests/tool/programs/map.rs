// map.rs - a HashMap, whose keys are random, so that what it costs depends on chance.
use std::collections::HashMap;

fn main() {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for i in 0..300u32 {
        *counts.entry(format!("word {}", i * i % 37)).or_insert(0) += 1;
    }
    for (word, count) in &counts {
        println!("{} {}", word, count);
    }
}
