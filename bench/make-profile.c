/*
 * make-profile callgrind MB EVENTS [FUNCTIONS] >FILE - a callgrind profile of about so many
 * megabytes, as Callgrind writes them: names by number, relative lines, inlined files, calls, and
 * one part after another, each with the same records. Of each function there are 20 distinct lines
 * and 4 distinct calls, so 50,000 functions make 1,000,000 and 200,000.
 *
 * make-profile raw CONTEXTS [FUNCTIONS] >FILE - a raw profile of so many call paths, with ten
 * basic blocks each.
 */
#include <config.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 9, LINES = 20, CALLS = 4, FILES = 997 };

static const char *const event_names[MAX_EVENTS] = {"Ir",   "Dr",   "Dw",   "I1mr", "D1mr",
                                                    "D1mw", "ILmr", "DLmr", "DLmw"};

struct writer {
    uint64_t state, bytes;
    uint32_t n_events, n_functions;
    unsigned part, line;
    unsigned char *functions_seen, files_seen[FILES];
    int64_t sums[MAX_EVENTS];
};

static uint32_t random_below(struct writer *w, uint32_t n)
{
    w->state = w->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((w->state >> 32) * n >> 32);
}

__attribute__((format(printf, 2, 3))) static void put(struct writer *w, const char *format, ...)
{
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vprintf(format, arguments);
    va_end(arguments);
    if (n < 0)
        exit(1);
    w->bytes += (uint64_t)n;
}

/* "(N)", with its text the first time. */
static void put_function(struct writer *w, const char *key, uint32_t i)
{
    put(w, "%s=(%u)", key, i + 1);
    if (!w->functions_seen[i])
        put(w, " project::module%u::Type%u::function%u", i % FILES, i % 31, i);
    w->functions_seen[i] = 1;
    put(w, "\n");
}

static void put_file(struct writer *w, const char *key, uint32_t i)
{
    i %= FILES;
    put(w, "%s=(%u)", key, i + 1);
    if (!w->files_seen[i])
        put(w, " /home/user/project/src/module%u.rs", i);
    w->files_seen[i] = 1;
    put(w, "\n");
}

static void put_counts(struct writer *w, int is_self)
{
    uint32_t n = w->n_events > 1 ? 1 + random_below(w, w->n_events) : 1;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = i && random_below(w, 3) == 0 ? 0 : 1 + random_below(w, 50000);

        put(w, " %u", count);
        if (is_self)
            w->sums[i] += count;
    }
    put(w, "\n");
}

/* `file` is that of the line at hand. */
static void put_call(struct writer *w, uint32_t file, uint32_t callee)
{
    if (callee % FILES != file % FILES)
        put_file(w, "cfi", callee);
    put_function(w, "cfn", callee);
    put(w, "calls=%u %u \n", 1 + random_below(w, 1000), 1 + callee % 2000);
    put(w, "*");
    put_counts(w, 0);
}

/* Lines go on by one to three, and sometimes back to one that was there. */
static void put_body(struct writer *w, uint32_t function)
{
    uint32_t line = 1 + function % 2000, inlined = function * 7 + 1;

    put(w, "%u", line);
    put_counts(w, 1);
    for (uint32_t i = 1; i < LINES; i++) {
        uint32_t step = 1 + (function + i) % 3;

        if (i == LINES / 2 - 1)
            put_file(w, "fi", inlined);
        if (i == LINES / 2 + 2)
            put_file(w, "fe", function);
        if (i % 6 == 5) {
            put(w, "-%u", step);
            put_counts(w, 1);
            put(w, "+%u", 2 * step);
        } else {
            put(w, "+%u", step);
        }
        put_counts(w, 1);
        if (i % (LINES / CALLS) == 0 || i == 1)
            put_call(w, i / 3 == LINES / 6 ? inlined : function,
                     (uint32_t)(((uint64_t)function * 2654435761u + i) % w->n_functions));
    }
}

static void put_part(struct writer *w)
{
    put(w, "part: %u\ndesc: Trigger: Program termination\npositions: line\nevents:", ++w->part);
    for (uint32_t i = 0; i < w->n_events; i++)
        put(w, " %s", event_names[i]);
    put(w, "\n");
    memset(w->sums, 0, sizeof w->sums);
    for (uint32_t i = 0; i < w->n_functions; i++) {
        put_file(w, "fl", i);
        put_function(w, "fn", i);
        put_body(w, i);
        put(w, "\n");
    }
    put(w, "totals:");
    for (uint32_t i = 0; i < w->n_events; i++)
        put(w, " %" PRId64, w->sums[i]);
    put(w, "\n\n");
}

static void put_callgrind(struct writer *w, uint64_t size)
{
    put(w, "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd: ./a\n");
    while (w->bytes < size)
        put_part(w);
}

/* Every function has eight basic blocks of four instructions; a tree in which each context has ten
 * children or none. */
static void put_raw(struct writer *w, uint32_t n_contexts)
{
    enum { BLOCKS = 10, SIZE = 0x100 };
    unsigned long lines = 5;

    put(w, "cprof-raw 2\nprogram: /nonexistent/program\nevents: Ir\n");
    put(w, "o 0 - /nonexistent/program\n");
    for (uint32_t i = 0; i < w->n_functions * BLOCKS; i++, lines++)
        put(w, "s %u 0 %x i +4 i +3 i +2 i\n", i, 0x1000 + i * (SIZE / BLOCKS / 2) * 2);
    put(w, "t 0 - [thread 1]\n");
    for (uint32_t i = 1; i < n_contexts; i++) {
        uint32_t function = (uint32_t)((uint64_t)i * 2654435761u % w->n_functions);

        put(w, "n %u %u 0 %x 0 %x %u\n", i, (i - 1) / 10,
            0x1000 + function * BLOCKS * (SIZE / BLOCKS / 2) * 2, 0x1004 + i % 4096,
            1 + random_below(w, 1000));
        put(w, "k %u", function * BLOCKS);
        for (uint32_t k = 0; k < BLOCKS; k++)
            put(w, " %u", 1 + random_below(w, 100000));
        put(w, "\n");
        lines += 2;
    }
    put(w, "end %lu\n", lines);
}

int main(int argc, char **argv)
{
    struct writer w = {.state = 1, .n_events = 1, .n_functions = 50000};
    uint64_t amount = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    int is_raw = argc > 2 && !strcmp(argv[1], "raw");
    int at = is_raw ? 3 : 4;

    if (!is_raw && argc > 3)
        w.n_events = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc > at)
        w.n_functions = (uint32_t)strtoul(argv[at], NULL, 10);
    if (!amount || !w.n_functions || !w.n_events || w.n_events > MAX_EVENTS) {
        fprintf(stderr, "usage: make-profile callgrind MB EVENTS [FUNCTIONS]\n"
                        "       make-profile raw CONTEXTS [FUNCTIONS]\n");
        return 2;
    }
    w.functions_seen = calloc(w.n_functions, 1);
    if (!w.functions_seen)
        return 1;
    if (is_raw)
        put_raw(&w, (uint32_t)amount);
    else
        put_callgrind(&w, amount * 1000000);
    free(w.functions_seen);
    return fflush(stdout) || ferror(stdout);
}
