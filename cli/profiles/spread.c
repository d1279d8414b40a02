#include <config.h>

#include "profiles/spread.h"

#include "base/memory.h"
#include "render/text/text.h"
#include "table/share.h"

#include <math.h>
#include <stdint.h>

enum { WIDEST = 20 }; /* per cent of the largest total */

/* How far numbers of samples differ by chance alone: five times the deviation of one. */
static double chance(const struct cprof_profile *p, double most)
{
    return share_is_sampled(p) && p->totals[0] > 0 ? 5 * most / sqrt((double)p->totals[0]) : 0;
}

static bool is_too_wide(const struct noise *noise, size_t event, const struct cprof_profile *p)
{
    double most = (double)noise->total.most[event];
    double spread = (double)noise_spread(&noise->total, event);

    return spread > most * WIDEST / 100 && spread > chance(p, most);
}

char *spread_problem(const struct noise *noise, const struct cprof_profile *p,
                     const struct gate *gate)
{
    size_t event = noise && gate ? noise_event(noise, gate->column) : SIZE_MAX;
    char percent[TEXT_NUMBER];

    if (!noise || !noise->n_events)
        return NULL;
    if (is_too_wide(noise, 0, p))
        event = 0;
    if (event == SIZE_MAX || !is_too_wide(noise, event, p))
        return NULL;
    text_percent(percent, noise_spread(&noise->total, event), noise->total.most[event], 2);
    return xasprintf("total %s of %u runs varied by %s %%, and over %d %% is no noise",
                     noise->events[event], noise->runs, percent, WIDEST);
}
