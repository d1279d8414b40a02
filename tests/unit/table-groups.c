/* Groups and blame on made-up call paths: own, inclusive and charged costs that are known. */
#include <config.h>

#include "../tap.h"
#include "calls/graph.h"
#include "fixture.h"
#include "names/crates.h"
#include "table/groups.h"
#include "table/own.h"

#include <stdlib.h>

#define OWN  "/home/me/app/src/main.rs"
#define OWN2 "/home/me/app/src/other.rs"
#define CORE "/rustc/0123456789012345678901234567890123456789/library/core/src/lib.rs"

static uint32_t function(struct fixture *m, const char *name)
{
    bool own = !strncmp(name, "app::", 5), core = !strncmp(name, "core::", 6);

    if (name[0] == '[')
        return builder_function(m->b, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    return builder_function(m->b, name, NULL, own || core ? m->program : m->libc,
                            own    ? builder_file(m->b, OWN)
                            : core ? builder_file(m->b, CORE)
                                   : CPROF_NONE,
                            own ? 1 : 0);
}

/* A context of `name`, called at `line` of main.rs, with a cost of its own at line 100 of its file.
 */
static uint32_t put(struct fixture *m, uint32_t parent, const char *name, uint32_t line, int64_t ir,
                    bool inlined)
{
    uint32_t f = function(m, name);
    uint32_t file = !strncmp(name, "app::", 5)    ? builder_file(m->b, OWN)
                    : !strncmp(name, "core::", 6) ? builder_file(m->b, CORE)
                                                  : CPROF_NONE;
    struct cprof_context context = {.parent = parent,
                                    .function = f,
                                    .site_file = line ? builder_file(m->b, OWN) : CPROF_NONE,
                                    .site_line = line,
                                    .site = inlined ? 0 : line,
                                    .calls = inlined ? 0 : 1,
                                    .inlined = inlined};
    struct cprof_cost cost = {f, file, file == CPROF_NONE ? 0 : 100, 0x10};

    return fixture_context(m, &context, &cost, ir);
}

static void call(struct fixture *m, const char *caller, const char *callee, uint32_t line)
{
    struct cprof_call c = {.caller = function(m, caller),
                           .callee = function(m, callee),
                           .line = line,
                           .address = line,
                           .count = 1};
    int64_t ir = 1;

    fixture_call(m, c, OWN, &ir);
}

static void make(struct fixture *m)
{
    fixture_begin(m, CPROF_FORMAT_RAW, "Ir");
    fixture_program(m, "/home/me/app/target/release/app");
}

/* main (1) calls core::map (2) at line 10, which calls app::f (4), which calls memcpy (8) at line
 * 20; start of libc (16) is above it all. main calls memcpy (32) at line 11, too, and core::inl
 * (64) is inlined into it at line 12. */
static struct cprof_profile *make_plain(void)
{
    struct fixture m;
    uint32_t root, start, main_, map, f;

    make(&m);
    root = put(&m, CPROF_NONE, "[thread 1]", 0, 0, false);
    start = put(&m, root, "start", 0, 16, false);
    main_ = put(&m, start, "app::main", 0, 1, false);
    map = put(&m, main_, "core::map", 10, 2, false);
    f = put(&m, map, "app::f", 0, 4, false);
    put(&m, f, "memcpy", 20, 8, false);
    put(&m, main_, "memcpy", 11, 32, false);
    put(&m, main_, "core::inl", 12, 64, true);
    call(&m, "start", "app::main", 0);
    call(&m, "app::main", "core::map", 10);
    call(&m, "core::map", "app::f", 0);
    call(&m, "app::f", "memcpy", 20);
    call(&m, "app::main", "memcpy", 11);
    return fixture_end(&m);
}

/* core::each (1) calls app::f (2), which calls core::each again, from there app::g (4): folded, g
 * hangs under the outer each. */
static struct cprof_profile *make_folded(void)
{
    struct fixture m;
    uint32_t root, main_, each;

    make(&m);
    root = put(&m, CPROF_NONE, "[thread 1]", 0, 0, false);
    main_ = put(&m, root, "app::main", 0, 8, false);
    each = put(&m, main_, "core::each", 10, 1, false);
    put(&m, main_, "core::each", 10, 0, false); /* the call by app::f led back here */
    put(&m, each, "app::f", 0, 2, false);
    put(&m, each, "memcpy", 0, 4, false);
    call(&m, "app::main", "core::each", 10);
    call(&m, "core::each", "app::f", 0);
    call(&m, "app::f", "core::each", 30);
    call(&m, "core::each", "memcpy", 0);
    return fixture_end(&m);
}

static void check_row(const struct rows *rows, const char *name, int64_t self, int64_t inclusive,
                      int64_t calls, int bound)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->items[i];
        char got[100], want[100];

        if (strcmp(r->name, name) != 0)
            continue;
        snprintf(got, sizeof got, "%lld %lld %lld %d", (long long)r->counts[0],
                 (long long)r->counts[1], (long long)r->counts[2], r->bound);
        snprintf(want, sizeof want, "%lld %lld %lld %d", (long long)self, (long long)inclusive,
                 (long long)calls, bound);
        is_text(got, want, name);
        return;
    }
    ok(0, "there is a row %s", name);
}

