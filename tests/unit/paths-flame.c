/* Flame graphs: how paths are laid out, from the root and from the functions, and compared. */
#include <config.h>

#include "../tap.h"
#include "cprof_internal.h"
#include "names/names.h"
#include "paths/flame.h"

#include <stdlib.h>

struct fixture {
    struct cprof_profile *profile;
    struct columns columns;
    struct tree tree;
};

static uint32_t put(struct builder *b, uint32_t parent, const char *name, bool inlined, int64_t ir)
{
    uint32_t function = builder_function(b, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    struct cprof_context context = {.parent = parent,
                                    .function = function,
                                    .site_file = CPROF_NONE,
                                    .calls = !inlined,
                                    .inlined = inlined};
    struct cprof_cost cost = {function, CPROF_NONE, 0, 0x10};
    uint32_t index = builder_context(b, &context);

    if (ir)
        builder_context_cost(b, index, &cost, &ir);
    return index;
}

/* main: a, with dot inlined in it and b below that; b alone; narrow ones. */
static void make(struct fixture *m, int64_t dot)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct builder *b = builder_new(&error);
    uint32_t main_, a, inlined;

    builder_header(b)->format = CPROF_FORMAT_RAW;
    builder_event(b, "Ir");
    main_ = put(b, CPROF_NONE, "main", false, 10);
    put(b, main_, "tiny", false, 1);
    put(b, main_, "small", false, 2);
    put(b, main_, "nothing", false, 0);
    a = put(b, main_, "a", false, 5);
    inlined = put(b, a, "dot", true, dot);
    put(b, inlined, "b", false, 30);
    put(b, main_, "b", false, 12);
    m->profile = builder_finish(b);
    columns_load(&m->columns, events_of(m->profile));
    tree_load(&m->tree, m->profile);
}

static void unmake(struct fixture *m)
{
    tree_free(&m->tree);
    columns_free(&m->columns);
    cprof_free(m->profile);
}

/* "DEPTH NAME START VALUE SELF HIDDEN" of each frame; "+" before what is inlined. */
static void is_flame(const struct flame *f, const char *want, const char *what)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; i < f->n; i++) {
        const struct flame_frame *frame = &f->frames[i];

        fprintf(out, "%u %s%s %lld %lld %lld %lld\n", (unsigned)frame->depth,
                frame->inlined ? "+" : "",
                frame->function == CPROF_NONE ? "-" : f->profile->functions[frame->function].name,
                (long long)frame->start, (long long)frame->value, (long long)frame->self,
                (long long)frame->hidden);
    }
    fclose(out);
    is_text(text, want, what);
    free(text);
}

static void test_layout(const struct fixture *m)
{
    struct flame flame;

    flame_load(&flame, &m->tree, m->columns.items, 0);
    is_flame(&flame,
             "0 - 0 100 0 0\n"
             "1 main 0 100 10 0\n"
             "2 a 0 75 5 0\n"
             "3 +dot 0 70 40 0\n"
             "4 b 0 30 30 0\n"
             "2 b 75 12 12 0\n"
             "2 small 87 2 2 0\n"
             "2 tiny 89 1 1 0\n",
             "all paths with a cost, the widest leftmost");
    is_number(flame.n_levels, 5, "levels");
    flame_free(&flame);
    flame_load(&flame, &m->tree, m->columns.items, 12);
    is_flame(&flame,
             "0 - 0 100 0 0\n"
             "1 main 0 100 10 3\n"
             "2 a 0 75 5 0\n"
             "3 +dot 0 70 40 0\n"
             "4 b 0 30 30 0\n"
             "2 b 75 12 12 0\n",
             "what is narrow is hidden, and counted");
    ok(flame.frames[1].n_hidden == 2 && flame.hidden == 3, "how many, and all in all");
    flame_free(&flame);
}

static void test_reversed(const struct fixture *m)
{
    struct flame flame;

    flame_load_reversed(&flame, &m->tree, m->columns.items, 3);
    is_flame(&flame,
             "0 - 0 100 0 3\n"
             "1 b 0 42 0 0\n"
             "2 +dot 0 30 0 0\n"
             "3 a 0 30 0 0\n"
             "4 main 0 30 30 0\n"
             "2 main 30 12 12 0\n"
             "1 +dot 42 40 0 0\n"
             "2 a 42 40 0 0\n"
             "3 main 42 40 40 0\n"
             "1 main 82 10 10 0\n"
             "1 a 92 5 0 0\n"
             "2 main 92 5 5 0\n",
             "reversed: functions by their own cost, with their callers on them");
    ok(flame.reversed && flame.frames[1].calls == 2, "calls are all calls of a function");
    flame_free(&flame);
}

