//! A harness that takes divan's arguments, draws its tree, and does no statistics.
mod bench;

pub use bench::Bencher;

pub struct Entry {
    pub path: &'static str,
    pub arguments: &'static [u64],
    pub bench: fn(Bencher),
}

pub fn run(entries: &[Entry]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let list = arguments.iter().any(|a| a == "--list");
    let exact = arguments.iter().find(|a| !a.starts_with('-'));
    let iters = if arguments.iter().any(|a| a == "--bench") { 1000 } else { 1 };
    let wanted = |path: &str| exact.map_or(true, |e| e == path);
    println!("{}", entries[0].path.split("::").next().unwrap());
    for (i, entry) in entries.iter().enumerate() {
        let last = i + 1 == entries.len();
        let name = entry.path.rsplit("::").next().unwrap();
        println!("{} {name}", if last { "╰─" } else { "├─" });
        if list {
            continue;
        }
        if entry.arguments.is_empty() && wanted(entry.path) {
            (entry.bench)(Bencher::new(iters, 0));
        }
        for (k, &argument) in entry.arguments.iter().enumerate() {
            if wanted(&format!("{}::{argument}", entry.path)) {
                let branch = if k + 1 == entry.arguments.len() { "╰─" } else { "├─" };
                println!("{}  {branch} {argument}", if last { " " } else { "│" });
                (entry.bench)(Bencher::new(iters, argument));
            }
        }
    }
}
