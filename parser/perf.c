#include <config.h>

/* The reader of perf script's text. */
#include "error.h"
#include "perf_processes.h"
#include "perf_state.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>

int perf_is_kind(const char *at, size_t size)
{
    const char *end = at + size;
    struct perf_head head;
    struct perf_frame frame;
    int has_head = 0;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;

        if (at < stop && *at != '#' && *at != '\r') {
            const char *line_end = stop - (stop[-1] == '\r');

            if (has_head)
                return perf_frame_line(at, line_end, &frame);
            has_head = perf_head_line(at, line_end, &head);
            /* Without a time the line may be any text, so the next one decides. */
            if (!has_head || head.has_time)
                return has_head;
        }
        at = newline ? newline + 1 : end;
    }
    return 0;
}

static const char *text_of(struct perf *p, struct perf_text text)
{
    return reader_bytes(&p->s.r, text.at, text.end);
}

/* The root of the command of this name. */
/* The root of the sample's thread: one for all first threads of processes of that name, and one for
 * all others. Texts do not tell them apart. */
static int find_comm(struct perf *p, const struct perf_head *head, uint32_t *comm)
{
    const char *name = text_of(p, head->comm);
    int is_first = p->source && head->pid && head->pid == head->tid;

    *comm = !name      ? CPROF_NONE
            : is_first ? sampled_first_thread(&p->s, name)
                       : sampled_thread(&p->s, name);
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
        return perf_out_of_memory(p);
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

/* The frame of the stacks at a place that the source has found. */
static uint32_t place_frame(struct perf *p, const struct samples_frame *frame)
{
    struct samples_place place = {.object = frame->object};
    struct stack_frame new = {.file = CPROF_NONE};
    const char *name = "???";
    uint32_t object;

    p->source->locate(p->source->places, frame, &place);
    /* A name that begins with a NUL would be none. */
    if (place.is_named && frame->symbol_size && *frame->symbol &&
        !(name = builder_text(p->s.r.builder, frame->symbol, frame->symbol_size)))
        return CPROF_NONE;
    object = builder_object(p->s.r.builder, place.object, place.build_id);
    if (object == CPROF_NONE)
        return object;
    new.function =
        builder_function_at(p->s.r.builder, name, NULL, object, CPROF_NONE, 0, place.function);
    new.address = place.address;
    return new.function == CPROF_NONE ? CPROF_NONE : stacks_frame(&p->s.stacks, &new);
}

static int equal_known(const void *owner, uint32_t index, const void *key)
{
    const struct perf_known *a = (const struct perf_known *)owner + index, *b = key;

    return a->size == b->size && a->is_caller == b->is_caller && !memcmp(a->line, b->line, a->size);
}

/* The frame of a line, with texts. 1; 0: it is no frame; -1. */
static int read_frame(struct perf *p, const struct perf_known *known, struct samples_frame *from)
{
    struct perf_frame frame;

    if (!perf_frame_line(known->line, known->line + known->size, &frame))
        return 0;
    *from = (struct samples_frame){.address = frame.address,
                                   .symbol = frame.symbol.at,
                                   .symbol_size = (size_t)(frame.symbol.end - frame.symbol.at),
                                   .offset = frame.offset,
                                   .is_caller = known->is_caller};
    from->object = frame.object.at < frame.object.end ? text_of(p, frame.object) : "[unknown]";
    return from->object ? 1 : -1;
}

/* Finds the frame of a line that is not known. 1; 0: it is no frame; -1. */
static int look_up(struct perf *p, struct perf_known *known)
{
    struct samples_frame from;
    int result = read_frame(p, known, &from);

    if (result <= 0)
        return result;
    known->frame = place_frame(p, &from);
    return known->frame == CPROF_NONE ? -1 : 1;
}

/* Tells whether code of the kernel is at the line of a frame: its addresses are the greatest. */
static int is_of_kernel(const char *at, const char *end)
{
    at = lex_skip_blanks(at, end);
    return end - at > 16 && at[0] == 'f' && at[1] == 'f' && at[2] == 'f' && at[3] == 'f' &&
           at[16] == ' ';
}

/* Tells whether perf's unwinder failed here: the caller's address is not known. */
static int is_failure(const char *at, const char *end)
{
    at = lex_skip_blanks(at, end);
    return LEX_STARTS(at, end, "ffffffffffffffff ");
}

/* Takes the line as a frame of the sample at hand: most are known. 1; 0: it is none; -1. */
static int locate_frame(struct perf *p)
{
    int in_user = !is_of_kernel(p->s.r.line, p->s.r.end);
    struct perf_known key = {.line = p->s.r.line,
                             .size = (size_t)(p->s.r.end - p->s.r.line),
                             .is_caller = p->source->callers_return && p->located.count &&
                                          p->is_in_user && in_user,
                             .begins = -1};
    uint32_t hash = map_hash_bytes(key.line, key.size, (uint64_t)key.is_caller), *frame;
    uint32_t found = map_find(&p->known_map, hash, equal_known, p->known.data, &key);
    struct perf_known *new;

    if (is_failure(p->s.r.line, p->s.r.end))
        return 1;
    if (found == MAP_NONE) {
        int result = look_up(p, &key);

        if (result <= 0)
            return result;
        key.line = arena_text(&p->lines, key.line, key.size);
        new = vector_push(&p->known, sizeof *new);
        if (!key.line || !new || map_add(&p->known_map, hash, (uint32_t)p->known.count - 1))
            return perf_out_of_memory(p);
        *new = key;
        found = (uint32_t)p->known.count - 1;
    }
    if (p->located.count >= SAMPLED_MAX_FRAMES)
        return reader_fail(&p->s.r, CPROF_ERROR_SYNTAX, NULL, "a stack of more than %d frames",
                           SAMPLED_MAX_FRAMES);
    if (!(frame = vector_push(&p->located, sizeof *frame)))
        return perf_out_of_memory(p);
    *frame = ((const struct perf_known *)p->known.data)[found].frame;
    p->outermost = found;
    p->n_kernel = in_user ? p->n_kernel : p->located.count;
    p->is_in_user = in_user;
    return 1;
}

/* Tells whether the stack at hand begins where stacks do. The kernel's frames alone are one that
 * does. 1, 0 or -1. */
static int is_whole(struct perf *p)
{
    struct perf_known *known = (struct perf_known *)p->known.data + p->outermost;
    struct samples_frame frame;

    if (!p->source->begins || !p->is_in_user || known->begins == 1)
        return 1;
    if (known->begins < 0) {
        if (read_frame(p, known, &frame) < 0)
            return -1;
        known->begins = p->source->begins(p->source->places, &frame) != 0;
    }
    return known->begins;
}

/* The node of the frames that were located, none of which is no stack. */
static uint32_t push_located(struct perf *p)
{
    static const struct samples_frame none = {
        .object = "[no stack]", .symbol = "[no stack]", .symbol_size = 10};
    const uint32_t *frames = p->located.data;
    uint32_t node = p->comm;
    size_t first;
    int whole;

    if (!p->located.count) {
        uint32_t frame = place_frame(p, &none);

        p->counts.without_stack++;
        return frame == CPROF_NONE ? frame : stacks_push(&p->s.stacks, node, frame);
    }
    whole = is_whole(p);
    if (whole < 0)
        return CPROF_NONE;
    if (!whole)
        node = stacks_cut_begin(&p->s.stacks, &p->cut, p->s.r.builder, node,
                                frames[p->located.count - 1]);
    /* How the kernel has a thread wait is no matter; what was called for it is. */
    first = perf_kind_of(p) == SAMPLES_WAITS && p->is_in_user ? p->n_kernel : 0;
    for (size_t i = p->located.count; i-- > first && node != CPROF_NONE;)
        node = stacks_push(&p->s.stacks, node, frames[i]);
    return node;
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
    uint32_t node = p->comm, object;

    if (p->source)
        return push_located(p);
    object = builder_object(p->s.r.builder, "???", NULL);
    if (!p->frames.count) {
        p->counts.without_stack++;
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

/* The thread at hand has left the processor with this stack. */
static int begin_wait(struct perf *p, uint32_t node)
{
    struct perf_wait *wait = perf_waits_of(&p->waits, p->tid);

    if (!wait)
        return perf_out_of_memory(p);
    *wait = (struct perf_wait){.tid = p->tid, .since = p->time, .node = node, .is_off = 1};
    return 0;
}

static int add_sample(struct perf *p, uint32_t node)
{
    struct perf_event *e = (struct perf_event *)p->events.data + p->event;
    struct stacks *stacks = &p->s.stacks;

    e->has_periods |= p->has_period;
    e->samples++;
    if (perf_kind_of(p) == SAMPLES_WAITS)
        return begin_wait(p, node);
    if (perf_kind_of(p) == SAMPLES_CHANCE && stacks_add(stacks, node, 0, 1))
        return -1;
    if (e->values && stacks_add(stacks, node, e->column - 1, p->value))
        return -1;
    return stacks_add(stacks, node, e->column, p->period);
}

static int end_sample(struct perf *p)
{
    uint32_t node;

    if (!p->in_sample)
        return 0;
    p->in_sample = 0;
    if (p->is_left_out) {
        p->located.count = p->n_kernel = 0;
        p->counts.left_out++;
        return 0;
    }
    p->counts.samples++;
    node = push_stack(p);
    p->frames.count = p->located.count = p->n_kernel = 0;
    return node == CPROF_NONE ? -1 : add_sample(p, node);
}

/* "PERF_RECORD_SWITCH OUT preempt", "... IN" */
static int switch_thread(struct perf *p, const struct perf_head *head)
{
    const char *at = head->rest, *word, *how;
    size_t size, how_size;
    struct perf_wait *wait = perf_waits_of(&p->waits, head->tid);
    uint32_t node;

    if (!wait)
        return perf_out_of_memory(p);
    if (!(word = lex_word(&at, p->s.r.end, &size)) || !wait->is_off)
        return 0;
    if (size == 3 && !memcmp(word, "OUT", 3)) {
        how = lex_word(&at, p->s.r.end, &how_size);
        wait->is_preempted = how && how_size == 7 && !memcmp(how, "preempt", 7);
        return 0;
    }
    if (size != 2 || memcmp(word, "IN", 2) != 0 || head->time < wait->since)
        return 0;
    wait->is_off = 0;
    node = wait->node;
    return stacks_add(&p->s.stacks, node, wait->is_preempted ? 1 : 0, head->time - wait->since) ||
                   stacks_add(&p->s.stacks, node, 2, 1)
               ? -1
               : 0;
}

/* "PERF_RECORD_LOST lost 12" and the like */
static int count_record(struct perf *p, const struct perf_head *head)
{
    const char *at = head->rest, *word;
    uint64_t lost = 0;
    size_t size;

    if (perf_processes_take(&p->running, head->event))
        return perf_out_of_memory(p);
    if (perf_kind_of(p) == SAMPLES_WAITS &&
        LEX_STARTS(head->event.at, head->event.end, "PERF_RECORD_SWITCH"))
        return switch_thread(p, head);
    p->counts.throttled += LEX_STARTS(head->event.at, head->event.end, "PERF_RECORD_THROTTLE");
    if (!LEX_STARTS(head->event.at, head->event.end, "PERF_RECORD_LOST"))
        return 0;
    while ((word = lex_word(&at, p->s.r.end, &size)))
        if (size == 4 && !memcmp(word, "lost", 4)) {
            at = lex_skip_blanks(at, p->s.r.end);
            if (lex_decimal(&at, p->s.r.end, &lost) != LEX_OK || lost > UINT32_MAX)
                return reader_warn(&p->s.r, "a record of lost samples cannot be read");
            break;
        }
    p->counts.lost += lost;
    return 0;
}

static int is_left_out(const struct samples_source *source, struct perf_text comm)
{
    size_t size = (size_t)(comm.end - comm.at);

    return source->left_out && strlen(source->left_out) == size &&
           !memcmp(source->left_out, comm.at, size);
}

/* The value that the sample has beside its number. */
static void read_value(struct perf *p, const struct perf_head *head)
{
    const struct perf_event *e = (const struct perf_event *)p->events.data + p->event;

    p->value = 0;
    if (e->values && (!perf_field_value(head->rest, p->s.r.end, e->values->field, &p->value) ||
                      __builtin_mul_overflow(p->value, p->period, &p->value))) {
        p->value = 0;
        p->counts.without_value++;
    }
}

static int begin_sample(struct perf *p, const struct perf_head *head)
{
    struct perf_frame frame;

    if (end_sample(p))
        return -1;
    if (head->is_record)
        return count_record(p, head);
    p->in_sample = 1;
    p->is_in_line = 0;
    p->is_left_out =
        p->source &&
        (is_left_out(p->source, head->comm) ||
         (p->source->counts && !p->source->counts(p->source->sections, head->tid, head->time)));
    if (p->is_left_out)
        return 0;
    if (perf_find_event(p, head->event, &p->event) || find_comm(p, head, &p->comm))
        return -1;
    p->period = head->period;
    p->has_period = head->has_period;
    p->tid = head->tid;
    p->time = head->time;
    read_value(p, head);
    if (p->source || lex_skip_blanks(head->rest, p->s.r.end) == p->s.r.end ||
        !perf_frame_in_line(head->rest, p->s.r.end, &frame))
        return 0; /* what else stands there are values of a tracepoint */
    p->is_in_line = 1;
    return add_frame(p, &frame);
}

static int any_line(struct perf *p)
{
    struct reader *r = &p->s.r;
    struct perf_head head;
    struct perf_frame frame;
    struct perf_text file;
    uint32_t line;

    p->ends_whole = 0;
    if (p->source && p->in_sample && r->line < r->end && *r->line == '\t') {
        int taken = locate_frame(p);

        return taken > 0   ? 0
               : taken < 0 ? -1
                           : reader_warn(r, "a frame that cannot be read is left out of its stack");
    }
    /* Blanks without an end are the beginning of a frame. */
    if (lex_skip_blanks(r->line, r->end) == r->end)
        return r->line < r->end && !input_line_is_whole(r->in) ? 0 : end_sample(p);
    if (*r->line == '#')
        return 0;
    if (*r->line != '\t' && perf_head_line(r->line, r->end, &head))
        return begin_sample(p, &head);
    if (p->in_sample && perf_frame_line(r->line, r->end, &frame)) {
        if (p->is_in_line) /* there was none: a column is a number */
            p->frames.count = 0;
        p->is_in_line = 0;
        p->ends_whole = r->end[-1] == ')';
        return add_frame(p, &frame);
    }
    if (p->in_sample && p->frames.count && perf_source_line(r->line, r->end, &file, &line))
        return add_source(p, file, line);
    if (p->in_sample && p->frames.count && perf_other_line(r->line, r->end))
        return 0;
    return reader_warn(r, p->in_sample ? "a frame that cannot be read is left out of its stack"
                                       : "a line that is no sample is left out");
}

/* Ends the last sample, if it is whole: a stack that is cut would be another one. */
static int end_file(struct perf *p)
{
    if (!p->in_sample)
        return 0;
    if (p->is_in_line && input_line_is_whole(p->s.r.in))
        return end_sample(p);
    builder_header(p->s.r.builder)->may_be_cut = 1;
    if (input_line_is_whole(p->s.r.in))
        return end_sample(p)
                   ? -1
                   : reader_warn(&p->s.r, "no empty line behind the last sample: the file "
                                          "may be cut short");
    if (p->ends_whole)
        return end_sample(p) ? -1
                             : reader_warn(&p->s.r, "the last line does not end: the file may be "
                                                    "cut short");
    p->in_sample = 0;
    return reader_warn(&p->s.r, "the file is cut short: its last sample is left out");
}

static void tell_running(const struct perf *p)
{
    const uint64_t *pids = p->running.data;

    for (size_t i = 0; p->source && p->source->goes_on && i < p->running.count; i++)
        p->source->goes_on(p->source->run, pids[i]);
}

static int read_all(struct reader *r)
{
    struct perf *p = (struct perf *)r;
    int more;

    if (sampled_begin(&p->s, 0) || perf_begin_columns(p))
        return -1;
    while ((more = reader_next(r)) > 0)
        if (any_line(p))
            return -1;
    if (more || end_file(p))
        return -1;
    if (!p->source)
        builder_lost_samples(r->builder, p->counts.samples, p->counts.lost);
    /* Nodes have other numbers when stacks are completed: their threads are named before. */
    if (sampled_name_threads(&p->s) || stacks_complete(&p->s.stacks, &p->cut))
        return -1;
    p->counts.cut = p->cut.left;
    p->counts.completed = p->cut.completed;
    tell_running(p);
    return !p->source && perf_warn_of_samples(r, &p->counts) ? -1 : perf_finish_columns(p);
}

static struct cprof_profile *read_profile(struct input *in, unsigned flags,
                                          const struct samples_source *source,
                                          struct perf_counts *counts, struct cprof_error *error)
{
    struct perf *p = reader_new(sizeof *p, error);
    struct cprof_profile *profile;

    if (!p)
        return NULL;
    p->source = source;
    p->cut.marker = CPROF_NONE;
    profile = reader_run(&p->s.r, in, flags, error, source ? CPROF_FORMAT_RAW : CPROF_FORMAT_PERF,
                         read_all);
    if (counts)
        *counts = p->counts;
    free(p->events.data);
    free(p->frames.data);
    free(p->located.data);
    free(p->known.data);
    free(p->running.data);
    map_release(&p->known_map);
    perf_waits_release(&p->waits);
    stacks_cut_release(&p->cut);
    arena_release(&p->lines);
    sampled_free(&p->s);
    return profile;
}

struct cprof_profile *perf_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    return read_profile(in, flags, NULL, NULL, error);
}

struct cprof_profile *perf_read_samples(struct input *in, const struct samples_source *source,
                                        struct perf_counts *counts, struct cprof_error *error)
{
    return read_profile(in, 0, source, counts, error);
}
