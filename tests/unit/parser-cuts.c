/* Cases of other tests cut at every byte, and files of the corpus at every 97th: what ends in sums
 * of its own is never read in part without a word, and never with a number of which digits are
 * missing. */
#include <config.h>

#include "../tap.h"
#include "cprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 97 };

static char *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    long end;

    if (f && !fseek(f, 0, SEEK_END) && (end = ftell(f)) > 0 && (data = malloc((size_t)end))) {
        rewind(f);
        *size = fread(data, 1, (size_t)end, f);
    }
    if (f)
        fclose(f);
    return data;
}

/* True where the error says that something is missing; of part of a first line, that it is none. */
static int says_cut(const struct cprof_error *error, int in_first_line)
{
    return (in_first_line && error->code == CPROF_ERROR_FOREIGN) ||
           error->code == CPROF_ERROR_TRUNCATED || error->code == CPROF_ERROR_EMPTY ||
           !strncmp(error->text, "no events", 9);
}

static struct cprof_profile *read_copy(const char *data, size_t size, unsigned flags,
                                       struct cprof_error *error)
{
    char *copy = malloc(size); /* of this size, so that ASan sees what is read behind it */
    struct cprof_profile *p;

    if (!copy)
        abort();
    memcpy(copy, data, size);
    p = cprof_read(copy, size, "cut", flags, error);
    free(copy);
    return p;
}

/* A file that ends in no sums of its own may be read as it is. */
enum ends { NO_SUMS, SUMS_OR_REFUSED, SUMS_OR_WARNED };

/* True where a file that was read from a cut one says so, and has what its whole lines have. */
static int is_honest(const struct cprof_profile *p, const char *data, size_t at)
{
    struct cprof_error error;
    struct cprof_profile *lines;
    int same;

    if (!p->may_be_cut || !p->n_warnings)
        return 0;
    while (data[at - 1] != '\n')
        at--;
    lines = read_copy(data, at, 0, &error);
    same = lines && lines->n_events == p->n_events &&
           !memcmp(lines->totals, p->totals, p->n_events * sizeof *p->totals);
    cprof_free(lines);
    lines = read_copy(data, at, CPROF_STRICT, &error);
    same &= !lines && error.code == CPROF_ERROR_TRUNCATED;
    cprof_free(lines);
    return same;
}

static int is_right(const struct cprof_profile *p, enum ends ends, const struct cprof_error *error,
                    const char *data, size_t at)
{
    if (!p)
        return *error->text && (ends == NO_SUMS || says_cut(error, !memchr(data, '\n', at)));
    return ends == NO_SUMS || (ends == SUMS_OR_WARNED && is_honest(p, data, at));
}

/* Cuts the bytes at every `step`th. */
static void cut_bytes(const char *name, const char *data, size_t size, size_t step, enum ends ends)
{
    size_t cuts = 0, wrong = 0;

    for (size_t at = step; at < size - 1; at += step, cuts++) {
        struct cprof_error error;
        struct cprof_profile *p = read_copy(data, at, 0, &error);

        if (!is_right(p, ends, &error, data, at) && !wrong++)
            printf("# cut at %zu: %s\n", at, p ? "read" : error.text);
        cprof_free(p);
    }
    ok(cuts > 40 && !wrong, "%s, %zu cuts", name, cuts);
}

/* A file of the corpus, which is not part of a release. */
static void cut(const char *name, enum ends ends)
{
    const char *folder = getenv("CPROF_SHARED"), *top = getenv("top_srcdir");
    char path[4096];
    size_t size = 0;
    char *data;

    snprintf(path, sizeof path, "%s%s/corpus/%s",
             folder ? folder
             : top  ? top
                    : ".",
             folder ? "" : "/../shared", name);
    data = read_file(path, &size);
    if (data)
        cut_bytes(name, data, size, STEP, ends);
    else
        skip(name, "no corpus");
    free(data);
}

/* A case of parser-cases.test, at every byte. */
static void cut_case(const char *name, enum ends ends)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    size_t size = 0;
    char *data;

    snprintf(path, sizeof path, "%s/tests/data/parser/%s/input", top ? top : ".", name);
    data = read_file(path, &size);
    if (ok(data != NULL, "%s is there", path))
        cut_bytes(name, data, size, 1, ends);
    free(data);
}

int main(void)
{
    cut_case("raw-contexts", SUMS_OR_REFUSED);
    cut_case("raw-plain", SUMS_OR_REFUSED);
    cut_case("raw-names", SUMS_OR_REFUSED);
    cut_case("raw-runs-plain", SUMS_OR_REFUSED);
    cut_case("named-contexts", SUMS_OR_REFUSED);
    cut_case("named-inlined-calls", SUMS_OR_REFUSED);
    cut_case("cachegrind-plain", SUMS_OR_REFUSED);
    cut_case("cachegrind-branches", SUMS_OR_REFUSED);
    cut_case("callgrind-rcalls", NO_SUMS);
    cut("callgrind/v3.10-rust-rsmat.callgrind", SUMS_OR_WARNED);
    cut("callgrind/callgrind.when_entry_point.out", SUMS_OR_WARNED);
    cut("callgrind/v3.22.0-rust-s2n-multipart.out.1", SUMS_OR_WARNED);
    cut("callgrind/v3.3.0-bool-i386.callgrind", SUMS_OR_WARNED);
    cut("cachegrind/v3.10-rust-rsmat-run21563.cachegrind", SUMS_OR_REFUSED);
    cut("other/xdebug-0.9.6-phprojekt.cachegrind", NO_SUMS);
    return tap_done();
}
