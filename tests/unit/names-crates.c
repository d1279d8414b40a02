/* Crates by packages, paths and names; packages by cargo's messages. */
#include <config.h>

#include "../tap.h"
#include "fixture.h"
#include "names/crate_path.h"
#include "names/crates.h"
#include "names/object_name.h"
#include "names/packages.h"
#include "names/rust_name.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *kind_of(enum path_kind kind)
{
    static const char *const names[] = {"unknown", "std", "package", "checkout", "output"};

    return names[kind];
}

static void check_path(const char *path, const char *want)
{
    struct path_crate c = crate_of_path(path);
    char got[200];

    snprintf(got, sizeof got, "%s %.*s %.*s", kind_of(c.kind), (int)c.name.size,
             c.name.text ? c.name.text : "", (int)c.version.size,
             c.version.text ? c.version.text : "");
    is_text(got, want, path);
}

static void check_paths(void)
{
#define HASH "59807616e1fa2540724bfbac14d7976d7e4a3860"
    check_path("/rustc/" HASH "/library/core/src/iter/mod.rs", "std core ");
    check_path("/rustc/" HASH "/library/stdarch/crates/core_arch/src/x86/sse2.rs", "std core ");
    check_path("/usr/include/c++/12/bits/stl_tree.h", "std libstdc++ ");
    check_path("/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h", "std libstdc++ ");
    check_path("/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/vector",
               "std libstdc++ ");
    check_path("/usr/lib/llvm-14/bin/../include/c++/v1/vector", "std libc++ ");
    check_path("/home/me/include/c++/mine.h", "unknown  ");
    check_path("/home/me/c++/12/vector", "unknown  ");
    check_path("/rustc/" HASH "/library/portable-simd/crates/core_simd/src/lib.rs", "std core ");
    check_path("/rustc/" HASH "/library/backtrace/src/lib.rs", "std std ");
    check_path("/rustc/" HASH "/library/compiler-builtins/libm/src/math/exp.rs",
               "std compiler_builtins ");
    check_path("/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/alloc/src/vec.rs",
               "std alloc ");
    check_path("/usr/src/rustc-1.63.0/library/std/src/rt.rs", "std std ");
    check_path("/usr/src/rustc-1.63.0/vendor/hashbrown/src/raw.rs", "std hashbrown ");
    check_path("/rust/deps/hashbrown-0.16.1/src/raw.rs", "std hashbrown 0.16.1");
    check_path(
        "/home/me/.cargo/registry/src/index.crates.io-6f17d22bba15001f/serde-1.0.1/src/de.rs",
        "package serde 1.0.1");
    check_path("/x/registry/src/i-1/wasi-0.11.0+wasi-snapshot-preview1/src/lib.rs",
               "package wasi 0.11.0+wasi-snapshot-preview1");
    check_path("/x/registry/src/i-1/md-5-0.10.0-rc.1/src/lib.rs", "package md-5 0.10.0-rc.1");
    check_path("/usr/share/cargo/registry/libc-0.2.139/src/lib.rs", "package libc 0.2.139");
    check_path("/x/git/checkouts/some-repo-0123456789abcdef/1234567/a/src/lib.rs",
               "checkout some-repo ");
    check_path("/x/target/release/build/my-pkg-0123456789abcdef/out/bindings.rs", "output my-pkg ");
    check_path("/build/x/target/debug/build/a-b-0123456789abcdef/out/c.rs", "output a-b ");
    check_path("/home/me/nnet/src/main.rs", "unknown  ");
    check_path("/home/me/library/core/src/main.rs", "unknown  ");
    check_path("/x/registry/src/index/noversion/src/lib.rs", "unknown  ");
    check_path("/build/", "unknown  ");
    check_path("/rustc/", "unknown  ");
    check_path("", "unknown  ");
    ok(path_is_thread_local("/rustc/" HASH "/library/std/src/sys/thread_local/native/lazy.rs"),
       "thread_local! of std");
    ok(path_is_thread_local("/rustc/" HASH "/library/std/src/thread/local.rs"),
       "the keys of thread_local! are std's");
    ok(!path_is_thread_local("/home/me/library/std/src/thread/local.rs"),
       "thread_local! is of std only");
}

/* `want` is the library's name, or "" for code of the program. */
static void check_library(const char *path, const char *main_file, const char *want)
{
    struct slice name;
    bool is_library = library_of_path(path, main_file, &name);
    char got[100];

    snprintf(got, sizeof got, "%.*s", is_library ? (int)name.size : 0, is_library ? name.text : "");
    is_text(got, want, path);
}

