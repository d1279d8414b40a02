#include <config.h>

#include "render/json/json_value.h"

#include "base/memory.h"
#include "base/terminal.h"
#include "render/text/text.h"
#include "table/search.h"

#include <math.h>
#include <stdlib.h>

json_t *json_text(const char *text)
{
    char *valid;
    json_t *value;

    if (!text)
        return json_null();
    valid = text_utf8(text);
    value = json_string(valid);
    free(valid);
    return value;
}

size_t json_flags(FILE *out)
{
    /* With 17 digits, which jansson takes else, 1716.286 would be 1716.2860000000001. */
    enum { DIGITS = 15 };

    return JSON_REAL_PRECISION(DIGITS) | (terminal_is(fileno(out)) ? JSON_ENSURE_ASCII : 0);
}

char *json_quote(const char *text, size_t flags)
{
    json_t *value = json_text(text);
    char *quoted = json_dumps(value, JSON_ENCODE_ANY | flags);

    json_decref(value);
    return quoted ? quoted : xstrdup("null");
}

json_t *json_cell(const struct cell *c)
{
    if (c->kind == CELL_TEXT)
        return json_text(c->text);
    if (c->kind != CELL_RATIO)
        return json_integer(c->value);
    return c->whole ? json_real(round(1e3 * (double)c->value / (double)c->whole) / 1e3)
                    : json_null();
}

json_t *json_counts(const struct column_list *columns, const int64_t *counts)
{
    json_t *object = json_object();

    for (size_t i = 0; i < columns->n; i++) {
        char *name = text_utf8(columns->items[i]->name);
        struct cell cell = cell_column(columns->items[i], counts, counts);

        if (column_adds_up(columns->items[i]))
            json_object_set_new(object, name, json_cell(&cell));
        free(name);
    }
    return object;
}

void json_set_label(json_t *object, const struct row *row)
{
    char *label = row_label(row, false, NULL);

    json_object_set_new(object, "label", json_text(label));
    free(label);
}

void json_set_crate(json_t *object, const struct crate *crate, enum owner owner)
{
    json_object_set_new(object, "crate", json_text(crate ? crate->name : NULL));
    json_object_set_new(object, "version", json_text(crate ? crate->version : NULL));
    json_object_set_new(object, "source", json_text(owner_name(owner)));
}

void json_set_row_crate(json_t *object, const struct row *row)
{
    json_set_crate(object, row->crate, row->crate ? (enum owner)row->owner : OWNER_NONE);
}
