#include <config.h>

/* The lines of a raw profile that have objects, ranges, basic blocks, misses, sections and the
 * heap. */
#include "cp_format.h"
#include "raw.h"

#include <stdio.h>
#include <stdlib.h>

int raw_build_id_and_path(struct raw *w, const char *at, const char **build_id, const char **path)
{
    const char *id;
    size_t size;

    *build_id = NULL;
    id = lex_word(&at, w->r.end, &size);
    if (!id || at == w->r.end)
        return framed_bad(&w->r, at, "path is missing");
    if (size != 1 || *id != '-') {
        const char *digits = id;
        while (digits < at && (lex_is_digit(*digits) || (*digits >= 'a' && *digits <= 'f')))
            digits++;
        if (digits != at)
            return framed_bad(&w->r, digits, "build id is neither '-' nor lower-case hexadecimal");
        if (!(*build_id = builder_text(w->r.builder, id, size)))
            return -1;
    }
    *path = framed_text(&w->r, at + 1, w->r.end);
    return *path ? 0 : -1;
}

int raw_object_record(struct raw *w, const char *at)
{
    struct raw_object *new;
    const char *build_id, *path;

    if (raw_new_id(w, &at, w->objects.count, "object") ||
        raw_build_id_and_path(w, at, &build_id, &path) ||
        !(new = raw_push(w, &w->objects, sizeof *new)))
        return -1;
    new->function = CPROF_NONE;
    new->object = builder_object(w->r.builder, path, build_id);
    return new->object == CPROF_NONE ? -1 : 0;
}

int raw_range_record(struct raw *w, const char *at)
{
    uint64_t start, end, bias;
    uint32_t object;

    if (framed_id(&w->r, &at, w->objects.count, "object", &object) ||
        framed_address(&w->r, &at, &start) || framed_address(&w->r, &at, &end) ||
        framed_address(&w->r, &at, &bias))
        return -1;
    return raw_end(w, at);
}

/* The index of the event that a letter counts; BLOCK_EVENTS for any other letter. */
static inline int letter_index(char letter)
{
    switch (letter) {
    case CP_SPEC_IR:
        return 0;
    case CP_SPEC_DR:
        return 1;
    case CP_SPEC_DW:
        return 2;
    case CP_SPEC_BC:
        return 3;
    case CP_SPEC_BI:
        return 4;
    case CP_SPEC_REP:
        return 5;
    default:
        return BLOCK_EVENTS;
    }
}

/* Reads the letters of one instruction. */
static int read_spec(struct raw *w, const char *spec, size_t size, struct raw_instruction *in)
{
    if (size == 1 && *spec == CP_SPEC_NONE)
        return 0;
    for (size_t i = 0; i < size; i++) {
        int letter = letter_index(spec[i]);
        if (letter == BLOCK_EVENTS)
            return framed_bad(&w->r, spec + i, "letter other than 'i', 'r', 'w', 'c', 'b', 'p'");
        if (in->counts[letter]++ == 255)
            return framed_bad(&w->r, spec + i, "letter is repeated more than 255 times");
    }
    return 0;
}

/* Adds a basic block of the instructions from its first one on. */
static int add_block(struct raw *w, const struct raw_block *block)
{
    struct raw_block *new = raw_push(w, &w->blocks, sizeof *new);
    int64_t *sum = new ? raw_push(w, &w->sums, sizeof *sum) : NULL;

    if (!sum)
        return -1;
    *new = *block;
    new->size = w->instructions.count - block->first;
    *sum = 0;
    return 0;
}

int raw_block_record(struct raw *w, const char *at)
{
    struct raw_block block = {.first = w->instructions.count};
    uint64_t address, delta;
    const char *spec;
    size_t size;

    if (raw_new_id(w, &at, w->blocks.count, "basic block") ||
        framed_id(&w->r, &at, w->objects.count, "object", &block.object) ||
        framed_address(&w->r, &at, &address))
        return -1;
    for (;;) {
        struct raw_instruction *in;
        spec = lex_word(&at, w->r.end, &size);
        if (!spec)
            return framed_bad(&w->r, at, "letters of an instruction are missing");
        if (!(in = raw_push(w, &w->instructions, sizeof *in)))
            return -1;
        *in = (struct raw_instruction){.address = address};
        if (read_spec(w, spec, size, in))
            return -1;
        at += at < w->r.end;
        if (at == w->r.end)
            break;
        if (*at++ != '+')
            return framed_bad(&w->r, at - 1, "'+' and a distance expected");
        if (framed_address(&w->r, &at, &delta))
            return -1;
        if (__builtin_add_overflow(address, delta, &address))
            return reader_fail(&w->r, CPROF_ERROR_RANGE, NULL, "address exceeds 2^64-1");
    }
    return add_block(w, &block);
}

