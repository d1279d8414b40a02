#include <config.h>

/*
 * The reader of pprof's files: one message Profile of profile.proto. Its samples are locations and
 * a count for each type; a location is an address, with a line for each function that was inlined
 * there.
 */
#include "error.h"
#include "pprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TYPE_TYPE = 1, TYPE_UNIT, TYPE_END };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER, LABEL_END };

/*--- The kind ---*/

/* A message of numbers in fields 1 and 2, of which the first is there. */
static int is_type(struct wire message)
{
    struct wire_field field;
    int more, has_type = 0;

    while ((more = wire_field(&message, &field)) > 0) {
        if (field.type != WIRE_NUMBER || field.number >= TYPE_END)
            return 0;
        has_type |= field.number == TYPE_TYPE;
    }
    return !more && has_type;
}

static int fits(const struct wire_field *field)
{
    switch (field->number) {
    case PPROF_TIME:
    case PPROF_DURATION:
    case PPROF_PERIOD:
    case PPROF_DEFAULT_TYPE:
    case PPROF_DOC_URL:
    case PPROF_DROP:
    case PPROF_KEEP:
        return field->type == WIRE_NUMBER;
    case PPROF_COMMENT:
        return field->type == WIRE_NUMBER || field->type == WIRE_BYTES;
    case PPROF_TYPE:
    case PPROF_PERIOD_TYPE:
        return field->type == WIRE_BYTES && (is_type(field->bytes) || field->number != PPROF_TYPE);
    default:
        return field->number <= PPROF_STRING && field->type == WIRE_BYTES;
    }
}

int pprof_is_kind(const char *at, size_t size)
{
    struct wire all = {(const unsigned char *)at, (const unsigned char *)at + size};
    struct wire_field field;
    int has_type = 0, n = 0;

    while (wire_field(&all, &field) > 0) {
        if (!fits(&field))
            return 0;
        has_type |= field.number == PPROF_TYPE ||
                    (!n && field.number == PPROF_STRING && field.bytes.at == field.bytes.end);
        n++;
    }
    return has_type;
}

/*--- Messages ---*/

int pprof_bad(struct pprof *p, const unsigned char *at, const char *text)
{
    return error_set(p->s.r.error, CPROF_ERROR_SYNTAX, "file of pprof is damaged at byte %zu: %s",
                     (size_t)(at - p->all.at), text);
}

static int out_of_memory(struct pprof *p)
{
    return error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
}

int pprof_each(struct pprof *p, uint32_t number,
               int (*take)(struct pprof *p, const struct wire_field *field))
{
    struct wire rest = p->all;
    struct wire_field field;

    while (wire_field(&rest, &field) > 0)
        if (field.number == number && field.type == WIRE_BYTES && take(p, &field))
            return -1;
    return 0;
}

int pprof_numbers(struct pprof *p, struct wire message, uint64_t *values, uint32_t n)
{
    struct wire_field field;
    int more;

    memset(values, 0, n * sizeof *values);
    while ((more = wire_field(&message, &field)) > 0)
        if (field.type == WIRE_NUMBER && field.number < n)
            values[field.number] = field.value;
    return more ? pprof_bad(p, message.at, "a field that cannot be read") : 0;
}

/* Adds the numbers of a repeated field, packed or not. */
static int add_numbers(struct pprof *p, const struct wire_field *field, struct vector *to)
{
    struct wire rest = field->bytes;
    uint64_t value = field->value, *new;
    int more = field->type == WIRE_BYTES ? wire_number(&rest, &value) : 1;

    for (; more > 0; more = field->type == WIRE_BYTES ? wire_number(&rest, &value) : 0) {
        if (!(new = vector_push(to, sizeof *new)))
            return out_of_memory(p);
        *new = value;
    }
    return more ? pprof_bad(p, rest.at, "a number that cannot be read") : 0;
}

/* Counts the fields of the file, and those that tell about all samples; all of them are whole. */
static int read_fields(struct pprof *p)
{
    struct wire rest = p->all;
    struct wire_field field;
    int more;

    while ((more = wire_field(&rest, &field)) > 0)
        if (field.number == PPROF_DEFAULT_TYPE && field.type == WIRE_NUMBER)
            p->default_type = field.value;
    return more ? error_set(p->s.r.error, CPROF_ERROR_TRUNCATED,
                            "file of pprof is cut short or damaged at byte %zu",
                            (size_t)(rest.at - p->all.at))
                : 0;
}

/*--- Types ---*/

static int take_type(struct pprof *p, const struct wire_field *field)
{
    uint64_t values[TYPE_END], *factor;
    const char *name, *unit_name, *meaning;
    struct sampled_unit unit;
    uint32_t column;

    if (pprof_numbers(p, field->bytes, values, TYPE_END) ||
        !(name = pprof_string(p, field->bytes.at, values[TYPE_TYPE])) ||
        !(unit_name = pprof_string(p, field->bytes.at, values[TYPE_UNIT])))
        return -1;
    unit = sampled_unit(unit_name);
    meaning = unit.meaning || !strcmp(unit_name, "count") || !*unit_name ? unit.meaning : unit_name;
    column = sampled_column(&p->s, name, unit_name, meaning);
    if (column == CPROF_NONE)
        return -1;
    if (!(factor = vector_push(&p->factors, sizeof *factor)))
        return out_of_memory(p);
    *factor = unit.factor;
    /* Without a default it is the last type. */
    if (values[TYPE_TYPE] == p->default_type || !p->has_default)
        p->first = column;
    p->has_default |= values[TYPE_TYPE] == p->default_type;
    return 0;
}

/*--- Samples ---*/

