#include <config.h>

/* Names of functions that are inlined into each other, cut to a width. */
#include "base/memory.h"
#include "render/text/text.h"

#include <stdlib.h>
#include <string.h>

enum { TAIL_LEAST = 12 /* columns of the last name, beside a long first one */ };

const char *text_chain_arrow(bool utf8)
{
    return utf8 ? " › " : " > ";
}

/* The columns of the first name, beside a last one that leaves some of `room`. */
static unsigned first_width(unsigned first, unsigned last, unsigned room)
{
    unsigned least = last < TAIL_LEAST ? last : TAIL_LEAST;

    if (first + least <= room)
        return first;
    return room > 2 * least ? room - least : room / 2;
}

char *text_shorten_chain(const char *text, unsigned width, bool utf8)
{
    const char *arrow = text_chain_arrow(utf8), *first_end = strstr(text, arrow), *last = text;
    unsigned gap = text_width(arrow, utf8), dots = utf8 ? 1 : 3, room;
    char *first, *head, *tail, *chain;
    bool two;

    if (!first_end || width < 2 * gap + dots + TAIL_LEAST)
        return text_shorten_name(text, width, utf8);
    for (const char *at = first_end; at; at = strstr(last, arrow))
        last = at + strlen(arrow);
    two = last == first_end + strlen(arrow);
    room = width - (two ? gap : 2 * gap + dots);
    first = xstrndup(text, (size_t)(first_end - text));
    head = text_shorten(first, first_width(text_width(first, utf8), text_width(last, utf8), room),
                        TEXT_CUT_NAME, utf8);
    tail = text_shorten(last, room - text_width(head, utf8), TEXT_CUT_NAME, utf8);
    chain = two ? xasprintf("%s%s%s", head, arrow, tail)
                : xasprintf("%s%s%s%s%s", head, arrow, utf8 ? "…" : "...", arrow, tail);
    free(first);
    free(head);
    free(tail);
    return chain;
}
