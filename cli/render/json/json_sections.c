#include <config.h>

#include "render/json/json_sections.h"

#include "render/json/json_value.h"

static void put_count(json_t *object, const char *name, uint64_t n)
{
    json_object_set_new(object, name, json_integer((json_int_t)n));
}

/* Ir of the entries that ended; null: none did. */
static json_t *entry_of(const struct cprof_section *s)
{
    json_t *entry;

    if (!s->n_spreads)
        return json_null();
    entry = json_object();
    put_count(entry, "least", s->least);
    put_count(entry, "median", s->median);
    put_count(entry, "greatest", s->greatest);
    json_object_set_new(entry, "rounded", json_boolean(s->rounded));
    return entry;
}

json_t *json_sections(const struct cprof_profile *p, const struct column_list *columns)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < p->n_sections; i++) {
        const struct cprof_section *s = &p->sections[i];
        json_t *section = json_object();

        json_object_set_new(section, "name", json_text(s->name));
        put_count(section, "entries", s->began);
        put_count(section, "ended", s->ended);
        put_count(section, "lost", s->lost);
        put_count(section, "stray", s->stray);
        put_count(section, "foreign", s->foreign);
        put_count(section, "crossed", s->crossed);
        json_object_set_new(section, "cost", json_counts(columns, cprof_section_values(p, i)));
        json_object_set_new(section, "entry_ir", entry_of(s));
        json_array_append_new(list, section);
    }
    return list;
}
