#include <config.h>

#include "raw.h"

#include "cp_format.h"

static int set_text(struct raw *w, const char *at, const char **field)
{
    *field = raw_text(w, at);
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
    const char *text = raw_text(w, at);

    return text ? builder_argument(w->r.builder, text) : -1;
}

static int cache_key(struct raw *w, const char *at, const char *name)
{
    struct cprof_cache cache = {.name = name};
    int64_t size, ways, line_size;

    if (raw_number(w, &at, &size) || raw_number(w, &at, &ways) || raw_number(w, &at, &line_size) ||
        raw_end(w, at))
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
    for (uint32_t i = 0; i < w->r.n_events; i++)
        w->every_event[i] = i;
    return 0;
}

static int counted_key(struct raw *w, const char *at)
{
    const char *word;
    size_t size;

    if (!w->r.have_events)
        return raw_bad(w, NULL, "'counted:' before 'events:'");
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

static int random_key(struct raw *w, const char *at)
{
    static const struct {
        const char *word;
        enum cprof_random random;
    } words[] = {
        {"no", CPROF_RANDOM_NONE}, {"yes", CPROF_RANDOM_USED}, {"fixed", CPROF_RANDOM_FIXED}};
    size_t size = (size_t)(w->r.end - at);

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == size && !memcmp(at, words[i].word, size)) {
            builder_header(w->r.builder)->random = words[i].random;
            return 0;
        }
    return raw_bad(w, at, "'random:' is neither 'no', 'yes' nor 'fixed'");
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
        return raw_bad(w, at, "'exit:' is neither 'code N', 'exec' nor 'unknown'");
    if (reader_long(&w->r, at + 5, &code))
        return -1;
    if (code < -255 || code > 255)
        return reader_fail(&w->r, CPROF_ERROR_RANGE, at, "exit code %ld is out of range", code);
    header->exit = CPROF_EXIT_CODE;
    header->exit_code = (int)code;
    return 0;
}

int raw_header_line(struct raw *w)
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
        {CP_KEY_COUNTED, counted_key, 0}, {CP_KEY_RANDOM, random_key, 0},
        {CP_KEY_EXIT, exit_key, 0},
    };
    const char *colon = memchr(w->r.line, ':', (size_t)(w->r.end - w->r.line)), *value;
    size_t size = colon ? (size_t)(colon - w->r.line) : 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strlen(keys[i].key) != size || memcmp(w->r.line, keys[i].key, size))
            continue;
        if (!keys[i].repeats && w->keys_seen & 1u << i)
            return raw_bad(w, NULL, "key of the header is given twice");
        w->keys_seen |= 1u << i;
        value = colon + 1;
        return keys[i].read(w, value + (value < w->r.end && *value == ' '));
    }
    return raw_bad(w, NULL, "unknown line in the header");
}
