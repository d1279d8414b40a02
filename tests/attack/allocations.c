/*
 * allocations FILE... - reads each file, from memory and by name, with each of its allocations
 * failing in turn, it alone or it and all that follow: that is the error CPROF_ERROR_MEMORY,
 * whether the file is a profile or is refused; memory that does not fail changes nothing.
 */
#include <config.h>

#include "../failing.h"
#include "../tap.h"
#include "cprof.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SIZE = 1 << 20 };

/* The code of the error, CPROF_OK where the file is read: from memory, or by name. */
static int read_one(const char *path, const char *data, size_t size, struct cprof_error *error)
{
    struct cprof_profile *p =
        data ? cprof_read(data, size, "memory", 0, error) : cprof_load(path, 0, error);
    int code = p ? CPROF_OK : (int)error->code;

    cprof_free(p);
    return code;
}

/* A file that is refused may be so before the allocation that fails. */
static void fail_in_turn(const char *path, const char *data, size_t size)
{
    struct cprof_error error;
    unsigned long total, good = 0;
    int usual;

    failing_arm(0, 0);
    usual = read_one(path, data, size, &error);
    total = failing_count;
    for (unsigned long i = 1; i <= total; i++)
        for (int alone = 0; alone < 2; alone++) {
            int code;

            failing_arm(i, alone ? i : (unsigned long)-1);
            code = read_one(path, data, size, &error);
            good += code == CPROF_ERROR_MEMORY || (usual != CPROF_OK && code == usual);
        }
    failing_arm(0, 0);
    ok(good == total * 2, "%s, %s: %lu allocations", path, data ? "from memory" : "from the file",
       total);
}

int main(int argc, char **argv)
{
    static char data[MAX_SIZE];

    for (int i = 1; i < argc; i++) {
        FILE *in = fopen(argv[i], "r");
        size_t size = in ? fread(data, 1, sizeof data, in) : 0;

        if (in)
            fclose(in);
        ok(in != NULL, "%s can be opened", argv[i]);
        fail_in_turn(argv[i], data, size);
        fail_in_turn(argv[i], NULL, 0);
    }
    return tap_done();
}
