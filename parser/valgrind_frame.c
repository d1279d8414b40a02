#include <config.h>

#include "valgrind_frame.h"

/* A text "0x10F2: name (place)" taken apart; parts may be empty. */
struct parts {
    const char *name, *name_end, *place, *place_end;
    uint64_t address;
};

static struct parts split(const char *text, const char *end)
{
    const char *at = text + 2, *open = NULL;
    struct parts parts = {text, end, end, end, 0};

    if (LEX_STARTS(text, end, "0x") && lex_hex(&at, end, &parts.address) == LEX_OK &&
        end - at >= 2 && at[0] == ':' && at[1] == ' ')
        parts.name = at + 2;
    if (end > parts.name && end[-1] == ')')
        for (const char *p = parts.name; p + 1 < end; p++)
            if (p[0] == ' ' && p[1] == '(')
                open = p;
    if (open) {
        parts.name_end = open;
        parts.place = open + 2;
        parts.place_end = end - 1;
    }
    return parts;
}

/* Takes ":12" off the end. Returns 0 where there is none. */
static int take_number(const char *at, const char **end, uint64_t *number)
{
    const char *colon = *end, *digits;

    while (colon > at && lex_is_digit(colon[-1]))
        colon--;
    digits = colon;
    if (colon == *end || colon == at || colon[-1] != ':' ||
        lex_decimal(&digits, *end, number) != LEX_OK)
        return 0;
    *end = colon - 1;
    return *end > at;
}

/* Reads "in /path/of/object", "file:line", or "file:line:column". */
static int read_place(struct builder *b, const struct parts *parts, const char **object,
                      const char **file, uint32_t *line)
{
    const char *at = parts->place, *end = parts->place_end;
    uint64_t last = 0, before;

    *object = *file = NULL;
    *line = 0;
    if (end - at > 3 && !memcmp(at, "in ", 3))
        return (*object = builder_text(b, at + 3, (size_t)(end - at - 3))) ? 0 : -1;
    if (at == end || !take_number(at, &end, &last))
        return 0;
    if (take_number(at, &end, &before))
        last = before;
    *line = last <= UINT32_MAX ? (uint32_t)last : 0;
    return (*file = builder_text(b, at, (size_t)(end - at))) ? 0 : -1;
}

int valgrind_frame_read(struct sampled *s, const char *at, const char *end,
                        struct valgrind_frame *frame)
{
    struct builder *b = s->r.builder;
    struct parts parts = split(at, end);
    const char *name = "???", *path, *file;
    uint32_t object;

    *frame = (struct valgrind_frame){.frame = {.file = CPROF_NONE, .function = CPROF_NONE},
                                     .address = parts.address};
    if (parts.name_end > parts.name &&
        !(name = builder_text(b, parts.name, (size_t)(parts.name_end - parts.name))))
        return -1;
    if (read_place(b, &parts, &path, &file, &frame->frame.line))
        return -1;
    object = builder_object(b, path ? path : "???", NULL);
    if (object == CPROF_NONE || (file && (frame->frame.file = builder_file(b, file)) == CPROF_NONE))
        return -1;
    frame->frame.function = builder_function(b, name, NULL, object, frame->frame.file, 0);
    return frame->frame.function == CPROF_NONE ? -1 : 0;
}

int valgrind_frame_is_inlined(const struct valgrind_frame *inner,
                              const struct valgrind_frame *outer)
{
    return outer->address && inner->address == outer->address &&
           inner->frame.function != outer->frame.function;
}
