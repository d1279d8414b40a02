/*
 * Out of memory: profiles of each kind are read with each of their allocations failing in turn, it
 * alone or it and all that follow (failing.h).
 */
#include <config.h>

#include "../failing.h"
#include "../tap.h"
#include "cprof.h"

#include <stdarg.h>
#include <unistd.h>

/* A file that is put together piece by piece. */
struct file {
    char text[100000];
    size_t size;
};

__attribute__((format(printf, 2, 3))) static void add(struct file *f, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    f->size += (size_t)vsnprintf(f->text + f->size, sizeof f->text - f->size, format, arguments);
    va_end(arguments);
}

/* All have more of everything than first allocations hold, in an order that has to be sorted.
 */

static void make_callgrind(struct file *f)
{
    f->size = 0;
    add(f, "# callgrind format\nversion: 1\ncreator: me\npid: 1\ncmd: ./a\npart: 1\n"
           "desc: I1 cache: 32768 B, 64 B, 8-way associative\nevent: Ir : Instructions\n"
           "events: Ir\nunknown line\n");
    for (int part = 0; part < 2; part++) {
        for (int i = 299; i >= 0; i--)
            add(f, "ob=(%d) lib%d\nfl=(%d) %d.c\nfn=(%d) f%d\n%d 1\ncfn=(%d) f%d\ncalls=1 1\n5 2\n",
                i, i, i, i, i, i, i + 3, i, i);
        add(f, "totals: 300\n%s", part ? "" : "part: 2\ntrigger: t\nevents: Ir Dr\n");
    }
}

static void make_cachegrind(struct file *f)
{
    f->size = 0;
    add(f, "desc: I1 cache: 32768 B, 64 B, 8-way associative\ncmd: ./a\nevents: Ir\n");
    for (int i = 599; i >= 0; i--)
        add(f, "fl=%d.c\nfn=f%d\n%d 1\n", i % 300, i, i);
    add(f, "summary: 600\n");
}

static void make_raw(struct file *f)
{
    size_t lines = 0;

    f->size = 0;
    add(f, "cprof-raw 2\ncreator: a\nprogram: a\\x20b\narg: a\nI1: 1 2 3\nevents: Ir Dr\n"
           "counted: Dr\nexit: code 0\nt 0 - [thread 1]\n");
    for (int i = 0; i < 100; i++)
        add(f, "o %d ab /a%d\ns %d %d %x i +1 ir\nf %d %x name%d\n", i, i, i, i, i + 16, i, i + 16,
            i);
    for (int i = 1; i < 300; i++)
        add(f, "n %d %d %d %x %d %x 1\nk %d 3\nk %d 1\nm %d %x 1\n", i, i - 1, i % 100, i, i % 100,
            i, i % 100, (i + 50) % 100, i % 100, i);
    for (int i = 299; i >= 0; i--)
        add(f, "i %d %x 1 2\ne %d %x %d %x - 0 1 2 3\n", i % 100, i, i % 100, i, i % 50, i);
    for (size_t i = 0; i < f->size; i++)
        lines += f->text[i] == '\n';
    add(f, "end %zu\n", lines);
}

static void make_named(struct file *f)
{
    size_t lines = 0;

    f->size = 0;
    add(f, "cprof-named 1\ncreator: a\nprogram: a\\x20b\ncommand: a b\narg: a\narg: b\ndesc: d\n"
           "cache: I1 1 2 3 t\npart: 1 -1 2 t r\nevents: Ir Dr\nevent: Dr Reads +\nsummary: 1\n");
    for (int i = 0; i < 200; i++)
        add(f, "o ab%d /a%d\nl %d.c\nf %d %d 3 4 2 il _m%d u8 name%d\n", i, i, i, i, i, i, i);
    add(f, "n - 0 - 0 0 0 0\n");
    for (int i = 0; i < 300; i++)
        add(f, "n %d %d %d 7 8 9 0\nc %d %d 3 4 5\n", i, i % 200, i % 200, (i + 50) % 200, i % 200);
    for (int i = 299; i >= 0; i--)
        add(f, "e %d %d %d 3 4 5 1 6 7\ni %d 1 2\n", i % 200, i % 150, i % 20, i % 200);
    for (size_t i = 0; i < f->size; i++)
        lines += f->text[i] == '\n';
    add(f, "end %zu\n", lines);
}

/* A case of parser-cases.test. */
static void make_case(struct file *f, const char *name)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    FILE *in;

    snprintf(path, sizeof path, "%s/tests/data/parser/%s/input", top ? top : ".", name);
    in = fopen(path, "rb");
    f->size = in ? fread(f->text, 1, sizeof f->text, in) : 0;
    if (in)
        fclose(in);
}

static void pack(struct file *f)
{
    static struct file plain;
    z_stream z = {0};

    plain = *f;
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (unsigned char *)plain.text;
    z.avail_in = (uInt)plain.size;
    z.next_out = (unsigned char *)f->text;
    z.avail_out = sizeof f->text;
    deflate(&z, Z_FINISH);
    f->size = sizeof f->text - z.avail_out;
    deflateEnd(&z);
}

/* Reads `f` from memory, or from the file of that name. */
static struct cprof_profile *read_profile(const struct file *f, const char *path,
                                          struct cprof_error *error)
{
    return path ? cprof_load(path, 0, error) : cprof_read(f->text, f->size, "memory", 0, error);
}

static void test_failures(const struct file *f, const char *path, const char *what)
{
    struct cprof_error error;
    struct cprof_profile *p;
    unsigned long total, good = 0;

    failing_arm(0, 0);
    p = read_profile(f, path, &error);
    total = failing_count;
    if (!ok(p && total > 20, "%s: %lu allocations", what, total))
        printf("# %lu: %s\n", error.line, error.text);
    cprof_free(p);
    for (unsigned long i = 1; i <= total; i++)
        for (int alone = 0; alone < 2; alone++) {
            failing_arm(i, alone ? i : (unsigned long)-1);
            p = read_profile(f, path, &error);
            good += !p && error.code == CPROF_ERROR_MEMORY && !strcmp(error.text, "out of memory");
            cprof_free(p);
        }
    failing_arm(0, 0);
    is_number((long long)good, (long long)total * 2, "each that fails is an error");
}

static void test_file(struct file *f, const char *what)
{
    char path[] = "parser-memory.XXXXXX";
    int fd = mkstemp(path);

    test_failures(f, NULL, what);
    pack(f);
    if (ok(fd >= 0 && write(fd, f->text, f->size) == (ssize_t)f->size, "a packed file of it"))
        test_failures(f, path, what);
    close(fd);
    unlink(path);
}

static void test_kind(void (*make)(struct file *), const char *what)
{
    static struct file f;

    make(&f);
    test_file(&f, what);
}

static void test_case(const char *name)
{
    static struct file f;

    make_case(&f, name);
    test_file(&f, name);
}

int main(void)
{
    static const char *const cases[] = {"pprof-plain",
                                        "gperftools-cpu",
                                        "gperftools-heap",
                                        "json-speedscope-sampled",
                                        "json-firefox-threads",
                                        "json-dhat-heap",
                                        "json-cpuprofile-plain",
                                        "json-cpuprofile-nested",
                                        "json-speedscope-evented",
                                        "massif-peak"};

    test_kind(make_callgrind, "callgrind");
    test_kind(make_cachegrind, "cachegrind");
    test_kind(make_raw, "raw");
    test_kind(make_named, "with names");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        test_case(cases[i]);
    return tap_done();
}
