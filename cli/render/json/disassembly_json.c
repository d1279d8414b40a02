#include <config.h>

#include "render/json/disassembly_json.h"

#include "render/json/json_value.h"

static json_t *instruction_of(const struct disassembly *d, const struct annotation_listing *s,
                              const struct instruction_range *r, const struct instruction *in)
{
    const struct cprof_profile *p = d->profile;
    const struct cprof_cost *c = in->cost == CPROF_NONE ? NULL : &p->costs[in->cost];
    const char *file = c && c->file != CPROF_NONE ? p->files[c->file] : NULL;
    json_t *own = in->own ? json_counts(&s->columns, in->own) : json_null();
    json_t *others = in->others ? json_counts(&s->columns, in->others) : json_null();

    return json_pack(
        "{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "object", json_text(p->objects[r->object].path),
        "address", (json_int_t)in->address, "text", json_text(in->text), "function",
        json_text(c ? s->labels[c->function] : NULL), "file", json_text(file), "line",
        c && c->line ? json_integer(c->line) : json_null(), "self", own, "others", others);
}

json_t *disassembly_json(const struct disassembly *d, const struct annotation_listing *s)
{
    json_t *list = json_array();

    for (size_t i = 0; i < d->n_ranges; i++) {
        const struct instruction_range *r = &d->ranges[i];

        for (size_t k = r->first; k < r->first + r->n; k++)
            json_array_append_new(list, instruction_of(d, s, r, &d->items[k]));
    }
    return list;
}