static int64_t sum(const struct rows *rows)
{
    int64_t total = 0;

    for (size_t i = 0; i < rows->n; i++)
        total += rows->items[i].counts[0];
    return total;
}

static void check_plain(void)
{
    struct cprof_profile *p = make_plain();
    struct crates crates;
    struct rows rows;

    crates_load(&crates, p, NULL, NULL);
    groups_load(&rows, p, &crates, GROUP_CRATE);
    is_number((long long)rows.n, 3, "three crates");
    check_row(&rows, "app", 5, 111, 2, BOUND_EXACT);
    check_row(&rows, "core", 66, 78, 1, BOUND_EXACT);
    check_row(&rows, "libc", 56, 127, 3, BOUND_EXACT);
    is_number(sum(&rows), 127, "costs of crates add up");
    rows_free(&rows);
    groups_load(&rows, p, &crates, GROUP_OBJECT);
    check_row(&rows, "/home/me/app/target/release/app", 71, 111, 3, BOUND_EXACT);
    check_row(&rows, "/lib/libc.so.6", 56, 127, 3, BOUND_EXACT);
    rows_free(&rows);
    groups_load(&rows, p, &crates, GROUP_LINE);
    check_row(&rows, OWN ":100", 5, 5, 0, BOUND_EXACT);
    check_row(&rows, OWN ":10", 0, 14, 0, BOUND_EXACT);
    check_row(&rows, OWN ":11", 0, 32, 0, BOUND_EXACT);
    check_row(&rows, OWN ":12", 0, 64, 0, BOUND_EXACT);
    check_row(&rows, OWN ":20", 0, 8, 0, BOUND_EXACT);
    check_row(&rows, CORE ":100", 66, 66, 0, BOUND_EXACT);
    is_number(sum(&rows), 127, "lines add up, with what has none");
    rows_free(&rows);
    groups_load(&rows, p, &crates, GROUP_FILE);
    check_row(&rows, OWN, 5, 111, 0, BOUND_EXACT);
    check_row(&rows, CORE, 66, 66, 0, BOUND_EXACT); /* it jumped to app::f */
    rows_free(&rows);
    crates_free(&crates);
    cprof_free(p);
}

static void check_without_paths(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct crates crates;
    struct rows rows;
    int64_t ir = 3;

    make(&m);
    fixture_cost(&m, function(&m, "app::main"), OWN, 7, &ir);
    call(&m, "app::main", "memcpy", 10);
    p = fixture_end(&m);
    crates_load(&crates, p, NULL, NULL);
    ok(graph_is_known(p) && !groups_events(events_of(p), GROUP_CRATE).inclusive,
       "edges alone give groups no inclusive cost");
    groups_load(&rows, p, &crates, GROUP_CRATE);
    is_number(rows.items[0].counts[1], 0, "groups of edges alone have own costs only");
    is_number(rows.items[0].counts[0], 3, "groups of edges alone have the own costs");
    rows_free(&rows);
    ok(groups_events(events_of(p), GROUP_FUNCTION).inclusive,
       "edges give functions inclusive costs");
    crates_free(&crates);
    cprof_free(p);
}

static void check_folded(void)
{
    struct cprof_profile *p = make_folded();
    struct crates crates;
    struct rows rows;

    crates_load(&crates, p, NULL, NULL);
    groups_load(&rows, p, &crates, GROUP_CRATE);
    check_row(&rows, "app", 10, 15, 2, BOUND_EXACT);
    check_row(&rows, "core", 1, 7, 2, BOUND_EXACT);
    check_row(&rows, "libc", 4, 4, 1, BOUND_EXACT);
    rows_free(&rows);
    groups_load(&rows, p, &crates, GROUP_LINE);
    check_row(&rows, OWN ":10", 0, 7, 0, BOUND_EXACT);
    rows_free(&rows);
    crates_free(&crates);
    cprof_free(p);
}

