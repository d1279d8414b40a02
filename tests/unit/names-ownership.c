/* Whose code functions and files are: each rule of ownership.h. */
#include <config.h>

#include "../tap.h"
#include "fixture.h"
#include "names/crates.h"

#include <stdlib.h>
#include <unistd.h>

#define STD "/rustc/0123456789abcdef0123456789abcdef01234567/library/std/src/rt.rs"

/* A function of an object with a cost; `file` may be NULL. */
static void put(struct fixture *m, uint32_t object, const char *name, const char *mangled,
                const char *file, uint32_t line)
{
    int64_t ir = 1;

    m->object = object;
    fixture_cost(m, fixture_function(m, name, mangled, file, line), NULL, 0, &ir);
}

static void plain(struct fixture *m, uint32_t object, const char *name)
{
    put(m, object, name, NULL, NULL, 0);
}

static void begin(struct fixture *m, const char *program)
{
    fixture_begin(m, CPROF_FORMAT_RAW, "Ir");
    fixture_program(m, program);
}

/* Compares the owners of all functions, "main own, work own", and frees the profile. */
static void owners(struct fixture *m, const struct packages *packages, const char *want,
                   const char *what)
{
    struct cprof_profile *p = fixture_end(m);
    struct crates crates;
    char got[1000] = "";
    bool agrees = true;

    crates_load(&crates, p, packages, NULL);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        size_t size = strlen(got);

        snprintf(got + size, sizeof got - size, "%s%s %s", i ? ", " : "", p->functions[i].name,
                 owner_name(crates_owner(&crates, i)));
        agrees &= crates.own[i] == (crates_owner(&crates, i) == OWNER_OWN);
    }
    is_text(got, want, what);
    ok(agrees, "%s: the flags of own code say what the owners say", what);
    crates_free(&crates);
    cprof_free(p);
}

/*--- C ---*/

static void put_runtime(struct fixture *m)
{
    plain(m, m->program, "_start");
    plain(m, m->program, "frame_dummy");
    plain(m, m->program, "main");
    plain(m, m->program, "work");
    plain(m, m->program, "printf@plt");
    plain(m, m->program, "??? (.plt)");
    put(m, m->libc, "printf", NULL, "./stdio-common/printf.c", 30);
}

static void check_c(void)
{
    struct fixture m;

    begin(&m, "/home/me/p");
    put_runtime(&m);
    owners(&m, NULL,
           "_start startup, frame_dummy startup, main own, work own, printf@plt object, "
           "??? (.plt) object, printf libc",
           "a C program without debug information");
    begin(&m, "/home/me/p");
    plain(&m, m.program, "_start");
    put(&m, m.program, "main", NULL, "/home/me/p.c", 5);
    plain(&m, m.program, "deflate");
    owners(&m, NULL, "_start startup, main own, deflate object",
           "a C program with debug information, and a library in it without");
    begin(&m, "/home/me/p");
    plain(&m, m.program, "p+0x1060");
    plain(&m, m.program, "exported");
    owners(&m, NULL, "p+0x1060 object, exported object", "a stripped C program");
    begin(&m, "/home/me/p");
    plain(&m, m.program, "0x1060");
    plain(&m, m.program, "main");
    owners(&m, NULL, "0x1060 object, main object", "a stripped C program that exports main");
    begin(&m, "/home/me/p");
    plain(&m, m.program, "__libc_start_main");
    plain(&m, m.program, "main");
    plain(&m, m.program, "work");
    plain(&m, m.program, "printf");
    owners(&m, NULL, "__libc_start_main startup, main own, work object, printf object",
           "a C program that libc is linked into, without debug information");
    begin(&m, "/home/me/p");
    plain(&m, m.program, "__libc_start_main");
    put(&m, m.program, "main", NULL, "/home/me/p.c", 5);
    put(&m, m.program, "work", NULL, "/home/me/p.c", 2);
    plain(&m, m.program, "printf");
    owners(&m, NULL, "__libc_start_main startup, main own, work own, printf object",
           "a C program that libc is linked into, with debug information");
    begin(&m, "/home/me/p");
    plain(&m, m.program, "main");
    put(&m, m.program, "std::sort", "_ZSt4sortIPiEvT_S1_", NULL, 0);
    put(&m, m.program, "std::map::find", "_ZNKSt3mapIiiE4findERKi", NULL, 0);
    put(&m, m.program, "Item::less", "_ZN4Item4lessEv", NULL, 0);
    owners(&m, NULL, "main own, std::sort std, std::map::find std, Item::less own",
           "a C++ program without debug information");
}

/*--- Objects ---*/

