// Palindromes, each of which is found by a copy of the word.
#[inline(never)]
fn words(n: u64) -> Vec<String> {
    (0..n).map(|i| format!("{:b}", i * 7919 % 5003)).collect()
}
#[inline(never)]
fn is_palindrome(word: &str) -> bool {
    let back: String = word.chars().rev().collect(); // planted
    back == word
}
fn main() {
    let words = words(3000);
    println!("{}", (0..5).map(|_| words.iter().filter(|w| is_palindrome(w)).count()).sum::<usize>());
}
