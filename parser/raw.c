#include <config.h>

#include "raw.h"

#include <stdlib.h>

#include "cp_format.h"
#include "error.h"

static int bad(struct raw *w, const char *at, const char *text)
{
    return reader_fail(&w->r, CPROF_ERROR_SYNTAX, at, "%s", text);
}

/* Fields */

static int field_end(struct raw *w, const char *at)
{
    return at == w->r.end ? 0 : bad(w, at, "more fields than the record has");
}

/* A hexadecimal address and the blank behind it. */
static int read_address(struct raw *w, const char **at, uint64_t *value)
{
    enum lex result = lex_hex(at, w->r.end, value);

    if (result != LEX_OK || (*at < w->r.end && **at != ' '))
        return reader_fail_number(&w->r, result, *at, "address");
    *at += *at < w->r.end;
    return 0;
}

/* A decimal number up to 2^63-1 and the blank behind it. */
static int read_number(struct raw *w, const char **at, int64_t *value)
{
    const char *start = *at;
    uint64_t n;
    enum lex result = lex_decimal(at, w->r.end, &n);

    if (result == LEX_OK && n > INT64_MAX)
        result = LEX_RANGE;
    if (result != LEX_OK || (*at < w->r.end && **at != ' '))
        return reader_fail_number(&w->r, result, result == LEX_RANGE ? start : *at, "number");
    *value = (int64_t)n;
    *at += *at < w->r.end;
    return 0;
}

/* The number of something that is defined, `count` being defined so far. */
static int read_id(struct raw *w, const char **at, size_t count, const char *what, uint32_t *id)
{
    const char *start = *at;
    int64_t n;

    *id = 0;
    if (read_number(w, at, &n))
        return -1;
    if ((uint64_t)n >= count)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %lld is not defined", what,
                           (long long)n);
    *id = (uint32_t)n;
    return 0;
}

/* The number of a definition: they count from 0. */
static int read_new_id(struct raw *w, const char **at, size_t count, const char *what)
{
    const char *start = *at;
    int64_t n;

    if (read_number(w, at, &n))
        return -1;
    if ((uint64_t)n != count || count >= UINT32_MAX)
        return reader_fail(&w->r, CPROF_ERROR_SYNTAX, start, "%s %lld is out of order: %zu is next",
                           what, (long long)n, count);
    return 0;
}

/* One byte of a text, its escape undone. */
static int read_byte(struct raw *w, const char **at, char *byte)
{
    const char *digits = *at + 2, *end = w->r.end - *at < 4 ? w->r.end : *at + 4;
    uint64_t value;

    if (**at != CP_RAW_ESCAPE) {
        *byte = *(*at)++;
        return *byte ? 0 : bad(w, *at - 1, "text holds a NUL byte");
    }
    if (end - *at != 4 || (*at)[1] != 'x' || lex_hex(&digits, end, &value) != LEX_OK ||
        digits != end || !value)
        return bad(w, *at, "text holds an escape other than '\\xHH'");
    *byte = (char)(unsigned char)value;
    *at = end;
    return 0;
}

