#include <config.h>

/* Files of pprof: samples, and the texts, functions and locations that they have by number. */
#include "error.h"
#include "sampled.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The fields of a protobuf message, one after the other. All reads are within the message. */

enum wire_type { WIRE_NUMBER = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* The rest of a message. */
struct wire {
    const unsigned char *at, *end;
};

struct wire_field {
    uint32_t number;
    enum wire_type type;
    uint64_t value;    /* with WIRE_NUMBER */
    struct wire bytes; /* with WIRE_BYTES */
};

/* Takes the next field. 1; 0 at the end; -1 where it is damaged or cut: `at` stays. */
static int wire_field(struct wire *w, struct wire_field *field);

/* Records by the ids that the file gives them; each begins with its uint64_t id. */
struct pprof_table {
    struct vector records;
    size_t size; /* of a record */
    struct map map;
};

/* An address of code, and the frames there. */
struct pprof_location {
    uint64_t id;
    size_t first, n; /* in `frames` of the file, the outermost first */
};

/* The fields of Profile, in profile.proto. */
enum {
    PPROF_TYPE = 1,
    PPROF_SAMPLE,
    PPROF_MAPPING,
    PPROF_LOCATION,
    PPROF_FUNCTION,
    PPROF_STRING,
    PPROF_DROP,
    PPROF_KEEP,
    PPROF_TIME,
    PPROF_DURATION,
    PPROF_PERIOD_TYPE,
    PPROF_PERIOD,
    PPROF_COMMENT,
    PPROF_DEFAULT_TYPE,
    PPROF_DOC_URL
};

struct pprof {
    struct sampled s;
    struct wire all;       /* the file */
    struct vector strings; /* struct wire */
    struct pprof_table mappings, functions, locations;
    struct vector frames;  /* struct stack_frame */
    struct vector factors; /* uint64_t: of the unit of each type */
    uint64_t default_type; /* its text */
    int has_default;       /* one of the types so far is it */
    uint32_t first;        /* the column of the default type */
    /* The sample at hand: uint64_t, uint64_t; the thread, NULL: not given, and what named it. */
    struct vector ids, values;
    const char *thread;
    size_t thread_rank;
};

/* The location of this id, or NULL. */
static const struct pprof_location *pprof_location(const struct pprof *p, uint64_t id);

/* Reads the fields of a message that are numbers below `n`; 0 for those that it has not. */
static int pprof_numbers(struct pprof *p, struct wire message, uint64_t *values, uint32_t n);

/* Calls `take` for each field of this number in the file. 0 or -1. */
static int pprof_each(struct pprof *p, uint32_t number,
                      int (*take)(struct pprof *p, const struct wire_field *field));

/* Fails with a syntax error at a byte of the file. Always -1. */
static int pprof_bad(struct pprof *p, const unsigned char *at, const char *text);

/*--- Fields ---*/

/* Takes a number of 1 to 10 bytes. 1; 0 at the end; -1 where it is damaged or cut: `at` stays. */
static int wire_number(struct wire *w, uint64_t *value)
{
    uint64_t n = 0;
    const unsigned char *p = w->at;

    for (unsigned shift = 0; p < w->end && shift < 64; shift += 7) {
        unsigned char byte = *p++;

        n |= (uint64_t)(byte & 0x7f) << shift;
        if (shift == 63 && byte > 1)
            return -1;
        if (!(byte & 0x80)) {
            *value = n;
            w->at = p;
            return 1;
        }
    }
    return w->at < w->end ? -1 : 0;
}

/* Takes `size` bytes as they are. */
static int wire_take(struct wire *w, uint64_t size, struct wire *bytes)
{
    if (size > (uint64_t)(w->end - w->at))
        return -1;
    *bytes = (struct wire){w->at, w->at + size};
    w->at += size;
    return 1;
}

static int take_value(struct wire *w, struct wire_field *field)
{
    uint64_t size;

    switch (field->type) {
    case WIRE_NUMBER:
        return wire_number(w, &field->value) > 0 ? 1 : -1;
    case WIRE_BYTES:
        return wire_number(w, &size) > 0 ? wire_take(w, size, &field->bytes) : -1;
    case WIRE_FIXED64:
        return wire_take(w, 8, &field->bytes);
    case WIRE_FIXED32:
        return wire_take(w, 4, &field->bytes);
    }
    return -1;
}

static int wire_field(struct wire *w, struct wire_field *field)
{
    struct wire rest = *w;
    uint64_t key;
    int more = wire_number(&rest, &key);

    if (more <= 0)
        return more;
    if (key >> 3 == 0 || key >> 3 > UINT32_MAX)
        return -1;
    *field = (struct wire_field){.number = (uint32_t)(key >> 3), .type = (enum wire_type)(key & 7)};
    if (take_value(&rest, field) < 0)
        return -1;
    *w = rest;
    return 1;
}

/*--- Tables ---*/

/* Fields of messages in profile.proto. */
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE, MAPPING_BUILD };
enum { MAPPING_END = MAPPING_BUILD + 1 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE, LOCATION_END };
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_END };
enum {
    FUNCTION_ID = 1,
    FUNCTION_NAME,
    FUNCTION_SYSTEM,
    FUNCTION_FILE,
    FUNCTION_LINE,
    FUNCTION_END
};

