/*
 * parser-dump FILE... - prints profiles as canonical text: what the golden tests compare. An error
 * is printed like any other result.
 * -t   totals only
 * -s   self cost by (file of the line, function) as callgrind_annotate and cg_annotate have it:
 *      "COUNT... FILE:FUNCTION"
 * -S   strict
 * -q   nothing but errors
 * parser-dump -C|-P OUT FOLDER... - the file `input` of each folder, the path of which is absolute,
 * goes to a file of OUT that has the folder's name. -P: it, or input.gz, comes through a pipe.
 */
#include <config.h>

#include "cprof.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *text_or(const char *text)
{
    return text ? text : "-";
}

static const char *file_name(const struct cprof_profile *p, uint32_t file)
{
    return file == CPROF_NONE ? "???" : p->files[file];
}

static void print_row(const int64_t *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        printf(" %" PRId64, row[i]);
    putchar('\n');
}

static void print_header(const struct cprof_profile *p)
{
    static const char *const formats[] = {
        "callgrind",  "cachegrind", "raw",     "named", "folded",     "perf",  "pprof",
        "gperftools", "speedscope", "firefox", "dhat",  "cpuprofile", "massif"};

    printf("format: %s\n", formats[p->format]);
    if (p->creator)
        printf("creator: %s\n", p->creator);
    if (p->command)
        printf("command: %s\n", p->command);
    if (p->program)
        printf("program: %s\n", p->program);
    if (p->pid != -1)
        printf("pid: %ld\n", p->pid);
    if (p->exit == CPROF_EXIT_CODE)
        printf("exit: %d\n", p->exit_code);
    if (p->exit == CPROF_EXIT_EXEC)
        printf("exit: exec\n");
    if (p->exit == CPROF_EXIT_SIGNAL)
        printf("exit: signal\n");
    if (p->random)
        printf("random: %s\n", (const char *[]){"", "no", "fixed", "yes"}[p->random]);
    if (p->threads)
        printf("threads: %ld\n", p->threads);
    if (p->sampled)
        printf("sampled\n");
    if (p->sections_cold)
        printf("sections: cold\n");
    if (p->sections_began >= 0)
        printf("sections: %ld %ld\n", p->sections_began, p->sections_ended);
    if (p->has_heap)
        printf("heap: known %" PRIu64 " unmatched %" PRIu64 " failed %" PRIu64 " lost %" PRIu64
               "\n",
               p->heap.known, p->heap.unmatched, p->heap.failed, p->heap.lost);
    if (p->heap.peak_ir)
        printf("heap peak: %" PRIu64 "\n", p->heap.peak_ir);
    for (uint32_t i = 0; i < p->n_alloc_functions; i++)
        printf("alloc function: %" PRIu64 " %s\n", p->alloc_functions[i].n_functions,
               p->alloc_functions[i].pattern);
    for (uint32_t i = 0; i < p->n_toggles; i++)
        printf("toggle: %" PRIu64 " %s\n", p->toggles[i].n_functions, p->toggles[i].pattern);
    for (uint32_t i = 0; i < p->n_arguments; i++)
        printf("argument: %s\n", p->arguments[i]);
    for (uint32_t i = 0; i < p->n_caches; i++)
        printf("cache: %s size=%" PRIu64 " ways=%" PRIu64 " line=%" PRIu64 " (%s)\n",
               p->caches[i].name, p->caches[i].size, p->caches[i].ways, p->caches[i].line_size,
               text_or(p->caches[i].text));
    for (uint32_t i = 0; i < p->n_descriptions; i++)
        printf("description: %s\n", p->descriptions[i]);
}

static void print_parts(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_parts; i++) {
        printf("part: pid=%ld thread=%ld part=%ld trigger=%s timerange=%s\n", p->parts[i].pid,
               p->parts[i].thread, p->parts[i].part, text_or(p->parts[i].trigger),
               text_or(p->parts[i].timerange));
        if (p->parts[i].left)
            printf("left: %s\n", p->parts[i].left);
    }
    for (uint32_t i = 0; i < p->n_warnings; i++)
        printf("warning: line %lu (%lu times): %s\n", p->warnings[i].line, p->warnings[i].count,
               p->warnings[i].text);
}

