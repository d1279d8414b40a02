/*
 * Raw profiles of so many call paths that they are taken in by a thread beside the reader's: that
 * they say what they said when they were written, with that thread and on one processor, with their
 * basic blocks kept and with cost records; and that errors are found, whoever meets them.
 */
#include <config.h>

#include "../tap.h"
#include "cprof_internal.h"

#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>

enum { BLOCKS = 500, CONTEXTS = 60000, ROOTS = 2999, START = 0x1000, STEP = 16 };

struct text {
    char *bytes;
    size_t size, room;
    unsigned long lines;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list arguments;

    if (t->room - t->size < 256 && !(t->bytes = realloc(t->bytes, t->room = 2 * t->room + 4096)))
        exit(1);
    va_start(arguments, format);
    t->size += (size_t)vsnprintf(t->bytes + t->size, t->room - t->size, format, arguments);
    va_end(arguments);
    t->lines++;
}

/* Context `i`: its parent, its function, and how often it ran `n` basic blocks from `first` on. */
struct context {
    uint32_t parent, function, first, n;
    int64_t count;
};

static int is_root(uint32_t i)
{
    return i % ROOTS == 0;
}

static struct context context(uint32_t i)
{
    struct context c = {.parent = is_root(i) ? CPROF_NONE : i - 1 - i * 31 % (i % ROOTS),
                        .function = (uint32_t)((uint64_t)i * i % 777),
                        .first = i * 7 % (BLOCKS - 5),
                        .n = i % 5 + 1,
                        .count = 1 + i % 97};

    if (i % 1000 == 999)
        c.count = (INT64_C(1) << 31) + i;
    return c;
}

/* `at`: the context that `odd` comes before. */
static void make(struct text *t, uint32_t at, const char *odd)
{
    t->size = t->lines = 0;
    add(t, "cprof-raw 2\n");
    add(t, "events: Ir\n");
    add(t, "o 0 - /nowhere\n");
    for (uint32_t i = 0; i < BLOCKS; i++)
        add(t, "s %u 0 %x i\n", i, START + STEP * i);
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        struct context c = context(i);

        if (i == at)
            add(t, "%s\n", odd);
        if (is_root(i))
            add(t, "t %u - [thread %u]\n", i, i / ROOTS + 1);
        else
            add(t, "n %u %u 0 %x 0 %x %u\n", i, c.parent, 0x100000 + c.function, START + i, i + 1);
        for (uint32_t k = 0; k < c.n; k += 2)
            add(t, k + 1 < c.n ? "k %u %lld %lld\n" : "k %u %lld\n", c.first + k,
                (long long)c.count, (long long)c.count);
    }
    t->lines++;
    t->size += (size_t)sprintf(t->bytes + t->size, "end %lu\n", t->lines - 1);
}

/* The cost of a context, with each basic block's count weighed by its number. */
static int64_t weigh_records(const struct cprof_profile *p, uint32_t i)
{
    const struct cprof_context *c = &p->contexts[i];
    int64_t sum = 0;

    for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
        sum += cprof_context_values(p, k)[0] *
               (int64_t)((p->context_costs[k].address - START) / STEP + 1);
    return sum;
}

static int64_t weigh_blocks(const struct blocks *s, uint32_t i)
{
    const struct block_run *run = blocks_first(s, i), *end = blocks_end(s, i);
    int64_t sum = 0;

    for (; run < end; run = block_next(run))
        for (uint32_t k = 0; k < run->size; k++)
            sum += block_count(s, run, k) * (run->first + k + 1);
    return sum;
}

static int is_right(const struct cprof_profile *p, uint32_t i)
{
    const struct blocks *s = profile_blocks(p);
    const struct cprof_context *found = &p->contexts[i];
    const struct cprof_function *f = &p->functions[found->function];
    struct context c = context(i);
    int64_t weight = 0;

    for (uint32_t k = 0; k < c.n; k++)
        weight += c.count * (c.first + k + 1);
    if (found->parent != c.parent || weight != (s ? weigh_blocks(s, i) : weigh_records(p, i)))
        return 0;
    return is_root(i) ? !found->calls && f->object == CPROF_NONE
                      : found->calls == i + 1 && found->site == START + i &&
                            f->address == 0x100000 + c.function;
}

