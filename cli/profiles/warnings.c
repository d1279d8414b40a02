#include <config.h>

#include "profiles/warnings.h"

#include "base/counts.h"
#include "base/memory.h"
#include "base/message.h"
#include "calls/graph.h"
#include "cprof_internal.h"
#include "render/text/text.h"
#include "run/saved_profile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WARNINGS_MAX = 5 /* of a profile, said one by one */ };

/* Says one warning of the library, or the error that it is. */
static void say_warning(const struct cprof_profile *p, const struct cprof_warning *w, bool strict)
{
    char *text = text_clean(w->text, text_is_utf8());
    char *name = p->source ? saved_profile_name(p->source) : xstrdup("profile");
    char *source = text_clean(name, text_is_utf8());
    char *place = w->line && !strstr(w->text, CPROF_STACKS_CUT) ? xasprintf(", line %lu", w->line)
                                                                : xstrdup("");
    char *times = w->count > 1 ? xasprintf(" (%s times)", TEXT_COUNT(w->count)) : xstrdup("");

    if (strict)
        message_error("'%s'%s: %s%s; without --strict it is read", source, place, text, times);
    else
        message_warning("'%s'%s: %s%s", source, place, text, times);
    free(text);
    free(name);
    free(source);
    free(place);
    free(times);
}

static int say_warnings(const struct cprof_profile *p, bool strict, bool of_stacks)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_warnings; i++)
        if ((of_stacks || !strstr(p->warnings[i].text, CPROF_STACKS_CUT)) && n++ < WARNINGS_MAX)
            say_warning(p, &p->warnings[i], strict);
    if (n > WARNINGS_MAX)
        message_warning("'%s': and %u more kinds of warnings", p->source ? p->source : "profile",
                        (unsigned)(n - WARNINGS_MAX));
    return strict && n ? STATUS_ERROR : 0;
}

int profile_warnings(const struct cprof_profile *p, bool strict)
{
    return say_warnings(p, strict, true);
}

int profile_warnings_again(const struct cprof_profile *p, bool strict)
{
    return say_warnings(p, strict, strict || p->format != CPROF_FORMAT_RAW);
}

/*--- Folded recursion ---*/

/* The functions that are called within themselves, directly or not, for 1 % of the program or more:
 * how many, and the one whose call costs most. */
struct recursive {
    uint32_t n, function;
    int64_t most;
};

static struct recursive find(const struct cprof_profile *p, const struct column *measure)
{
    struct recursive found = {.most = column_value(measure, p->totals) / 100};
    uint32_t *cycles = cycles_find(p);
    bool *known = xcalloc((size_t)p->n_functions + 1, sizeof *known);
    int64_t least = found.most;

    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];
        int64_t cost = column_value(measure, cprof_call_values(p, i));

        if (c->inlined || cycles[c->caller] != cycles[c->callee] || cost <= least)
            continue;
        found.n += !known[c->callee];
        known[c->callee] = true;
        if (cost > found.most) {
            found.most = cost;
            found.function = c->callee;
        }
    }
    free(known);
    free(cycles);
    return found;
}

void recursion_note(const struct cprof_profile *p, const struct column *measure)
{
    struct recursive found = {.n = 0};

    if (!p->sampled && p->n_contexts)
        found = find(p, measure);
    if (found.n == 1)
        message_note("recursion is folded where calls are counted: '%s', called within itself, is "
                     "on a path once, and goes on there",
                     p->functions[found.function].name);
    else if (found.n)
        message_note("recursion is folded where calls are counted: %s functions, such as '%s', "
                     "called within themselves, are on a path once, and go on there",
                     TEXT_COUNT(found.n), p->functions[found.function].name);
}
