#include <config.h>

#include "../tap.h"
#include "render/text/table_text.h"
#include "render/text/text.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* The encoding of what is tested from here on. */
static void set_utf8(bool utf8)
{
    setlocale(LC_CTYPE, utf8 ? "C.UTF-8" : "C");
}

static void clean(const char *given, bool utf8, const char *want, const char *what)
{
    char *got;

    set_utf8(utf8);
    got = text_clean(given);

    is_text(got, want, what);
    free(got);
}

static void cut(const char *given, unsigned width, enum text_cut how, bool utf8, const char *want)
{
    char *got;

    set_utf8(utf8);
    got = text_shorten(given, width, how);

    is_text(got, want, "shortened");
    ok(text_width(got) <= width, "and no wider than %u", width);
    free(got);
}

static void test_clean(void)
{
    clean("a\x1b[31mb\n", true, "a\xef\xbf\xbd[31mb\xef\xbf\xbd", "control characters");
    clean("a\x1b[31mb\n", false, "a?[31mb?", "the same in ASCII");
    clean("caf\xe9", true, "caf\xef\xbf\xbd", "Latin-1");
    clean("caf\xc3\xa9", true, "caf\xc3\xa9", "UTF-8");
    clean("caf\xc3\xa9", false, "caf?", "UTF-8 where it cannot be shown");
    clean("\xf0\x9f\x98\x80 \xf0\x90\x80\x80", true, "\xf0\x9f\x98\x80 \xf0\x90\x80\x80",
          "characters of four bytes");
    clean("\x1f \xef\xbf\xbf", true, "\xef\xbf\xbd \xef\xbf\xbd",
          "the last control character, and what is none");
    clean("\xc0\xaf\xed\xa0\x80\xf5", true,
          "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
          "overlong, surrogate, out of range: a mark for each byte");
    clean("\xed\x9f\xbf\xed\xbf\xbf\xee\x80\x80", true,
          "\xed\x9f\xbf\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xee\x80\x80",
          "the last surrogate, and the characters before and behind them");
    clean("a\xe2\x80\xae"
          "b",
          true,
          "a\xef\xbf\xbd"
          "b",
          "a change of direction");
    clean("\xe2\x82", true, "\xef\xbf\xbd\xef\xbf\xbd", "cut off");
}

