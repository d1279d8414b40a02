#include <config.h>

#include "../tap.h"
#include "fixture.h"
#include "names/location.h"
#include "names/names.h"
#include "table/columns.h"
#include "table/rows.h"

#include <stdlib.h>

#define CACHE_EVENTS "Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Fish"

static void make(struct fixture *m, enum cprof_format format)
{
    fixture_begin(m, format, CACHE_EVENTS);
}

/* A function with a cost: Ir and Dr as given, 1 of the misses. */
static void put(struct fixture *m, const char *name, const char *mangled, const char *file,
                int64_t ir, int64_t dr)
{
    m->object = builder_object(m->b, "/bin/prog", NULL);
    fixture_cost(m, fixture_function(m, name, mangled, file, 3), file, 3,
                 (int64_t[]){ir, 1, 1, dr, 1, 1, 0, 0, 0, 7});
}

static void test_columns(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct columns columns;
    const struct column *c;
    char *names;

    make(&m, CPROF_FORMAT_CALLGRIND);
    put(&m, "f", NULL, "/a/f.c", 1000, 10);
    p = fixture_end(&m);
    columns_load(&columns, events_of(p));
    c = columns_find(&columns, "dLMR");
    ok(c && !strcmp(c->name, "DLmr"), "a column is found in any case");
    ok(columns_find(&columns, "fish") != NULL, "an event that only the file knows is a column");
    ok(columns_find(&columns, "Bcm") == NULL, "an event that the file lacks is none");
    ok(columns_find(&columns, "Bm") == NULL,
       "a sum of events of which the file lacks one is no column");
    c = columns_find(&columns, "CEst");
    is_number(c ? column_value(c, p->totals) : -1, 1000 + 2 * 10 + 2 * 100, "estimated cycles");
    names = columns_names(&columns, true);
    is_text(names, "Ir, I1mr, ILmr, Dr, D1mr, DLmr, Dw, D1mw, DLmw, Fish, D1m, DLm, LLm, CEst",
            "names of all counts");
    free(names);
    columns_free(&columns);
    cprof_free(p);
}

static void order_of(const struct rows *rows, char text[256])
{
    *text = '\0';
    for (size_t i = 0; i < rows->n; i++)
        sprintf(text + strlen(text), "%s%s%s", i ? " " : "", rows->items[i].name,
                rows->items[i].tag);
}

static void test_rows(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct columns columns;
    struct rows rows;
    regex_t regex;
    char text[256];

    make(&m, CPROF_FORMAT_CALLGRIND);
    put(&m, "b", NULL, "/a/x.c", 5, 1);
    put(&m, "a", NULL, "/a/x.c", 5, 2);
    put(&m, "c", NULL, "/a/y.c", 9, 0);
    put(&m, "g", "_ZN1g17h1111111111111111E", "/a/y.c", 2, 0);
    put(&m, "g", "_ZN1g17h2222222222222222E", "/a/y.c", 3, 0);
    p = fixture_end(&m);
    columns_load(&columns, events_of(p));
    rows_load(&rows, p);
    rows_sort(&rows, columns_find(&columns, "ir"), NULL);
    order_of(&rows, text);
    is_text(text, "c a b g#2 g#1", "highest first, equal ones by name, like ones told apart");
    rows_sort(&rows, columns_find(&columns, "dr"), NULL);
    order_of(&rows, text);
    is_text(text, "a b c g#1 g#2", "rows by another column");
    rows_sort(&rows, columns_find(&columns, "I1mr"), columns_find(&columns, "dr"));
    order_of(&rows, text);
    is_text(text, "a b c g#1 g#2", "rows of one value are by a second column");
    is_number(rows_sum(&rows, columns_find(&columns, "Ir"), 2), 10, "the sum of two rows");
    regcomp(&regex, "y\\.c$", REG_EXTENDED | REG_NOSUB);
    rows_filter(&rows, NULL, &regex);
    regfree(&regex);
    regcomp(&regex, "^(c|a)$", REG_EXTENDED | REG_NOSUB);
    rows_filter(&rows, &regex, NULL);
    regfree(&regex);
    order_of(&rows, text);
    is_text(text, "c", "filters on file and name");
    is_number((long long)rows.n_all, 5, "a filter adds to those before it");
    rows_free(&rows);
    columns_free(&columns);
    cprof_free(p);
}

/* Who only calls has a row; who does nothing has none. */
static void test_empty_rows(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct cprof_call call = {.file = CPROF_NONE, .count = 1};
    struct rows rows;
    int64_t values[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 3};
    char text[256];

    make(&m, CPROF_FORMAT_CALLGRIND);
    put(&m, "work", NULL, NULL, 5, 1);
    call.callee = builder_function(m.b, "work", NULL, 0, CPROF_NONE, 0);
    call.caller = builder_function(m.b, "caller", NULL, 0, CPROF_NONE, 0);
    builder_call(m.b, &call, values);
    builder_function(m.b, "nothing", NULL, 0, CPROF_NONE, 0);
    p = fixture_end(&m);
    rows_load(&rows, p);
    order_of(&rows, text);
    ok(rows.n == 2 && strstr(text, "caller") && !strstr(text, "nothing"),
       "rows are of functions that have a cost, be it what they called: %s", text);
    rows_free(&rows);
    cprof_free(p);
}