static void check(const struct text *t, int keep, const char *what)
{
    struct cprof_error error;
    struct cprof_profile *p = keep ? profile_read_blocks(t->bytes, t->size, "made", 0, &error)
                                   : cprof_read(t->bytes, t->size, "made", 0, &error);
    int64_t total = 0;
    uint32_t right = 0;

    if (!ok(p != NULL, "%s: read%s%s", what, p ? "" : ": ", p ? "" : error.text))
        return;
    for (uint32_t i = 0; i < CONTEXTS; i++)
        total += context(i).count * context(i).n;
    is_number(p->n_contexts, CONTEXTS, "all contexts are there");
    is_number(p->totals[0], total, "the total is what was written");
    ok(!profile_blocks(p) == !keep, "basic blocks are kept where that was asked for");
    for (uint32_t i = 0; i < p->n_contexts; i++)
        right += is_right(p, i);
    is_number(right, CONTEXTS, "every context is what was written");
    cprof_free(p);
}

static void check_error(struct text *t, uint32_t at, const char *odd, unsigned long line,
                        const char *want)
{
    struct cprof_error error;
    struct cprof_profile *p;

    make(t, at, odd);
    p = profile_read_blocks(t->bytes, t->size, "made", 0, &error);
    ok(!p, "no profile with '%s' before context %u", odd, at);
    is_text(p ? NULL : error.text, want, "the error");
    if (!p)
        is_number((long long)error.line, (long long)line, "the line of the error");
    cprof_free(p);
}

/* The number of the line that stands before a context. */
static unsigned long line_of(uint32_t at)
{
    unsigned long line = 4 + BLOCKS;

    for (uint32_t i = 0; i < at; i++)
        line += 1 + (context(i).n + 1) / 2;
    return line;
}

static void check_all(struct text *t)
{
    static const uint32_t at = 50001;

    make(t, CPROF_NONE, "");
    check(t, 1, "basic blocks kept");
    check(t, 0, "cost records");
    check_error(t, at, "k 3 many", line_of(at), "number expected at 'many'");
    check_error(t, at, "n 50001 50001 0 1000 0 1000 1", line_of(at),
                "context 50001 is not defined");
    check_error(t, at, "n 50001 50000 1 1000 0 1000 1", line_of(at), "object 1 is not defined");
    check_error(t, at, "k 3 9223372036854775807", 0, "a sum of counts exceeds 2^63-1");
}

/* A basic block that never ran has no instructions: none of them is among the costs. */
static void check_never_run(void)
{
    static const char raw[] = "cprof-raw 2\nevents: Ir\no 0 - /a\ns 0 0 10 i +1 i\n"
                              "s 1 0 20 i +1 i\nt 0 - [thread 1]\nk 0 3\nend 7\n";
    struct cprof_error error;
    struct cprof_profile *p = profile_read_blocks(raw, sizeof raw - 1, "raw", 0, &error);
    const struct blocks *b = p ? profile_blocks(p) : NULL;

    if (ok(b && b->n_blocks == 2 && p->n_costs == 2, "one basic block ran, another never did")) {
        is_number((long long)b->blocks[0].size, 2, "the first has its instructions");
        ok(b->instructions[0].cost == 0 && b->instructions[1].cost == 1,
           "instructions of the basic block have their costs");
        is_number((long long)b->blocks[1].size, 0, "the other has none");
    }
    cprof_free(p);
}

static int use_one_processor(void)
{
    cpu_set_t set, one;

    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return -1;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set)) {
            CPU_SET(i, &one);
            break;
        }
    return sched_setaffinity(0, sizeof one, &one);
}

int main(void)
{
    struct text text = {NULL, 0, 0, 0};

    check_all(&text);
    if (use_one_processor() == 0)
        check_all(&text);
    else
        skip("on one processor", "this system does not say which there are");
    check_never_run();
    free(text.bytes);
    return tap_done();
}