static void test_compare(const struct fixture *m)
{
    struct name_ids ids = {.n = 0};
    struct fixture old;
    struct flame flame, before;
    uint32_t *numbers, *old_numbers;

    make(&old, 4);
    numbers = name_ids_of(&ids, m->profile);
    old_numbers = name_ids_of(&ids, old.profile);
    flame_load(&flame, &m->tree, m->columns.items, 0);
    flame_load(&before, &old.tree, old.columns.items, 0);
    is_number(flame_compare(&flame, &before, numbers, old_numbers), 0, "nothing is gone");
    ok(flame.frames[0].old == 64 && flame.frames[2].old == 39 && flame.frames[3].old == 34 &&
           flame.frames[5].old == 12,
       "what each path cost before, whatever the order");
    flame_free(&flame);
    flame_load(&flame, &m->tree, m->columns.items, 12);
    is_number(flame_compare(&flame, &before, numbers, old_numbers), 3, "what has no frame");
    free(numbers);
    free(old_numbers);
    name_ids_free(&ids);
    flame_free(&flame);
    flame_free(&before);
    unmake(&old);
}

/* A path of 100,000 levels: no recursion in C. */
static void test_depth(void)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct builder *b = builder_new(&error);
    struct fixture m;
    struct flame flame;
    uint32_t parent = CPROF_NONE;

    builder_header(b)->format = CPROF_FORMAT_RAW;
    builder_event(b, "Ir");
    for (int i = 0; i < 100000; i++)
        parent = put(b, parent, i % 2 ? "f" : "g", false, 1);
    m.profile = builder_finish(b);
    columns_load(&m.columns, events_of(m.profile));
    tree_load(&m.tree, m.profile);
    flame_load(&flame, &m.tree, m.columns.items, 0);
    is_number((long long)flame.n, 100001, "100,000 levels");
    flame_free(&flame);
    unmake(&m);
}

/* A thread, a function of each kind of crate, and a second version of one crate. */
static void make_kinds(struct fixture *m)
{
    static const char *const files[] = {
        "/home/me/app/src/main.rs",
        "/root/.cargo/registry/src/x-1/serde-1.0.1/src/lib.rs",
        "/root/.cargo/registry/src/x-1/serde-2.0.0/src/lib.rs",
        "/root/.rustup/toolchains/stable/lib/rustlib/src/rust/library/core/src/str/mod.rs",
        NULL,
    };
    struct cprof_error error = {.code = CPROF_OK};
    struct builder *b = builder_new(&error);
    uint32_t program, libc, thread;

    builder_header(b)->format = CPROF_FORMAT_RAW;
    builder_event(b, "Ir");
    program = builder_object(b, "/bin/program", NULL);
    libc = builder_object(b, "/lib/libc.so.6", NULL);
    thread = put(b, CPROF_NONE, "[thread 1]", false, 0);
    for (int i = 0; i < 5; i++) {
        struct cprof_context context = {.parent = thread, .site_file = CPROF_NONE, .calls = 1};
        struct cprof_cost cost = {0, CPROF_NONE, 0, 0x10};
        int64_t ir = 10 << i;
        char name[16];
        uint32_t index;

        snprintf(name, sizeof name, "app::f%d", i);
        context.function = cost.function =
            builder_function(b, name, NULL, files[i] ? program : libc,
                             files[i] ? builder_file(b, files[i]) : CPROF_NONE, 1);
        index = builder_context(b, &context);
        builder_context_cost(b, index, &cost, &ir);
    }
    m->profile = builder_finish(b);
    columns_load(&m->columns, events_of(m->profile));
    tree_load(&m->tree, m->profile);
}

static void test_kinds(void)
{
    struct fixture m;
    struct crates crates;
    struct flame_kinds kinds;

    make_kinds(&m);
    crates_load(&crates, m.profile, NULL, NULL);
    flame_kinds_load(&kinds, m.profile, &crates, m.columns.items);
    is_number(kinds.of_function[0], FLAME_KIND_NONE, "a thread is no code");
    for (unsigned i = 0; i < 5; i++) {
        static const enum origin want[] = {ORIGIN_OWN, ORIGIN_DEPENDENCY, ORIGIN_DEPENDENCY,
                                           ORIGIN_STD, ORIGIN_SYSTEM};

        is_number(kinds.of_function[i + 1] / ORIGIN_SHADES, want[i], origin_title(want[i]));
    }
    is_number(kinds.of_function[2], kinds.of_function[3], "a crate's shade is its name's");
    ok(kinds.self[ORIGIN_OWN] == 10 && kinds.self[ORIGIN_DEPENDENCY] == 60 &&
           kinds.self[ORIGIN_STD] == 80 && kinds.self[ORIGIN_SYSTEM] == 160,
       "what each kind costs");
    flame_kinds_free(&kinds);
    crates_free(&crates);
    unmake(&m);
}

/* Shades are the same in each picture, and all are taken. */
static void test_shades(void)
{
    static const char *const names[] = {"serde", "regex", "memchr", "rand", "log", "bytes"};
    unsigned seen = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct crate crate = {.name = names[i], .owner = OWNER_DEPENDENCY};

        seen |= 1U << origin_shade(&crate);
    }
    is_number(seen, (1 << ORIGIN_SHADES) - 1, "crates of a kind have different shades");
}

int main(void)
{
    struct fixture m;

    make(&m, 40);
    test_layout(&m);
    test_reversed(&m);
    test_compare(&m);
    test_depth();
    test_kinds();
    test_shades();
    unmake(&m);
    return tap_done();
}
