/* Files of the corpus cut at every 97th byte: read whole or refused, and what ends in sums of its
 * own is never read in part. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cprof.h"
#include "../tap.h"

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

/* Whether the error says that something is missing. */
static int says_cut(const struct cprof_error *error)
{
    return error->code == CPROF_ERROR_TRUNCATED || error->code == CPROF_ERROR_EMPTY ||
           !strncmp(error->text, "no events", 9);
}

static void cut(const char *name, int has_sums)
{
    const char *folder = getenv("CPROF_SHARED"), *top = getenv("top_srcdir");
    char path[4096];
    size_t size = 0, cuts = 0, wrong = 0;
    char *data;

    snprintf(path, sizeof path, "%s%s/corpus/%s",
             folder ? folder
             : top  ? top
                    : ".",
             folder ? "" : "/../shared", name);
    data = read_file(path, &size);
    if (!data) {
        skip(name, "no corpus");
        return;
    }
    for (size_t at = STEP; at < size - 1; at += STEP, cuts++) {
        struct cprof_error error;
        char *copy = malloc(at); /* of this size, so that ASan sees what is read behind it */
        struct cprof_profile *p;

        if (!copy)
            break;
        memcpy(copy, data, at);
        p = cprof_read(copy, at, name, 0, &error);
        if (p ? has_sums : !*error.text || (has_sums && !says_cut(&error))) {
            if (!wrong++)
                printf("# cut at %zu: %s\n", at, p ? "read" : error.text);
        }
        cprof_free(p);
        free(copy);
    }
    ok(cuts > 50 && !wrong, "%s, %zu cuts", name, cuts);
    free(data);
}

int main(void)
{
    cut("callgrind/v3.10-rust-rsmat.callgrind", 1);
    cut("callgrind/callgrind.when_entry_point.out", 1);
    cut("callgrind/v3.22.0-rust-s2n-multipart.out.1", 1);
    cut("callgrind/v3.3.0-bool-i386.callgrind", 1);
    cut("cachegrind/v3.10-rust-rsmat-run21563.cachegrind", 1);
    cut("other/xdebug-0.9.6-phprojekt.cachegrind", 0);
    return tap_done();
}
