#include <config.h>

/* The reader of perf script's text. */
#include "error.h"
#include "perf.h"
#include "sampled.h"

#include <stdlib.h>

/* Column 0 of the tree counts samples, and each event has one behind it. */
struct perf_event {
    const char *name;
    int has_periods; /* else its column counts samples as well */
};

/* A frame of the sample at hand, whose function is not known before its object is: that of an
 * inlined one stands behind it. */
struct perf_entry {
    const char *symbol, *object; /* the builder's; NULL: not known */
    const char *file;
    uint32_t line;
    int inlined;
};

/*
 * The format: a line for each sample, below it the frames of its stack, the innermost first, and an
 * empty line; a sample without a stack may have one frame in its line. perf's own records, such as
 * those of lost samples, are lines too.
 */
struct perf {
    struct sampled s;             /* its threads are commands */
    struct vector events, frames; /* struct perf_event, perf_entry */
    int in_sample;
    uint32_t event, comm; /* of the sample at hand; comm: a root */
    uint64_t period;
    int has_period;
    uint64_t lost, throttled, without_stack, samples;
};

int perf_is_kind(const char *at, size_t size)
{
    const char *end = at + size;
    struct perf_head head;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;

        if (at < stop && *at != '#' && *at != '\r')
            return perf_head_line(at, stop - (stop[-1] == '\r'), &head);
        at = newline ? newline + 1 : end;
    }
    return 0;
}

static int out_of_memory(struct perf *p)
{
    return error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
}

static const char *text_of(struct perf *p, struct perf_text text)
{
    return reader_bytes(&p->s.r, text.at, text.end);
}

/* The number of the event of this name; made if new. */
static int find_event(struct perf *p, struct perf_text text, uint32_t *event)
{
    char shorter[256];
    size_t size = perf_event_name(text, shorter, sizeof shorter);
    const char *name = reader_bytes(&p->s.r, shorter, shorter + size);
    struct perf_event *events = p->events.data;

    if (!name)
        return -1;
    for (*event = 0; *event < p->events.count; ++*event)
        if (events[*event].name == name)
            return 0;
    if (*event >= READER_MAX_EVENTS - 1)
        return reader_fail(&p->s.r, CPROF_ERROR_SYNTAX, text.at, "more than %d events",
                           READER_MAX_EVENTS - 1);
    if (!(events = vector_push(&p->events, sizeof *events)))
        return out_of_memory(p);
    *events = (struct perf_event){name, 0};
    return stacks_column(&p->s.stacks) == CPROF_NONE ? -1 : 0;
}

/* The root of the command of this name. */
static int find_comm(struct perf *p, struct perf_text text, uint32_t *comm)
{
    const char *name = text_of(p, text);

    *comm = name ? sampled_thread(&p->s, name) : CPROF_NONE;
    return *comm == CPROF_NONE ? -1 : 0;
}

static int add_frame(struct perf *p, const struct perf_frame *frame)
{
    struct perf_entry *new;
    int has_symbol = frame->symbol.at < frame->symbol.end;
    int has_object = frame->object.at < frame->object.end;

    if (p->frames.count >= SAMPLED_MAX_FRAMES)
        return reader_fail(&p->s.r, CPROF_ERROR_SYNTAX, NULL, "a stack of more than %d frames",
                           SAMPLED_MAX_FRAMES);
    if (!(new = vector_push(&p->frames, sizeof *new)))
        return out_of_memory(p);
    *new = (struct perf_entry){.inlined = frame->inlined};
    if ((has_symbol && !(new->symbol = text_of(p, frame->symbol))) ||
        (has_object && !(new->object = text_of(p, frame->object))))
        return -1;
    return 0;
}

/* The file and line of the last frame; perf writes "??:0" where it knows none. */
static int add_source(struct perf *p, struct perf_text file, uint32_t line)
{
    struct perf_entry *last = (struct perf_entry *)p->frames.data + p->frames.count - 1;

    if (!line || *file.at == '?')
        return 0;
    last->line = line;
    last->file = text_of(p, file);
    return last->file ? 0 : -1;
}

