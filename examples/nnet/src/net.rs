//! A network of fully connected layers, trained by back-propagation.

use crate::data::Random;
use crate::matrix::Matrix;

pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

struct Layer {
    weights: Matrix,
    biases: Matrix,
}

impl Layer {
    fn new(inputs: usize, outputs: usize, random: &mut Random) -> Layer {
        let scale = 1.0 / (inputs as f64).sqrt();
        Layer {
            weights: Matrix::from_fn(outputs, inputs, |_, _| scale * random.normal()),
            biases: Matrix::zeros(outputs, 1),
        }
    }

    fn forward(&self, input: &Matrix) -> Matrix {
        let mut sum = self.weights.dot(input);
        sum.add_to_columns(&self.biases);
        sum.map(sigmoid)
    }
}

pub struct Network {
    layers: Vec<Layer>,
    /// Learning rate, for a whole batch.
    pub rate: f64,
    /// L2 regularisation: how strongly large weights are drawn towards zero.
    pub decay: f64,
}

impl Network {
    /// A network whose layers have these sizes, the input's first.
    pub fn new(sizes: &[usize], random: &mut Random) -> Network {
        let layers = sizes.windows(2).map(|s| Layer::new(s[0], s[1], random)).collect();
        Network { layers, rate: 0.5, decay: 1e-4 }
    }

    /// What each layer puts out, the input first.
    fn activations(&self, input: &Matrix) -> Vec<Matrix> {
        let mut all = vec![input.clone()];
        for layer in &self.layers {
            let next = layer.forward(&all[all.len() - 1]);
            all.push(next);
        }
        all
    }

    pub fn answer(&self, input: &Matrix) -> Matrix {
        self.layers.iter().fold(input.clone(), |x, layer| layer.forward(&x))
    }

    /// Learns from one batch of `n` columns; returns the loss before the step.
    pub fn learn(&mut self, input: &Matrix, wanted: &Matrix, n: usize) -> f64 {
        let activations = self.activations(input);
        let output = &activations[activations.len() - 1];
        // The cross-entropy of a sigmoid has the plain difference as its derivative.
        let mut delta = output.zip(wanted, |y, t| y - t);
        let loss = delta.sum_of_squares() / n as f64 + self.penalty();
        for i in (0..self.layers.len()).rev() {
            let below = self.propagate(i, &delta, &activations[i]);
            self.adjust(i, &delta, &activations[i], n);
            delta = below;
        }
        loss
    }

    /// What layer `i`'s error is to the layer below.
    fn propagate(&self, i: usize, delta: &Matrix, input: &Matrix) -> Matrix {
        let back = self.layers[i].weights.transpose().dot(delta);
        back.zip(input, |d, a| d * a * (1.0 - a))
    }

    fn adjust(&mut self, i: usize, delta: &Matrix, input: &Matrix, n: usize) {
        let rate = self.rate / n as f64;
        let keep = 1.0 - self.rate * self.decay;
        let gradient = delta.dot(&input.transpose());
        self.layers[i].weights.descend(keep, rate, &gradient);
        self.layers[i].biases.descend(1.0, rate, &delta.row_sums());
    }

    fn penalty(&self) -> f64 {
        let squares: f64 = self.layers.iter().map(|l| l.weights.sum_of_squares()).sum();
        0.5 * self.decay * squares
    }
}
