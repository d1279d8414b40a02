//! Words of a text. Each letter becomes a text of its own.
pub fn shout(word: &str, out: &mut String) {
    letters::map(word, |c| {
        let letter = c.to_uppercase().collect::<String>(); // planted
        out.push_str(&letter);
    });
}

pub fn vowels(word: &str) -> usize {
    word.chars().filter(|&c| letters::is_vowel(c)).count()
}

pub fn text(n: usize) -> String {
    let words = ["stone", "river", "of", "cloud", "a", "morning", "light"];
    let mut text = String::new();
    for i in 0..n {
        text.push_str(words[(i * i + 3 * i) % words.len()]);
        text.push(' ');
    }
    text
}