struct mapping {
    uint64_t id, start, limit, offset;
    uint32_t object;
};

struct function {
    uint64_t id;
    const char *name, *mangled; /* the builder's; mangled: NULL: the same */
    uint32_t file;              /* of its lines */
    uint32_t line;              /* where it begins; 0: not known */
    uint32_t home;              /* see find_homes() */
};

static int equal_id(const void *owner, uint32_t index, const void *key)
{
    const struct pprof_table *t = owner;

    return *(const uint64_t *)((const char *)t->records.data + index * t->size) ==
           *(const uint64_t *)key;
}

static void *find(const struct pprof_table *t, uint64_t id)
{
    uint32_t index = map_find(&t->map, map_hash(id), equal_id, t, &id);

    return index == MAP_NONE ? NULL : (char *)t->records.data + index * t->size;
}

/* A record more, of `size` bytes; NULL with the error filled. */
static void *add(struct pprof *p, struct pprof_table *t, const struct wire_field *field,
                 uint64_t id, size_t size)
{
    void *new;

    t->size = size;
    if (!id || find(t, id)) {
        pprof_bad(p, field->bytes.at, id ? "two records of one id" : "a record without an id");
        return NULL;
    }
    if (t->records.count >= MAP_NONE - 1 || !(new = vector_push(&t->records, size)) ||
        map_add(&t->map, map_hash(id), (uint32_t)t->records.count - 1)) {
        error_memory(p->s.r.error);
        return NULL;
    }
    memset(new, 0, size);
    *(uint64_t *)new = id;
    return new;
}

static const struct pprof_location *pprof_location(const struct pprof *p, uint64_t id)
{
    return find(&p->locations, id);
}

static int take_string(struct pprof *p, const struct wire_field *field)
{
    return vector_add(&p->strings, &field->bytes, sizeof field->bytes) ? error_memory(p->s.r.error)
                                                                       : 0;
}

/* The builder's text of this number; NULL with the error filled. */
static const char *pprof_string(struct pprof *p, const unsigned char *at, uint64_t number)
{
    const struct wire *text = p->strings.data;

    if (number >= p->strings.count) {
        pprof_bad(p, at, "a text that is not in the file, which may be cut short");
        return NULL;
    }
    text += number;
    if (text->at < text->end && memchr(text->at, '\0', (size_t)(text->end - text->at))) {
        pprof_bad(p, text->at, "text holds a NUL byte");
        return NULL;
    }
    return builder_text(p->s.r.builder, (const char *)text->at, (size_t)(text->end - text->at));
}

static int take_mapping(struct pprof *p, const struct wire_field *field)
{
    uint64_t values[MAPPING_END];
    const char *path, *build_id;
    struct mapping *m;

    if (pprof_numbers(p, field->bytes, values, MAPPING_END) ||
        !(m = add(p, &p->mappings, field, values[MAPPING_ID], sizeof *m)) ||
        !(path = pprof_string(p, field->bytes.at, values[MAPPING_FILE])) ||
        !(build_id = pprof_string(p, field->bytes.at, values[MAPPING_BUILD])))
        return -1;
    m->start = values[MAPPING_START];
    m->limit = values[MAPPING_LIMIT];
    m->offset = values[MAPPING_OFFSET];
    m->object = builder_object(p->s.r.builder, *path ? path : "???", *build_id ? build_id : NULL);
    /* "The first mapping is assumed to be the main binary", if it is no part of the kernel. */
    if (p->mappings.records.count == 1 && *path == '/')
        builder_header(p->s.r.builder)->program = path;
    return m->object == CPROF_NONE ? -1 : 0;
}

