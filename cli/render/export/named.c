#include <config.h>

/* Profiles that keep their names: doc/named.md. parser/named.c reads them. */
#include "render/export/export.h"

#include <stdbool.h>
#include <string.h>

struct writer {
    const struct cprof_profile *profile;
    FILE *out;
    unsigned long lines; /* that were written */
};

/* A text, or with `word` one field: backslashes, control characters and in a word blanks are
 * "\xHH". */
static void put_text(struct writer *w, const char *text, bool word)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < 0x20 || c == 0x7f || c == '\\' || (word && c == ' '))
            fprintf(w->out, "\\x%02x", c);
        else
            fputc(c, w->out);
    }
}

static void end_line(struct writer *w)
{
    fputc('\n', w->out);
    w->lines++;
}

/* The next field: a word, or "-". */
static void put_word(struct writer *w, const char *text)
{
    fputc(' ', w->out);
    if (text && !strcmp(text, "-"))
        fputs("\\x2d", w->out);
    else
        put_text(w, text ? text : "-", true);
}

static void put_key(struct writer *w, const char *key, const char *text)
{
    if (!text)
        return;
    fprintf(w->out, "%s: ", key);
    put_text(w, text, false);
    end_line(w);
}

/* An index, or "-". */
static void put_index(struct writer *w, uint32_t index)
{
    if (index == CPROF_NONE)
        fputs(" -", w->out);
    else
        fprintf(w->out, " %lu", (unsigned long)index);
}

/* Without zeros at the end, but the first. */
static void put_values(struct writer *w, const int64_t *values)
{
    uint32_t n = w->profile->n_events;

    while (n > 1 && !values[n - 1])
        n--;
    for (uint32_t i = 0; i < n; i++)
        fprintf(w->out, " %lld", (long long)values[i]);
    end_line(w);
}

static void put_plain(struct writer *w)
{
    static const char *const randoms[] = {
        [CPROF_RANDOM_NONE] = "no", [CPROF_RANDOM_USED] = "yes", [CPROF_RANDOM_FIXED] = "fixed"};
    const struct cprof_profile *p = w->profile;

    put_key(w, "format",
            p->format == CPROF_FORMAT_CALLGRIND    ? "callgrind"
            : p->format == CPROF_FORMAT_CACHEGRIND ? "cachegrind"
                                                   : "cprof");
    put_key(w, "creator", p->creator);
    put_key(w, "program", p->program);
    put_key(w, "command", p->command);
    if (p->pid >= 0) {
        fprintf(w->out, "pid: %ld", p->pid);
        end_line(w);
    }
    if (p->sections_began >= 0 || p->sections_ended >= 0) {
        fprintf(w->out, "sections: %ld %ld", p->sections_began, p->sections_ended);
        end_line(w);
    }
    if (p->random != CPROF_RANDOM_UNKNOWN)
        put_key(w, "random", randoms[p->random]);
    if (p->threads >= 2) {
        fprintf(w->out, "threads: %ld", p->threads);
        end_line(w);
    }
    if (p->exit == CPROF_EXIT_EXEC)
        put_key(w, "exit", "exec");
    if (p->exit == CPROF_EXIT_CODE && p->exit_code >= 0 && p->exit_code <= 255) {
        fprintf(w->out, "exit: code %d", p->exit_code);
        end_line(w);
    }
}

static void put_events(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    fputs("events:", w->out);
    for (uint32_t i = 0; i < p->n_events; i++) {
        fputc(' ', w->out);
        fputs(p->events[i].name, w->out);
    }
    end_line(w);
    for (uint32_t i = 0; i < p->n_events; i++) {
        const struct cprof_event *e = &p->events[i];

        if (!e->long_name && !e->formula)
            continue;
        fprintf(w->out, "event: %s", e->name);
        put_word(w, e->long_name);
        put_word(w, e->formula);
        end_line(w);
    }
    if (p->summary) {
        fputs("summary:", w->out);
        put_values(w, p->summary);
    }
}

