fn main() {
    println!("{}", benches::sum(10_000));
}