static int take_function(struct pprof *p, const struct wire_field *field)
{
    uint64_t values[FUNCTION_END];
    const char *name, *mangled, *file;
    struct function *f;

    if (pprof_numbers(p, field->bytes, values, FUNCTION_END) ||
        !(f = add(p, &p->functions, field, values[FUNCTION_ID], sizeof *f)) ||
        !(name = pprof_string(p, field->bytes.at, values[FUNCTION_NAME])) ||
        !(mangled = pprof_string(p, field->bytes.at, values[FUNCTION_SYSTEM])) ||
        !(file = pprof_string(p, field->bytes.at, values[FUNCTION_FILE])))
        return -1;
    name = *name ? name : *mangled ? mangled : "???";
    f->name = name;
    f->mangled = *mangled && mangled != name ? mangled : NULL;
    f->line = values[FUNCTION_LINE] <= UINT32_MAX ? (uint32_t)values[FUNCTION_LINE] : 0;
    f->home = (uint32_t)p->functions.records.count - 1;
    f->file = *file ? builder_file(p->s.r.builder, file) : CPROF_NONE;
    return *file && f->file == CPROF_NONE ? -1 : 0;
}

static int equal_name(const void *owner, uint32_t index, const void *key)
{
    const struct function *a = (const struct function *)owner + index, *b = key;

    return a->name == b->name && a->mangled == b->mangled;
}

/*
 * A function of pprof has one file. Who has lines of two files in a function, as of macros, writes
 * two, and only one of them knows where it begins: where exactly one of a name does, it is the home
 * of the others that do not.
 */
static int find_homes(struct pprof *p)
{
    struct function *functions = p->functions.records.data;
    size_t n = p->functions.records.count;
    struct map names = {0};
    int result = 0;

    for (size_t i = 0; i < n && !result; i++) {
        uint32_t hash = map_hash((uintptr_t)functions[i].name);
        uint32_t found = map_find(&names, hash, equal_name, functions, &functions[i]);

        if (!functions[i].line)
            continue;
        if (found == MAP_NONE)
            result = map_add(&names, hash, (uint32_t)i);
        else if (functions[found].line != functions[i].line ||
                 functions[found].file != functions[i].file)
            functions[found].home = CPROF_NONE;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t found = map_find(&names, map_hash((uintptr_t)functions[i].name), equal_name,
                                  functions, &functions[i]);

        if (!functions[i].line && found != MAP_NONE && functions[found].home != CPROF_NONE)
            functions[i].home = found;
    }
    for (size_t i = 0; i < n; i++)
        if (functions[i].home == CPROF_NONE)
            functions[i].home = (uint32_t)i;
    map_release(&names);
    return result ? error_memory(p->s.r.error) : 0;
}

/* The frame of a line, all of which lie at the address that `frame` has. */
static int take_line(struct pprof *p, const struct wire_field *field, uint32_t object,
                     struct stack_frame *frame)
{
    const struct function *functions = p->functions.records.data, *f, *home;
    uint64_t values[LINE_END];

    if (pprof_numbers(p, field->bytes, values, LINE_END))
        return -1;
    if (!(f = find(&p->functions, values[LINE_FUNCTION])))
        return pprof_bad(p, field->bytes.at, "a line of a function that is not in the file");
    home = &functions[f->home];
    frame->file = f->file;
    frame->line = values[LINE_LINE] <= UINT32_MAX ? (uint32_t)values[LINE_LINE] : 0;
    frame->function =
        builder_function(p->s.r.builder, home->name, home->mangled, object, home->file, home->line);
    return frame->function == CPROF_NONE ? -1 : 0;
}

/* Puts the frames of a location behind all, from the outermost one on: the file has it last. */
static int take_lines(struct pprof *p, struct wire message, uint32_t object, uint64_t address,
                      struct pprof_location *l)
{
    struct wire_field field;
    struct stack_frame *frames;

