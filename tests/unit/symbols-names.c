/*
 * Names the addresses on standard input (hexadecimal, one a line) in the object argv[1], whose
 * build-id is argv[2] ("-": none), for shell tests: one line each, "ADDRESS FUNCTION FILE:LINE
 * DEFINITION", separated by tabs, and a last one with the quality. Functions are the symbol
 * table's.
 */
#include <config.h>

#include "cprof_internal.h"
#include "resolve/resolve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cprof_profile *read_addresses(const char *object, const char *id,
                                            struct cprof_error *error)
{
    struct builder *b = builder_new(error);
    uint32_t event = builder_event(b, "Ir"), index = builder_object(b, object, id);
    uint32_t function = builder_function(b, "???", NULL, index, CPROF_NONE, 0);
    uint64_t address;

    (void)event;
    builder_header(b)->format = CPROF_FORMAT_RAW;
    while (scanf("%" SCNx64, &address) == 1) {
        struct cprof_cost cost = {function, CPROF_NONE, 0, address};
        int64_t one = 1;

        builder_cost(b, &cost, &one);
    }
    return builder_finish(b);
}

int main(int argc, char **argv)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct cprof_profile *raw, *named;
    enum name_quality quality;

    if (argc != 3)
        return 2;
    raw = read_addresses(argv[1], strcmp(argv[2], "-") ? argv[2] : NULL, &error);
    named = raw ? resolve_profile(
                      raw, &(struct resolve_settings){.no_inlines = true, .style = NAME_FULL},
                      &quality, &error)
                : NULL;
    if (!named) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (uint32_t i = 0; i < named->n_costs; i++) {
        const struct cprof_cost *c = &named->costs[i];
        const struct cprof_function *f = &named->functions[c->function];

        printf("%" PRIx64 "\t%s\t%s:%u\t%s:%u\t%s\n", c->address, f->name,
               c->file == CPROF_NONE ? "??" : named->files[c->file], (unsigned)c->line,
               f->file == CPROF_NONE ? "??" : named->files[f->file], (unsigned)f->line,
               f->mangled ? f->mangled : f->name);
    }
    printf("quality\t%d\n", (int)quality);
    cprof_free(raw);
    cprof_free(named);
    return 0;
}
