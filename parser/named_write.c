#include <config.h>

/* The writer of profiles with names. */
#include "error.h"
#include "named.h"
#include "profile.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

static void put_names(struct sink *out, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_objects; i++) {
        sink_byte(out, NAMED_OBJECT);
        named_put_word(out, p->objects[i].build_id);
        named_put_text(out, p->objects[i].path);
        sink_end_line(out);
    }
    for (uint32_t i = 0; i < p->n_files; i++) {
        sink_byte(out, NAMED_FILE);
        named_put_text(out, p->files[i]);
        sink_end_line(out);
    }
}

static void put_flags(struct sink *out, const struct cprof_function *f)
{
    sink_byte(out, ' ');
    if (f->inlined)
        sink_byte(out, NAMED_INLINED);
    if (f->inclusive_least)
        sink_byte(out, NAMED_LEAST);
    if (!f->inlined && !f->inclusive_least)
        sink_byte(out, NAMED_NONE);
}

static void put_function(struct sink *out, const struct cprof_function *f)
{
    sink_byte(out, NAMED_FUNCTION);
    named_put_index(out, f->object);
    named_put_index(out, f->file);
    named_put_unsigned(out, f->line);
    named_put_address(out, f->address);
    named_put_unsigned(out, f->instances);
    put_flags(out, f);
    named_put_word(out, f->mangled);
    named_put_word(out, f->arguments);
    named_put_text(out, f->name);
    sink_end_line(out);
}

static void put_cost(struct sink *out, const struct cprof_cost *cost, const int64_t *values,
                     uint32_t n_events)
{
    sink_byte(out, NAMED_COST);
    named_put_index(out, cost->function);
    named_put_index(out, cost->file);
    named_put_unsigned(out, cost->line);
    named_put_address(out, cost->address);
    named_put_counts(out, values, n_events);
}

static void put_context(struct sink *out, const struct cprof_context *c)
{
    sink_byte(out, NAMED_CONTEXT);
    named_put_index(out, c->parent);
    named_put_index(out, c->function);
    named_put_index(out, c->site_file);
    named_put_unsigned(out, c->site_line);
    named_put_address(out, c->site);
    named_put_unsigned(out, c->calls);
    named_put_unsigned(out, c->inlined != 0);
    sink_end_line(out);
}

/* Contexts, each with its costs; where there are none, costs alone. */
static void put_costs(struct sink *out, const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        put_context(out, c);
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            put_cost(out, &p->context_costs[k], cprof_context_values(p, k), p->n_events);
    }
    for (uint32_t i = 0; i < p->n_costs && !p->n_contexts; i++)
        put_cost(out, &p->costs[i], cprof_cost_values(p, i), p->n_events);
}

static void put_call(struct sink *out, const struct cprof_call *c, const int64_t *values,
                     uint32_t n_events)
{
    sink_byte(out, NAMED_CALL);
    named_put_index(out, c->caller);
    named_put_index(out, c->callee);
    named_put_index(out, c->file);
    named_put_unsigned(out, c->line);
    named_put_address(out, c->address);
    named_put_unsigned(out, c->count);
    named_put_unsigned(out, c->inlined != 0);
    named_put_counts(out, values, n_events);
}

static void put_section(struct sink *out, const struct cprof_profile *p, uint32_t i)
{
    const struct cprof_section *s = &p->sections[i];
    const uint64_t counts[] = {s->began, s->ended, s->lost, s->stray, s->foreign, s->crossed};

    sink_byte(out, NAMED_SECTION);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        named_put_unsigned(out, counts[k]);
    named_put_text(out, s->name);
    sink_end_line(out);
    sink_byte(out, NAMED_SECTION_COST);
    named_put_index(out, i);
    named_put_counts(out, cprof_section_values(p, i), p->n_events);
    for (uint32_t k = s->first_spread; k < s->first_spread + s->n_spreads; k++) {
        sink_byte(out, NAMED_SPREAD);
        named_put_index(out, i);
        named_put_unsigned(out, p->spreads[k].cost);
        named_put_unsigned(out, p->spreads[k].entries);
        sink_end_line(out);
    }
    if (!s->rounded)
        return;
    sink_byte(out, NAMED_EXTREMES);
    named_put_index(out, i);
    named_put_unsigned(out, s->least);
    named_put_unsigned(out, s->greatest);
    sink_end_line(out);
}

static void put_argument(struct sink *out, const struct cprof_arg_count *a)
{
    sink_byte(out, NAMED_ARGUMENT);
    named_put_index(out, a->arg);
    named_put_index(out, a->context);
    named_put_unsigned(out, a->other);
    named_put_unsigned(out, a->value);
    named_put_unsigned(out, a->calls);
    sink_end_line(out);
}

static void put_profile(struct sink *out, const struct cprof_profile *p)
{
    sink_text(out, NAMED_MAGIC);
    named_put_unsigned(out, NAMED_VERSION);
    sink_end_line(out);
    named_write_keys(out, p);
    put_names(out, p);
    for (uint32_t i = 0; i < p->n_functions; i++)
        put_function(out, &p->functions[i]);
    put_costs(out, p);
    for (uint32_t i = 0; i < p->n_calls; i++)
        put_call(out, &p->calls[i], cprof_call_values(p, i), p->n_events);
    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++) {
        sink_byte(out, NAMED_INCLUSIVE);
        named_put_index(out, i);
        named_put_counts(out, cprof_inclusive_values(p, i), p->n_events);
    }
    for (uint32_t i = 0; i < p->n_sections; i++)
        put_section(out, p, i);
    for (uint32_t i = 0; i < p->n_arg_counts; i++)
        put_argument(out, &p->arg_counts[i]);
    named_put_data(out, p);
    named_put_curves(out, p);
    sink_text(out, CP_RAW_END);
    named_put_unsigned(out, out->lines);
    sink_end_line(out);
}

int cprof_write(const struct cprof_profile *profile, cprof_writer *write, void *to,
                struct cprof_error *error)
{
    struct sink out;
    struct cprof_error unwanted;

    assert(!profile_blocks(profile));
    if (!error)
        error = &unwanted;
    error_init(error, profile->source ? profile->source : "");
    out.write = write;
    out.to = to;
    out.failed = 0;
    out.lines = 0;
    out.n = 0;
    put_profile(&out, profile);
    if (!sink_finish(&out))
        return 0;
    error_set(error, CPROF_ERROR_SYSTEM, "cannot write: %s", strerror(out.failed));
    errno = out.failed;
    return -1;
}
