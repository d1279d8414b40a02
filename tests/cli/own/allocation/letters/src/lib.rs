//! Letters, one by one.
#[inline(always)]
pub fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}

#[inline(always)]
pub fn map<F: FnMut(char)>(word: &str, mut each: F) {
    word.chars().for_each(|c| each(c));
}