/* Takes instructions from `at` on. Returns the newline behind the last one; NULL where something is
 * odd, or with the error set. */
static const char *quick_instructions(struct raw *w, const char *at, const char *end,
                                      uint64_t address)
{
    for (;;) {
        struct raw_instruction in = {.address = address}, *new;
        uint64_t delta;
        int letter;

        for (; at < end && (letter = letter_index(*at)) != BLOCK_EVENTS; at++)
            if (in.counts[letter]++ == 255)
                return NULL;
        if (at == end || (*at != ' ' && *at != '\n') || at[-1] == ' ' ||
            !(new = raw_push(w, &w->instructions, sizeof *new)))
            return NULL;
        *new = in;
        if (*at == '\n')
            return at;
        if (++at == end || *at != '+' || !(at = lex_quick_hex_field(at + 1, end, &delta)) ||
            __builtin_add_overflow(address, delta, &address))
            return NULL;
    }
}

int raw_quick_block(struct raw *w, const char *line, const char *end)
{
    struct raw_block block = {.first = w->instructions.count};
    uint64_t id, object, address;
    const char *at = w->n_contexts ? NULL : lex_quick_field(line + 2, end, &id);

    if (!at || id != w->blocks.count || id >= UINT32_MAX ||
        !(at = lex_quick_field(at, end, &object)) || object >= w->objects.count ||
        !(at = lex_quick_hex_field(at, end, &address)))
        return 0;
    block.object = (uint32_t)object;
    at = quick_instructions(w, at, end, address);
    if (!at) {
        w->instructions.count = block.first;
        return w->r.error->code == CPROF_OK ? 0 : -1;
    }
    input_take(w->r.in, at + 1, 1);
    return add_block(w, &block) ? -1 : 1;
}

/* Adds counts that are in `row`, of an instruction in the last context. */
static int raw_add_miss(struct raw *w, uint32_t object, uint64_t address)
{
    struct raw_miss *new, miss = {.object = object, .address = address};

    w->have_counts = 1;
    miss.context = w->n_contexts ? w->n_contexts - 1 : CPROF_NONE;
    if (!(new = raw_push(w, &w->misses, sizeof *new)))
        return -1;
    *new = miss;
    for (uint32_t i = 0; i < w->r.n_events; i++) {
        int64_t *value = raw_push(w, &w->miss_rows, sizeof *value);
        if (!value)
            return -1;
        *value = w->r.row[i];
    }
    return 0;
}

int raw_miss_record(struct raw *w, const char *at)
{
    uint32_t object;
    uint64_t address;

    return framed_id(&w->r, &at, w->objects.count, "object", &object) ||
                   framed_address(&w->r, &at, &address) ||
                   raw_counts(w, at, w->r.columns, w->r.n_columns)
               ? -1
               : raw_add_miss(w, object, address);
}

/* Reads a function's place and name; NULL: failed. */
static const char *named_place(struct raw *w, const char *at, uint32_t *object, uint64_t *address)
{
    if (framed_id(&w->r, &at, w->objects.count, "object", object) ||
        framed_address(&w->r, &at, address))
        return NULL;
    if (at < w->r.end)
        return framed_text(&w->r, at, w->r.end);
    (void)framed_bad(&w->r, at, "name is missing");
    return NULL;
}

int raw_name_record(struct raw *w, const char *at)
{
    uint64_t address;
    uint32_t object;
    const char *name = named_place(w, at, &object, &address);

    return name ? raw_add_name(w, object, address, name) : -1;
}

int raw_kept_name_record(struct raw *w, const char *at)
{
    uint64_t address;
    uint32_t object;
    const char *name = named_place(w, at, &object, &address);

    if (!name)
        return -1;
    object = ((const struct raw_object *)w->objects.data)[object].object;
    return raw_named_function(w, object, address, name) == CPROF_NONE ? -1 : 0;
}

/*--- Arguments ---*/

static const char word_exact[] = "exact ", word_log2[] = "log2 ";

/* FUNCTIONS N exact|log2 PATTERN */
int raw_count_arg_key(struct raw *w, const char *at)
{
    struct cprof_counted_arg arg = {.log2 = 0};
    uint64_t number;
    const char *start;

    if (framed_count(&w->r, &at, &arg.n_functions))
        return -1;
    start = at;
    if (framed_count(&w->r, &at, &number))
        return -1;
    if (number < 1 || number > 255)
        return framed_bad(&w->r, start, "an argument's number is 1 to 255");
    if (LEX_STARTS(at, w->r.end, word_exact))
        at += sizeof word_exact - 1;
    else if ((arg.log2 = LEX_STARTS(at, w->r.end, word_log2)))
        at += sizeof word_log2 - 1;
    else
        return framed_bad(&w->r, at, "neither 'exact' nor 'log2', with a pattern behind it");
    if (!(arg.pattern = framed_text(&w->r, at, w->r.end)))
        return -1;
    arg.number = (uint32_t)number;
    return framed_define(&w->r, &w->counted_args, builder_counted_arg(w->r.builder, &arg));
}