static void put_header(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    fputs("cprof-named 1", w->out);
    end_line(w);
    put_plain(w);
    for (uint32_t i = 0; i < p->n_arguments; i++)
        put_key(w, "arg", p->arguments[i]);
    for (uint32_t i = 0; i < p->n_descriptions; i++)
        put_key(w, "desc", p->descriptions[i]);
    for (uint32_t i = 0; i < p->n_caches; i++) {
        fputs("cache: ", w->out);
        put_text(w, p->caches[i].name, true);
        fprintf(w->out, " %llu %llu %llu", (unsigned long long)p->caches[i].size,
                (unsigned long long)p->caches[i].ways, (unsigned long long)p->caches[i].line_size);
        put_word(w, p->caches[i].text);
        end_line(w);
    }
    for (uint32_t i = 0; i < p->n_parts; i++) {
        fprintf(w->out, "part: %ld %ld %ld", p->parts[i].pid, p->parts[i].thread, p->parts[i].part);
        put_word(w, p->parts[i].trigger);
        put_word(w, p->parts[i].timerange);
        end_line(w);
    }
    put_events(w);
}

static const char *flags_of(const struct cprof_function *f)
{
    static const char *const flags[] = {"-", "i", "l", "il"};

    return flags[(f->inlined != 0) + 2 * (f->inclusive_least != 0)];
}

static void put_names(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    for (uint32_t i = 0; i < p->n_objects; i++) {
        fprintf(w->out, "o %s ", p->objects[i].build_id ? p->objects[i].build_id : "-");
        put_text(w, p->objects[i].path, false);
        end_line(w);
    }
    for (uint32_t i = 0; i < p->n_files; i++) {
        fputs("l ", w->out);
        put_text(w, p->files[i], false);
        end_line(w);
    }
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct cprof_function *f = &p->functions[i];

        fputc('f', w->out);
        put_index(w, f->object);
        put_index(w, f->file);
        fprintf(w->out, " %lu %llx %lu %s", (unsigned long)f->line, (unsigned long long)f->address,
                (unsigned long)f->instances, flags_of(f));
        put_word(w, f->mangled);
        put_word(w, f->arguments);
        fputc(' ', w->out);
        put_text(w, f->name, false);
        end_line(w);
    }
}

static void put_cost(struct writer *w, const struct cprof_cost *cost, const int64_t *values)
{
    fputc('c', w->out);
    put_index(w, cost->function);
    put_index(w, cost->file);
    fprintf(w->out, " %lu %llx", (unsigned long)cost->line, (unsigned long long)cost->address);
    put_values(w, values);
}

/* Contexts, each with its costs; or costs alone. */
static void put_costs(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];

        fputc('n', w->out);
        put_index(w, c->parent);
        put_index(w, c->function);
        put_index(w, c->site_file);
        fprintf(w->out, " %lu %llx %llu %d", (unsigned long)c->site_line,
                (unsigned long long)c->site, (unsigned long long)c->calls, c->inlined != 0);
        end_line(w);
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++)
            put_cost(w, &p->context_costs[k], cprof_context_values(p, k));
    }
    for (uint32_t i = 0; i < p->n_costs && !p->n_contexts; i++)
        put_cost(w, &p->costs[i], cprof_cost_values(p, i));
}

static void put_calls(struct writer *w)
{
    const struct cprof_profile *p = w->profile;

    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];

        fputc('e', w->out);
        put_index(w, c->caller);
        put_index(w, c->callee);
        put_index(w, c->file);
        fprintf(w->out, " %lu %llx %llu %d", (unsigned long)c->line, (unsigned long long)c->address,
                (unsigned long long)c->count, c->inlined != 0);
        put_values(w, cprof_call_values(p, i));
    }
    for (uint32_t i = 0; i < p->n_functions && p->inclusive; i++) {
        fputc('i', w->out);
        put_index(w, i);
        put_values(w, cprof_inclusive_values(p, i));
    }
}

int export_named(const struct cprof_profile *profile, FILE *out)
{
    struct writer w = {.profile = profile, .out = out};

    put_header(&w);
    put_names(&w);
    put_costs(&w);
    put_calls(&w);
    fprintf(out, "end %lu\n", w.lines);
    return ferror(out) ? -1 : 0;
}
