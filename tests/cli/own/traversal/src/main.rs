//! The hottest column of a plane: one is longer than any first-level cache has lines.
fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(250);
    let plane = plane::Plane::new(n, 8 * n);
    println!("{} {}", sums::columns(&plane), sums::rows(&plane));
}
