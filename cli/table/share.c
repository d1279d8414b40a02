#include <config.h>

#include "table/share.h"

#include "table/columns.h"

#include <math.h>

static const double z = 1.959963984540054; /* of 95 %, two-sided */

bool share_is_sampled(const struct cprof_profile *p)
{
    return events_are_samples(events_of(p), "Samples");
}

static struct share_interval wilson(double p, double n)
{
    double middle = p + z * z / (2 * n), scale = 1 + z * z / n;
    double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    struct share_interval i = {(middle - half) / scale, (middle + half) / scale};

    i.low = p <= 0 || i.low < 0 ? 0 : i.low;
    i.high = p >= 1 || i.high > 1 ? 1 : i.high;
    return i;
}

double share_of(int64_t value, int64_t total)
{
    double share = total > 0 ? (double)value / (double)total : 0;

    return share < 0 ? 0 : share > 1 ? 1 : share;
}

struct share_interval share_interval(int64_t value, int64_t total, int64_t samples)
{
    return wilson(share_of(value, total), samples < 1 ? 1 : (double)samples);
}

bool share_change_is_noise(int64_t old_n, int64_t old_samples, int64_t new_n, int64_t new_samples)
{
    double a = share_of(old_n, old_samples), b = share_of(new_n, new_samples);
    struct share_interval x = share_interval(old_n, old_samples, old_samples);
    struct share_interval y = share_interval(new_n, new_samples, new_samples);
    double difference = b - a;

    return difference - hypot(b - y.low, x.high - a) <= 0 &&
           difference + hypot(y.high - b, a - x.low) >= 0;
}

int64_t share_count_noise(int64_t old_n, int64_t new_n)
{
    return (int64_t)(z * sqrt((double)old_n + (double)new_n));
}

bool share_is_of_waits(const struct cprof_profile *p)
{
    return events_are_samples(events_of(p), "blocked");
}
