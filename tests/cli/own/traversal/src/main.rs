//! The hottest column of a plane.
fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(700);
    let plane = plane::Plane::new(n, n);
    println!("{} {}", sums::columns(&plane), sums::rows(&plane));
}