static uint32_t push_frame(struct perf *p, uint32_t node, const struct perf_entry *entry,
                           uint32_t object)
{
    struct stack_frame frame = {.file = CPROF_NONE, .line = entry->line};

    frame.inlined = entry->inlined != 0;
    frame.function = builder_function(p->s.r.builder, entry->symbol ? entry->symbol : "???", NULL,
                                      object, CPROF_NONE, 0);
    if (entry->file)
        frame.file = builder_file(p->s.r.builder, entry->file);
    return entry->file && frame.file == CPROF_NONE ? CPROF_NONE : sampled_push(&p->s, node, &frame);
}

/* The node of the stack at hand: its frames, from the outermost one on. */
static uint32_t push_stack(struct perf *p)
{
    const struct perf_entry *entries = p->frames.data;
    uint32_t node = p->comm, object = builder_object(p->s.r.builder, "???", NULL);

    if (!p->frames.count) {
        p->without_stack++;
        return sampled_push_none(&p->s, node);
    }
    for (size_t i = p->frames.count; i-- > 0 && node != CPROF_NONE && object != CPROF_NONE;) {
        if (!entries[i].inlined)
            object =
                builder_object(p->s.r.builder, entries[i].object ? entries[i].object : "???", NULL);
        node = object == CPROF_NONE ? object : push_frame(p, node, &entries[i], object);
    }
    return object == CPROF_NONE ? object : node;
}

static int end_sample(struct perf *p)
{
    struct perf_event *e;
    uint32_t node;

    if (!p->in_sample)
        return 0;
    e = (struct perf_event *)p->events.data + p->event;
    p->in_sample = 0;
    p->samples++;
    e->has_periods |= p->has_period;
    node = push_stack(p);
    p->frames.count = 0;
    return node == CPROF_NONE || stacks_add(&p->s.stacks, node, 0, 1) ||
                   stacks_add(&p->s.stacks, node, 1 + p->event, p->period)
               ? -1
               : 0;
}

/* "PERF_RECORD_LOST lost 12" and the like */
static int count_record(struct perf *p, const struct perf_head *head)
{
    const char *at = head->rest, *word;
    uint64_t lost = 0;
    size_t size;

    p->throttled += LEX_STARTS(head->event.at, head->event.end, "PERF_RECORD_THROTTLE");
    if (!LEX_STARTS(head->event.at, head->event.end, "PERF_RECORD_LOST"))
        return 0;
    while ((word = lex_word(&at, p->s.r.end, &size)))
        if (size == 4 && !memcmp(word, "lost", 4)) {
            at = lex_skip_blanks(at, p->s.r.end);
            if (lex_decimal(&at, p->s.r.end, &lost) != LEX_OK || lost > UINT32_MAX)
                return reader_warn(&p->s.r, "a record of lost samples cannot be read");
            break;
        }
    p->lost += lost;
    return 0;
}

static int begin_sample(struct perf *p, const struct perf_head *head)
{
    struct perf_frame frame;

    if (end_sample(p))
        return -1;
    if (head->is_record)
        return count_record(p, head);
    if (find_event(p, head->event, &p->event) || find_comm(p, head->comm, &p->comm))
        return -1;
    p->period = head->period;
    p->has_period = head->has_period;
    p->in_sample = 1;
    if (lex_skip_blanks(head->rest, p->s.r.end) == p->s.r.end ||
        !perf_frame_line(head->rest, p->s.r.end, &frame))
        return 0; /* what else stands there are values of a tracepoint */
    return add_frame(p, &frame);
}

