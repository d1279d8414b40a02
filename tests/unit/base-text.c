/* Texts and arrays that grow, and the search in arrays. */
#include <config.h>

#include "../tap.h"
#include "base/array.h"
#include "base/counts.h"
#include "base/strbuf.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

static void test_strbuf(void)
{
    struct strbuf b = {.text = NULL};
    char *text = strbuf_take(&b);
    size_t size = 0;

    is_text(text, "", "a buffer without additions is an empty text");
    free(text);
    strbuf_add(&b, "a");
    strbuf_addf(&b, "%d-%s", 12, "bc");
    strbuf_add_char(&b, '!');
    strbuf_add_bytes(&b, "defg", 2);
    is_text(b.text, "a12-bc!de", "additions follow each other");
    strbuf_cut(&b, 3);
    is_text(b.text, "a12", "what is cut off is gone");
    strbuf_add(&b, "z");
    text = strbuf_take(&b);
    is_text(text, "a12z", "an addition takes the place of what was cut off");
    ok(!b.text && !b.size && !b.room, "a buffer is empty after its text was taken");
    free(text);
    for (int i = 0; i < 1000; i++) {
        strbuf_add(&b, "0123456789");
        size += b.size == 10 * ((size_t)i + 1) && strlen(b.text) == b.size && b.room > b.size;
    }
    ok(size == 1000, "a text grows, and is whole at any time");
    strbuf_free(&b);
    ok(!b.text && !b.size, "a text is freed");
}

struct ints {
    int *items;
    size_t n, room;
};

static bool is_less(const void *item, const void *key)
{
    return *(const int *)item < *(const int *)key;
}

static void test_array(void)
{
    struct ints list = {.items = NULL};
    long wrong = 0;

    for (int i = 0; i < 1000; i++) {
        GROW(list.items, list.n, list.room);
        list.items[list.n++] = 2 * i;
    }
    for (int i = 0; i < 1000; i++)
        wrong += list.items[i] != 2 * i;
    ok(wrong == 0, "an array keeps its elements while it grows");
    ok(list.room >= list.n && list.room < 2 * list.n + 16, "the room of an array at most doubles");
    for (size_t n = 0; n < 20; n++)
        for (int key = -1; key < 41; key++) {
            size_t expected = 0;

            while (expected < n && list.items[expected] < key)
                expected++;
            wrong += lower_bound(list.items, n, sizeof *list.items, is_less, &key) != expected;
        }
    ok(wrong == 0, "lower_bound() finds the first that is not before a key");
    free(list.items);
}

static void test_counts(void)
{
    int64_t counts[] = {1, INT64_MAX, INT64_MIN, -5};
    const int64_t more[] = {2, 1, -1, -6};
    uint64_t calls = UINT64_MAX - 1;

    counts_add(counts, more, 4);
    ok(counts[0] == 3 && counts[3] == -11, "counts are added, each to its own");
    ok(counts[1] == INT64_MAX && counts[2] == INT64_MIN, "sums stay at the limits");
    calls_add(&calls, 1);
    ok(calls == UINT64_MAX, "calls are added");
    calls_add(&calls, 7);
    ok(calls == UINT64_MAX, "their sum stays at the limit");
    ok(calls_count(calls) == INT64_MAX && calls_count(7) == 7, "calls are a count");
}

static void test_words(void)
{
    const char *words = "include lib  src";

    ok(text_is_word_of(words, "include", 7) && text_is_word_of(words, "src", 3),
       "the first and the last of some words are found");
    ok(!text_is_word_of(words, "inc", 3), "the beginning of a word is no word");
    ok(!text_is_word_of(words, "include lib", 11), "two words are no word");
    ok(!text_is_word_of(words, "libs", 4), "a word with one more letter is no word");
    ok(text_begins_with_word_of("library", words), "a text begins with a word");
    ok(!text_begins_with_word_of("sr", words), "the beginning of a word begins with none");
}

int main(void)
{
    test_strbuf();
    test_words();
    test_array();
    test_counts();
    return tap_done();
}
