#include <config.h>

#include "../tap.h"
#include "table/share.h"

#include <math.h>

static bool near(double a, double b)
{
    return fabs(a - b) < 0.00005;
}

/* The figures are those of R. G. Newcombe's two papers of 1998. */
int main(void)
{
    static const struct {
        int64_t n, total;
        double low, high;
    } shares[] = {
        {81, 263, 0.2553, 0.3662},
        {15, 148, 0.0624, 0.1605},
        {0, 20, 0.0000, 0.1611},
        {1, 29, 0.0061, 0.1718},
    };
    static const struct {
        int64_t n[2], total[2];
        bool noise;
    } changes[] = {
        {{56, 48}, {70, 80}, false}, /* 0.0524 to 0.3339 */
        {{9, 3}, {10, 10}, false},   /* 0.1705 to 0.8090 */
        {{6, 2}, {7, 7}, false},     /* 0.0582 to 0.8062 */
        {{5, 0}, {56, 29}, true},    /* -0.0381 to 0.1926 */
        {{0, 0}, {10, 20}, true},    /* -0.1611 to 0.2775 */
        {{10, 0}, {10, 20}, false},  /* 0.6791 to 1 */
        {{48, 56}, {80, 70}, false}, /* the other way round */
        {{0, 5}, {29, 56}, true},
    };

    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        struct share_interval s = share_interval(shares[i].n, shares[i].total, shares[i].total);

        ok(near(s.low, shares[i].low) && near(s.high, shares[i].high), "%d of %d: %.4f to %.4f",
           (int)shares[i].n, (int)shares[i].total, s.low, s.high);
    }
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        ok(share_change_is_noise(changes[i].n[0], changes[i].total[0], changes[i].n[1],
                                 changes[i].total[1]) == changes[i].noise,
           "%d of %d, then %d of %d: %s", (int)changes[i].n[0], (int)changes[i].total[0],
           (int)changes[i].n[1], (int)changes[i].total[1],
           changes[i].noise ? "chance" : "a change");
    ok(share_count_noise(50, 50) == 19 && share_count_noise(0, 0) == 0, "numbers of samples");
    return tap_done();
}
