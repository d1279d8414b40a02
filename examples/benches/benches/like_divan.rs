use benches::{sum, sum_inlined};
use divan::{Bencher, Entry};

fn plain(bencher: Bencher) {
    bencher.bench(|| sum(100))
}

fn of_size(bencher: Bencher) {
    let n = bencher.argument();
    bencher.bench(|| sum_inlined(n))
}

fn values(bencher: Bencher) {
    bencher.with_inputs(|| vec![sum(5000)]).bench_values(|v| sum(500 + (v[0] & 0)))
}

fn main() {
    divan::run(&[
        Entry { path: "like_divan::plain", arguments: &[], bench: plain },
        Entry { path: "like_divan::of_size", arguments: &[100, 200, 300], bench: of_size },
        Entry { path: "like_divan::values", arguments: &[], bench: values },
    ]);
}