static void print_events(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_events; i++) {
        printf("event: %s", p->events[i].name);
        if (p->events[i].long_name)
            printf(" : %s", p->events[i].long_name);
        if (p->events[i].formula)
            printf(" = %s", p->events[i].formula);
        putchar('\n');
    }
    for (uint32_t i = 0; i < p->n_objects; i++)
        printf("object %u: %s %s\n", i, p->objects[i].path, text_or(p->objects[i].build_id));
}

static void print_function(const struct cprof_profile *p, uint32_t index)
{
    const struct cprof_function *f = &p->functions[index];

    printf("%s [%s %s", f->name, file_name(p, f->file),
           f->object == CPROF_NONE ? "-" : p->objects[f->object].path);
    if (f->address)
        printf(" 0x%" PRIx64, f->address);
    if (f->code)
        printf(" code %" PRIx64, f->code);
    putchar(']');
}

static void print_cost(const struct cprof_profile *p, const struct cprof_cost *c,
                       const int64_t *values)
{
    printf("cost: ");
    print_function(p, c->function);
    printf(" at %s:%u 0x%" PRIx64 ":", file_name(p, c->file), c->line, c->address);
    print_row(values, p->n_events);
}

static void print_contexts(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_contexts; i++) {
        const struct cprof_context *c = &p->contexts[i];
        printf("context %u below %d: ", i, (int)c->parent);
        print_function(p, c->function);
        printf(" from %s:%u 0x%" PRIx64 " x%" PRIu64 "\n", file_name(p, c->site_file), c->site_line,
               c->site, c->calls);
        for (uint32_t k = c->first_cost; k < c->first_cost + c->n_costs; k++) {
            printf("  ");
            print_cost(p, &p->context_costs[k], cprof_context_values(p, k));
        }
    }
    for (uint32_t i = 0; p->inclusive && i < p->n_functions; i++) {
        printf("inclusive: ");
        print_function(p, i);
        putchar(':');
        print_row(cprof_inclusive_values(p, i), p->n_events);
    }
}

static void print_sections(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_sections; i++) {
        const struct cprof_section *s = &p->sections[i];
        printf("section %s: began=%" PRIu64 " ended=%" PRIu64 " lost=%" PRIu64 " stray=%" PRIu64
               " foreign=%" PRIu64 " crossed=%" PRIu64 " least=%" PRIu64 " median=%" PRIu64
               " greatest=%" PRIu64 "%s:",
               s->name, s->began, s->ended, s->lost, s->stray, s->foreign, s->crossed, s->least,
               s->median, s->greatest, s->rounded ? " rounded" : "");
        print_row(cprof_section_values(p, i), p->n_events);
        for (uint32_t k = s->first_spread; k < s->first_spread + s->n_spreads; k++)
            printf("  %" PRIu64 " x%" PRIu64 "\n", p->spreads[k].cost, p->spreads[k].entries);
    }
}

static void print_arguments(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_counted_args; i++)
        printf("counted argument %u of '%s'%s: %" PRIu64 " functions\n", p->counted_args[i].number,
               p->counted_args[i].pattern, p->counted_args[i].log2 ? " log2" : "",
               p->counted_args[i].n_functions);
    for (uint32_t i = 0; i < p->n_arg_counts; i++) {
        const struct cprof_arg_count *c = &p->arg_counts[i];
        printf("argument %u of context %u: %" PRIu64 "%s x%" PRIu64 "\n", c->arg, c->context,
               c->value, c->other ? " other" : "", c->calls);
    }
}

static void print_types(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_types; i++) {
        const struct cprof_type *t = &p->types[i];

        printf("type %u: %s size %" PRIu64 "%s\n", i, t->name, t->size,
               t->reordered ? " reordered" : "");
        for (uint32_t k = t->first_member; k < t->first_member + t->n_members; k++) {
            const struct cprof_member *m = &p->members[k];

            printf("  member %u %s %s at %" PRIu64 " size %" PRIu64 "\n", m->depth, m->name,
                   text_or(m->type), m->offset, m->size);
        }
    }
}

