#include <config.h>

#include "base/shell_word.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <string.h>

char *shell_word(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:/.+-=@%,";
    struct strbuf word = {.text = NULL};

    if (*text && !text[strspn(text, plain)])
        return xstrdup(text);
    strbuf_add(&word, "'");
    for (const char *at = text; *at; at++)
        if (*at == '\'')
            strbuf_add(&word, "'\\''");
        else
            strbuf_add_bytes(&word, at, 1);
    strbuf_add(&word, "'");
    return strbuf_take(&word);
}