/* The text from `at` to the end of the line. NULL on failure. */
static const char *read_text(struct raw *w, const char *at)
{
    size_t size = 0;
    const char *text = NULL;
    char *bytes;

    if (!memchr(at, CP_RAW_ESCAPE, (size_t)(w->r.end - at)))
        return reader_name(&w->r, at);
    bytes = malloc((size_t)(w->r.end - at));
    if (!bytes) {
        error_set(w->r.error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    while (at < w->r.end && !read_byte(w, &at, &bytes[size]))
        size++;
    if (at == w->r.end)
        text = builder_text(w->r.builder, bytes, size);
    free(bytes);
    return text;
}

/* Header */

static int set_text(struct raw *w, const char *at, const char **field)
{
    *field = read_text(w, at);
    return *field ? 0 : -1;
}

static int creator_key(struct raw *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->creator);
}

static int pid_key(struct raw *w, const char *at)
{
    return reader_long(&w->r, at, &builder_header(w->r.builder)->pid);
}

static int program_key(struct raw *w, const char *at)
{
    return set_text(w, at, &builder_header(w->r.builder)->program);
}

static int argument_key(struct raw *w, const char *at)
{
    const char *text = read_text(w, at);

    return text ? builder_argument(w->r.builder, text) : -1;
}

static int cache_key(struct raw *w, const char *at, const char *name)
{
    struct cprof_cache cache = {.name = name};
    int64_t size, ways, line_size;

    if (read_number(w, &at, &size) || read_number(w, &at, &ways) ||
        read_number(w, &at, &line_size) || field_end(w, at))
        return -1;
    cache.size = (uint64_t)size;
    cache.ways = (uint64_t)ways;
    cache.line_size = (uint64_t)line_size;
    return builder_cache(w->r.builder, &cache);
}

static int i1_key(struct raw *w, const char *at)
{
    return cache_key(w, at, "I1");
}

static int d1_key(struct raw *w, const char *at)
{
    return cache_key(w, at, "D1");
}

static int ll_key(struct raw *w, const char *at)
{
    return cache_key(w, at, "LL");
}

static int events_key(struct raw *w, const char *at)
{
    static const char *const names[SPEC_EVENTS] = {"Ir", "Dr", "Dw", "Bc", "Bi"};

    if (reader_events(&w->r, at))
        return -1;
    w->r.n_columns = 0; /* until "counted" says which */
    for (size_t i = 0; i < SPEC_EVENTS; i++)
        w->spec_events[i] = builder_find_event(w->r.builder, names[i]);
    return 0;
}

static int counted_key(struct raw *w, const char *at)
{
    const char *word;
    size_t size;

    if (!w->r.have_events)
        return bad(w, NULL, "'counted:' before 'events:'");
    while ((word = lex_word(&at, w->r.end, &size))) {
        const char *name = builder_text(w->r.builder, word, size);
        uint32_t event = name ? builder_find_event(w->r.builder, name) : CPROF_NONE;
        if (!name)
            return -1;
        if (event == CPROF_NONE)
            return reader_fail(&w->r, CPROF_ERROR_SYNTAX, word, "event '%.40s' is not in 'events:'",
                               name);
        for (uint32_t i = 0; i < w->r.n_columns; i++)
            if (w->r.columns[i] == event)
                return reader_fail(&w->r, CPROF_ERROR_SYNTAX, word, "event '%.40s' is listed twice",
                                   name);
        w->r.columns[w->r.n_columns++] = event;
    }
    return 0;
}

static int exit_key(struct raw *w, const char *at)
{
    struct cprof_profile *header = builder_header(w->r.builder);
    size_t size = (size_t)(w->r.end - at);
    long code;

    if (size == 7 && !memcmp(at, "unknown", size))
        return 0;
    if (size == 4 && !memcmp(at, "exec", size)) {
        header->exit = CPROF_EXIT_EXEC;
        return 0;
    }
    if (!LEX_STARTS(at, w->r.end, "code "))
        return bad(w, at, "'exit:' is neither 'code N', 'exec' nor 'unknown'");
    if (reader_long(&w->r, at + 5, &code))
        return -1;
    if (code < -255 || code > 255)
        return reader_fail(&w->r, CPROF_ERROR_RANGE, at, "exit code %ld is out of range", code);
    header->exit = CPROF_EXIT_CODE;
    header->exit_code = (int)code;
    return 0;
}

static int header_line(struct raw *w)
{
    static const struct {
        const char *key;
        int (*read)(struct raw *w, const char *at);
        int repeats;
    } keys[] = {
        {CP_KEY_CREATOR, creator_key, 0}, {CP_KEY_PID, pid_key, 0},
        {CP_KEY_PROGRAM, program_key, 0}, {CP_KEY_ARGUMENT, argument_key, 1},
        {CP_KEY_CACHE_I1, i1_key, 0},     {CP_KEY_CACHE_D1, d1_key, 0},
        {CP_KEY_CACHE_LL, ll_key, 0},     {CP_KEY_EVENTS, events_key, 0},
        {CP_KEY_COUNTED, counted_key, 0}, {CP_KEY_EXIT, exit_key, 0},
    };
    const char *colon = memchr(w->r.line, ':', (size_t)(w->r.end - w->r.line)), *value;
    size_t size = colon ? (size_t)(colon - w->r.line) : 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strlen(keys[i].key) != size || memcmp(w->r.line, keys[i].key, size))
            continue;
        if (!keys[i].repeats && w->keys_seen & 1u << i)
            return bad(w, NULL, "key of the header is given twice");
        w->keys_seen |= 1u << i;
        value = colon + 1;
        return keys[i].read(w, value + (value < w->r.end && *value == ' '));
    }
    return bad(w, NULL, "unknown line in the header");
}

/* Body */

