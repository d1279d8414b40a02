#include <config.h>

#include "render/text/style.h"

#include <string.h>

static bool has_256_colours(void)
{
    const char *term = getenv("TERM"), *more = getenv("COLORTERM");

    return (more && *more) || (term && strstr(term, "256color"));
}

const char *origin_style(enum origin kind)
{
    static const char *const few[ORIGINS] = {"1;33", "34", "36", STYLE_DIM};
    static const char *const many[ORIGINS] = {"1;38;5;130", "38;5;63", "38;5;30", "38;5;243"};

    return has_256_colours() ? many[kind] : few[kind];
}

void origin_legend(unsigned shown, FILE *out)
{
    const char *gap = "";

    if (!(shown & (shown - 1)))
        return;
    style_put(out, true, STYLE_DIM, "colours: ");
    for (enum origin kind = 0; kind < ORIGINS; kind++) {
        if (!(shown & 1U << kind))
            continue;
        fputs(gap, out);
        style_put(out, true, origin_style(kind), origin_title(kind));
        gap = ", ";
    }
    fputc('\n', out);
}
