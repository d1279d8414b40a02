/*
 * fixture.h - profiles that unit tests make.
 *
 *     struct fixture f;
 *
 *     fixture_begin(&f, CPROF_FORMAT_RAW, "Ir Dr");
 *     fixture_cost(&f, fixture_function(&f, "main", NULL, NULL, 1), 2, (int64_t[]){10, 1});
 *     profile = fixture_end(&f);
 *
 * A function gets the object and the file that the fixture has at that time. What else a test needs
 * it does with the builder.
 */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "cprof_internal.h"

#include <string.h>

struct fixture {
    struct builder *b;
    struct cprof_error error;
    uint32_t object;        /* of functions that are made; CPROF_NONE: none */
    uint32_t program, libc; /* objects that fixture_program() makes */
};

/* Begins a profile; the names of its events are separated by blanks. */
static inline void fixture_begin(struct fixture *f, enum cprof_format format, const char *events)
{
    *f = (struct fixture){.object = CPROF_NONE, .program = CPROF_NONE, .libc = CPROF_NONE};
    f->b = builder_new(&f->error);
    builder_header(f->b)->format = format;
    for (const char *name = events; *name; name += strspn(name, " ")) {
        char text[32] = "";
        size_t size = strcspn(name, " ");

        memcpy(text, name, size < sizeof text ? size : sizeof text - 1);
        builder_event(f->b, text);
        name += size;
    }
}

/* Makes the objects of a program and of libc; the program's is that of functions. */
static inline void fixture_program(struct fixture *f, const char *path)
{
    builder_header(f->b)->program = path;
    f->object = f->program = builder_object(f->b, path, NULL);
    f->libc = builder_object(f->b, "/lib/libc.so.6", NULL);
}

/* The file of that path, which may be NULL. */
static inline uint32_t fixture_file(struct fixture *f, const char *path)
{
    return path ? builder_file(f->b, path) : CPROF_NONE;
}

static inline uint32_t fixture_function(struct fixture *f, const char *name, const char *mangled,
                                        const char *file, uint32_t line)
{
    return builder_function(f->b, name, mangled, f->object, fixture_file(f, file), line);
}

/* Adds a cost of a function at a line of `file`, which may be NULL. */
static inline void fixture_cost(struct fixture *f, uint32_t function, const char *file,
                                uint32_t line, const int64_t *counts)
{
    struct cprof_cost cost = {function, fixture_file(f, file), line, 0};

    builder_cost(f->b, &cost, counts);
}

/* Adds calls from a line of `file`, which may be NULL. */
static inline void fixture_call(struct fixture *f, struct cprof_call call, const char *file,
                                const int64_t *counts)
{
    call.file = fixture_file(f, file);
    builder_call(f->b, &call, counts);
}

/* Adds a context that spends `ir` counts of the only event at `cost`, if any. */
static inline uint32_t fixture_context(struct fixture *f, const struct cprof_context *context,
                                       const struct cprof_cost *cost, int64_t ir)
{
    uint32_t index = builder_context(f->b, context);

    if (ir)
        builder_context_cost(f->b, index, cost, &ir);
    return index;
}

static inline struct cprof_profile *fixture_end(struct fixture *f)
{
    return builder_finish(f->b);
}

#endif
