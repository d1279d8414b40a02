/*
 * Exports the profile in a file as KIND ("callgrind", "cachegrind") for shell tests: model-export
 * KIND IN OUT. IN may be "newline", a made-up profile whose function has a newline in its name.
 */
#include <config.h>

#include "builder.h"
#include "model/resolve.h"
#include "out/export.h"

#include <stdio.h>
#include <string.h>

static struct cprof_profile *make_newline(struct cprof_error *error)
{
    struct builder *b = builder_new(error);
    int64_t one = 1;
    struct cprof_cost cost = {0, CPROF_NONE, 1, 0};

    builder_event(b, "Ir");
    cost.function = builder_function(b, "one\ntwo", NULL, CPROF_NONE, CPROF_NONE, 0);
    builder_cost(b, &cost, &one);
    return builder_finish(b);
}

int main(int argc, char **argv)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct cprof_profile *read, *p = NULL;
    FILE *out;
    int status;

    if (argc != 4)
        return 2;
    read = !strcmp(argv[2], "newline") ? make_newline(&error) : cprof_load(argv[2], 0, &error);
    if (read)
        p = resolve_profile(read, NULL, NULL, &error);
    cprof_free(read);
    if (!p) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    out = fopen(argv[3], "w");
    status = !out ||
             (!strcmp(argv[1], "callgrind") ? export_callgrind(p, out) : export_cachegrind(p, out));
    cprof_free(p);
    return (out && fclose(out) != 0) || status;
}
