#include <config.h>

#include "base/strbuf.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Room for `size` more bytes and the NUL. */
static void make_room(struct strbuf *b, size_t size)
{
    if (b->room - b->size > size)
        return;
    if (size > (size_t)-1 / 2 - b->size - 1)
        memory_die();
    b->room = b->size + size + 1 > 2 * b->room ? b->size + size + 1 : 2 * b->room;
    b->text = xreallocarray(b->text, b->room, 1);
}

void strbuf_add_bytes(struct strbuf *b, const char *text, size_t size)
{
    make_room(b, size);
    memcpy(b->text + b->size, text, size);
    b->size += size;
    b->text[b->size] = '\0';
}

void strbuf_add(struct strbuf *b, const char *text)
{
    strbuf_add_bytes(b, text, strlen(text));
}

void strbuf_add_char(struct strbuf *b, char c)
{
    strbuf_add_bytes(b, &c, 1);
}

void strbuf_addf(struct strbuf *b, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = xvasprintf(format, arguments);
    va_end(arguments);
    strbuf_add(b, text);
    free(text);
}

void strbuf_add_item(struct strbuf *b, const char *separator, const char *text)
{
    if (b->size)
        strbuf_add(b, separator);
    strbuf_add(b, text);
}

void strbuf_cut(struct strbuf *b, size_t size)
{
    if (b->text) {
        b->size = size;
        b->text[size] = '\0';
    }
}

char *strbuf_take(struct strbuf *b)
{
    char *text = b->text ? b->text : xstrdup("");

    *b = (struct strbuf){.text = NULL};
    return text;
}

void strbuf_free(struct strbuf *b)
{
    free(b->text);
    *b = (struct strbuf){.text = NULL};
}