static void check_libraries(void)
{
    static const char program[] = "/home/me/app/src/main.cpp";

    check_library("/usr/include/nlohmann/json.hpp", program, "nlohmann");
    check_library("/usr/include/nlohmann/json.hpp", NULL, "nlohmann");
    check_library("/usr/include/x86_64-linux-gnu/bits/stdio2.h", program, "bits");
    check_library("/usr/include/zlib.h", program, "zlib.h");
    check_library("/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h", program, "emmintrin.h");
    check_library("/opt/boost/include/boost/regex.hpp", program, "boost");
    check_library("/usr/src/tool/main.c", "/usr/src/tool/main.c", "");
    check_library("/home/me/app/src/matrix.hpp", program, "");
    check_library("/home/me/app/include/app/matrix.hpp", program, "");
    check_library("/home/me/app/src/include/matrix.hpp", "/home/me/app/tools/main.cpp", "");
    check_library("/home/me/json-3.9.1/include/nlohmann/json.hpp", program, "nlohmann");
    check_library("/home/me/json/single_include/nlohmann/json.hpp", "/home/me/sum.cpp", "nlohmann");
    check_library("/home/me/json/single_include/nlohmann/json.hpp", "/home/me/json/bench/main.cpp",
                  "nlohmann");
    check_library("/home/me/app/third_party/zlib/inflate.c", program, "zlib");
    check_library("/home/me/app/third_party/stb_image.h", program, "stb_image.h");
    check_library("/home/me/app/build/_deps/fmt-src/include/fmt/format.h", program, "fmt-src");
    check_library("/home/me/vendor/app/src/list.h", "/home/me/vendor/app/src/main.c", "");
    check_library("/home/me/vendor/app/vendor/list/list.h", "/home/me/vendor/app/src/main.c",
                  "list");
    check_library("/home/me/app/third_party/zlib/inflate.c", NULL, "");
    check_library("/home/me/vendor/log/src/lib.rs", program, "");
    check_library("", program, "");
}

static void check_name(const char *name, const char *want)
{
    struct slice s = crate_of_name(name);
    char *got = s.text ? strndup(s.text, s.size) : NULL;

    is_text(got ? got : "", want, name);
    free(got);
}

static void check_names(void)
{
    check_name("nnet::matrix::Matrix::dot", "nnet");
    check_name("<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop", "alloc");
    check_name("<&mut serde_json::Value as core::fmt::Debug>::fmt", "serde_json");
    check_name("<u8 as my_crate::Trait>::f", "my_crate");
    check_name("<[T] as my_crate::Trait>::f", "my_crate");
    check_name("<(A,B) as my_crate::Trait<C>>::f", "my_crate");
    check_name("<dyn core::any::Any>::is", "core");
    check_name("std[1234abcd]::rt::lang_start", "std");
    check_name("memcpy", "");
    check_name("main", "");
    check_name("", "");
    check_name("<", "");
    check_name("<<<<", "");
    check_name("0::f", "");
    ok(rust_is_linkage("_RNvCs1234_7mycrate3foo"), "v0");
    ok(rust_is_linkage("_ZN4nnet4main17h0123456789abcdefE"), "legacy");
    ok(rust_is_linkage("nnet::main::h0123456789abcdef"), "a legacy name with its hash");
    ok(!rust_is_linkage("_ZNSt6vectorIiE4pushEv"), "C++");
    ok(!rust_is_linkage("nnet::main"), "without, it may be C++");
}

/*--- Packages ---*/

static void add(struct packages *p, const char *message)
{
    json_t *json = json_loads(message, 0, NULL);

    packages_add(p, json);
    json_decref(json);
}

#define ARTIFACT(id, manifest, kind, name)                                                      \
    "{\"reason\":\"compiler-artifact\",\"package_id\":\"" id "\",\"manifest_path\":\"" manifest \
    "\",\"target\":{\"kind\":[\"" kind "\"],\"name\":\"" name "\"}}"

static void check_package(const struct packages *p, size_t i, const char *want)
{
    char got[200];

    if (i < p->n)
        snprintf(got, sizeof got, "%s %s %s %s %s", p->items[i].name,
                 p->items[i].version ? p->items[i].version : "-", p->items[i].folder,
                 p->items[i].own ? "own" : "dependency",
                 p->items[i].n_crates ? p->items[i].crates[0] : "-");
    is_text(i < p->n ? got : "none", want, want);
}

