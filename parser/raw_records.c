#include <config.h>

/* The lines of a raw profile that have objects, ranges, basic blocks and misses. */

#include "cp_format.h"
#include "raw.h"

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

    if (raw_id(w, &at, w->objects.count, "object", &object) || raw_address(w, &at, &start) ||
        raw_address(w, &at, &end) || raw_address(w, &at, &bias))
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
            return framed_bad(&w->r, spec + i, "letter other than 'i', 'r', 'w', 'c', 'b'");
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
        raw_id(w, &at, w->objects.count, "object", &block.object) || raw_address(w, &at, &address))
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
        if (raw_address(w, &at, &delta))
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

int raw_miss_record(struct raw *w, const char *at)
{
    uint32_t object;
    uint64_t address;

    return raw_id(w, &at, w->objects.count, "object", &object) || raw_address(w, &at, &address) ||
                   raw_counts(w, at, w->r.columns, w->r.n_columns)
               ? -1
               : raw_add_miss(w, object, address);
}

int raw_add_miss(struct raw *w, uint32_t object, uint64_t address)
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

/* Reads a function's place and name; NULL: failed. */
static const char *named_place(struct raw *w, const char *at, uint32_t *object, uint64_t *address)
{
    if (raw_id(w, &at, w->objects.count, "object", object) || raw_address(w, &at, address))
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
    int64_t functions, number;
    uint32_t *new;
    const char *start;

    if (raw_number(w, &at, &functions))
        return -1;
    start = at;
    if (raw_number(w, &at, &number))
        return -1;
    if (number < 1 || number > 255)
        return framed_bad(&w->r, start, "an argument's number is 1 to 255");
    if (LEX_STARTS(at, w->r.end, word_exact))
        at += sizeof word_exact - 1;
    else if ((arg.log2 = LEX_STARTS(at, w->r.end, word_log2)))
        at += sizeof word_log2 - 1;
    else
        return framed_bad(&w->r, at, "neither 'exact' nor 'log2', with a pattern behind it");
    if (!(arg.pattern = framed_text(&w->r, at, w->r.end)) ||
        !(new = raw_push(w, &w->counted_args, sizeof *new)))
        return -1;
    arg.n_functions = (uint64_t)functions;
    arg.number = (uint32_t)number;
    *new = builder_counted_arg(w->r.builder, &arg);
    return *new == CPROF_NONE ? -1 : 0;
}

static int read_calls(struct raw *w, const char **at, uint64_t *calls)
{
    int64_t n;

    if (raw_number(w, at, &n))
        return -1;
    *calls = (uint64_t)n;
    return 0;
}

/* CONTEXT OPTION OTHERS {VALUE CALLS}... */
int raw_arguments_record(struct raw *w, const char *at)
{
    struct cprof_arg_count count = {.other = 1};

    if (raw_id(w, &at, w->contexts.count, "context", &count.context) ||
        raw_id(w, &at, w->counted_args.count, "option", &count.arg) ||
        read_calls(w, &at, &count.calls))
        return -1;
    count.context = ((const uint32_t *)w->contexts.data)[count.context];
    count.arg = ((const uint32_t *)w->counted_args.data)[count.arg];
    if (builder_arg_count(w->r.builder, &count))
        return -1;
    count.other = 0;
    while (at < w->r.end)
        if (raw_word(w, &at, &count.value) || read_calls(w, &at, &count.calls) ||
            builder_arg_count(w->r.builder, &count))
            return -1;
    return 0;
}
