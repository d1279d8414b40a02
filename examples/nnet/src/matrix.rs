//! Dense matrices of `f64`, row by row.

#[derive(Clone, Debug)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    pub fn zeros(rows: usize, cols: usize) -> Matrix {
        Matrix { rows, cols, data: vec![0.0; rows * cols] }
    }

    pub fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> f64) -> Matrix {
        let mut m = Matrix::zeros(rows, cols);
        for r in 0..rows {
            for c in 0..cols {
                m.data[r * cols + c] = f(r, c);
            }
        }
        m
    }

    pub fn column(values: &[f64]) -> Matrix {
        Matrix { rows: values.len(), cols: 1, data: values.to_vec() }
    }

    #[inline]
    pub fn at(&self, row: usize, col: usize) -> f64 {
        self.data[row * self.cols + col]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.data[row * self.cols..(row + 1) * self.cols]
    }

    /// The matrix product `self * other`.
    pub fn dot(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.cols, other.rows, "shapes do not fit");
        let mut product = Matrix::zeros(self.rows, other.cols);
        for r in 0..self.rows {
            let out = &mut product.data[r * other.cols..(r + 1) * other.cols];
            for (k, &factor) in self.row(r).iter().enumerate() {
                for (sum, &value) in out.iter_mut().zip(other.row(k)) {
                    *sum += factor * value;
                }
            }
        }
        product
    }

    pub fn transpose(&self) -> Matrix {
        Matrix::from_fn(self.cols, self.rows, |r, c| self.at(c, r))
    }

    pub fn map(&self, f: impl Fn(f64) -> f64) -> Matrix {
        Matrix { data: self.data.iter().map(|&x| f(x)).collect(), ..*self }
    }

    /// Element by element: `f(self, other)`.
    pub fn zip(&self, other: &Matrix, f: impl Fn(f64, f64) -> f64) -> Matrix {
        assert!(self.rows == other.rows && self.cols == other.cols, "shapes do not fit");
        let pairs = self.data.iter().zip(&other.data);
        Matrix { data: pairs.map(|(&a, &b)| f(a, b)).collect(), ..*self }
    }

    /// Adds `vector`, a single column, to each column.
    pub fn add_to_columns(&mut self, vector: &Matrix) {
        assert!(self.rows == vector.rows && vector.cols == 1, "shapes do not fit");
        for (row, &value) in self.data.chunks_mut(self.cols).zip(&vector.data) {
            for x in row {
                *x += value;
            }
        }
    }

    /// The sum of each row, as a column.
    pub fn row_sums(&self) -> Matrix {
        let sums: Vec<f64> = self.data.chunks(self.cols).map(|row| row.iter().sum()).collect();
        Matrix::column(&sums)
    }

    /// `self = keep * self - rate * gradient`: a step downhill with weight decay.
    pub fn descend(&mut self, keep: f64, rate: f64, gradient: &Matrix) {
        for (x, g) in self.data.iter_mut().zip(&gradient.data) {
            *x = keep * *x - rate * g;
        }
    }

    pub fn sum_of_squares(&self) -> f64 {
        self.data.iter().map(|x| x * x).sum()
    }

    /// The row that holds the greatest value of a column.
    pub fn argmax(&self, col: usize) -> usize {
        (1..self.rows).fold(0, |best, r| if self.at(r, col) > self.at(best, col) { r } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product() {
        let a = Matrix::from_fn(2, 3, |r, c| (r * 3 + c) as f64);
        let p = a.dot(&a.transpose());
        assert_eq!(p.data, [5.0, 14.0, 14.0, 50.0]);
    }
}
