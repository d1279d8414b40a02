#include <config.h>

#include "render/text/time_numbers.h"

#include <math.h>

static const char *const heads[TIME_NUMBERS] = {[TIME_SHARE] = "Time %",
                                                [TIME_INSTRUCTIONS] = "Instr. %",
                                                [TIME_EXTRA] = "Unexplained %",
                                                [TIME_FACTOR] = "x mean",
                                                [TIME_D1_RATE] = "D1 miss/1000",
                                                [TIME_LL_RATE] = "LL miss/1000",
                                                [TIME_BRANCH_RATE] = "Mispred./1000",
                                                [TIME_KERNEL] = "Kernel %"};

static bool is_rate(enum time_number n)
{
    return n >= TIME_D1_RATE && n <= TIME_BRANCH_RATE;
}

static enum time_event event_of(enum time_number n)
{
    return (enum time_event)(n - TIME_D1_RATE);
}

bool time_has_number(const struct time_table *t, enum time_number n)
{
    if (is_rate(n))
        return t->event[event_of(n)] != NULL;
    if (n == TIME_EACH)
        return t->unit != TIME_NO_UNIT;
    return n != TIME_KERNEL || (t->is_own && t->kernel_samples);
}

const char *time_number_head(const struct time_table *t, enum time_number n)
{
    if (n == TIME_EACH)
        return t->unit == TIME_CYCLES ? "cycles/instr." : "ns/instr.";
    return heads[n];
}

enum table_kind time_number_kind(enum time_number n)
{
    return is_rate(n) || n == TIME_EACH || n == TIME_FACTOR ? TABLE_RATIO : TABLE_SHARE;
}

double time_rate(const struct time_row *row, enum time_event event)
{
    return row->instructions > 0 ? 1000. * (double)row->misses[event] / (double)row->instructions
                                 : 0;
}

static double percent(double part, int64_t whole)
{
    return 100 * part / (double)whole;
}

/* The number that is shown, where it is known. */
static double number_of(const struct time_table *t, const struct time_row *row, enum time_number n)
{
    switch (n) {
    case TIME_SHARE:
        return percent((double)row->samples, t->total.samples);
    case TIME_INSTRUCTIONS:
        return percent((double)row->instructions, t->total.instructions);
    case TIME_EXTRA:
        return percent(time_extra(t, row), t->total.samples);
    case TIME_FACTOR:
        return time_slowness(t, row);
    case TIME_EACH:
        return time_of_instruction(t, row);
    case TIME_KERNEL:
        return percent((double)row->kernel, t->total.samples);
    default:
        return time_rate(row, event_of(n));
    }
}

/* False for what nobody counted, and for a factor that may be chance. */
static bool is_known(const struct time_table *t, const struct time_row *row, enum time_number n)
{
    if (n == TIME_SHARE || n == TIME_EXTRA || n == TIME_KERNEL)
        return true;
    if (n == TIME_EACH && row->samples < TIME_LEAST_SAMPLES)
        return false;
    return row->instructions > 0 && (n != TIME_FACTOR || !time_is_noise(t, row));
}

struct cell time_number_cell(const struct time_table *t, const struct time_row *row,
                             enum time_number n)
{
    double number;

    if (!is_known(t, row, n))
        return cell_real(-INFINITY, 0);
    if (n == TIME_EXTRA && time_is_noise(t, row))
        return cell_styled(cell_text("noise"), CELL_DIM);
    number = number_of(t, row, n);
    if (n == TIME_EACH)
        return cell_real(number, number >= 100 ? 0 : 2);
    return cell_real(number, (is_rate(n) || n == TIME_FACTOR) && number >= 10 ? 0 : 1);
}
