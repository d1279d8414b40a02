#include <config.h>

#include "scale/probe.h"

#include "base/counts.h"
#include "base/message.h"
#include "scale/growth.h"

#include <math.h>

/* The first size; the largest; and the part of all time that the largest run may take: runs at
 * smaller sizes take a few times as long together. */
enum { SIZE_FIRST = 4, SIZE_LAST = 1 << 30, PART = 6 };

static double number_in(const json_t *result, const char *key)
{
    return json_number_value(json_object_get(result, key));
}

static double total_of(const json_t *result)
{
    return (double)json_integer_value(json_array_get(json_object_get(result, "totals"), 0));
}

/* The seconds of the next run, by what the last two grew by: growth is taken to go on, and to begin
 * where what both have in common (the start of a program) ends. */
static double next_seconds(const struct size_probes *p)
{
    double now = number_in(p->results[p->n - 1], "seconds"), ratio = 2;

    if (p->n >= 3) {
        double last = total_of(p->results[p->n - 1]) - total_of(p->results[p->n - 2]);
        double before = total_of(p->results[p->n - 2]) - total_of(p->results[p->n - 3]);

        ratio = before > 0 ? fmax(2, last / before) : 2;
    }
    return now * ratio;
}

/* Doubles the size until the next one would take too long, fails, or is the last. */
static void grow(struct size_probes *p, unsigned seconds, probe_run *run, void *data, bool *stopped)
{
    unsigned limit = seconds / PART > 0 ? seconds / PART : 1;
    double taken = 0;

    for (int64_t size = SIZE_FIRST; size <= SIZE_LAST && p->n < PROBES_MOST; size *= 2) {
        json_t *result;

        if (p->n && (next_seconds(p) > limit || taken > seconds / 2.0))
            return;
        result = run(data, size, limit, stopped);
        if (*stopped || (!result && p->n)) {
            json_decref(result);
            return;
        }
        if (!result)
            continue;
        taken += number_in(result, "seconds");
        p->sizes[p->n] = size;
        p->results[p->n++] = result;
    }
}

int probe_sizes(struct size_probes *p, struct sizes *sizes, unsigned seconds, probe_run *run,
                void *data)
{
    static const int eighths[] = {8, 12, 16, 24, 32, 48, 64};
    bool stopped = false;

    /* Odd sizes among even ones: loops that do several steps at once are not seen at multiples
     * alone. */
    *p = (struct size_probes){.n = 0};
    *sizes = (struct sizes){.n = 0};
    grow(p, seconds, run, data, &stopped);
    if (stopped)
        return STATUS_ERROR;
    if (!p->n)
        return message_error("the program ran at no size that --auto tried, %d and doubles of it; "
                             "give --sizes at which it ends with status 0, or --any-status",
                             SIZE_FIRST);
    for (size_t i = 0; i < sizeof eighths / sizeof *eighths; i++) {
        int64_t size = p->sizes[p->n - 1] * eighths[i];

        if (size % 64 == 0 && size / 64 >= p->sizes[0])
            sizes->items[sizes->n++] = size / 64 + (eighths[i] % 3 == 0);
    }
    if (sizes->n < GROWTH_SIZES_GOOD)
        return message_error("--auto found too few sizes, from n = %s to %s, within %u seconds; "
                             "give more time, --auto=%u, or --sizes",
                             TEXT_COUNT(p->sizes[0]), TEXT_COUNT(p->sizes[p->n - 1]), seconds,
                             10 * seconds);
    return 0;
}

json_t *probes_take(struct size_probes *p, int64_t size)
{
    json_t *result = NULL;

    for (size_t i = 0; i < p->n; i++)
        if (p->sizes[i] == size) {
            result = p->results[i];
            p->results[i] = NULL;
        }
    return result;
}

void probes_free(struct size_probes *p)
{
    for (size_t i = 0; i < p->n; i++)
        json_decref(p->results[i]);
    p->n = 0;
}
