#include <config.h>

#include "perf.h"

#include "arena.h"
#include "error.h"
#include "lex.h"
#include "map.h"
#include "sampled.h"
#include "stacks.h"

#include <stdio.h>
#include <stdlib.h>

/*--- Time off the processor ---*/

/* A thread. */
struct perf_wait {
    uint64_t tid;
    uint64_t since; /* ns */
    uint32_t node;  /* the stack that it left with; valid while it is off the processor */
    int is_off;
    int is_preempted; /* others took the processor: it did not wait for anything */
};

static int equal_thread(const void *owner, uint32_t index, const void *key)
{
    return ((const struct perf_wait *)owner)[index].tid == *(const uint64_t *)key;
}

/* The state of thread `tid`, made if new; NULL: out of memory. Valid until the next call. */
static struct perf_wait *wait_of(struct set *waits, uint64_t tid)
{
    struct perf_wait key = {.tid = tid};
    uint32_t found = set_put(waits, map_hash(tid), equal_thread, &key, sizeof key);

    return found == MAP_NONE ? NULL : (struct perf_wait *)waits->items.data + found;
}

/*--- Processes ---*/

/* The process in "42:42)"; 0: that is a thread of one, or no number. */
static uint64_t process_of(const char *at, const char *end)
{
    uint64_t pid, tid;

    if (lex_decimal(&at, end, &pid) != LEX_OK || at == end || *at++ != ':' ||
        lex_decimal(&at, end, &tid) != LEX_OK)
        return 0;
    return pid == tid ? pid : 0;
}

static void leave_out(struct vector *running, uint64_t pid)
{
    uint64_t *pids = running->data;

    for (size_t i = 0; i < running->count; i++)
        if (pids[i] == pid) {
            pids[i] = pids[--running->count];
            return;
        }
}

/* Takes "PERF_RECORD_FORK(42:42):(41:41)" or "PERF_RECORD_EXIT(42:42):(41:41)", which are of
 * process 42 and its parent, for the list of those that run (uint64_t); other records, and those of
 * threads, change nothing. 0; -1 when out of memory. */
static int perf_processes_take(struct vector *running, struct perf_text event)
{
    static const char begins[] = "PERF_RECORD_FORK(", ends[] = "PERF_RECORD_EXIT(";
    int is_begin = LEX_STARTS(event.at, event.end, begins);
    uint64_t pid;

    if (!is_begin && !LEX_STARTS(event.at, event.end, ends))
        return 0;
    pid = process_of(event.at + sizeof begins - 1, event.end);
    if (!pid)
        return 0;
    if (!is_begin) {
        leave_out(running, pid);
        return 0;
    }
    return vector_add(running, &pid, sizeof pid);
}

/*--- State ---*/

/* Column 0 of the tree counts samples, but for counts that are exact; each event has one behind it,
 * and one for the sum of its values in front of that where it has any. */
struct perf_event {
    const char *name;
    uint32_t column;
    uint64_t samples;
    int has_periods;                    /* else its column counts samples as well */
    const struct samples_event *values; /* NULL: it has none */
};

/* A frame of the sample at hand, whose function is not known before its object is: that of an
 * inlined one stands behind it. */
struct perf_entry {
    const char *symbol, *object; /* the builder's; NULL: not known */
    const char *file;
    uint32_t line;
    int inlined;
};

/* A frame that was looked up by `source`, by the bytes of its line. */
struct perf_known {
    const char *line;
    size_t size;
    int is_caller;
    uint32_t frame;     /* of the stacks */
    signed char begins; /* 1: nothing calls it, 0: something does, -1: nobody has asked yet */
};

/*
 * The format: a line for each sample, below it the frames of its stack, the innermost first, and an
 * empty line; a sample without a stack may have one frame in its line. perf's own records, such as
 * those of lost samples, are lines too.
 *
 * With a source, frames have addresses, and functions are the raw profile's: by where they begin.
 */
