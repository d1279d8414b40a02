/* Purposes of functions of the standard libraries, by their modules and by call paths. */
#include <config.h>

#include "../tap.h"
#include "names/purpose.h"

#define LIBRARY "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/"

enum { CORE, ALLOC, STD, HASHBROWN, LIBC, LIBSTDCXX, REGEX, OWN, JEMALLOC, CRATES };

static struct crate items[CRATES] = {
    [CORE] = {.name = "core", .owner = OWNER_STD},
    [ALLOC] = {.name = "alloc", .owner = OWNER_STD},
    [STD] = {.name = "std", .owner = OWNER_STD},
    [HASHBROWN] = {.name = "hashbrown", .owner = OWNER_STD},
    [LIBC] = {.name = "libc", .owner = OWNER_LIBC},
    [LIBSTDCXX] = {.name = "libstdc++", .owner = OWNER_STD},
    [REGEX] = {.name = "regex", .owner = OWNER_DEPENDENCY},
    [OWN] = {.name = "app", .owner = OWNER_OWN},
    [JEMALLOC] = {.name = "libjemalloc.so.2", .owner = OWNER_OBJECT},
};

static void check(const char *name, const char *file, int crate, const char *want)
{
    is_text(purpose_name(purpose_of(name, file, &items[crate])), want, name);
}

static void check_modules(void)
{
    check("<Hasher<S> as Hasher>::write", LIBRARY "core/src/hash/sip.rs", CORE,
          "hashing (SipHash)");
    check("BuildHasher::hash_one", LIBRARY "core/src/hash/mod.rs", CORE, "");
    check("Hash::hash_slice", LIBRARY "core/src/hash.rs", CORE, "");
    check("core::hash::sip::Hasher<S>::reset", NULL, CORE, "hashing (SipHash)");
    check("Formatter::pad", LIBRARY "core/src/fmt/mod.rs", CORE, "formatting (core::fmt)");
    check("alloc::fmt::format", LIBRARY "alloc/src/fmt.rs", ALLOC, "formatting (core::fmt)");
    check("fmtless", LIBRARY "core/src/fmtless.rs", CORE, "");
    check("quicksort", LIBRARY "core/src/slice/sort/stable/quicksort.rs", CORE, "sorting");
    check("alloc::slice::merge_sort", LIBRARY "alloc/src/slice.rs", ALLOC, "sorting");
    check("<Iter<T> as Iterator>::next", LIBRARY "core/src/slice/iter/macros.rs", CORE,
          "iterators");
    check("<str as PartialEq>::eq",
          "/home/x/library/src/lib/rustlib/src/rust/library/core/src/str/traits.rs", CORE,
          "comparing");
    check("RawTable<T>::find", "/rust/deps/hashbrown-0.15.2/src/raw/mod.rs", HASHBROWN,
          "hash tables");
    check("core::intrinsics::rotate_left", LIBRARY "core/src/intrinsics/mod.rs", CORE, "");
    check("Vec<T>::push", LIBRARY "alloc/src/vec/mod.rs", ALLOC, "");
    check("RawVecInner<A>::finish_grow", LIBRARY "alloc/src/raw_vec/mod.rs", ALLOC, "allocation");
    check("Formatter::pad", LIBRARY "core/src/fmt/mod.rs", OWN, "");
}

static void check_libc(void)
{
    check("__memcpy_avx_unaligned_erms", NULL, LIBC, "copying");
    check("__memset_avx2_unaligned_erms", NULL, LIBC, "filling");
    check("__memcmp_avx2_movbe", NULL, LIBC, "comparing");
    check("unlink_chunk.constprop.0", "./malloc/malloc.c", LIBC, "allocation");
    check("__snprintf", "./stdio-common/snprintf.c", LIBC, "formatting (printf)");
    check("_dl_fixup", "./elf/dl-runtime.c", LIBC, "dynamic linking");
    check("write", NULL, LIBC, "");
    check("malloc", NULL, JEMALLOC, "allocation");
    check("operator new(unsigned long)", NULL, JEMALLOC, "allocation");
    check("memcpy", NULL, REGEX, "");
    check("std::__introsort_loop<int*, long>", NULL, LIBSTDCXX, "sorting");
    check("std::ios_base::width", NULL, LIBSTDCXX, "");
}

/* Functions of made-up call paths, each of the crate of its number. */
static void check_paths(void)
{
    uint32_t of_function[CRATES];
    unsigned char own[CRATES] = {[HASHBROWN] = PURPOSE_HASH_TABLES, [LIBC] = PURPOSE_COPYING};
    struct crates crates = {.n = CRATES, .items = items, .of_function = of_function};
    struct purposes s = {&crates, own};

    for (uint32_t i = 0; i < CRATES; i++)
        of_function[i] = i;
    is_number(purpose_below(&s, CORE, CPROF_NONE, PURPOSE_NONE), PURPOSE_NONE,
              "a helper that own code called is for nothing known");
    is_number(purpose_below(&s, CORE, HASHBROWN, PURPOSE_HASH_TABLES), PURPOSE_HASH_TABLES,
              "a helper is for what called it");
    is_number(purpose_below(&s, ALLOC, CORE, PURPOSE_FORMATTING), PURPOSE_FORMATTING,
              "core and alloc call each other");
    is_number(purpose_below(&s, STD, CORE, PURPOSE_ITERATORS), PURPOSE_NONE,
              "what core calls in std is no helper");
    is_number(purpose_below(&s, REGEX, CORE, PURPOSE_ITERATORS), PURPOSE_NONE,
              "a dependency is no helper");
    is_number(purpose_below(&s, LIBC, CORE, PURPOSE_SORTING), PURPOSE_SORTING,
              "copying for sorting is sorting");
    is_number(purpose_below(&s, LIBC, REGEX, PURPOSE_NONE), PURPOSE_COPYING,
              "copying for a dependency is copying");
    is_number(purpose_below(&s, HASHBROWN, CORE, PURPOSE_ITERATORS), PURPOSE_HASH_TABLES,
              "hash tables below iterators are hash tables");
}

int main(void)
{
    check_modules();
    check_libc();
    check_paths();
    return tap_done();
}
