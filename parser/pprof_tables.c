#include <config.h>

/* The tables of a file of pprof. Ids are any numbers but 0. */
#include "error.h"
#include "pprof.h"

#include <stdlib.h>

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
        error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    memset(new, 0, size);
    *(uint64_t *)new = id;
    return new;
}

const struct pprof_location *pprof_location(const struct pprof *p, uint64_t id)
{
    return find(&p->locations, id);
}

static int take_string(struct pprof *p, const struct wire_field *field)
{
    struct wire *new = vector_push(&p->strings, sizeof *new);

    if (!new)
        return error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
    *new = field->bytes;
    return 0;
}

const char *pprof_string(struct pprof *p, const unsigned char *at, uint64_t number)
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
    return result ? error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory") : 0;
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
        struct stack_frame frame = {.address = address, .inlined = 1}, *new;

        if (field.number != LOCATION_LINE || field.type != WIRE_BYTES)
            continue;
        if (take_line(p, &field, object, &frame))
            return -1;
        if (!(new = vector_push(&p->frames, sizeof *new)))
            return error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
        *new = frame;
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
        return error_set(p->s.r.error, CPROF_ERROR_MEMORY, "out of memory");
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

int pprof_read_tables(struct pprof *p)
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

void pprof_free_tables(struct pprof *p)
{
    free(p->strings.data);
    free(p->frames.data);
    release(&p->mappings);
    release(&p->functions);
    release(&p->locations);
}
