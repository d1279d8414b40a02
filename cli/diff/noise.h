/*
 * noise.h - the noise of a program's counts: their spread from run to run.
 *
 * It is measured over several runs and kept with a baseline; diff.h and gate.h take changes within
 * it for none.
 *
 * The spread of a count is its greatest value less its least, over all runs; a function that a run
 * lacks has 0 there. Functions are known by their key (normalise.h), in which each byte that is not
 * UTF-8 is U+FFFD, as in all JSON; a section by "section NAME", with its entries as calls.
 *
 * Where the runs were the same but for the order of threads, a fixed one each, the values of all
 * of them are kept: the band that counts have over these orders.
 */
#ifndef DIFF_NOISE_H
#define DIFF_NOISE_H

#include "cprof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct noise_item {
    char *key;
    int64_t *least, *most; /* own costs of each event, then inclusive costs, then calls (0: not
                              known); of the program its totals, and 0 */
    int64_t *each; /* of orders the counts in each of them, one after the other; else NULL */
};

struct noise {
    unsigned runs;
    bool
        orders; /* each run had an order of threads of its own, the first one that of the profile */
    size_t n_events;
    char **events;
    size_t n; /* items, in the order of their keys */
    struct noise_item *items;
    struct noise_item total; /* the program's totals; its key is NULL */
};

/* Measures `n` >= 1 profiles with names, of runs of one program, which are orders or alike. Events
 * are those of the first. */
void noise_measure(struct noise *noise, const struct cprof_profile *const *profiles, size_t n,
                   bool orders);
/* The function with that key, or NULL. */
const struct noise_item *noise_find(const struct noise *noise, const char *key);
/* The key of a section, for the caller to free; true for the item of one. */
char *noise_section_key(const char *name);
bool noise_is_section(const struct noise_item *item);
/* The number of an item's counts, and the index of its calls. */
size_t noise_width(const struct noise *noise);
size_t noise_calls(const struct noise *noise);
/* The spread of an item: `value` is an index of its counts. */
int64_t noise_spread(const struct noise_item *item, size_t value);
/* The index of an event by its name, or SIZE_MAX. */
size_t noise_event(const struct noise *noise, const char *event);
void noise_free(struct noise *noise);

/* Writes and reads a file ("cprof-noise/1", JSON). Returns 0, or -1 with a reason of at most
 * `why_size` bytes in `why`. Functions that do not vary are left out. */
int noise_write(const struct noise *noise, const char *path, char *why, size_t why_size);
int noise_read(struct noise *noise, const char *path, char *why, size_t why_size);

#endif
