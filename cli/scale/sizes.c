#include <config.h>

#include "scale/sizes.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sums of their products stay within what a fit can hold. */
static const int64_t size_most = INT64_C(1000000000000);

/*--- Reading ---*/

static int64_t unit_of(char letter)
{
    return letter == 'k' ? 1000 : letter == 'M' ? 1000000 : letter == 'G' ? 1000000000 : 0;
}

bool size_read(const char *text, int64_t *size)
{
    int64_t number = 0, scale = 1, unit;
    bool point = false, digits = false;

    for (; *text && !unit_of(*text); text++) {
        if (*text == '_' && digits)
            continue;
        if (*text == '.' && digits && !point) {
            point = true;
            continue;
        }
        if (!isdigit((unsigned char)*text) || number > size_most || scale > size_most / 10)
            return false;
        digits = true;
        number = number * 10 + (*text - '0');
        scale *= point ? 10 : 1;
    }
    unit = *text ? unit_of(*text++) : 1;
    if (!digits || *text || number > size_most || number * unit % scale != 0 ||
        number * unit / scale > size_most || number == 0)
        return false;
    *size = number * unit / scale;
    return true;
}

static int add_size(struct sizes *sizes, const char *text)
{
    int64_t size, before = sizes->n ? sizes->items[sizes->n - 1] : 0;

    if (!size_read(text, &size))
        return message_usage("'%s' is no size for --sizes; sizes are whole numbers above 0, as in "
                             "'1k,1.5k,2k,3k,4k'",
                             text);
    if (size <= before)
        return message_usage("the size '%s' is not larger than %s before it; give --sizes that "
                             "grow, each once",
                             text, TEXT_COUNT(before));
    if (sizes->n == GROWTH_SIZES_MOST)
        return message_usage("--sizes takes at most %d; leave out some", GROWTH_SIZES_MOST);
    sizes->items[sizes->n++] = size;
    return 0;
}

int sizes_read(struct sizes *sizes, const char *text)
{
    char *copy = xstrdup(text), *at = copy;
    int status = 0;

    *sizes = (struct sizes){.n = 0};
    while (at && !status) {
        char *next = strchr(at, ',');

        if (next)
            *next++ = '\0';
        at += strspn(at, " ");
        status = add_size(sizes, at);
        at = next;
    }
    free(copy);
    if (!status && sizes->n < GROWTH_SIZES_LEAST)
        return message_usage("%s say%s nothing of how costs grow, as a line goes through any two; "
                             "give --sizes of at least %d, better %d, as '1k,1.5k,2k,3k,4k'",
                             sizes->n == 1 ? "one size" : "two sizes", sizes->n == 1 ? "s" : "",
                             GROWTH_SIZES_LEAST, GROWTH_SIZES_GOOD);
    return status;
}

/*--- Templates ---*/

#define MARK "{n}"

bool template_has_size(const char *text)
{
    return text && strstr(text, MARK);
}

char *template_fill(const char *text, int64_t size)
{
    struct strbuf filled = {.text = NULL};
    const char *mark;

    for (; (mark = strstr(text, MARK)) != NULL; text = mark + strlen(MARK)) {
        strbuf_add_bytes(&filled, text, (size_t)(mark - text));
        strbuf_addf(&filled, "%" PRId64, size);
    }
    strbuf_add(&filled, text);
    return strbuf_take(&filled);
}
