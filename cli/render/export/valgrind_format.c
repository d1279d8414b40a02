#include <config.h>

#include "render/export/valgrind_format.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "render/text/text.h"

#include <stdlib.h>

const char *valgrind_file_name(const struct cprof_profile *profile, uint32_t file)
{
    return file == CPROF_NONE || !profile->files[file][0] ? "???" : profile->files[file];
}

void valgrind_put_name(FILE *out, const char *name)
{
    char *shown = text_shown(*name ? name : "???");

    fputs(shown, out);
    free(shown);
}

void valgrind_put_events(FILE *out, const struct cprof_profile *profile)
{
    fputs("events:", out);
    for (uint32_t i = 0; i < profile->n_events; i++) {
        fputc(' ', out);
        valgrind_put_name(out, profile->events[i].name);
    }
    fputc('\n', out);
}

void valgrind_put_counts(FILE *out, const int64_t *counts, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, " %lld", (long long)counts[i]);
}

char *valgrind_command_text(const struct cprof_profile *profile)
{
    struct strbuf text = {.text = NULL};

    if (!profile->n_arguments)
        return xstrdup(profile->command   ? profile->command
                       : profile->program ? profile->program
                                          : "???");
    for (uint32_t i = 0; i < profile->n_arguments; i++) {
        if (i)
            strbuf_add_char(&text, ' ');
        strbuf_add(&text, *profile->arguments[i] ? profile->arguments[i] : "''");
    }
    return strbuf_take(&text);
}

void valgrind_put_command(FILE *out, const struct cprof_profile *profile)
{
    char *text = valgrind_command_text(profile);

    valgrind_put_name(out, text);
    free(text);
}

void valgrind_put_caches(FILE *out, const struct cprof_profile *profile, const char *blanks)
{
    for (uint32_t i = 0; i < profile->n_caches; i++) {
        const struct cprof_cache *c = &profile->caches[i];

        fputs("desc: ", out);
        valgrind_put_name(out, c->name);
        fprintf(out, " cache:%s", blanks);
        if (!c->size)
            valgrind_put_name(out, c->text ? c->text : "???");
        else
            fprintf(out, "%llu B, %llu B, ", (unsigned long long)c->size,
                    (unsigned long long)c->line_size);
        if (c->size && c->ways == 1)
            fputs("direct-mapped", out);
        else if (c->size)
            fprintf(out, "%llu-way associative", (unsigned long long)c->ways);
        fputc('\n', out);
    }
}