    l->first = p->frames.count;
    while (wire_field(&message, &field) > 0) {
        struct stack_frame frame = {.address = address, .inlined = 1};

        if (field.number != LOCATION_LINE || field.type != WIRE_BYTES)
            continue;
        if (take_line(p, &field, object, &frame))
            return -1;
        if (vector_add(&p->frames, &frame, sizeof frame))
            return error_memory(p->s.r.error);
    }
    l->n = p->frames.count - l->first;
    if (!l->n)
        return 0;
    frames = (struct stack_frame *)p->frames.data + l->first;
    for (size_t i = 0; i < l->n / 2; i++) {
        struct stack_frame other = frames[i];

        frames[i] = frames[l->n - 1 - i];
        frames[l->n - 1 - i] = other;
    }
    frames->inlined = 0;
    return 0;
}

/* A location without lines is code that nobody has named yet. */
static int put_unnamed(struct pprof *p, uint32_t object, uint64_t address, struct pprof_location *l)
{
    struct stack_frame *new = vector_push(&p->frames, sizeof *new);

    if (!new)
        return error_memory(p->s.r.error);
    *new = (struct stack_frame){.file = CPROF_NONE, .address = address};
    new->function = sampled_unnamed(&p->s, object, address);
    l->n = 1;
    return new->function == CPROF_NONE ? -1 : 0;
}

static int take_location(struct pprof *p, const struct wire_field *field)
{
    uint64_t values[LOCATION_LINE], address;
    struct pprof_location *l;
    const struct mapping *m;
    uint32_t object;

    if (pprof_numbers(p, field->bytes, values, LOCATION_LINE) ||
        !(l = add(p, &p->locations, field, values[LOCATION_ID], sizeof *l)))
        return -1;
    m = find(&p->mappings, values[LOCATION_MAPPING]);
    if (!m && values[LOCATION_MAPPING])
        return pprof_bad(p, field->bytes.at, "a location in a mapping that is not in the file");
    object = m ? m->object : builder_object(p->s.r.builder, "???", NULL);
    if (object == CPROF_NONE)
        return -1;
    address = values[LOCATION_ADDRESS];
    if (m && address >= m->start && address < m->limit)
        address += m->offset - m->start;
    if (take_lines(p, field->bytes, object, address, l))
        return -1;
    return l->n ? 0 : put_unnamed(p, object, address, l);
}

/* Reads texts, mappings, functions and locations. 0 or -1. */
static int pprof_read_tables(struct pprof *p)
{
    if (pprof_each(p, PPROF_STRING, take_string))
        return -1;
    if (!p->strings.count)
        return error_set(p->s.r.error, CPROF_ERROR_TRUNCATED,
                         "file of pprof has no texts: it is cut short");
    return pprof_each(p, PPROF_MAPPING, take_mapping) ||
                   pprof_each(p, PPROF_FUNCTION, take_function) || find_homes(p) ||
                   pprof_each(p, PPROF_LOCATION, take_location)
               ? -1
               : 0;
}

static void release(struct pprof_table *t)
{
    free(t->records.data);
    map_release(&t->map);
}

static void pprof_free_tables(struct pprof *p)
{
    free(p->strings.data);
    free(p->frames.data);
    release(&p->mappings);
    release(&p->functions);
    release(&p->locations);
}

/*--- Samples ---*/

/*
 * The reader of pprof's files: one message Profile of profile.proto. Its samples are locations and
 * a count for each type; a location is an address, with a line for each function that was inlined
 * there.
 */

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

static int pprof_bad(struct pprof *p, const unsigned char *at, const char *text)
{
    return error_set(p->s.r.error, CPROF_ERROR_SYNTAX, "file of pprof is damaged at byte %zu: %s",
                     (size_t)(at - p->all.at), text);
}

static int pprof_each(struct pprof *p, uint32_t number,
                      int (*take)(struct pprof *p, const struct wire_field *field))
{
    struct wire rest = p->all;
    struct wire_field field;

    while (wire_field(&rest, &field) > 0)
        if (field.number == number && field.type == WIRE_BYTES && take(p, &field))
            return -1;
    return 0;
}

static int pprof_numbers(struct pprof *p, struct wire message, uint64_t *values, uint32_t n)
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
    uint64_t value = field->value;
    int more = field->type == WIRE_BYTES ? wire_number(&rest, &value) : 1;

    for (; more > 0; more = field->type == WIRE_BYTES ? wire_number(&rest, &value) : 0)
        if (vector_add(to, &value, sizeof value))
            return error_memory(p->s.r.error);
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
    uint64_t values[TYPE_END];
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
    if (vector_add(&p->factors, &unit.factor, sizeof unit.factor))
        return error_memory(p->s.r.error);
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