struct perf {
    struct sampled s;             /* its threads are commands */
    struct vector events, frames; /* struct perf_event, perf_entry */
    int in_sample;
    int ends_whole; /* the line at hand is a frame, and ends with that of its object */
    int is_in_line; /* the sample at hand has its one frame in its line, and no empty line behind */
    uint32_t event, comm; /* of the sample at hand; comm: a root */
    uint64_t period, value, tid, time;
    int has_period;
    int is_left_out; /* the sample does not count */
    struct perf_counts counts;
    const struct samples_source *source; /* NULL: there is none, and what follows is empty */
    struct vector located;               /* uint32_t: frames of the sample at hand */
    uint32_t outermost;                  /* the last of them, in `known` */
    size_t n_kernel;                     /* the first of them that are the kernel's */
    struct stacks_cut cut;
    struct set waits;      /* struct perf_wait */
    struct vector running; /* perf_processes_take() */
    int is_in_user;        /* the last of them is no kernel's */
    struct vector known;   /* struct perf_known */
    struct map known_map;
    struct arena lines;
};

/*--- Events and columns ---*/

/* The way that samples count. */
static enum samples_kind perf_kind_of(const struct perf *p)
{
    return p->source ? p->source->kind : SAMPLES_CHANCE;
}

/* The event as the source has it; NULL: by the same name. */
static const struct samples_event *renamed(const struct perf *p, struct perf_text text)
{
    size_t size = (size_t)(text.end - text.at);

    for (int is_shorter = 0; is_shorter < 2; is_shorter++)
        for (size_t i = 0; p->source && i < p->source->n_events; i++) {
            const char *name = p->source->events[i].perf_name;
            size_t length = strlen(name);

            /* Where the kernel is hidden, perf calls "cycles" "cycles:u". */
            if ((is_shorter ? size > length && text.at[length] == ':' && !strchr(name, ':')
                            : size == length) &&
                !memcmp(name, text.at, length))
                return &p->source->events[i];
        }
    return NULL;
}

/* The columns of a new event. 0 or -1. */
static int add_columns(struct perf *p, struct perf_event *event)
{
    if (perf_kind_of(p) == SAMPLES_WAITS)
        return 0;
    if (event->values && stacks_column(&p->s.stacks) == CPROF_NONE)
        return -1;
    event->column = stacks_column(&p->s.stacks);
    return event->column == CPROF_NONE ? -1 : 0;
}

/* The number of the event of this name; made if new. 0 or -1. */
static int perf_find_event(struct perf *p, struct perf_text text, uint32_t *event)
{
    const struct samples_event *known = renamed(p, text);
    char shorter[256];
    size_t size = known ? 0 : perf_event_name(text, shorter, sizeof shorter);
    const char *name = known ? reader_bytes(&p->s.r, known->name, known->name + strlen(known->name))
                             : reader_bytes(&p->s.r, shorter, shorter + size);
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
        return error_memory(p->s.r.error);
    *events = (struct perf_event){.name = name, .values = known && known->field ? known : NULL};
    return add_columns(p, events);
}

static const char *meaning(const struct perf_event *e, int several)
{
    if (!e->has_periods)
        return several ? "samples of this event" : NULL;
    return !strcmp(e->name, "cpu-clock") || !strcmp(e->name, "task-clock")
               ? "nanoseconds of processor time, by samples"
               : "events, by samples and their periods";
}

/* The builder's event for a column. 0 or -1. */
static int name_column(struct perf *p, uint32_t *column, const char *name, const char *text)
{
    *column = builder_event(p->s.r.builder, name);
    return *column == CPROF_NONE || builder_event_describe(p->s.r.builder, *column, text, NULL) ? -1
                                                                                                : 0;
}

