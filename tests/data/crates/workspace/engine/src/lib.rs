//! What a step does, in numbers that a test knows.

pub struct Buffers {
    from: [u8; 4096],
    to: [u8; 4096],
}

impl Buffers {
    #[inline(never)]
    pub fn new() -> Buffers {
        Buffers { from: [1; 4096], to: [0; 4096] }
    }
}

/// Calls mix 3 times, blend::<u8> twice, blend::<u16> and blend::<u32> once, copy once, walk 15 times, rank for a sort of 8 numbers.
#[inline(never)]
pub fn step(buffers: &mut Buffers) {
    for _ in 0..3 {
        tools::mix(10);
    }
    tools::blend::<u8>(&[1; 32]);
    tools::blend::<u8>(&[2; 32]);
    tools::blend::<u16>(&[3; 32]);
    tools::blend::<u32>(&[4; 32]);
    tools::copy(&buffers.from, &mut buffers.to);
    walk(3);
    let mut numbers = tools::hide([5u32, 3, 8, 1, 7, 2, 6, 4]);
    numbers.sort_by_key(|&n| rank(n));
    tools::hide(numbers);
}

/// Calls itself twice, through an iterator of core's, until `depth` is used up: 2^(depth + 1) - 1 calls in all.
#[inline(never)]
pub fn walk(depth: u64) -> u64 {
    if depth == 0 {
        return tools::hide(1);
    }
    (0..tools::hide(2u64)).map(|_| walk(tools::hide(depth - 1))).sum()
}

#[inline(never)]
fn rank(n: u32) -> u32 {
    tools::hide(n)
}
