//! Sums up an access log. The clients are searched one by one.
use records::Record;

fn read(path: &str) -> Vec<Record> {
    let text = std::fs::read_to_string(path).expect("a log");
    let mut all = Vec::new();
    records::each(&text, |record| all.push(record));
    all
}

fn unique_clients(records: &[Record]) -> usize {
    let mut seen: Vec<String> = Vec::new();
    for record in records {
        if !seen.contains(&record.client) { // planted
            seen.push(record.client.clone());
        }
    }
    seen.len()
}

fn main() {
    let path = std::env::args().nth(1).expect("usage: logan LOG");
    let records = read(&path);
    println!("{} requests, {} clients", records.len(), unique_clients(&records));
    println!("{} errors", rates::errors(records.iter()));
    for (path, bytes) in rates::bytes_by_path(&records) {
        println!("{:>10} {}", bytes, path);
    }
}
