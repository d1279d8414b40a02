/*
 * cprof_write(): its bytes, that cprof_read() takes them for the same profile, and what is said
 * where they cannot be kept.
 */
#include <config.h>

#include "../tap.h"
#include "cprof.h"

#include <errno.h>
#include <stdlib.h>

/* Bytes that were written; `left` calls succeed, and `called` says how many there were. */
struct kept {
    char *bytes;
    size_t size;
    unsigned left, called;
    size_t greatest; /* of one call */
};

static int keep(void *to, const void *data, size_t size)
{
    struct kept *k = to;

    k->called++;
    if (!k->left) {
        errno = ENOSPC;
        return -1;
    }
    k->left--;
    k->greatest = size > k->greatest ? size : k->greatest;
    k->bytes = realloc(k->bytes, k->size + size + 1);
    if (!k->bytes)
        exit(1);
    memcpy(k->bytes + k->size, data, size);
    k->size += size;
    k->bytes[k->size] = '\0';
    return 0;
}

static struct cprof_profile *read_text(const char *text)
{
    struct cprof_error error;
    struct cprof_profile *p = cprof_read(text, strlen(text), "text", 0, &error);

    if (!p)
        printf("# line %lu: %s\n", error.line, error.text);
    return p;
}

/* The bytes that are written of the profile in `text`, for the caller to free. */
static char *rewrite(const char *text)
{
    struct kept k = {.left = (unsigned)-1};
    struct cprof_error error;
    struct cprof_profile *p = read_text(text);

    ok(p && !cprof_write(p, keep, &k, &error) && error.code == CPROF_OK, "read and written");
    cprof_free(p);
    return k.bytes ? k.bytes : calloc(1, 1);
}

static void check(const char *what, const char *text, const char *want)
{
    char *once = rewrite(text), *twice = rewrite(once);

    is_text(once, want, what);
    is_text(twice, want, "a profile that is read and written again has the bytes of before");
    free(once);
    free(twice);
}

/* Texts that would be taken for something else without an escape. */
static void test_escapes(void)
{
    check("bytes that need an escape",
          "cprof-named 1\n"
          "format: cprof\n"
          "command: a b \\x5c \\x0a\\x7f \xc3\xa9\n"
          "cache: L\\x201 1 2 3 \\x2d\n"
          "part: -1 -1 -1 - a\\x20b\n"
          "events: Ir\n"
          "o a\\x20b /a b\n"
          "o \\x2d -\n"
          "l \n"
          "f 0 0 0 0 0 - \\x2d a\\x20b\\x2c x y\n"
          "c 0 - 0 0 1\n"
          "end 11\n",
          "cprof-named 1\n"
          "format: cprof\n"
          "command: a b \\x5c \\x0a\\x7f \xc3\xa9\n"
          "cache: L\\x201 1 2 3 \\x2d\n"
          "part: -1 -1 -1 - a\\x20b\n"
          "events: Ir\n"
          "o a\\x20b /a b\n"
          "o \\x2d -\n"
          "l \n"
          "f 0 0 0 0 0 - \\x2d a\\x20b, x y\n"
          "c 0 - 0 0 1\n"
          "end 11\n");
    check("an event whose name looks like an escape",
          "# callgrind format\nevent: a\\x41 = Ir : Long\nevents: Ir a\\x41\nfn=f\n1 2 3\n",
          "cprof-named 1\nformat: callgrind\npart: -1 -1 -1 - -\nevents: Ir a\\x41\n"
          "event: a\\x5cx41 Long Ir\nf - - 0 0 0 - - - f\nc 0 - 1 0 2 3\nend 7\n");
}

static void test_numbers(void)
{
    check("numbers at the ends of their ranges",
          "cprof-named 1\nformat: cachegrind\nevents: Ir Dr Dw\nl a\n"
          "f - 0 4294967295 ffffffffffffffff 4294967295 il - - f\n"
          "c 0 - 4294967295 ffffffffffffffff -9223372036854775807\n"
          "c 0 0 0 0 0 0 9223372036854775807\n"
          "e 0 0 0 0 0 9223372036854775807 1 0\ni 0 0 -1\nend 9\n",
          "cprof-named 1\nformat: cachegrind\nevents: Ir Dr Dw\nl a\n"
          "f - 0 4294967295 ffffffffffffffff 4294967295 il - - f\n"
          "c 0 0 0 0 0 0 9223372036854775807\n"
          "c 0 - 4294967295 ffffffffffffffff -9223372036854775807\n"
          "e 0 0 0 0 0 9223372036854775807 1 0\ni 0 0 -1\nend 9\n");
}

/* More than is handed over at once; fields lie across the ends of pieces. */
static char *make_large(void)
{
    enum { FUNCTIONS = 9000, ROOM = 600000 };
    char *text = malloc(ROOM);
    size_t size;

    if (!text)
        exit(1);
    size = (size_t)sprintf(text, "cprof-named 1\nformat: cprof\nevents: Ir\n");
    for (int i = 0; i < FUNCTIONS; i++)
        size += (size_t)sprintf(text + size, "f - - 0 0 0 - - - function\\x09%d\n", i);
    for (int i = 0; i < FUNCTIONS; i++)
        size += (size_t)sprintf(text + size, "c %d - 0 0 %d\n", i, i);
    sprintf(text + size, "end %d\n", 2 * FUNCTIONS + 3);
    return text;
}

static void test_large(const char *text)
{
    struct kept k = {.left = (unsigned)-1};
    struct cprof_profile *p = read_text(text);

    ok(p && !cprof_write(p, keep, &k, NULL), "a large profile is written");
    ok(k.bytes && !strcmp(k.bytes, text), "a large profile is read as it was");
    ok(k.called > 10 && k.greatest >= 4096, "in %u pieces of up to %zu bytes", k.called,
       k.greatest);
    cprof_free(p);
    free(k.bytes);
}

static void test_failure(const char *text)
{
    struct cprof_profile *p = read_text(text);

    for (unsigned left = 0; left < 3; left++) {
        struct kept k = {.left = left};
        struct cprof_error error;

        errno = 0;
        ok(p && cprof_write(p, keep, &k, &error) == -1 && errno == ENOSPC,
           "piece %u cannot be kept", left + 1);
        is_number(k.called, (long long)left + 1, "no other is offered");
        is_number(error.code, CPROF_ERROR_SYSTEM, "the code");
        is_text(error.source, "text", "the source");
        is_text(error.text, "cannot write: No space left on device", "the reason");
        errno = 0;
        k.left = 0;
        ok(cprof_write(p, keep, &k, NULL) == -1 && errno == ENOSPC,
           "a write without an error to fill fails, too");
        free(k.bytes);
    }
    cprof_free(p);
}

int main(void)
{
    char *large = make_large();

    test_escapes();
    test_numbers();
    test_large(large);
    test_failure(large);
    free(large);
    return tap_done();
}