static void print_reuse(const struct cprof_profile *p, const struct cprof_reuse *r)
{
    if (r->datum != CPROF_NONE)
        printf("curve of datum %u: ", r->datum);
    else
        printf("curve in %d: ", (int)r->context);
    if (r->datum == CPROF_NONE) {
        print_function(p, r->place.function);
        printf(" at %s:%u 0x%" PRIx64 " ", file_name(p, r->place.file), r->place.line,
               r->place.address);
    }
    printf("kind %u size %" PRIu64 ": %" PRIu64 "\n", r->kind, r->size, r->misses);
}

static void print_curves(const struct cprof_profile *p)
{
    if (p->n_curve_sizes)
        printf("curve sizes:");
    for (uint32_t i = 0; i < p->n_curve_sizes; i++)
        printf(" %" PRIu64 "%s", p->curve_sizes[i], i + 1 == p->n_curve_sizes ? "\n" : "");
    for (uint32_t i = 0; i < p->n_reuses; i++)
        print_reuse(p, &p->reuses[i]);
    for (uint32_t i = 0; i < p->n_data_reuses; i++)
        print_reuse(p, &p->data_reuses[i]);
}

static void print_data(const struct cprof_profile *p)
{
    if (p->has_data)
        printf("data: %u\n", p->n_data);
    print_types(p);
    for (uint32_t i = 0; i < p->n_data; i++) {
        const struct cprof_datum *d = &p->data[i];
        printf("datum %u: kind %d context %d function %d path %s %s name %s at 0x%" PRIx64
               " size %" PRIu64,
               i, (int)d->kind, (int)d->context, (int)d->function, text_or(d->path),
               text_or(d->build_id), text_or(d->name), d->address, d->size);
        if (d->type != CPROF_NONE)
            printf(" type %u", d->type);
        putchar('\n');
    }
    for (uint32_t i = 0; i < p->n_touches; i++) {
        const struct cprof_touch *t = &p->touches[i];
        printf("touch of %u in %d: ", t->datum, (int)t->context);
        print_function(p, t->place.function);
        printf(" at %s:%u 0x%" PRIx64 " least %" PRIu64 " stride %" PRIu64 " size %" PRIu64
               ": %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
               file_name(p, t->place.file), t->place.line, t->place.address, t->least, t->stride,
               t->size, t->misses[0], t->misses[1], t->misses[2], t->misses[3]);
        if (p->has_line_use)
            printf(", %" PRIu64 " bytes of %" PRIu64 " lines", t->used, t->lines);
        putchar('\n');
    }
    print_curves(p);
}

static void print_records(const struct cprof_profile *p)
{
    for (uint32_t i = 0; i < p->n_costs; i++)
        print_cost(p, &p->costs[i], cprof_cost_values(p, i));
    for (uint32_t i = 0; i < p->n_calls; i++) {
        const struct cprof_call *c = &p->calls[i];
        printf("call: ");
        print_function(p, c->caller);
        printf(" -> ");
        print_function(p, c->callee);
        printf(" at %s:%u 0x%" PRIx64 " x%" PRIu64 "%s:", file_name(p, c->file), c->line,
               c->address, c->count, c->inlined ? " inlined" : "");
        print_row(cprof_call_values(p, i), p->n_events);
    }
}

static void print_totals(const struct cprof_profile *p)
{
    printf("totals:");
    print_row(p->totals, p->n_events);
    if (p->summary) {
        printf("summary:");
        print_row(p->summary, p->n_events);
    }
}

