#include <config.h>

#include "scale/bench_names.h"

#include "base/counts.h"
#include "base/message.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* The size in a bench's name; 0: it has none there, or another one somewhere else. */
static int64_t size_in(const char *name, const char *template)
{
    size_t before = (size_t)(strstr(template, "{n}") - template);
    int64_t size = 0;
    char *filled;

    if (strncmp(name, template, before) != 0)
        return 0;
    for (const char *at = name + before; *at >= '0' && *at <= '9' && size < INT64_MAX / 100; at++)
        size = size * 10 + (*at - '0');
    filled = template_fill(template, size);
    if (strcmp(filled, name) != 0)
        size = 0;
    free(filled);
    return size;
}

static int compare_sizes(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int find_all(const struct string_list *names, const char *template, struct sizes *sizes)
{
    for (size_t i = 0; i < names->n && sizes->n < GROWTH_SIZES_MOST; i++) {
        int64_t size = size_in(names->items[i], template);

        if (size > 0)
            sizes->items[sizes->n++] = size;
    }
    sort_items(sizes->items, sizes->n, sizeof *sizes->items, compare_sizes);
    if (sizes->n >= GROWTH_SIZES_LEAST)
        return 0;
    return message_error("%s bench%s called '%s', and growth takes at least %d sizes; 'cargo bench "
                         "-- --list' lists all benches",
                         sizes->n ? TEXT_COUNT(sizes->n) : "no", sizes->n == 1 ? " is" : "es are",
                         template, GROWTH_SIZES_LEAST);
}

static int check_names(const struct string_list *names, const char *template,
                       const struct sizes *sizes)
{
    for (size_t i = 0; i < sizes->n; i++) {
        char *name = template_fill(template, sizes->items[i]);
        bool is_there = string_list_has(names, name);
        int status =
            is_there ? 0
                     : message_error("no bench is called '%s'; 'cargo bench -- --list' lists all "
                                     "benches, and without --sizes all of '%s' run",
                                     name, template);

        free(name);
        if (status)
            return status;
    }
    return 0;
}

int bench_names_find(const struct harness *harness, const struct program *program, const char *name,
                     struct sizes *sizes)
{
    struct string_list names;
    int status;

    if (harness->own_runner)
        return message_error("'%s' is a bench of %s, which starts itself again under %s: its "
                             "growth cannot be measured; write it for another harness",
                             program->name, harness->name, harness->own_runner);
    status = harness_names(harness, program, &names);
    if (status)
        return status;
    status = sizes->n ? check_names(&names, name, sizes) : find_all(&names, name, sizes);
    string_list_free_texts(&names);
    return status;
}