/* Events that are counted: what is added up stands before the number. */
static int name_counts(struct perf *p, uint32_t *columns)
{
    const struct perf_event *events = p->events.data;

    for (size_t i = 0; i < p->events.count; i++) {
        const struct perf_event *e = &events[i];

        if (e->values && name_column(p, &columns[e->column - 1], e->values->sum_name,
                                     "the sum of a value, over all calls"))
            return -1;
        if (name_column(p, &columns[e->column], e->name, NULL))
            return -1;
    }
    return 0;
}

static int name_waits(struct perf *p, uint32_t *columns)
{
    return name_column(p, &columns[0], "blocked", "nanoseconds off the processor, waiting") ||
                   name_column(p, &columns[1], "preempted",
                               "nanoseconds off the processor, which others had") ||
                   name_column(p, &columns[2], "switches", "times off the processor")
               ? -1
               : 0;
}

/* The event that is shown first. A text does not say in which order they were asked for, so it is
 * the first one in it, unless another has many more samples: starting a program has a page fault.
 */
static size_t first_event(const struct perf *p)
{
    const struct perf_event *events = p->events.data;
    size_t first = 0;

    for (size_t i = 1; i < p->events.count && !p->source; i++)
        if (events[i].samples / 2 > events[first].samples)
            first = i;
    return first;
}

/* One event: samples, and then what they stand for. Of several events, samples do not compare. */
static int name_events(struct perf *p, uint32_t *columns)
{
    const struct perf_event *events = p->events.data;
    size_t n = p->events.count, first = first_event(p);

    if (n <= 1 && name_column(p, &columns[0], "Samples", NULL))
        return -1;
    for (size_t k = 0; k < n; k++) {
        size_t i = !k ? first : k - (k <= first);
        const char *name = n == 1 && !events[i].has_periods ? "Samples" : events[i].name;

        if (events[i].values && name_column(p, &columns[events[i].column - 1],
                                            events[i].values->sum_name, "the sum of a value"))
            return -1;
        if (name_column(p, &columns[events[i].column], name, meaning(&events[i], n > 1)))
            return -1;
    }
    return n > 1 ? name_column(p, &columns[0], "Samples", NULL) : 0;
}

/* The columns that are there before any event. 0 or -1. */
static int perf_begin_columns(struct perf *p)
{
    static const int n_columns[] = {[SAMPLES_CHANCE] = 1, [SAMPLES_EXACT] = 0, [SAMPLES_WAITS] = 3};

    for (int i = 0; i < n_columns[perf_kind_of(p)]; i++)
        if (stacks_column(&p->s.stacks) == CPROF_NONE)
            return -1;
    /* In the order in which they were asked for, whichever comes first. */
    for (size_t i = 0; p->source && i < p->source->n_events; i++) {
        const char *name = p->source->events[i].perf_name;
        uint32_t event;

        if (perf_find_event(p, (struct perf_text){name, name + strlen(name)}, &event))
            return -1;
    }
    return 0;
}

/* Names the columns and gives all stacks to the builder. 0 or -1. */
static int perf_finish_columns(struct perf *p)
{
    uint32_t columns[2 * READER_MAX_EVENTS] = {0};
    int failed;

    /* Nothing was counted. */
    if (!p->s.stacks.width &&
        (stacks_column(&p->s.stacks) == CPROF_NONE || name_column(p, &columns[0], "Samples", NULL)))
        return -1;
    failed = perf_kind_of(p) == SAMPLES_EXACT   ? name_counts(p, columns)
             : perf_kind_of(p) == SAMPLES_WAITS ? name_waits(p, columns)
                                                : name_events(p, columns);

    return failed ? -1 : stacks_finish(&p->s.stacks, p->s.r.builder, columns);
}

/*--- Warnings ---*/

/* Stacks without their beginning, and what perf has to copy for more of them. A few of them are in
 * any run: a sample may hit code where nobody can find the caller. */
