//! Noisy pictures of digits, and the random numbers they are made of.

use crate::matrix::Matrix;

pub const WIDTH: usize = 8;
pub const PIXELS: usize = WIDTH * WIDTH;
pub const CLASSES: usize = 10;

/// A linear congruential generator (Knuth's constants): the same numbers in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }

    /// In 0..1.
    pub fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 31) as f64
    }

    /// About normal, mean 0, deviation 1.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The segments of a seven-segment display that each digit lights: top, upper left, upper right,
/// middle, lower left, lower right, bottom.
const SEGMENTS: [u8; CLASSES] = [
    0b1110111, 0b0010010, 0b1011101, 0b1011011, 0b0111010, 0b1101011, 0b1101111, 0b1010010,
    0b1111111, 0b1111011,
];

fn is_lit(digit: usize, x: usize, y: usize) -> bool {
    let on = |segment: usize| SEGMENTS[digit] >> (6 - segment) & 1 == 1;
    let across = (2..6).contains(&x);
    (across && y == 0 && on(0))
        || (x == 1 && (0..4).contains(&y) && on(1))
        || (x == 6 && (0..4).contains(&y) && on(2))
        || (across && y == 3 && on(3))
        || (x == 1 && (4..7).contains(&y) && on(4))
        || (x == 6 && (4..7).contains(&y) && on(5))
        || (across && y == 7 && on(6))
}

pub struct Sample {
    pub pixels: Vec<f64>,
    pub digit: usize,
}

fn draw(digit: usize, noise: f64, random: &mut Random) -> Sample {
    let pixels = (0..PIXELS)
        .map(|i| {
            let ink = if is_lit(digit, i % WIDTH, i / WIDTH) { 1.0 } else { 0.0 };
            ink + noise * random.normal()
        })
        .collect();
    Sample { pixels, digit }
}

pub fn samples(n: usize, noise: f64, random: &mut Random) -> Vec<Sample> {
    (0..n).map(|i| draw(i % CLASSES, noise, random)).collect()
}

/// The pictures of a batch, one in each column, and what the network should answer.
pub fn batch(samples: &[&Sample]) -> (Matrix, Matrix) {
    let pixels = Matrix::from_fn(PIXELS, samples.len(), |r, c| samples[c].pixels[r]);
    let answers = Matrix::from_fn(CLASSES, samples.len(), |r, c| {
        if samples[c].digit == r {
            1.0
        } else {
            0.0
        }
    });
    (pixels, answers)
}
