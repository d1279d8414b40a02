//! Writes a text in capitals.
fn main() {
    let n = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(5000);
    let text = words::text(n);
    let (mut loud, mut vowels) = (String::new(), 0);
    for word in text.split(' ') {
        words::shout(word, &mut loud);
        vowels += words::vowels(word);
    }
    println!("{} {}", loud.len(), vowels);
}
