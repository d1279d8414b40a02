#include <config.h>

#include "render/json/json_document.h"

#include "derive/sections.h"
#include "render/json/json_tree.h"
#include "render/json/json_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void json_set_missing(json_t *document, const struct cprof_profile *p)
{
    if (p->exit == CPROF_EXIT_SIGNAL)
        json_object_set_new(document, "interrupted", json_true());
    if (p->lost_samples)
        json_object_set_new(document, "lost_samples", json_integer((json_int_t)p->lost_samples));
}

/* Adds "part", the names of the sections that the profile is of; nothing for a whole program. */
static void set_part(json_t *document, const struct cprof_profile *p)
{
    size_t n;
    uint32_t *sections = section_roots(p, &n);
    json_t *names = n ? json_array() : NULL;

    for (size_t i = 0; i < n; i++)
        json_array_append_new(names, json_text(p->sections[sections[i]].name));
    if (names)
        json_object_set_new(document, "part", names);
    free(sections);
}

json_t *json_begin(const struct cprof_profile *p, const char *schema, const char *title,
                   const struct column_list *columns)
{
    json_t *events = json_array(), *document;

    for (uint32_t i = 0; i < p->n_events; i++)
        json_array_append_new(events, json_text(p->events[i].name));
    document = json_pack("{s:s, s:o, s:o, s:o}", "schema", schema, "program", json_text(p->program),
                         "events", events, "totals", json_counts(columns, p->totals));
    json_set_missing(document, p);
    set_part(document, p);
    if (title)
        json_object_set_new(document, "title", json_text(title));
    return document;
}

/* Writes the opening brace of a document and its members, and frees it. */
static int put_members(json_t *document, FILE *out)
{
    size_t flags = JSON_INDENT(2) | JSON_EMBED | json_flags(out);
    char *members = document ? json_dumps(document, flags) : NULL;

    json_decref(document);
    if (!members) {
        errno = ENOMEM;
        return -1;
    }
    /* A newline stands before each member, and behind the last. */
    fputc('{', out);
    fwrite(members, 1, strlen(members) - 1, out);
    free(members);
    return 0;
}

static int end(FILE *out)
{
    fputs("\n}\n", out);
    return ferror(out) ? -1 : 0;
}

int json_finish(json_t *document, FILE *out)
{
    return put_members(document, out) != 0 ? -1 : end(out);
}

int json_finish_with_tree(json_t *document, const struct tree *tree,
                          const struct column_list *columns, FILE *out)
{
    if (put_members(document, out) != 0)
        return -1;
    fputs(",\n  \"tree\":\n", out);
    json_tree(tree, columns, out);
    return end(out);
}
