#include <config.h>

/* Warnings of samples that perf lost, and of stacks that it could not copy. */
#include "perf.h"
#include "reader.h"
#include "samples.h"

#include <stdio.h>

/* Stacks without their beginning, and what perf has to copy for more of them. A few of them are in
 * any run: a sample may hit code where nobody can find the caller. */
static int warn_of_cut(struct reader *r, const struct perf_counts *n)
{
    enum { LARGEST = 65528 }; /* that perf can copy */
    static const char by_pointers[] =
        "; code without frame pointers ends them: build it with -fno-omit-frame-pointer (Rust: -C "
        "force-frame-pointers=yes), or take --call-graph dwarf";
    static const char deepest[] =
        "; perf copies no more of each: --call-graph fp goes deeper, in code that is built with "
        "-fno-omit-frame-pointer (Rust: -C force-frame-pointers=yes)";
    const char *helps = n->cut == 0                ? ""
                        : !n->stack_bytes          ? by_pointers
                        : n->stack_bytes < LARGEST ? "; --stack-size 65528 copies more of each"
                                                   : deepest;
    char completed[128] = "";

    if ((n->cut + n->completed) * 100 < n->samples)
        return 0;
    if (n->completed)
        snprintf(completed, sizeof completed,
                 "%llu of them completed by the only callers that others have%s",
                 (unsigned long long)n->completed,
                 n->cut ? ", call paths of the rest begin at '" CPROF_STACK_CUT "'" : "");
    return reader_warn(r, "%llu of %llu " CPROF_STACKS_CUT ", %s%s",
                       (unsigned long long)(n->cut + n->completed), (unsigned long long)n->samples,
                       n->completed ? completed : "their call paths begin at '" CPROF_STACK_CUT "'",
                       helps);
}

int perf_warn_of_samples(struct reader *r, const struct perf_counts *n)
{
    if (n->lost && reader_warn(r, "perf lost %llu samples, beside %llu that it has",
                               (unsigned long long)n->lost, (unsigned long long)n->samples))
        return -1;
    if (n->without_value &&
        reader_warn(r, "%llu of %llu calls have a value that cannot be read: it is not in the sum",
                    (unsigned long long)n->without_value, (unsigned long long)n->samples))
        return -1;
    if (n->throttled &&
        reader_warn(r, "the kernel held samples back %llu times, since they took too long",
                    (unsigned long long)n->throttled))
        return -1;
    if (n->without_stack && n->without_stack < n->samples &&
        reader_warn(r, "%llu of %llu samples have no stack: they are '[no stack]'",
                    (unsigned long long)n->without_stack, (unsigned long long)n->samples))
        return -1;
    return warn_of_cut(r, n);
}