static int any_line(struct perf *p)
{
    struct reader *r = &p->s.r;
    struct perf_head head;
    struct perf_frame frame;
    struct perf_text file;
    uint32_t line;

    if (lex_skip_blanks(r->line, r->end) == r->end)
        return end_sample(p);
    if (*r->line == '#')
        return 0;
    if (*r->line != '\t' && perf_head_line(r->line, r->end, &head))
        return begin_sample(p, &head);
    if (p->in_sample && perf_frame_line(r->line, r->end, &frame))
        return add_frame(p, &frame);
    if (p->in_sample && p->frames.count && perf_source_line(r->line, r->end, &file, &line))
        return add_source(p, file, line);
    return reader_warn(r, p->in_sample ? "a frame that cannot be read is left out of its stack"
                                       : "a line that is no sample is left out");
}

/* Ends the last sample, if it is whole: a stack that is cut would be another one. */
static int end_file(struct perf *p)
{
    if (!p->in_sample)
        return 0;
    builder_header(p->s.r.builder)->may_be_cut = 1;
    if (input_line_is_whole(p->s.r.in))
        return end_sample(p)
                   ? -1
                   : reader_warn(&p->s.r, "no empty line behind the last sample: the file "
                                          "may be cut short");
    p->in_sample = 0;
    return reader_warn(&p->s.r, "the file is cut short: its last sample is left out");
}

static int warn_of_samples(struct perf *p)
{
    if (p->lost && reader_warn(&p->s.r, "perf lost %llu samples, beside %llu that it has",
                               (unsigned long long)p->lost, (unsigned long long)p->samples))
        return -1;
    if (p->throttled &&
        reader_warn(&p->s.r, "the kernel held samples back %llu times, since they took too long",
                    (unsigned long long)p->throttled))
        return -1;
    if (p->without_stack && p->without_stack < p->samples &&
        reader_warn(&p->s.r, "%llu of %llu samples have no stack: they are '[no stack]'",
                    (unsigned long long)p->without_stack, (unsigned long long)p->samples))
        return -1;
    return 0;
}

static const char *meaning(const struct perf_event *e, int several)
{
    if (!e->has_periods)
        return several ? "samples of this event" : NULL;
    return !strcmp(e->name, "cpu-clock") || !strcmp(e->name, "task-clock")
               ? "nanoseconds of processor time, by samples"
               : "events, by samples and their periods";
}

/* One event: samples, and then what they stand for. Of several events, samples do not compare. */
static int name_events(struct perf *p, uint32_t *columns)
{
    const struct perf_event *events = p->events.data;
    size_t n = p->events.count;

    if (n <= 1 && (columns[0] = builder_event(p->s.r.builder, "Samples")) == CPROF_NONE)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const char *name = n == 1 && !events[i].has_periods ? "Samples" : events[i].name;

        columns[1 + i] = builder_event(p->s.r.builder, name);
        if (columns[1 + i] == CPROF_NONE ||
            builder_event_describe(p->s.r.builder, columns[1 + i], meaning(&events[i], n > 1),
                                   NULL))
            return -1;
    }
    if (n > 1 && (columns[0] = builder_event(p->s.r.builder, "Samples")) == CPROF_NONE)
        return -1;
    return 0;
}

static int read_all(struct reader *r)
{
    struct perf *p = (struct perf *)r;
    uint32_t columns[READER_MAX_EVENTS] = {0};
    int more;

    if (sampled_begin(&p->s, 0) || stacks_column(&p->s.stacks) == CPROF_NONE)
        return -1;
    while ((more = reader_next(r)) > 0)
        if (any_line(p))
            return -1;
    return more || end_file(p) || warn_of_samples(p) || sampled_name_threads(&p->s) ||
                   name_events(p, columns)
               ? -1
               : stacks_finish(&p->s.stacks, r->builder, columns);
}

struct cprof_profile *perf_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct perf *p = reader_new(sizeof *p, error);
    struct cprof_profile *profile;

    if (!p)
        return NULL;
    profile = reader_run(&p->s.r, in, flags, error, CPROF_FORMAT_PERF, read_all);
    free(p->events.data);
    free(p->frames.data);
    sampled_free(&p->s);
    return profile;
}