/* CONTEXT OPTION OTHERS {VALUE CALLS}... */
int raw_arguments_record(struct raw *w, const char *at)
{
    struct cprof_arg_count count = {.other = 1};

    if (framed_index(&w->r, &at, &w->contexts, "context", &count.context) ||
        framed_index(&w->r, &at, &w->counted_args, "option", &count.arg) ||
        framed_count(&w->r, &at, &count.calls) || builder_arg_count(w->r.builder, &count))
        return -1;
    count.other = 0;
    while (at < w->r.end)
        if (framed_number(&w->r, &at, &count.value) || framed_count(&w->r, &at, &count.calls) ||
            builder_arg_count(w->r.builder, &count))
            return -1;
    return 0;
}

/*--- The heap ---*/

int raw_heap_events_key(struct raw *w, const char *at)
{
    uint32_t columns[READER_MAX_EVENTS], n = w->r.n_columns;

    if (!w->r.have_events)
        return framed_bad(&w->r, NULL, "'heap-events:' before 'events:'");
    memcpy(columns, w->r.columns, n * sizeof *columns);
    if (reader_events(&w->r, at))
        return -1;
    w->n_heap = w->r.n_columns;
    memcpy(w->heap_event, w->r.columns, w->n_heap * sizeof *w->heap_event);
    memcpy(w->r.columns, columns, n * sizeof *columns);
    w->r.n_columns = n;
    builder_header(w->r.builder)->has_heap = 1;
    for (uint32_t i = 0; i < w->n_heap; i++)
        for (uint32_t k = 0; k < w->n_every; k++)
            if (w->heap_event[i] == w->every_event[k])
                return framed_bad(&w->r, at, "an event of the heap is in 'events:', too");
    return 0;
}

int raw_add_count(struct raw *w, const char **at, uint64_t *n, uint64_t *sum)
{
    const char *start = *at;

    if (framed_count(&w->r, at, n))
        return -1;
    *sum += *n;
    return *sum > INT64_MAX
               ? reader_fail(&w->r, CPROF_ERROR_RANGE, start, "a sum of numbers exceeds 2^63-1")
               : 0;
}

/* KNOWN UNMATCHED FAILED LOST. Processes of one run have mostly the same code. */
int raw_heap_key(struct raw *w, const char *at)
{
    struct cprof_heap *h = &builder_header(w->r.builder)->heap;
    uint64_t known, n;

    if (framed_count(&w->r, &at, &known) || raw_add_count(w, &at, &n, &h->unmatched) ||
        raw_add_count(w, &at, &n, &h->failed) || raw_add_count(w, &at, &n, &h->lost) ||
        raw_end(w, at))
        return -1;
    if (known > h->known)
        h->known = known;
    return 0;
}

/* The columns of what lived at the peak. */
static int is_at_peak(const struct raw *w, uint32_t event)
{
    const char *name = builder_event_name(w->r.builder, event);

    return !strcmp(name, "PeakBytes") || !strcmp(name, "PeakBlocks");
}

/* Processes have their peaks at different times, and their sum may never have lived. The highest is
 * kept, and those before it go. */
static void keep_highest(struct raw *w, uint64_t bytes)
{
    w->is_below_peak = w->n_heap_peaks && bytes <= w->heap_peak;
    if (w->is_below_peak)
        return;
    w->heap_peak = bytes;
    for (uint32_t i = 0; w->n_heap_peaks && i < w->n_heap; i++)
        if (is_at_peak(w, w->heap_event[i]))
            builder_clear_event(w->r.builder, w->heap_event[i]);
}

/* IR [BYTES]. Files without BYTES have one process, or peaks that are added up. Instructions of
 * several processes have no order. */
int raw_heap_peak_key(struct raw *w, const char *at)
{
    struct cprof_heap *h = &builder_header(w->r.builder)->heap;
    uint64_t peak, bytes;

    if (framed_count(&w->r, &at, &peak))
        return -1;
    h->peak_ir = w->n_heap_peaks ? 0 : peak;
    if (at < w->r.end) {
        if (framed_count(&w->r, &at, &bytes) || raw_end(w, at))
            return -1;
        keep_highest(w, bytes);
        h->peaks++;
    }
    w->n_heap_peaks++;
    return 0;
}

static int read_counts(struct raw *w, const char *at)
{
    if (raw_counts(w, at, w->heap_event, w->n_heap))
        return -1;
    for (uint32_t i = 0; w->is_below_peak && i < w->n_heap; i++)
        if (is_at_peak(w, w->heap_event[i]))
            w->r.row[w->heap_event[i]] = 0;
    return 0;
}