static int warn_of_cut(struct reader *r, const struct perf_counts *n)
{
    enum { LARGEST = 65528 }; /* that perf can copy */
    static const char by_pointers[] =
        "; code without frame pointers ends them: build it with -fno-omit-frame-pointer (Rust: -C "
        "force-frame-pointers=yes), or take --call-graph dwarf";
    static const char deepest[] =
        "; perf copies no more of each: --call-graph fp goes deeper, in code that is built with "
        "-fno-omit-frame-pointer (Rust: -C force-frame-pointers=yes)";
    const char *helps = n->cut == 0                ? ""
                        : !n->stack_bytes          ? by_pointers
                        : n->stack_bytes < LARGEST ? "; --stack-size 65528 copies more of each"
                                                   : deepest;
    char completed[128] = "";

    if ((n->cut + n->completed) * 100 < n->samples)
        return 0;
    if (n->completed)
        snprintf(completed, sizeof completed,
                 "%llu of them completed by the only callers that others have%s",
                 (unsigned long long)n->completed,
                 n->cut ? ", call paths of the rest begin at '" CPROF_STACK_CUT "'" : "");
    return reader_warn(r, "%llu of %llu " CPROF_STACKS_CUT ", %s%s",
                       (unsigned long long)(n->cut + n->completed), (unsigned long long)n->samples,
                       n->completed ? completed : "their call paths begin at '" CPROF_STACK_CUT "'",
                       helps);
}

int perf_warn_of_samples(struct reader *r, const struct perf_counts *n)
{
    if (n->lost && reader_warn(r, "perf lost %llu samples, beside %llu that it has",
                               (unsigned long long)n->lost, (unsigned long long)n->samples))
        return -1;
    if (n->without_value &&
        reader_warn(r, "%llu of %llu calls have a value that cannot be read: it is not in the sum",
                    (unsigned long long)n->without_value, (unsigned long long)n->samples))
        return -1;
    if (n->throttled &&
        reader_warn(r, "the kernel held samples back %llu times, since they took too long",
                    (unsigned long long)n->throttled))
        return -1;
    if (n->without_stack && n->without_stack < n->samples &&
        reader_warn(r, "%llu of %llu samples have no stack: they are '[no stack]'",
                    (unsigned long long)n->without_stack, (unsigned long long)n->samples))
        return -1;
    return warn_of_cut(r, n);
}

/*--- The reader ---*/

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
        return error_memory(p->s.r.error);
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
    uint32_t hash = map_hash_bytes(key.line, key.size, (uint64_t)key.is_caller);
    uint32_t found = map_find(&p->known_map, hash, equal_known, p->known.data, &key);
    const struct perf_known *known;

    if (is_failure(p->s.r.line, p->s.r.end))
        return 1;
    if (found == MAP_NONE) {
        int result = look_up(p, &key);

        if (result <= 0)
            return result;
        key.line = arena_text(&p->lines, key.line, key.size);
        if (!key.line || vector_add(&p->known, &key, sizeof key) ||
            map_add(&p->known_map, hash, (uint32_t)p->known.count - 1))
            return error_memory(p->s.r.error);
        found = (uint32_t)p->known.count - 1;
    }
    if (p->located.count >= SAMPLED_MAX_FRAMES)
        return reader_fail(&p->s.r, CPROF_ERROR_SYNTAX, NULL, "a stack of more than %d frames",
                           SAMPLED_MAX_FRAMES);
    known = (const struct perf_known *)p->known.data + found;
    if (vector_add(&p->located, &known->frame, sizeof known->frame))
        return error_memory(p->s.r.error);
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
    struct perf_wait *wait = wait_of(&p->waits, p->tid);

    if (!wait)
        return error_memory(p->s.r.error);
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
    struct perf_wait *wait = wait_of(&p->waits, head->tid);
    uint32_t node;

    if (!wait)
        return error_memory(p->s.r.error);
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
        return error_memory(p->s.r.error);
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
    set_release(&p->waits);
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