static void make_packages(struct packages *p)
{
    *p = (struct packages){0};
    add(p, ARTIFACT("path+file:///ws/app#my-app@0.1.0", "/ws/app/Cargo.toml", "bin", "my-app"));
    add(p, ARTIFACT("path+file:///ws#0.3.0", "/ws/Cargo.toml", "lib", "top_lib"));
    add(p, ARTIFACT("registry+https://example.org/index#serde@1.0.1", "/r/serde-1.0.1/Cargo.toml",
                    "lib", "serde"));
    add(p, ARTIFACT("old-one 0.2.0 (path+file:///else/old)", "/else/old/Cargo.toml", "lib", "old"));
    add(p, ARTIFACT("git+https://example.org/repo.git?rev=1#abc@2.0.0", "/g/abc/Cargo.toml", "lib",
                    "abc"));
    add(p,
        "{\"reason\":\"build-script-executed\",\"package_id\":\"path+file:///ws/app#my-app@0.1.0\","
        "\"out_dir\":\"/ws/target/release/build/my-app-0123456789abcdef/out\"}");
    add(p, ARTIFACT("path+file:///ws/app#my-app@0.1.0", "/ws/app/Cargo.toml", "custom-build",
                    "build-script-build"));
    add(p, "{\"reason\":\"compiler-artifact\"}");
    add(p, "{\"reason\":\"build-finished\",\"success\":true}");
    add(p, "{}");
}

static void check_packages(const struct packages *p)
{
    is_number((long long)p->n, 6, "packages by cargo's messages");
    check_package(p, 0, "my-app 0.1.0 /ws/app own my_app");
    check_package(p, 1, "ws 0.3.0 /ws own top_lib");
    check_package(p, 2, "serde 1.0.1 /r/serde-1.0.1 dependency serde");
    check_package(p, 3, "old-one 0.2.0 /else/old own old");
    check_package(p, 4, "abc 2.0.0 /g/abc dependency abc");
    check_package(p, 5, "my-app 0.1.0 /ws/target/release/build/my-app-0123456789abcdef/out own -");
}

static void check_file(const struct packages *p)
{
    char folder[] = "/tmp/cprof-crates.XXXXXX", profile[64], *path;
    struct packages again = {0}, none = {0};

    if (!mkdtemp(folder))
        return;
    snprintf(profile, sizeof profile, "%s/last.cprof", folder);
    path = packages_path(profile);
    is_number(packages_keep(p, profile), 0, "packages are kept");
    packages_find(&again, profile);
    check_packages(&again);
    is_number(packages_keep(&none, profile), 0, "a run without packages");
    ok(access(path, F_OK) != 0, "leaves none behind");
    ok(!packages_path("callgrind.out.1"), "other profiles have none");
    packages_free(&again);
    free(path);
    rmdir(folder);
}

/*--- Crates ---*/

static void put(struct fixture *m, uint32_t object, const char *name, const char *mangled,
                const char *file)
{
    int64_t ir = 1;

    m->object = object;
    fixture_cost(m, fixture_function(m, name, mangled, file, 1), NULL, 0, &ir);
}

static struct cprof_profile *make_profile(void)
{
    struct fixture m;

    fixture_begin(&m, CPROF_FORMAT_RAW, "Ir");
    fixture_program(&m, "/ws/target/release/my-app");
    put(&m, m.program, "run", "_ZN6my_app3run17h0123456789abcdefE", "/ws/app/src/../src/main.rs");
    put(&m, m.program, "top", "_ZN7top_lib3top17h0123456789abcdefE", "/ws/appendix.rs");
    put(&m, m.program, "out", NULL, "/ws/target/release/build/my-app-0123456789abcdef/out/made.rs");
    put(&m, m.program, "get", "_ZN6my_app3FOO3get17h0123456789abcdefE",
        "/rustc/" HASH "/library/std/src/thread/local.rs");
    put(&m, m.program, "with", "_ZN3std6thread5local4with17h0123456789abcdefE",
        "/rustc/" HASH "/library/std/src/thread/local.rs");
    put(&m, m.program, "bare", "_ZN3old4bare17h0123456789abcdefE", NULL);
    put(&m, m.program, "alloc", "_RNvCs1234_7___rustc12___rust_alloc", NULL);
    put(&m, m.program, "_start", NULL, NULL);
    put(&m, m.libc, "memcpy", NULL, "./string/memcpy.S");
    put(&m, CPROF_NONE, "[thread 1]", NULL, NULL);
    return fixture_end(&m);
}