/* OBJECT ADDRESS N... */
int raw_heap_record(struct raw *w, const char *at)
{
    uint32_t object;
    uint64_t address;

    return framed_id(&w->r, &at, w->objects.count, "object", &object) ||
                   framed_address(&w->r, &at, &address) || read_counts(w, at)
               ? -1
               : raw_add_miss(w, object, address);
}

/* OBJECT ADDRESS N... */
int raw_heap_inclusive_record(struct raw *w, const char *at)
{
    uint32_t function;

    if (raw_function(w, &at, &function) || read_counts(w, at))
        return -1;
    return builder_inclusive(w->r.builder, function, w->r.row);
}

/* OBJECT ADDRESS OBJECT ADDRESS SITEOBJECT SITE N... */
int raw_heap_edge_record(struct raw *w, const char *at)
{
    struct cprof_call call = {.file = CPROF_NONE};

    if (raw_function(w, &at, &call.caller) || raw_function(w, &at, &call.callee) ||
        raw_site(w, &at, &call.address) || read_counts(w, at))
        return -1;
    return builder_call(w->r.builder, &call, w->r.row);
}

static int raw_section(struct raw *w, const char **at, uint32_t *section)
{
    return framed_index(&w->r, at, &w->sections, "section", section);
}

/* SECTION N... */
int raw_heap_section_record(struct raw *w, const char *at)
{
    uint32_t section;

    if (raw_section(w, &at, &section) || read_counts(w, at))
        return -1;
    return builder_section_cost(w->r.builder, section, w->r.row);
}

/*--- Sections ---*/

/* Before the name of the function that stands for a section in call paths, and behind it. */
#define FUNCTION_NAME "[section %s]"

/* ID BEGAN ENDED LOST STRAY FOREIGN CROSSED NAME */
int raw_section_record(struct raw *w, const char *at)
{
    struct cprof_section s = {0};
    uint32_t section;

    if (raw_new_id(w, &at, w->sections.count, "section") || framed_count(&w->r, &at, &s.began) ||
        framed_count(&w->r, &at, &s.ended) || framed_count(&w->r, &at, &s.lost) ||
        framed_count(&w->r, &at, &s.stray) || framed_count(&w->r, &at, &s.foreign) ||
        framed_count(&w->r, &at, &s.crossed))
        return -1;
    if (at == w->r.end)
        return framed_bad(&w->r, at, "name is missing");
    if (!(s.name = framed_text(&w->r, at, w->r.end)))
        return -1;
    section = builder_section(w->r.builder, s.name);
    return framed_define(&w->r, &w->sections, section)
               ? -1
               : builder_section_entries(w->r.builder, section, &s);
}

/* SECTION N... */
int raw_section_cost_record(struct raw *w, const char *at)
{
    uint32_t section;

    if (raw_section(w, &at, &section) || raw_counts(w, at, w->every_event, w->n_every))
        return -1;
    return builder_section_cost(w->r.builder, section, w->r.row);
}

/* SECTION {IR ENTRIES}... */
int raw_spread_record(struct raw *w, const char *at)
{
    uint32_t section;
    uint64_t cost, entries;

    if (raw_section(w, &at, &section))
        return -1;
    do {
        if (framed_count(&w->r, &at, &cost) || framed_count(&w->r, &at, &entries) ||
            builder_section_spread(w->r.builder, section, cost, entries))
            return -1;
    } while (at < w->r.end);
    return 0;
}

/* SECTION LEAST GREATEST */
int raw_extremes_record(struct raw *w, const char *at)
{
    uint32_t section;
    uint64_t least, greatest;

    if (raw_section(w, &at, &section) || framed_count(&w->r, &at, &least) ||
        framed_count(&w->r, &at, &greatest) || raw_end(w, at))
        return -1;
    return builder_section_extremes(w->r.builder, section, least, greatest);
}

/* ID PARENT SECTION ENTRIES */
int raw_entered_record(struct raw *w, const char *at)
{
    struct cprof_context context = {.calls = 0};
    uint32_t parent, section;
    char *name;
    const char *section_name;
    size_t size;

    if (raw_context_ids(w, &at, &parent) || raw_section(w, &at, &section) ||
        framed_count(&w->r, &at, &context.calls) || raw_end(w, at))
        return -1;
    section_name = builder_section_name(w->r.builder, section);
    size = strlen(section_name) + sizeof FUNCTION_NAME;
    if (!(name = malloc(size)))
        return error_memory(w->r.error);
    snprintf(name, size, FUNCTION_NAME, section_name);
    context.function = builder_function(w->r.builder, name, NULL, CPROF_NONE, CPROF_NONE, 0);
    free(name);
    if (context.function == CPROF_NONE || raw_add_context(w, parent, &context))
        return -1;
    w->n_contexts++;
    return raw_begin_counts(w);
}