/* app::main under the fold is gone: then what app has is a lower bound. */
static void check_lost(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct crates crates;
    struct rows rows;
    uint32_t root, each;

    make(&m);
    root = put(&m, CPROF_NONE, "[thread 1]", 0, 0, false);
    each = put(&m, root, "core::each", 0, 1, false);
    put(&m, root, "core::each", 0, 0, false); /* the call by app::f led back here */
    put(&m, each, "app::f", 0, 2, false);
    put(&m, each, "memcpy", 0, 4, false);
    call(&m, "core::each", "app::f", 0);
    call(&m, "app::f", "core::each", 30);
    call(&m, "core::each", "memcpy", 0);
    p = fixture_end(&m);
    crates_load(&crates, p, NULL, NULL);
    groups_load(&rows, p, &crates, GROUP_CRATE);
    check_row(&rows, "app", 2, 2, 1, BOUND_LEAST);
    check_row(&rows, "core", 1, 7, 2, BOUND_EXACT);
    rows_free(&rows);
    crates_free(&crates);
    cprof_free(p);
}

/*--- Blame ---*/

static void check_line(const struct rows *rows, const char *name, uint32_t line,
                       const int64_t *want, int bound)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *r = &rows->items[i];

        if (strcmp(r->name, name) != 0 || r->line != line)
            continue;
        ok(!memcmp(r->counts, want, 3 * sizeof *want) && r->bound == bound,
           "%s:%u is charged %lld, %lld of it foreign", name, line, (long long)r->counts[0],
           (long long)r->counts[1]);
        return;
    }
    ok(0, "there is a row %s:%u", name, line);
}

static void check_blame(void)
{
    struct cprof_profile *p = make_plain();
    const struct blame_charge *charges;
    struct crates crates;
    struct blame blame;
    struct rows rows;
    size_t n;

    crates_load(&crates, p, NULL, NULL);
    blame_load(&blame, &rows, profile_paths(p), &crates, crates.own, false);
    is_number((long long)rows.n, 7, "lines that are charged");
    check_line(&rows, "app::main", 100, (int64_t[]){1, 0, 1}, BOUND_EXACT);
    check_line(&rows, "app::main", 10, (int64_t[]){2, 2, 0}, BOUND_EXACT);
    check_line(&rows, "app::main", 11, (int64_t[]){32, 32, 0}, BOUND_EXACT);
    check_line(&rows, "app::main", 12, (int64_t[]){64, 64, 0}, BOUND_EXACT);
    check_line(&rows, "app::f", 100, (int64_t[]){4, 0, 4}, BOUND_EXACT);
    check_line(&rows, "app::f", 20, (int64_t[]){8, 8, 0}, BOUND_EXACT);
    check_line(&rows, "[before and after main]", BLAME_FIRST_THREAD, (int64_t[]){16, 16, 0},
               BOUND_EXACT);
    is_number(sum(&rows), 127, "charges of lines add up to the total");
    for (size_t i = 0; i < rows.n; i++) {
        charges = blame_charges(&blame, &rows, &rows.items[i], &n);
        if (rows.items[i].line == 12)
            ok(n == 1 && !strcmp(p->functions[charges->function].name, "core::inl") &&
                   charges->counts[0] == 64,
               "a line's charges");
    }
    rows_free(&rows);
    blame_free(&blame);
    crates_free(&crates);
    cprof_free(p);
    p = make_folded();
    crates_load(&crates, p, NULL, NULL);
    blame_load(&blame, &rows, profile_paths(p), &crates, crates.own, false);
    check_line(&rows, "app::main", 10, (int64_t[]){5, 5, 0}, BOUND_LEAST);
    check_line(&rows, "app::f", 100, (int64_t[]){2, 0, 2}, BOUND_EXACT);
    is_number(sum(&rows), 15, "with recursion charges of lines add up, too");
    rows_free(&rows);
    blame_free(&blame);
    crates_free(&crates);
    cprof_free(p);
}

int main(void)
{
    check_plain();
    check_without_paths();
    check_folded();
    check_lost();
    check_blame();
    return tap_done();
}
