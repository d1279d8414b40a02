#include <config.h>

#include "tui/prompt.h"

#include <limits.h>
#include <ncurses.h>
#include <string.h>

enum { ESCAPE = 27, RUBOUT = 127 };

void prompt_begin(struct prompt *p, enum prompt_kind kind)
{
    p->kind = kind;
    p->text[0] = '\0';
}

/* Removes the last character, with all its bytes. */
static void erase_character(char *text)
{
    size_t n = strlen(text);

    while (n && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
        n--;
    text[n ? n - 1 : 0] = '\0';
}

static void add_character(char *text, wint_t c)
{
    char bytes[MB_LEN_MAX + 1];
    mbstate_t state = {0};
    size_t n = wcrtomb(bytes, (wchar_t)c, &state), used = strlen(text);

    if (n == (size_t)-1 || used + n >= PROMPT_MAX)
        return;
    memcpy(text + used, bytes, n);
    text[used + n] = '\0';
}

enum prompt_result prompt_key(struct prompt *p, bool is_key, wint_t c)
{
    if (!is_key && c == ESCAPE)
        return PROMPT_DROPPED;
    if (is_key ? c == KEY_ENTER : c == '\r' || c == '\n')
        return PROMPT_TAKEN;
    if (is_key ? c == KEY_BACKSPACE : c == RUBOUT || c == '\b')
        erase_character(p->text);
    else if (is_key || c < ' ')
        return PROMPT_IGNORED;
    else
        add_character(p->text, c);
    return PROMPT_CHANGED;
}