static int object_record(struct raw *w, const char *at)
{
    struct raw_object *new;
    const char *id, *build_id = NULL, *path;
    size_t size;

    if (read_new_id(w, &at, w->objects.count, "object"))
        return -1;
    id = lex_word(&at, w->r.end, &size);
    if (!id || at == w->r.end)
        return bad(w, at, "path is missing");
    if (size != 1 || *id != '-') {
        const char *digits = id;
        while (digits < at && (lex_is_digit(*digits) || (*digits >= 'a' && *digits <= 'f')))
            digits++;
        if (digits != at)
            return bad(w, digits, "build id is neither '-' nor lower-case hexadecimal");
        if (!(build_id = builder_text(w->r.builder, id, size)))
            return -1;
    }
    if (!(path = read_text(w, at + 1)) || !(new = raw_push(w, &w->objects, sizeof *new)))
        return -1;
    new->function = CPROF_NONE;
    new->object = builder_object(w->r.builder, path, build_id);
    return new->object == CPROF_NONE ? -1 : 0;
}

static int range_record(struct raw *w, const char *at)
{
    uint64_t start, end, bias;
    uint32_t object;

    if (read_id(w, &at, w->objects.count, "object", &object) || read_address(w, &at, &start) ||
        read_address(w, &at, &end) || read_address(w, &at, &bias))
        return -1;
    return field_end(w, at);
}

/* The letters of one instruction. */
static int read_spec(struct raw *w, const char *spec, size_t size, struct raw_instruction *in)
{
    static const char letters[] = {CP_SPEC_IR, CP_SPEC_DR, CP_SPEC_DW, CP_SPEC_BC, CP_SPEC_BI};

    if (size == 1 && *spec == CP_SPEC_NONE)
        return 0;
    for (size_t i = 0; i < size; i++) {
        const char *letter = memchr(letters, spec[i], sizeof letters);
        if (!letter)
            return bad(w, spec + i, "letter other than 'i', 'r', 'w', 'c', 'b'");
        if (in->counts[letter - letters]++ == 255)
            return bad(w, spec + i, "letter is repeated more than 255 times");
    }
    return 0;
}

static int section_record(struct raw *w, const char *at)
{
    struct raw_section *new, section = {.first = w->instructions.count};
    uint64_t address, delta;
    const char *spec;
    size_t size;

    if (read_new_id(w, &at, w->sections.count, "section") ||
        read_id(w, &at, w->objects.count, "object", &section.object) ||
        read_address(w, &at, &address))
        return -1;
    for (;;) {
        struct raw_instruction *in;
        spec = lex_word(&at, w->r.end, &size);
        if (!spec)
            return bad(w, at, "letters of an instruction are missing");
        if (!(in = raw_push(w, &w->instructions, sizeof *in)))
            return -1;
        *in = (struct raw_instruction){.address = address};
        if (read_spec(w, spec, size, in))
            return -1;
        at += at < w->r.end;
        if (at == w->r.end)
            break;
        if (*at++ != '+')
            return bad(w, at - 1, "'+' and a distance expected");
        if (read_address(w, &at, &delta))
            return -1;
        if (__builtin_add_overflow(address, delta, &address))
            return reader_fail(&w->r, CPROF_ERROR_RANGE, NULL, "address exceeds 2^64-1");
    }
    section.size = w->instructions.count - section.first;
    if (!(new = raw_push(w, &w->sections, sizeof *new)))
        return -1;
    *new = section;
    return 0;
}

static int count_record(struct raw *w, const char *at)
{
    struct raw_section *sections = w->sections.data;
    uint32_t section;
    int64_t count;

    if (read_id(w, &at, w->sections.count, "section", &section) || read_number(w, &at, &count))
        return -1;
    if (__builtin_add_overflow(sections[section].count, count, &sections[section].count))
        return reader_fail(&w->r, CPROF_ERROR_RANGE, NULL, "count of section %u exceeds 2^63-1",
                           (unsigned)section);
    return field_end(w, at);
}

