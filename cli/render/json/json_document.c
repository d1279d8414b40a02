#include <config.h>

#include "render/json/json_document.h"

#include "render/json/json_tree.h"
#include "render/json/json_value.h"

#include <errno.h>
#include <string.h>

enum { INDENT = 2 };

json_t *json_begin(const struct cprof_profile *p, const char *schema, const char *title,
                   const struct column_list *columns)
{
    json_t *events = json_array(), *document;

    for (uint32_t i = 0; i < p->n_events; i++)
        json_array_append_new(events, json_text(p->events[i].name));
    document = json_pack("{s:s, s:o, s:o, s:o}", "schema", schema, "program", json_text(p->program),
                         "events", events, "totals", json_counts(columns, p->totals));
    if (title)
        json_object_set_new(document, "title", json_text(title));
    return document;
}

/* Writes a part of a member's value, which is indented as members are. */
static int put_part(const char *text, size_t size, void *file)
{
    const char *end = text + size, *newline;
    FILE *out = file;

    while ((newline = memchr(text, '\n', (size_t)(end - text))) != NULL) {
        fwrite(text, 1, (size_t)(newline + 1 - text), out);
        fprintf(out, "%*s", INDENT, "");
        text = newline + 1;
    }
    fwrite(text, 1, (size_t)(end - text), out);
    return 0;
}

/* Writes the beginning of a document and all of its members, and frees it. */
static int put_members(json_t *document, FILE *out)
{
    size_t flags = JSON_INDENT(INDENT) | JSON_ENCODE_ANY | json_flags(out);
    const char *separator = "{", *key;
    int failed = document ? 0 : -1;
    json_t *value;

    json_object_foreach(document, key, value)
    {
        fprintf(out, "%s\n%*s\"%s\": ", separator, INDENT, "", key);
        failed |= json_dump_callback(value, put_part, out, flags);
        separator = ",";
    }
    json_decref(document);
    if (failed)
        errno = ENOMEM;
    return failed;
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
    fprintf(out, ",\n%*s\"tree\":\n", INDENT, "");
    json_tree(tree, columns, out);
    return end(out);
}
