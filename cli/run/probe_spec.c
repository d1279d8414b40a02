#include <config.h>

#include "run/probe_spec.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define RETURN "%return"

/* The registers that have a function's arguments. */
#if defined(__x86_64__)
static const char *const arguments[] = {"%di", "%si", "%dx", "%cx", "%r8", "%r9"};
#else
static const char *const arguments[] = {"%x0", "%x1", "%x2", "%x3", "%x4", "%x5"};
#endif

/* The ':' behind the object; NULL: there is none. "::" stands in names. */
static const char *object_end(const char *text)
{
    for (const char *p = text; *p && *p != ' '; p++) {
        if (*p == ':' && p[1] == ':')
            p++;
        else if (*p == ':')
            return p;
    }
    return NULL;
}

/* "arg3", "%rdx" and "%edx" in the kernel's words. The caller frees it. */
static char *kernel_words(const char *value, size_t size)
{
    static const char *const legacy[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "ip"};

    if (size == 4 && !strncmp(value, "arg", 3) && value[3] >= '1' && value[3] <= '6')
        return xstrdup(arguments[value[3] - '1']);
    for (size_t i = 0; size == 4 && value[0] == '%' && (value[1] == 'r' || value[1] == 'e') &&
                       i < sizeof legacy / sizeof *legacy;
         i++)
        if (!strncmp(value + 2, legacy[i], 2))
            return xasprintf("%%%s", legacy[i]);
    return xstrndup(value, size);
}

/* A name for a value that has none: "%dx" is "dx". */
static char *name_of(const char *value, size_t size)
{
    char *name = xcalloc(size + 1, 1);
    size_t n = 0;

    for (size_t i = 0; i < size; i++)
        if (isalnum((unsigned char)value[i]) || value[i] == '_')
            name[n++] = value[i];
    return name;
}

static bool is_type(const char *type)
{
    return !strcmp(type, "u8") || !strcmp(type, "u16") || !strcmp(type, "u32") ||
           !strcmp(type, "u64");
}

/* "[NAME=]VALUE[:TYPE]" */
static char *parse_value(const char *text, struct probe_spec *spec)
{
    const char *equals = strchr(text, '='), *value = equals ? equals + 1 : text;
    const char *colon = strchr(value, ':'), *type = colon ? colon + 1 : "u64";
    size_t size = colon ? (size_t)(colon - value) : strlen(value);
    char *words, *name;

    if (!is_type(type))
        return xasprintf("'%s' is no type of a number that can be added up; u8, u16, u32 and u64 "
                         "are",
                         type);
    words = kernel_words(value, size);
    if (!strchr("%$+-@", *words) || !*words ||
        strspn(words + 1, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                          "%$+-@()_") != strlen(words + 1)) {
        free(words);
        return xasprintf("'%.*s' is no value of a call; take arg1 to arg6, a register (%%dx), or "
                         "memory (+8(%%di))",
                         (int)size, value);
    }
    name = equals ? name_of(text, (size_t)(equals - text)) : name_of(value, size);
    spec->fetch = xasprintf("%s:%s", words, type);
    spec->sum = xasprintf("%s:%s", spec->event, *name ? name : "value");
    free(name);
    free(words);
    return NULL;
}

/* One word, as names of events are, and no list of several. */
static char *event_of(const char *function, bool at_return)
{
    char *event = xasprintf("%s%s", function, at_return ? RETURN : "");

    for (char *c = event; *c; c++)
        if (isspace((unsigned char)*c) || *c == ',' || iscntrl((unsigned char)*c))
            *c = '_';
    return event;
}

/* The value begins at the last blank that what can begin one follows: names of C++ and Rust have
 * blanks, too. */
static const char *value_of(const char *text)
{
    const char *blank = strrchr(text, ' ');
    const char *word = blank ? blank + 1 : NULL;

    return word && *word &&
                   (strchr("%$+-@", *word) || !strncmp(word, "arg", 3) || strchr(word, '='))
               ? word
               : NULL;
}

char *probe_spec_parse(const char *text, struct probe_spec *spec)
{
    const char *colon, *value = value_of(text), *end = value ? value : text + strlen(text);
    size_t size, back = strlen(RETURN);

    *spec = (struct probe_spec){0};
    while (*text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    colon = object_end(text);
    if (colon && colon < end) {
        spec->object = xstrndup(text, (size_t)(colon - text));
        spec->is_kernel = !strcmp(spec->object, "kernel");
        text = colon + 1;
    }
    size = (size_t)(end - text);
    spec->at_return = size > back && !strncmp(end - back, RETURN, back);
    spec->function = xstrndup(text, spec->at_return ? size - back : size);
    if (!*spec->function || (spec->object && !*spec->object))
        return xasprintf("it names no function");
    spec->event = event_of(spec->function, spec->at_return);
    return value ? parse_value(value, spec) : NULL;
}

void probe_spec_free(struct probe_spec *spec)
{
    free(spec->object);
    free(spec->function);
    free(spec->fetch);
    free(spec->event);
    free(spec->sum);
    *spec = (struct probe_spec){0};
}