static int miss_record(struct raw *w, const char *at)
{
    struct raw_miss *new, miss;

    if (read_id(w, &at, w->objects.count, "object", &miss.object) ||
        read_address(w, &at, &miss.address))
        return -1;
    if (at == w->r.end)
        return bad(w, at, "count is missing");
    if (memchr(at, '-', (size_t)(w->r.end - at)) || memchr(at, 'x', (size_t)(w->r.end - at)))
        return bad(w, at, "counts are decimal numbers");
    if (reader_counts(&w->r, at))
        return -1;
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

static int name_record(struct raw *w, const char *at)
{
    uint64_t address;
    uint32_t object;
    const char *name;

    if (read_id(w, &at, w->objects.count, "object", &object) || read_address(w, &at, &address))
        return -1;
    if (at == w->r.end)
        return bad(w, at, "name is missing");
    name = read_text(w, at);
    return name ? raw_add_name(w, object, address, name) : -1;
}

static int end_record(struct raw *w)
{
    const char *at = w->r.line + sizeof CP_RAW_END;
    int64_t lines;

    if (read_number(w, &at, &lines) || field_end(w, at))
        return -1;
    if ((unsigned long)lines != input_line_number(w->r.in) - 1)
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file has lost lines: %lu stand before 'end', %lld were written",
                           input_line_number(w->r.in) - 1, (long long)lines);
    w->have_end = 1;
    return 0;
}

static int any_line(struct raw *w)
{
    const char *line = w->r.line;

    if (!input_line_is_whole(w->r.in))
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file is cut short: its last line is not whole");
    if (w->have_end)
        return bad(w, NULL, "lines after 'end'");
    if (LEX_STARTS(line, w->r.end, CP_RAW_END " "))
        return end_record(w);
    if (w->r.end - line < 2 || line[1] != ' ')
        return w->in_body ? bad(w, NULL, "unknown record") : header_line(w);
    if (!w->r.have_events)
        return bad(w, NULL, "records before 'events:'");
    w->in_body = 1;
    switch (*line) {
    case CP_REC_OBJECT:
        return object_record(w, line + 2);
    case CP_REC_RANGE:
        return range_record(w, line + 2);
    case CP_REC_SECTION:
        return section_record(w, line + 2);
    case CP_REC_COUNT:
        return count_record(w, line + 2);
    case CP_REC_MISSES:
        return miss_record(w, line + 2);
    case CP_REC_NAME:
        return name_record(w, line + 2);
    default:
        return bad(w, NULL, "unknown record");
    }
}

/* The first line: the magic word and the version. */
static int first_line(struct raw *w)
{
    const char *at = w->r.line + sizeof CP_RAW_MAGIC;
    int64_t version;

    if (!input_line_is_whole(w->r.in))
        return reader_fail(&w->r, CPROF_ERROR_TRUNCATED, NULL,
                           "file is cut short: its last line is not whole");
    if (!LEX_STARTS(w->r.line, w->r.end, CP_RAW_MAGIC " "))
        return bad(w, NULL, "first line is not '" CP_RAW_MAGIC "' and a version");
    if (read_number(w, &at, &version) || field_end(w, at))
        return -1;
    if (version != CP_RAW_VERSION)
        return reader_fail(&w->r, CPROF_ERROR_VERSION, NULL,
                           "version %lld of the raw format is not supported, only %d",
                           (long long)version, CP_RAW_VERSION);
    return 0;
}

static int read_all(struct raw *w)
{
    int more = reader_next(&w->r);

    if (more > 0 && first_line(w))
        return -1;
    while (more > 0 && (more = reader_next(&w->r)) > 0)
        if (any_line(w))
            return -1;
    if (more < 0)
        return -1;
    if (!w->have_end)
        return error_set(w->r.error, CPROF_ERROR_TRUNCATED,
                         "file is cut short: its 'end' line is missing");
    if (!w->r.have_events)
        return error_set(w->r.error, CPROF_ERROR_SYNTAX,
                         "no events: the 'events:' line is missing");
    return raw_expand(w);
}

static void release(struct raw *w)
{
    free(w->objects.data);
    free(w->instructions.data);
    free(w->sections.data);
    free(w->names.data);
    free(w->misses.data);
    free(w->miss_rows.data);
    map_release(&w->name_map);
    free(w);
}

struct cprof_profile *raw_read(struct input *in, unsigned flags, struct cprof_error *error)
{
    struct raw *w = calloc(1, sizeof *w);
    struct cprof_profile *profile = NULL;

    if (!w) {
        error_set(error, CPROF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    if (!reader_start(&w->r, in, flags, error)) {
        builder_header(w->r.builder)->format = CPROF_FORMAT_RAW;
        if (!read_all(w))
            profile = builder_finish(w->r.builder);
        else
            builder_free(w->r.builder);
    }
    release(w);
    return profile;
}
