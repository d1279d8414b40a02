use benches::{sum, sum_inlined};
use criterion::{BatchSize, Criterion};

fn sizes(c: &mut Criterion) {
    for n in [100, 200, 300] {
        c.bench_function(&format!("sum/{n}"), |b| b.iter(|| sum(n)));
        c.bench_function(&format!("inlined/{n}"), |b| b.iter(|| sum_inlined(n)));
    }
}

fn set_up(c: &mut Criterion) {
    c.bench_function("batched", |b| {
        b.iter_batched(|| vec![sum(5000)], |v| sum(500 + (v[0] & 0)), BatchSize::SmallInput)
    });
    c.bench_function("a set-up of its own", |b| {
        let n = sum(5000) & 0;
        b.iter(|| sum(n + 500))
    });
}

fn main() {
    criterion::run(&[sizes, set_up]);
}
