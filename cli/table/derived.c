#include <config.h>

#include "table/derived.h"

#include "table/own.h"

#include <string.h>

enum { LIST_LINES_MOST = 20 }; /* of a list of traits */

static bool has_text(const char *line, size_t size, const char *text)
{
    return memmem(line, size, text, strlen(text)) != NULL;
}

/* True for a line within a list of traits: "    Clone, Debug," */
static bool is_of_list(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:, \t",
                    line[i]))
            return false;
    return true;
}

/* True where the compiler wrote a function that is defined there: #[derive(...)] is, maybe some
 * lines above. */
static bool is_derived(const struct source *source, uint32_t line)
{
    const char *text;
    size_t size;

    for (uint32_t i = line; i && line - i < LIST_LINES_MOST; i--) {
        if (!source_line(source, i, &text, &size))
            return false;
        if (has_text(text, size, "derive("))
            return true;
        if (!is_of_list(text, size))
            return false;
    }
    return false;
}

bool *written_functions(const struct cprof_profile *p, const struct crates *crates,
                        struct source_finder *finder)
{
    bool *own = own_functions(p, crates);

    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];
        const struct source *source;

        if (!own[i] || f->file == CPROF_NONE || !f->line)
            continue;
        source = source_find(finder, p->files[f->file]);
        own[i] = source->state != SOURCE_FOUND || !is_derived(source, f->line);
    }
    return own;
}
