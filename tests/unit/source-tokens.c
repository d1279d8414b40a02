/* The parts of source that are coloured. */
#include <config.h>

#include "../tap.h"
#include "source/tokens.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of a line's bytes, a letter each: '.' plain, c comment, t text, n number, w word, y
 * type, m macro. */
static char *kinds_of(enum language language, const char *line, struct token_state *state)
{
    static const char letters[] = ".ctnwym";
    size_t size = strlen(line);
    unsigned char *kinds = calloc(size + 1, 1);
    struct token_state same = *state;

    memset(kinds, 0xff, size);
    tokens_read(language, line, size, &same, NULL);
    tokens_read(language, line, size, state, kinds);
    ok(same.comment == state->comment && same.text == state->text,
       "what goes on does not depend on who looks");
    for (size_t i = 0; i < size; i++)
        kinds[i] = kinds[i] < N_TOKENS ? (unsigned char)letters[kinds[i]] : '?';
    return (char *)kinds;
}

static void reads(enum language language, const char *line, const char *want)
{
    struct token_state state = {0};
    char *got = kinds_of(language, line, &state);

    is_text(got, want, line);
    free(got);
}

/* Lines one after the other; the second string of each pair are its kinds. */
static void reads_lines(enum language language, const char *const (*lines)[2], size_t n)
{
    struct token_state state = {0};

    for (size_t i = 0; i < n; i++) {
        char *got = kinds_of(language, lines[i][0], &state);

        is_text(got, lines[i][1], lines[i][0]);
        free(got);
    }
}

static void test_rust(void)
{
    reads(LANGUAGE_RUST, "pub fn f<'a>(x: &'a Vec<u8>) -> u8 {",
          "www.ww...nn......nn.yyy.............");
    reads(LANGUAGE_RUST, "let x = 1_000u64 + 0.5; // sum", "www.....nnnnnnnn...nnn..cccccc");
    reads(LANGUAGE_RUST, "println!(\"{}\\\"\", x != y)", "mmmmmmmm.tttttt.........");
    reads(LANGUAGE_RUST, "0..10", "n..nn");
    reads(LANGUAGE_RUST, "a!=b", "....");
    reads(LANGUAGE_RUST, "r#\"a\"b\"# br\"\\\" b'x' '\\'' c", "tttttttt.ttttt..nnn.nnnn..");
    reads(LANGUAGE_RUST, "#[inline(always)] x # y", "mmmmmmmmmmmmmmmmm......");
    reads(LANGUAGE_RUST, "r#type letters", "..wwww........");
    reads(LANGUAGE_RUST, "'\xc3\xa9' \xc3\xa9t\xc3\xa9", "nnnn......");
    reads(LANGUAGE_RUST, "", "");
    reads(LANGUAGE_RUST, "a /* b /* c */ d */ e", "..ccccccccccccccccc..");
}

static void test_rust_lines(void)
{
    static const char *const comments[][2] = {
        {"fn /* a /* b", "ww.ccccccccc"}, {"c */ fn", "ccccccc"}, {"*/ fn", "cc.ww"}};
    static const char *const texts[][2] = {{"x = \"a \\", "....tttt"},
                                           {"fn \\\" //", "tttttttt"},
                                           {"\"; fn", "t..ww"},
                                           {"r##\"a\"#", "ttttttt"},
                                           {"\\\"## fn", "tttt.ww"}};

    reads_lines(LANGUAGE_RUST, comments, 3);
    reads_lines(LANGUAGE_RUST, texts, 5);
}

static void test_c(void)
{
    static const char *const lines[][2] = {{"/* a /* b", "ccccccccc"}, {"c */ int", "cccc.www"},
                                           {"\"a \\", "tttt"},         {"b\" + 1", "tt...n"},
                                           {"\"open", "ttttt"},        {"int", "www"}};

    reads(LANGUAGE_C, "  # include <x.h>", "..mmmmmmmmm......");
    reads(LANGUAGE_C, "static uint32_t x = 'a' + '\\''; a # b",
          "wwwwww.yyyyyyyy.....nnn...nnnn.......");
    reads(LANGUAGE_C, "return \"a\\\"\" + 1.5e3f; // x", "wwwwww.ttttt...nnnnnn..cccc");
    reads(LANGUAGE_C, "'", "n");
    reads_lines(LANGUAGE_C, lines, 6);
}

static void test_languages(void)
{
    ok(tokens_language("/a.b/src/main.rs") == LANGUAGE_RUST, "Rust");
    ok(tokens_language("malloc.c") == LANGUAGE_C && tokens_language("/x/a.hpp") == LANGUAGE_C,
       "C and C++");
    ok(tokens_language("/a.rs/memcpy.S") == LANGUAGE_NONE &&
           tokens_language("/a.rs/Makefile") == LANGUAGE_NONE,
       "others, by the file's name alone");
    reads(LANGUAGE_NONE, "fn /* \"", ".......");
}

/* Any bytes are read to their end, and get a kind. */
static void test_any(void)
{
    static const char bytes[] = "'\"\\/*#!r b_9[]\n\xc3\xff{";
    struct token_state states[3] = {{0}};
    unsigned char kinds[12];
    bool good = true;
    unsigned seed = 1;

    for (int i = 0; i < 100000; i++) {
        char line[12];
        size_t size;

        for (size_t k = 0; k < sizeof line; k++) {
            seed = seed * 1103515245 + 12345;
            line[k] = bytes[(seed >> 16) % (sizeof bytes - 1)];
        }
        size = (seed >> 8) % sizeof line;
        memset(kinds, 0xff, sizeof kinds);
        tokens_read((enum language)(i % 3), line, size, &states[i % 3], kinds);
        for (size_t k = 0; k < sizeof kinds; k++)
            good = good && (k < size ? kinds[k] < N_TOKENS : kinds[k] == 0xff);
    }
    ok(good, "each byte has a kind, and none behind the end");
}

int main(void)
{
    test_rust();
    test_rust_lines();
    test_c();
    test_languages();
    test_any();
    return tap_done();
}
