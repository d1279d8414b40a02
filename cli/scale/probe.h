/*
 * probe.h - sizes that are found within a time: a program runs at sizes that double until the next
 * run would take too long, and sizes out of phase are chosen below the largest.
 */
#ifndef SCALE_PROBE_H
#define SCALE_PROBE_H

#include "scale/sizes.h"

#include <jansson.h>

/* Runs at a size, for so many seconds at most. The result is that of size_run(), or NULL where it
 * failed; `*stopped` where a signal is to end all. */
typedef json_t *probe_run(void *data, int64_t size, unsigned seconds, bool *stopped);

enum { PROBES_MOST = 40 };

struct size_probes {
    size_t n;
    int64_t sizes[PROBES_MOST];
    json_t *results[PROBES_MOST]; /* owned */
};

/* Finds sizes for about `seconds` of processors in all; results of those that ran are in `probes`,
 * which probes_free() frees in either case. Returns 0, or a status after having said why there are
 * none. */
int probe_sizes(struct size_probes *probes, struct sizes *sizes, unsigned seconds, probe_run *run,
                void *data);
/* The result of a size, which is the caller's then; NULL: it did not run. */
json_t *probes_take(struct size_probes *probes, int64_t size);
void probes_free(struct size_probes *probes);

#endif