static void check_objects(void)
{
    struct fixture m;
    uint32_t library, installed, hidden;

    begin(&m, "/usr/bin/python3.11");
    library = builder_object(m.b, "/home/me/ext/fast.cpython-311-x86_64-linux-gnu.so", NULL);
    installed = builder_object(m.b, "/home/me/venv/lib/python3.11/site-packages/np.so", NULL);
    hidden = builder_object(m.b, "/home/me/.local/lib/other.so", NULL);
    plain(&m, m.program, "Py_BytesMain");
    plain(&m, m.program, "_start");
    plain(&m, library, "work");
    plain(&m, library, "fast.cpython-311-x86_64-linux-gnu.so+0x10");
    put(&m, installed, "dot", NULL, "/build/np.c", 9);
    plain(&m, hidden, "other");
    owners(&m, NULL,
           "Py_BytesMain object, _start startup, work own, "
           "fast.cpython-311-x86_64-linux-gnu.so+0x10 object, dot object, other object",
           "an extension of the user's, in an interpreter");
    begin(&m, "/usr/bin/git");
    plain(&m, m.program, "cmd_main");
    owners(&m, NULL, "cmd_main own", "an installed program that runs no code of the user's else");
    begin(&m, "/home/me/build/app");
    library = builder_object(m.b, "/home/me/build/libcore.so.1", NULL);
    plain(&m, m.program, "main");
    plain(&m, library, "work");
    plain(&m, builder_object(m.b, "/work/vgpreload_core-amd64-linux.so", NULL), "wrap");
    plain(&m, builder_object(m.b, "/tmp/perf-12.map", NULL), "JS:~loop");
    plain(&m, builder_object(m.b, "[JIT]", NULL), "LuaJIT:loop");
    plain(&m, CPROF_NONE, "[thread 1]");
    owners(&m, NULL,
           "main own, work object, wrap object, JS:~loop object, LuaJIT:loop object, [thread 1] "
           "object",
           "a program with a library beside it, and code made at run time");
}

/*--- Rust ---*/

static void put_rust(struct fixture *m, const char *source)
{
    plain(m, m->program, "_start");
    plain(m, m->program, "main");
    put(m, m->program, "std::rt::lang_start", NULL, STD, 10);
    put(m, m->program, "app::main", "_ZN3app4main17h0123456789abcdefE", source, 4);
    put(m, m->program, "app::S::clone", "_ZN3app1S5clone17h0123456789abcdefE", source, 1);
    put(m, m->program, "app::S::eq", "_ZN3app1S2eq17h0123456789abcdefE", source, 3);
    put(m, m->program, "dep::f", "_ZN3dep1f17h0123456789abcdefE",
        "/home/me/.cargo/registry/src/index-0123456789abcdef/dep-1.0.0/src/lib.rs", 1);
    plain(m, m->program, "memcpy");
}

static void check_rust(void)
{
    char source[] = "/tmp/ownership-XXXXXX";
    int file = mkstemp(source);
    char path[sizeof source + 3];
    struct fixture m;
    FILE *out;

    snprintf(path, sizeof path, "%s.rs", source);
    rename(source, path);
    out = fdopen(file, "w");
    fputs("#[derive(Clone)]\n#[derive(\n    PartialEq,\nfn main() {}\n", out);
    fclose(out);
    begin(&m, "/home/me/target/release/app");
    put_rust(&m, path);
    owners(&m, NULL,
           "_start startup, main startup, std::rt::lang_start std, app::main own, "
           "app::S::clone derived, app::S::eq derived, dep::f dependency, memcpy object",
           "a Rust program with its source");
    begin(&m, "/home/me/target/release/app");
    put_rust(&m, "/nowhere/src/main.rs");
    owners(&m, NULL,
           "_start startup, main startup, std::rt::lang_start std, app::main own, "
           "app::S::clone own, app::S::eq own, dep::f dependency, memcpy object",
           "a Rust program without its source");
    unlink(path);
    begin(&m, "/home/me/target/release/app");
    put(&m, m.program, "app::main", "_ZN3app4main17h0123456789abcdefE", NULL, 0);
    plain(&m, m.program, "memcpy");
    owners(&m, NULL, "app::main own, memcpy object", "a Rust program without debug information");
}

/* A library of Rust, in an interpreter. */
static void check_rust_library(void)
{
    struct fixture m;
    uint32_t library;

    begin(&m, "/usr/bin/python3.11");
    library = builder_object(m.b, "/home/me/fast/target/release/libfast_sum.so", NULL);
    plain(&m, m.program, "Py_BytesMain");
    put(&m, library, "fast_sum::add", "_ZN8fast_sum3add17h0123456789abcdefE", NULL, 0);
    put(&m, library, "other::add", "_ZN5other3add17h0123456789abcdefE", NULL, 0);
    put(&m, library, "std::rt", "_ZN3std2rt17h0123456789abcdefE", NULL, 0);
    owners(&m, NULL, "Py_BytesMain object, fast_sum::add own, other::add dependency, std::rt std",
           "a Rust library of the user's in an interpreter, without debug information");
}

/* Files: of the user's crates, of others, and such as say nothing. */
static void check_files(void)
{
    struct fixture m;
    struct cprof_profile *p;
    struct crates crates;

    begin(&m, "/home/me/p");
    put(&m, m.program, "main", NULL, "/home/me/p.c", 1);
    put(&m, m.program, "std::rt::lang_start", NULL, STD, 10);
    p = fixture_end(&m);
    crates_load(&crates, p, NULL, NULL);
    ok(crates.own_file[0] && !crates.own_file[1], "files that are own, and that are not");
    crates_free(&crates);
    cprof_free(p);
}

int main(void)
{
    check_c();
    check_objects();
    check_rust();
    check_rust_library();
    check_files();
    return tap_done();
}