static void check_crate(const struct cprof_profile *p, const struct crates *crates,
                        const char *function, const char *want)
{
    for (uint32_t i = 0; i < p->n_functions; i++)
        if (!strcmp(p->functions[i].name, function)) {
            const struct crate *crate = crates_of(crates, i);
            char *label = crate_label(crate), got[200];

            snprintf(got, sizeof got, "%s, %s", label, owner_name(crate->owner));
            is_text(got, want, function);
            free(label);
            return;
        }
    ok(0, "there is a function %s", function);
}

static void check_crates(const struct packages *packages)
{
    struct cprof_profile *p = make_profile();
    struct crates crates;

    crates_load(&crates, p, packages, NULL);
    check_crate(p, &crates, "run", "my-app 0.1.0, own");
    check_crate(p, &crates, "top", "ws 0.3.0, own");
    check_crate(p, &crates, "out", "my-app 0.1.0, own");
    check_crate(p, &crates, "get", "my-app 0.1.0, own");
    check_crate(p, &crates, "with", "std, std");
    check_crate(p, &crates, "bare", "old-one 0.2.0, own");
    check_crate(p, &crates, "alloc", "std, std");
    check_crate(p, &crates, "_start", "my-app [object], object");
    check_crate(p, &crates, "memcpy", "libc, libc");
    check_crate(p, &crates, "[thread 1]", "???, object");
    ok(!crates.guessed, "nothing is guessed where packages are known");
    ok(crate_matches(crates_of(&crates, 0), "my-app") &&
           crate_matches(crates_of(&crates, 0), "my-app@0.1.0") &&
           !crate_matches(crates_of(&crates, 0), "my-app@0.1") &&
           !crate_matches(crates_of(&crates, 0), "my"),
       "NAME and NAME@VERSION");
    crates_free(&crates);
    crates_load(&crates, p, NULL, NULL);
    check_crate(p, &crates, "run", "my_app, own");
    check_crate(p, &crates, "out", "my-app [dependency], dependency");
    check_crate(p, &crates, "with", "std, std");
    check_crate(p, &crates, "bare", "old, dependency");
    check_crate(p, &crates, "memcpy", "libc, libc");
    ok(crates.guessed, "without packages it is said that names were used");
    crates_free(&crates);
    cprof_free(p);
}

/* A name that an own package and a dependency share tells nothing of whose a function is. */
static void check_twins(void)
{
    struct packages packages = {0};
    struct fixture m;
    struct cprof_profile *p;
    struct crates crates;

    add(&packages, ARTIFACT("registry+https://example.org/index#twin@1.0.1",
                            "/r/twin-1.0.1/Cargo.toml", "lib", "twin"));
    add(&packages, ARTIFACT("path+file:///ws/twin#0.1.0", "/ws/twin/Cargo.toml", "lib", "twin"));
    fixture_begin(&m, CPROF_FORMAT_RAW, "Ir");
    m.program = builder_object(m.b, "/ws/target/release/my-app", NULL);
    put(&m, m.program, "of twin", "_ZN4twin4work17h0123456789abcdefE", NULL);
    put(&m, m.program, "of a checkout", "_ZN3git4work17h0123456789abcdefE",
        "/home/me/.cargo/git/checkouts/git-0123456789abcdef/abcdef0/src/lib.rs");
    put(&m, m.program, "of nowhere", "_ZN4mine4work17h0123456789abcdefE", "/else/mine/src/lib.rs");
    p = fixture_end(&m);
    crates_load(&crates, p, &packages, NULL);
    check_crate(p, &crates, "of twin", "twin, dependency");
    crates_free(&crates);
    crates_load(&crates, p, NULL, NULL);
    check_crate(p, &crates, "of a checkout", "git, dependency");
    check_crate(p, &crates, "of nowhere", "mine, own");
    crates_free(&crates);
    cprof_free(p);
    packages_free(&packages);
}

int main(void)
{
    struct packages packages;

    check_paths();
    check_libraries();
    check_names();
    make_packages(&packages);
    check_packages(&packages);
    check_file(&packages);
    check_crates(&packages);
    check_twins();
    packages_free(&packages);
    return tap_done();
}
