/* Markdown: what a cell holds stays in it. tests/cli/export-readers.test has it read by cmark-gfm.
 */
#include <config.h>

#include "../tap.h"
#include "render/text/markdown.h"

#include <stdlib.h>

static void writes(void (*put)(FILE *, const char *), const char *text, const char *want,
                   const char *what)
{
    char *got = NULL;
    size_t size;
    FILE *out = open_memstream(&got, &size);

    put(out, text);
    fclose(out);
    is_text(got, want, what);
    free(got);
}

static void test_names(void)
{
    writes(markdown_code, "core::fmt::write", "| `core::fmt::write` ", "a name is code");
    writes(markdown_code, "<[u8] as A<B>>::f", "| `<[u8] as A<B>>::f` ", "without escapes in it");
    writes(markdown_code, "a|b", "| `a\\|b` ", "a bar does not end the cell");
    writes(markdown_code, "a`b|c\\|", "| <code>a&#96;b&#124;c&#92;&#124;</code> ",
           "what a code span cannot hold is HTML");
    writes(markdown_code, "a  b", "| <code>a  b</code> ", "so are several blanks");
    writes(markdown_code, "a\n\x01\xff", "| `a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd` ",
           "control characters and bytes that are not UTF-8 are replaced");
    writes(markdown_code, "", "|  ", "an empty name is an empty cell");
    writes(markdown_put_code, "a|b", "`a|b`", "outside of a table a bar is a bar");
}

static void test_texts(void)
{
    writes(markdown_text, "1 * [a](b) | <c>", "| 1 &#42; &#91;a&#93;(b) &#124; &#60;c&#62; ",
           "a text begins no markup");
}

int main(void)
{
    test_names();
    test_texts();
    return tap_done();
}
