//! Prints a ledger.
fn ledger(entries: &[entries::Entry]) -> String {
    let mut text = String::new();
    entries::running(entries, |entry, balance| lines::line(&mut text, entry, balance));
    text
}

fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(3000);
    let text = ledger(&entries::make(n));
    println!("{} {}", text.len(), lines::longest(&text));
}
