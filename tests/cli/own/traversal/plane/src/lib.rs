//! A plane of numbers, row by row.
pub struct Plane {
    pub width: usize,
    pub height: usize,
    pub cells: Vec<u32>,
}

impl Plane {
    pub fn new(width: usize, height: usize) -> Plane {
        let mut seed = 1u32;
        let cells = (0..width * height).map(|_| {
            seed = seed.wrapping_mul(1103515245).wrapping_add(12345);
            seed >> 20
        });
        Plane { width, height, cells: cells.collect() }
    }

    #[inline(always)]
    pub fn over<F: FnMut(usize)>(n: usize, each: F) {
        (0..n).for_each(each);
    }
}
