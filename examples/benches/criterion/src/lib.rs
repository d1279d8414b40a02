//! A harness that takes criterion's arguments, runs its loops, and does no statistics.
mod bencher;

pub use bencher::{BatchSize, Bencher};

enum Mode {
    List,
    Test,
    Bench,
}

pub struct Criterion {
    mode: Mode,
    filter: Option<String>,
}

impl Criterion {
    pub fn bench_function<F: FnMut(&mut Bencher)>(&mut self, id: &str, mut f: F) -> &mut Self {
        if !self.matches(id) {
            return self;
        }
        match self.mode {
            Mode::List => println!("{id}: bench"),
            Mode::Test => {
                println!("Testing {id}");
                f(&mut Bencher::new(1));
                println!("Success");
            }
            Mode::Bench => {
                let mut b = Bencher::new(1000);
                f(&mut b);
                println!("{id}: {:?}", b.elapsed / 1000);
            }
        }
        self
    }

    /// Filters are regular expressions: "^", "$" and "\" are known here.
    fn matches(&self, id: &str) -> bool {
        let filter = match &self.filter {
            Some(filter) => filter,
            None => return true,
        };
        let text: String = filter.chars().filter(|c| !"^$\\".contains(*c)).collect();
        if filter.starts_with('^') { id == text } else { id.contains(&text) }
    }
}

pub fn run(groups: &[fn(&mut Criterion)]) {
    let mut c = Criterion { mode: Mode::Test, filter: None };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|a| a == name);
    if has("--bench") && !has("--test") {
        c.mode = if has("--list") { Mode::List } else { Mode::Bench };
    }
    c.filter = arguments.into_iter().find(|a| !a.starts_with('-'));
    for group in groups {
        group(&mut c);
    }
}
