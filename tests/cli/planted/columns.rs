// A matrix that is summed column by column.
const SIDE: usize = 512;
#[inline(never)]
fn columns(matrix: &[f64]) -> Vec<f64> {
    (0..SIDE).map(|c| (0..SIDE).map(|r| matrix[r * SIDE + c]).sum()).collect() // planted
}
#[inline(never)]
fn largest(sums: &[f64]) -> f64 {
    sums.iter().fold(0.0, |a, &b| if b > a { b } else { a })
}
fn main() {
    let matrix: Vec<f64> = (0..SIDE * SIDE).map(|i| (i % 31) as f64).collect();
    println!("{}", largest(&columns(&matrix)));
}