/* Labels that name a thread, in the order in which they count. */
static const char *const thread_keys[] = {"thread",    "thread name", "thread_name",
                                          "thread id", "thread_id",   "tid"};
enum { N_THREAD_KEYS = sizeof thread_keys / sizeof *thread_keys };

static int take_label(struct pprof *p, const struct wire_field *field)
{
    uint64_t values[LABEL_END];
    const char *key, *text;
    size_t rank = 0;
    char number[24];

    if (pprof_numbers(p, field->bytes, values, LABEL_END) ||
        !(key = pprof_string(p, field->bytes.at, values[LABEL_KEY])) ||
        !(text = pprof_string(p, field->bytes.at, values[LABEL_TEXT])))
        return -1;
    while (rank < N_THREAD_KEYS && strcmp(key, thread_keys[rank]) != 0)
        rank++;
    if (rank >= p->thread_rank || (!*text && !values[LABEL_NUMBER]))
        return 0;
    snprintf(number, sizeof number, "%" PRId64, (int64_t)values[LABEL_NUMBER]);
    text = *text ? text : number;
    p->thread_rank = rank;
    p->thread = builder_text(p->s.r.builder, text, strlen(text));
    return p->thread ? 0 : -1;
}

/* Puts the frames of a location on top of `node`. */
static uint32_t push_location(struct pprof *p, const struct wire_field *field, uint64_t id,
                              uint32_t node)
{
    const struct pprof_location *l = pprof_location(p, id);
    const struct stack_frame *frames = p->frames.data;

    if (!l) {
        pprof_bad(p, field->bytes.at, "a sample at a location that is not in the file");
        return CPROF_NONE;
    }
    for (size_t i = l->first; i < l->first + l->n && node != CPROF_NONE; i++)
        node = sampled_push(&p->s, node, &frames[i]);
    return node;
}

static int add_values(struct pprof *p, const struct wire_field *field, uint32_t node)
{
    const uint64_t *values = p->values.data, *factors = p->factors.data;

    for (uint32_t i = 0; i < p->values.count; i++) {
        if (values[i] > INT64_MAX)
            return error_set(p->s.r.error, CPROF_ERROR_SYNTAX,
                             "the sample at byte %zu has a negative count: differences of profiles "
                             "are not read",
                             (size_t)(field->bytes.at - p->all.at));
        if (sampled_add(&p->s, node, i, values[i], factors[i]))
            return -1;
    }
    return 0;
}

/* Adds the sample at hand to its stack. */
static int put_sample(struct pprof *p, const struct wire_field *field)
{
    const uint64_t *ids = p->ids.data;
    const char *thread = p->thread ? p->thread : builder_text(p->s.r.builder, "???", 3);
    uint32_t node = thread ? sampled_thread(&p->s, thread) : CPROF_NONE;

    if (p->ids.count > SAMPLED_MAX_FRAMES)
        return pprof_bad(p, field->bytes.at, "a stack of more than 65536 frames");
    if (!p->ids.count && node != CPROF_NONE)
        node = sampled_push_none(&p->s, node);
    for (size_t i = p->ids.count; i-- > 0 && node != CPROF_NONE;)
        node = push_location(p, field, ids[i], node);
    return node == CPROF_NONE ? -1 : add_values(p, field, node);
}

static int is_zero(const struct vector *values)
{
    const uint64_t *v = values->data;

    for (size_t i = 0; i < values->count; i++)
        if (v[i])
            return 0;
    return 1;
}

static int take_sample(struct pprof *p, const struct wire_field *sample)
{
    struct wire rest = sample->bytes;
    struct wire_field field;
    int more, failed = 0;

    p->ids.count = p->values.count = 0;
    p->thread = NULL;
    p->thread_rank = N_THREAD_KEYS;
    while (!failed && (more = wire_field(&rest, &field)) > 0)
        if (field.number == SAMPLE_LOCATION)
            failed = add_numbers(p, &field, &p->ids);
        else if (field.number == SAMPLE_VALUE)
            failed = add_numbers(p, &field, &p->values);
        else if (field.number == SAMPLE_LABEL && field.type == WIRE_BYTES)
            failed = take_label(p, &field);
    if (failed)
        return -1;
    if (more)
        return pprof_bad(p, rest.at, "a field of a sample that cannot be read");
    if (p->values.count != p->factors.count)
        return pprof_bad(p, sample->bytes.at, "a sample has not one count for each type");
    return is_zero(&p->values) ? 0 : put_sample(p, sample);
}

/*--- The file ---*/

static int read_all(struct reader *r)
{
    struct pprof *p = (struct pprof *)r;
    size_t size;
    const char *bytes = input_whole(r->in, &size);

    if (!bytes)
        return -1;
    p->all = (struct wire){(const unsigned char *)bytes, (const unsigned char *)bytes + size};
    if (sampled_begin(&p->s, size) || read_fields(p) || pprof_read_tables(p) ||
        pprof_each(p, PPROF_TYPE, take_type))
        return -1;
    if (!p->factors.count)
        return error_set(r->error, CPROF_ERROR_SYNTAX, "file of pprof does not say what it counts");
    return pprof_each(p, PPROF_SAMPLE, take_sample) ? -1 : sampled_finish(&p->s, p->first);
}

struct cprof_profile *pprof_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct pprof *p = reader_new(sizeof *p, error);
    struct cprof_profile *profile;

    if (!p)
        return NULL;
    profile = reader_run(&p->s.r, in, flags, error, CPROF_FORMAT_PPROF, read_all);
    pprof_free_tables(p);
    free(p->factors.data);
    free(p->ids.data);
    free(p->values.data);
    sampled_free(&p->s);
    return profile;
}