/* Characters of two bytes, one of which would be cut in two at either end of the middle. */
static void test_long(void)
{
    enum { SIZE = 3 * TEXT_SHOWN_MAX + 1 };
    char *text = malloc(SIZE + 1), *got;

    set_utf8(true);
    for (size_t i = 1; i < SIZE; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[0] = 'x';
    text[SIZE] = '\0';
    got = text_clean(text);
    ok(strlen(got) >= TEXT_SHOWN_MAX && strlen(got) <= TEXT_SHOWN_MAX + 4, "a long text is cut");
    ok(!strstr(got, "\xef\xbf\xbd"), "between characters");
    ok(strstr(got, "\xc3\xa9\xe2\x80\xa6\xc3\xa9") != NULL, "a long text is cut in its middle");
    free(got);
    set_utf8(false);
    got = text_clean(text);
    ok(!strncmp(got, "x??", 3) && strstr(got, "?...?"), "a long text is cut in ASCII");
    set_utf8(true);
    free(got);
    got = text_shown(text);
    is_text(got, text, "a text is not cut in files");
    free(got);
    memset(text + 1, 0x80, SIZE - 1);
    got = text_clean(text);
    ok(strlen(got) <= 3 * (TEXT_SHOWN_MAX + 4), "bytes that are no text are cut");
    free(got);
    free(text);
}

static void test_width(bool utf8)
{
    cut("core::slice::sort::quicksort", 11, TEXT_CUT_MIDDLE, false, "core...sort");
    cut("core::slice::sort::quicksort", 11, TEXT_CUT_START, false, "...uicksort");
    cut("abc", 3, TEXT_CUT_MIDDLE, false, "abc");
    cut("abcd", 3, TEXT_CUT_MIDDLE, false, "abc");
    cut("abcd", 0, TEXT_CUT_MIDDLE, false, "");
    if (!utf8) {
        skip("wide and combining characters", "no UTF-8 locale");
        return;
    }
    cut("core::slice::sort::quicksort", 11, TEXT_CUT_MIDDLE, true, "core:\xe2\x80\xa6ksort");
    is_number(text_width("\xe6\xbc\xa2\xe5\xad\x97"), 4, "wide characters take two columns");
    is_number(text_width("e\xcc\x81"), 1, "a combining one takes none");
    cut("\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97", 6, TEXT_CUT_MIDDLE, true,
        "\xe6\xbc\xa2\xe2\x80\xa6\xe5\xad\x97");
}

static void cut_name(const char *given, unsigned width, const char *want, const char *what)
{
    char *got;

    set_utf8(false);
    got = text_shorten(given, width, TEXT_CUT_NAME);

    is_text(got, want, what);
    ok(text_width(got) <= width, "and no wider than %u", width);
    free(got);
}

static void alike(const char *given, unsigned width, const char *want)
{
    char *got;

    set_utf8(false);
    got = text_shorten(given, width, TEXT_CUT_ALIKE);

    is_text(got, want, "the end of a name that others share");
    free(got);
}

static void place(const char *given, unsigned width, bool utf8, const char *want)
{
    char *got;

    set_utf8(utf8);
    got = text_shorten(given, width, TEXT_CUT_PLACE);

    is_text(got, want, "a place");
    ok(text_width(got) <= width, "and no wider than %u", width);
    free(got);
}

static void test_places(void)
{
    static const char search[] = "regex-automata/src/dfa/search.rs:88";

    place(search, 35, false, search);
    place(search, 34, false, "regex-automata/.../search.rs:88");
    place(search, 30, false, ".../src/dfa/search.rs:88");
    place(search, 23, false, ".../dfa/search.rs:88");
    place(search, 19, false, ".../search.rs:88");
    place(search, 15, false, "...search.rs:88");
    place("src/main.rs:1234", 12, false, "...n.rs:1234");
    place("/home/me/crate/src/lib.rs:1", 20, false, ".../src/lib.rs:1");
    place("librust-std.so.1", 9, false, "...d.so.1");
    place("", 0, false, "");
    place("a/b/c/d/e.rs:1", 12, false, "a/.../e.rs:1");
}

static void test_names(void)
{
    static const char push[] = "std::vector<int, std::allocator<int> >::push_back(int const&)";
    char deep[400];

    cut_name(push, 61, push, "a name that fits");
    cut_name(push, 60, "std::vector<int, std::allocator<int> >::push_back", "parameters go first");
    cut_name(push, 48, "std::vector::push_back", "then arguments of types");
    cut_name(push, 21, "vector::push_back", "then the path");
    cut_name(push, 16, "push_back", "up to its last part");
    cut_name(push, 8, "pu...ack", "which is cut in the end");
    cut_name("<Zip<A, B> as ZipImpl<Iter<f64>, Iter<f64>>>::next", 40, "<Zip as ZipImpl>::next",
             "arguments of a type and its trait");
    cut_name("<nnet::net::Layer<T> as Model<M>>::train::<f64>", 36,
             "nnet::net::Layer::train::<f64>", "then the trait goes");
    cut_name("<nnet::net::Layer<T> as Model<M>>::train::<f64>", 29, "net::Layer::train::<f64>",
             "then the path");
    cut_name("<nnet::net::Layer<T> as Model<M>>::train::<f64>", 18, "net::Layer::train",
             "up to a type and its function, and then its own arguments");
    cut_name("<nnet::net::Layer<T> as Model<M>>::train::<f64>", 7, "train", "then the type, too");
    cut_name("core::ptr::drop_in_place<Vec<Record>> (inlined)", 40,
             "core::ptr::drop_in_place<Vec<Record>>", "inlined is said where there is room");
    cut_name("core::ptr::drop_in_place<Vec<Record>> #2", 30, "drop_in_place<Vec<Record>> #2",
             "a module goes before arguments, and a number stays");
    cut_name("core::ptr::drop_in_place<Vec<Record>> #2", 24, "ptr::drop_in_place #2",
             "as much as there is room for");
    cut_name("core::ptr::drop_in_place<Vec<Record>> (src/main.rs:33)", 34,
             "drop_in_place (src/main.rs:33)", "so does a place");
    cut_name("a::b::{closure}::{closure}", 25, "b::{closure}::{closure}",
             "closures have their function");
    cut_name("if(a<b, and more than fits here", 12, "if(a... here", "brackets without partners");
    alike("<nnet::net::Layer<T> as Model<M>>::train::<f64, Matrix<f32>>", 40,
          "train::<f64, Matrix<f32>>");
    alike("<nnet::net::Layer<T> as Model<M>>::train::<f64, Matrix<f32>>", 22,
          "train::<f64, ...<f32>>");
    alike("a::push_back(int const&, long)", 20, "push_back(int...ong)");
    alike("a::push_back(int const&, long)", 11, "push_back");
    alike("a::b", 3, "b");
    memset(deep, '<', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    cut_name(deep, 9, "<<<...<<<", "deeper than any name");
}

/* Names put together from what matters in them, in any order. */
static void test_any_names(void)
{
    static const char *const parts[] = {
        "<",        ">",  "(",        ")", "::",           "a",  "bc", " ", "[",
        "operator", "->", " [clone ", "]", "\xe2\x80\xa6", "<<", "{",  "}", "="};
    unsigned seed = 1, wide = 0;

    for (int i = 0; i < 20000; i++) {
        char name[256] = "", *got;
        unsigned width = seed >> 16 & 31;

        for (unsigned n = seed >> 21 & 15; n > 0; n--) {
            seed = seed * 1103515245 + 12345;
            strcat(name, parts[(seed >> 16) % (sizeof parts / sizeof *parts)]);
        }
        seed = seed * 1103515245 + 12345;
        set_utf8(i % 2);
        got = text_shorten(name, width, TEXT_CUT_NAME);
        wide += text_width(got) > width;
        free(got);
    }
    is_number(wide, 0, "any names, in any width");
}

static void test_numbers(void)
{
    char b[TEXT_NUMBER];

    is_text(text_count(b, 0), "0", "0");
    is_text(text_count(b, 999), "999", "999");
    is_text(text_count(b, 1000), "1,000", "1000");
    is_text(text_count(b, INT64_MAX), "9,223,372,036,854,775,807", "2^63-1");
    is_text(text_count(b, INT64_MIN), "-9,223,372,036,854,775,808", "-2^63");
    is_text(text_count_short(b, 9999), "9,999", "9999 in short");
    is_text(text_count_short(b, 10000), "10.0k", "10000 in short");
    is_text(text_count_short(b, 999949), "999.9k", "below a unit");
    is_text(text_count_short(b, 999950), "1.0M", "rounded to the next unit");
    is_text(text_count_short(b, INT64_MAX), "9.2E", "2^63-1 in short");
    is_text(text_count_shortest(b, 9999), "9999", "9999 in four columns");
    is_text(text_count_shortest(b, 10000), "10k", "10000 in four columns");
    is_text(text_count_shortest(b, 999499), "999k", "a number below a unit");
    is_text(text_count_shortest(b, 999500), "1.0M", "a number that is rounded to the next unit");
    is_text(text_count_shortest(b, 9949999), "9.9M", "a number with a decimal");
    is_text(text_count_shortest(b, 9950000), "10M", "until it is ten");
    is_text(text_count_shortest(b, -117237366), "-117M", "below zero");
    is_text(text_count_shortest(b, INT64_MAX), "9.2E", "2^63-1 in four columns");
    is_text(text_count_shortest(b, INT64_MIN), "-9.2E", "-2^63 in five");
    is_text(text_percent(b, 1, 3, 1), "33.3", "a third");
    is_text(text_percent(b, 2, 3, 2), "66.67", "two thirds");
    is_text(text_percent(b, -1, 8, 1), "-12.5", "negative");
    is_text(text_percent(b, 5, 0, 1), "-", "a share of nothing");
    is_text(text_percent(b, INT64_MAX, INT64_MAX, 1), "100.0", "a share of 2^63-1");
}

static void test_chains(void)
{
    static const char chain[] = "own::mine › <alloc::vec::Vec<T, A> as Extend<T>>::extend › "
                                "core::ptr::copy › core::intrinsics::last";

    cut("own::first › std::second › std::third", 40, TEXT_CUT_CHAIN, true,
        "own::first › std::second › std::third");
    cut(chain, 91, TEXT_CUT_CHAIN, true,
        "own::mine › <alloc::vec::Vec as Extend>::extend › core::ptr::copy › "
        "core::intrinsics::last");
    cut(chain, 80, TEXT_CUT_CHAIN, true,
        "own::mine › alloc::vec::Vec::extend › core::ptr::copy › core::intrinsics::last");
    cut(chain, 58, TEXT_CUT_CHAIN, true, "own::mine › Vec::extend › ptr::copy › intrinsics::last");
    cut(chain, 40, TEXT_CUT_CHAIN, true, "mine › extend › copy › last");
    cut(chain, 26, TEXT_CUT_CHAIN, true, "mine › … › last");
    cut(chain, 13, TEXT_CUT_CHAIN, true, "own::mine › …");
    cut(chain, 12, TEXT_CUT_CHAIN, true, "mine › …");
    cut(chain, 7, TEXT_CUT_CHAIN, true, "mine");
    cut(chain, 3, TEXT_CUT_CHAIN, true, "m…e");
    cut("own::first › own::of_a_long_name", 20, TEXT_CUT_CHAIN, true, "own::first › …");
    cut("a::<Vec<u8>>::long_name > b::name > c", 23, TEXT_CUT_CHAIN, false, "long_name > name > c");
    cut("a::<Vec<u8>>::long_name > b::name > of_more", 23, TEXT_CUT_CHAIN, false,
        "a::long_name > ...");
    cut("alone::<Vec<u8>>::name", 16, TEXT_CUT_CHAIN, true, "alone::name");
    cut("first › second", 9, TEXT_CUT_CHAIN, true, "first › …");
    cut("first › second", 1, TEXT_CUT_CHAIN, true, "f");
    is_number(text_least_chain("own::first › second"), 5, "what a chain needs");
}

static void test_least(void)
{
    set_utf8(true);
    is_number(text_least_name("<nnet::net::Layer<T> as Model<M>>::train::<f64>"), 5,
              "a name needs its last part");
    is_number(text_least_name("net::Layer::train #2"), 8,
              "a name needs what follows its last part");
    is_number(text_least_name("f (src/of/a/long/place.rs:12)"), 1, "if that is short");
    is_number(text_least_name("a::c::{closure} (inlined)"), 12, "a closure is its function's");
    is_number(text_least_place("regex-automata/src/dfa/search.rs:88"), 29,
              "a place needs its crate and file");
    is_number(text_least_place("src/main.rs:7"), 11, "a short one that alone");
    is_number(text_least_place("/a/b/c.rs"), 6, "an absolute one has no crate");
    is_number(text_least_place("libm.so.6"), 9, "an object");
}

/* Three columns: a count, a name, a place. */
static void measure(struct fit_column fits[4])
{
    static const char name[] = "<nnet::net::Layer<T> as Model<M>>::train::<f64>";
    static const char place[] = "nnet/src/layers/of/several/kinds/layer.rs:88";

    fits[0] = (struct fit_column){.kind = FIT_NUMBER};
    fits[1] = (struct fit_column){.kind = FIT_NAME};
    fits[2] = (struct fit_column){.kind = FIT_PLACE};
    fits[3] = (struct fit_column){.kind = FIT_NOTE};
    fit_cell(&fits[0], "12,345", false);
    fit_cell(&fits[1], name, true);
    fit_cell(&fits[2], place, false);
    fit_cell(&fits[3], "something to say of it", false);
}

static void fits_in(unsigned width, unsigned name, unsigned place, unsigned note)
{
    struct fit_column fits[4];

    measure(fits);
    fit_texts(fits, 4, 2, width);
    is_number(fits[0].width, 6, "numbers stay");
    is_number(fits[1].width, name, "a name has its width");
    is_number(fits[2].width, place, "a place has its width");
    is_number(fits[3].width, note, "a note has its width");
    if (width >= 30)
        ok(fit_width(fits, 4, 2, FIT_FULL) <= width, "all fit into %u", width);
}

static void test_fit(void)
{
    struct fit_column fits[4], own = {.kind = FIT_NAME}, foreign = {.kind = FIT_NAME};
    char *note;

    measure(fits);
    is_number(fit_width(fits, 4, 2, FIT_FULL), 6 + 2 + 47 + 2 + 44 + 2 + 22,
              "a note with all in full");
    is_number(fit_width(fits, 4, 2, FIT_WANTED), 6 + 2 + 24 + 2 + 18, "what texts want");
    is_number(fit_width(fits, 4, 2, FIT_LEAST), 6 + 2 + 12 + 2 + 18, "what texts need");
    fits_in(200, 47, 44, 22);
    fits_in(120, 47, 44, 17);
    fits_in(110, 47, 44, 0);
    fits_in(90, 47, 33, 0);
    fits_in(70, 42, 18, 0);
    fits_in(52, 24, 18, 0);
    fits_in(45, 17, 18, 0);
    fits_in(36, 12, 14, 0);
    fits_in(20, 12, 12, 0);
    fit_cell(&own, "a::a_function_with_quite_a_long_name", true);
    fit_cell(&foreign, "a::a_function_with_quite_a_long_name", false);
    is_number(own.least, 33, "the last part of an own function's path is needed in full");
    is_number(foreign.least, 24, "another is not");
    note = fit_note(NULL, false, 80);
    ok(note == NULL, "nothing was done");
    note = fit_note("Old, New", true, 80);
    is_text(note,
            "Old, New left out and counts rounded to fit 80 columns; --json or -o FILE has all in "
            "full",
            "what was done");
    free(note);
}

static void line_of(const char *text, unsigned width, size_t size, const char *what)
{
    is_number((long long)text_line_size(text, width), (long long)size, what);
}

static void test_lines(void)
{
    line_of("", 10, 0, "an empty text has no line");
    line_of("calls check", 11, 11, "a text that fits is one line");
    line_of("calls check", 10, 5, "a line ends before the word that does not fit");
    line_of("calls  check", 6, 5, "blanks where a line ends are not in it");
    line_of("module::check", 10, 8, "a long word ends behind two colons");
    line_of("calls module::check_all", 14, 14, "a word longer than a line begins behind others");
    line_of("calls module::check", 13, 5, "a word that fits into a line is not cut");
    line_of("check_all_of_it", 10, 10, "a long word without colons ends anywhere");
    line_of("\xe2\x80\xa6x", 0, 3, "a line has one character at least");
}

int main(void)
{
    bool utf8 = setlocale(LC_CTYPE, "C.UTF-8") != NULL && text_is_utf8();
    char *valid = text_utf8("a\xff\n\xc3\xa9");

    test_clean();
    test_long();
    test_width(utf8);
    test_names();
    test_places();
    test_any_names();
    test_chains();
    test_least();
    test_fit();
    test_lines();
    test_numbers();
    is_text(valid, "a\xef\xbf\xbd\n\xc3\xa9", "for JSON only what is not UTF-8 is replaced");
    free(valid);
    return tap_done();
}