static void test_cachegrind_rows(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct rows rows;

    make(&m, CPROF_FORMAT_CACHEGRIND);
    put(&m, "f::h0123456789abcdef", NULL, "/a/inlined.rs", 5, 1);
    put(&m, "f::h0123456789abcdef", NULL, "/a/own.rs", 8, 1);
    put(&m, "zero", NULL, "/a/own.rs", 0, 0);
    p = fixture_end(&m);
    p = names_apply(p, NAME_SHORT, &m.error);
    rows_load(&rows, p);
    is_number((long long)rows.n, 2, "cachegrind's records of one name are one row");
    is_number(rows.items[0].counts[0], 13, "a function of several records has all its cost");
    is_text(rows.items[0].file, "/a/own.rs",
            "a function of several files is in the one with the most of its cost");
    is_text(rows.items[0].name, "f", "a foreign name loses its hash");
    is_text(rows.items[0].mangled, "f::h0123456789abcdef",
            "a foreign name keeps what the file says");
    rows_free(&rows);
    cprof_free(p);
}

static void path(const char *given, const char *root, const char *want, const char *what)
{
    char *got = location_path(given, root);

    is_text(got, want, what);
    free(got);
}

static void shorter(const char *given, const char *root, const char *want, const char *what)
{
    char *got = location_short(given, root);

    is_text(got, want, what);
    free(got);
}

static void test_locations(void)
{
    char *text;

    path("/home/me/nnet/src/matrix.rs", "/home/me/nnet", "src/matrix.rs", "below the root");
    path("/home/me/nnet/src/matrix.rs", "/home/me/nnet/", "src/matrix.rs",
         "below a root with a slash");
    path("/home/me/nnet2/src/lib.rs", "/home/me/nnet", "/home/me/nnet2/src/lib.rs",
         "beside the root");
    path("/home/me/nnet/src/lib.rs", "/", "/home/me/nnet/src/lib.rs", "the root of all");
    path("/rustc/5980761/library/core/src/slice/sort.rs", NULL, "core/src/slice/sort.rs",
         "std as built");
    path("/home/me/.rustup/toolchains/x/lib/rustlib/src/rust/library/alloc/src/vec.rs", NULL,
         "alloc/src/vec.rs", "std's sources");
    path("/rust/deps/hashbrown-0.15.5/src/raw/mod.rs", NULL, "hashbrown-0.15.5/src/raw/mod.rs",
         "what std depends on");
    path("/home/me/.cargo/registry/src/index.crates.io-6f17d22bba15001f/rand-0.8.5/src/lib.rs",
         NULL, "rand-0.8.5/src/lib.rs", "the registry");
    path("/home/me/.cargo/git/checkouts/rand-1234/abcdef0/src/lib.rs", NULL, "src/lib.rs",
         "a git checkout");
    path("./elf/./elf/rtld.c", NULL, "elf/rtld.c", "a folder mapped to a dot");
    path("./elf/../sysdeps/start.S", NULL, "sysdeps/start.S", "and up from it");
    path("/a/./b/./c.c", NULL, "/a/b/c.c", "dots");
    path("/a/b/../c//d.c", NULL, "/a/c/d.c", "up and double slashes");
    path("../x/../../y.c", NULL, "../../y.c", "up from a relative path");
    path("/../../y.c", NULL, "/y.c", "up from the root");
    path("/usr/share/cargo/registry/memchr-2.5.0/src/lib.rs", NULL, "memchr-2.5.0/src/lib.rs",
         "Debian's registry");
    path("/usr/src/rustc-1.63.0/library/core/src/lib.rs", NULL, "core/src/lib.rs",
         "std as Debian builds it");
    path("/usr/include/c++/12/bits/stl_tree.h", NULL, "c++/12/bits/stl_tree.h",
         "the library of C++");
    shorter("/home/me/.cargo/registry/src/index.crates.io-6f17d22bba15001f/rand-0.8.5/src/lib.rs",
            NULL, "rand/src/lib.rs", "the registry, without a version");
    shorter("/usr/share/cargo/registry/memchr-2.5.0/src/lib.rs", NULL, "memchr/src/lib.rs",
            "Debian's");
    shorter("/rust/deps/hashbrown-0.15.5/src/raw/mod.rs", NULL, "hashbrown/src/raw/mod.rs",
            "what std depends on");
    shorter("/rustc/5980761/library/core/src/slice/sort.rs", NULL, "core/src/slice/sort.rs", "std");
    shorter("/rustc/5980761/library/stdarch/crates/core_arch/src/x86/sse2.rs", NULL,
            "stdarch/crates/core_arch/src/x86/sse2.rs", "a module of core");
    shorter("/home/me/.cargo/git/checkouts/rand-0123456789abcdef/abcdef0/src/lib.rs", NULL,
            "rand/src/lib.rs", "a repository of one crate");
    shorter("/home/me/.cargo/git/checkouts/rand-0123456789abcdef/abcdef0/rand_core/src/lib.rs",
            NULL, "rand_core/src/lib.rs", "of several");
    shorter("/home/me/x/target/release/build/words-0123456789abcdef/out/t.rs", "/home/me/x",
            "words/out/t.rs", "what a build script wrote");
    shorter("/home/me/x/src/lib.rs", "/home/me/x", "src/lib.rs", "the project");
    shorter("/p/.cargo/registry/src/i-6f17d22bba15001f/rand-0.8.5/src/lib.rs", "/p",
            "rand/src/lib.rs", "a registry within the project");
    shorter("/usr/share/cargo/registry/memchr-2.5.0/src/lib.rs",
            "/usr/share/cargo/registry/memchr-2.5.0", "src/lib.rs", "a project within a registry");
    text = location_text("/r/a.c", 7, "/lib/libm.so.6", "/r");
    is_text(text, "a.c:7", "file and line");
    free(text);
    text = location_text(NULL, 0, "/lib/libm.so.6", "/r");
    is_text(text, "libm.so.6", "the object where there is no file");
    free(text);
}

int main(void)
{
    test_columns();
    test_rows();
    test_empty_rows();
    test_cachegrind_rows();
    test_locations();
    return tap_done();
}
