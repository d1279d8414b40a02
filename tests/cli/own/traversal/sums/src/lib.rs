//! Sums of a plane. Columns are added up one after the other, against the order of the cells.
use plane::Plane;

pub fn rows(plane: &Plane) -> u64 {
    plane.cells.chunks(plane.width).map(|row| row.iter().map(|&cell| cell as u64).max().unwrap_or(0)).sum()
}

pub fn columns(plane: &Plane) -> u64 {
    let mut most = 0;
    Plane::over(plane.width, |x| {
        let mut sum = 0u64;
        Plane::over(plane.height, |y| {
            sum += *plane.cells.get(y * plane.width + x).unwrap() as u64; // planted
        });
        most = most.max(sum);
    });
    most
}