/* Costs are in the order of function, then file: equal pairs stand together. */
static int print_self(const struct cprof_profile *p)
{
    int64_t *row = calloc(p->n_events + (size_t)1, sizeof *row);

    for (uint32_t i = 0; row && i < p->n_costs; i++) {
        const struct cprof_cost *c = &p->costs[i];
        for (uint32_t k = 0; k < p->n_events; k++)
            row[k] += cprof_cost_values(p, i)[k];
        if (i + 1 < p->n_costs && c[1].function == c->function && c[1].file == c->file)
            continue;
        for (uint32_t k = 0; k < p->n_events; k++)
            printf("%" PRId64 " ", row[k]);
        printf("%s:%s\n", file_name(p, c->file), p->functions[c->function].name);
        memset(row, 0, p->n_events * sizeof *row);
    }
    free(row);
    return row == NULL;
}

static int print_error(const struct cprof_error *e)
{
    static const char *const codes[] = {"ok",      "system", "memory",    "empty", "foreign",
                                        "version", "syntax", "truncated", "range"};

    printf("error: %s", codes[e->code]);
    if (e->line)
        printf(" at line %lu column %u", e->line, e->column);
    printf(": %s\n", e->text);
    if (e->line)
        printf("| %s\n| %*s^\n", e->excerpt, (int)e->mark, "");
    return 1;
}

static int dump(const char *path, char what, unsigned flags)
{
    struct cprof_error error;
    struct cprof_profile *p = cprof_load(path, flags, &error);
    int result = 0;

    if (!p)
        return print_error(&error);
    if (what == 's')
        result = print_self(p);
    else if (what == 't')
        print_totals(p);
    else if (what != 'q') {
        print_header(p);
        print_parts(p);
        print_events(p);
        print_records(p);
        print_contexts(p);
        print_sections(p);
        print_arguments(p);
        print_data(p);
        print_totals(p);
    }
    cprof_free(p);
    return result;
}

/*--- Cases ---*/

/* Prints like perror(), and ends. */
static void die(const char *what)
{
    perror(what);
    exit(2);
}

/* Standard input becomes a pipe with what the file holds. */
static void feed(const char *path)
{
    char bytes[4096];
    size_t n;
    int ends[2];
    FILE *file = fopen(path, "rb");

    if (!file || pipe(ends) != 0)
        die(path);
    fflush(NULL);
    switch (fork()) {
    case -1:
        die("fork");
        break;
    case 0:
        close(ends[0]);
        signal(SIGPIPE, SIG_DFL);
        while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
            if (write(ends[1], bytes, n) != (ssize_t)n)
                _exit(1);
        _exit(0);
    default:
        fclose(file);
        close(ends[1]);
        dup2(ends[0], 0);
        close(ends[0]);
    }
}

/* The flags that the current case's file of options asks for. */
static unsigned case_flags(void)
{
    char text[16] = "";
    FILE *file = fopen("options", "r");

    if (!file)
        return 0;
    if (!fgets(text, sizeof text, file))
        die("options");
    fclose(file);
    return strncmp(text, "-S", 2) == 0 ? CPROF_STRICT : 0;
}

/* The text on the case goes to OUT/NAME. */
static void run_case(const char *out, const char *folder, int by_pipe)
{
    const char *name = strrchr(folder, '/');
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", out, name ? name + 1 : folder);
    if (!freopen(path, "w", stdout) || chdir(folder) != 0)
        die(folder);
    if (by_pipe)
        feed(access("input", F_OK) == 0 ? "input" : "input.gz");
    dump(by_pipe ? "-" : "input", 'a', case_flags());
    if (fflush(stdout) != 0)
        die(path);
    while (by_pipe && wait(NULL) < 0 && errno == EINTR)
        ;
}

int main(int argc, char **argv)
{
    unsigned flags = 0;
    char what = 'a';
    int result = 0;

    if (argc > 2 && (strcmp(argv[1], "-C") == 0 || strcmp(argv[1], "-P") == 0)) {
        for (int i = 3; i < argc; i++)
            run_case(argv[2], argv[i], argv[1][1] == 'P');
        return 0;
    }
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] == 'S')
            flags = CPROF_STRICT;
        else if (argv[i][0] == '-' && argv[i][1])
            what = argv[i][1];
        else
            result |= dump(argv[i], what, flags);
    return result;
}
