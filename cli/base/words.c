#include <config.h>

#include "base/words.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>

/*--- Words of a shell ---*/

char *shell_word(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:/.+-=@%,";
    struct strbuf word = {.text = NULL};

    if (*text && !text[strspn(text, plain)])
        return xstrdup(text);
    strbuf_add(&word, "'");
    for (const char *at = text; *at; at++)
        if (*at == '\'')
            strbuf_add(&word, "'\\''");
        else
            strbuf_add_bytes(&word, at, 1);
    strbuf_add(&word, "'");
    return strbuf_take(&word);
}

bool text_ends_in(const char *text, const char *ending)
{
    size_t size = strlen(text), length = strlen(ending);

    return size >= length && !strcmp(text + size - length, ending);
}

bool text_begins(const char *text, const char *beginning)
{
    return text_after(text, beginning) != NULL;
}

const char *text_after(const char *text, const char *beginning)
{
    size_t size = strlen(beginning);

    return strncmp(text, beginning, size) == 0 ? text + size : NULL;
}

bool text_begins_with_word_of(const char *text, const char *words)
{
    for (size_t size; *words; words += size + strspn(words + size, " ")) {
        size = strcspn(words, " ");
        if (!strncmp(text, words, size))
            return true;
    }
    return false;
}

bool text_is_word_of(const char *words, const char *text, size_t size)
{
    for (size_t length; *words; words += length + strspn(words + length, " ")) {
        length = strcspn(words, " ");
        if (length == size && !memcmp(words, text, size))
            return true;
    }
    return false;
}

/*--- Lines that fit ---*/

void wrap_put_from(FILE *out, const char *text, unsigned column, unsigned indent, unsigned width)
{
    while (*text) {
        unsigned blanks = (unsigned)strspn(text, " ");
        unsigned word = (unsigned)strcspn(text + blanks, " ");

        if (blanks && word && column > indent && column + blanks + word > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            fwrite(text + blanks, 1, word, out);
            column = indent + word;
        } else {
            fwrite(text, 1, blanks + word, out);
            column += blanks + word;
        }
        text += blanks + word;
    }
}

void wrap_put(FILE *out, const char *text, unsigned indent, unsigned width)
{
    wrap_put_from(out, text, indent, indent, width);
}

/*--- The nearest name ---*/

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned small = a < b ? a : b;

    return small < c ? small : c;
}

/* Damerau-Levenshtein distance, restricted: no part is edited twice. Three rows of the matrix are
 * enough. */
static unsigned distance(const char *a, const char *b)
{
    size_t width = strlen(b) + 1;
    unsigned *rows = xcalloc(3 * width, sizeof *rows);
    unsigned *before = rows, *last = rows + width, *now = rows + 2 * width, *spare, result;

    for (size_t j = 0; j < width; j++)
        now[j] = (unsigned)j;
    for (size_t i = 1; a[i - 1]; i++) {
        spare = before;
        before = last;
        last = now;
        now = spare;
        now[0] = (unsigned)i;
        for (size_t j = 1; j < width; j++) {
            now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
    }
    result = now[width - 1];
    free(rows);
    return result;
}

const char *nearest_name(const char *word, const char *const *names, size_t n)
{
    /* A third of the word may be wrong, and of the shortest one letter. */
    unsigned best = strlen(word) < 3 ? 1 : (unsigned)strlen(word) / 3;
    const char *found = NULL;

    for (size_t i = 0; i < n; i++) {
        unsigned far = distance(word, names[i]);

        /* A distance as long as the name itself means that nothing is in common. */
        if (far <= best && far < strlen(names[i]) && (!found || far < best)) {
            best = far;
            found = names[i];
        }
    }
    return found;
}
