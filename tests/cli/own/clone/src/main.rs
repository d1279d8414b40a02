//! Adds up a book of orders.
fn total(book: &book::Book, table: &quotes::Table) -> u64 {
    book.sum(|order| quotes::price_of(order, table))
}

fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(500);
    let book = book::Book::new(n);
    let table = quotes::Table::new(50);
    println!("{}", total(&book, &table));
}
