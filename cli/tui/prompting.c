#include <config.h>

#include "tui/prompting.h"

#include "base/file.h"
#include "base/memory.h"
#include "tui/view.h"

#include <errno.h>
#include <limits.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- The text ---*/

enum prompt_result { PROMPT_IGNORED, PROMPT_CHANGED, PROMPT_TAKEN, PROMPT_DROPPED };
enum { ESCAPE = 27, RUBOUT = 127 };

static void begin(struct prompt *p, enum prompt_kind kind)
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

/* Takes a key, and returns what it does: Enter takes the text, Esc drops it. */
static enum prompt_result take_key(struct prompt *p, bool is_key, wint_t c)
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

/*--- Filters and files ---*/

static void apply_filter(struct browser *b, const char *text)
{
    struct view *v = browser_current(b);

    if (v->class->filter)
        v->class->filter(v, text);
}

void prompting_filter(struct browser *b)
{
    if (!browser_current(b)->class->filter) {
        browser_say(b, "only lists of functions are filtered; l shows them");
        return;
    }
    begin(&b->prompt, PROMPT_FILTER);
}

void prompting_drop_filter(struct browser *b)
{
    struct view *v = browser_current(b);

    if (!v->filter)
        return;
    free(v->filter);
    v->filter = NULL;
    apply_filter(b, NULL);
}

void prompting_file(struct browser *b)
{
    begin(&b->prompt, PROMPT_FILE);
}

static int write_view(const struct view *v, FILE *out)
{
    char *title = v->class->title(v);
    int failed = 0;

    fprintf(out, "%s\n\n", title);
    for (int i = 0; i < v->n_panes && !failed; i++) {
        failed = pane_write((struct pane *)&v->panes[i], out);
        if (i + 1 < v->n_panes)
            fputc('\n', out);
    }
    free(title);
    return failed;
}

static void write_file(struct browser *b)
{
    struct output_file file;
    int failed;

    if (!b->prompt.text[0])
        return;
    failed = file_begin(&file, b->prompt.text);
    if (!failed)
        failed = file_end(&file, write_view(browser_current(b), file.stream));
    if (failed)
        browser_say(b, "cannot write '%s': %s", b->prompt.text, strerror(errno));
    else
        browser_say(b, "wrote '%s'", b->prompt.text);
}

static void end_prompt(struct browser *b, bool keep)
{
    enum prompt_kind prompt = b->prompt.kind;
    struct view *v = browser_current(b);

    b->prompt.kind = PROMPT_NONE;
    if (prompt == PROMPT_FILE) {
        if (keep)
            write_file(b);
        return;
    }
    free(v->filter);
    v->filter = keep && b->prompt.text[0] ? xstrdup(b->prompt.text) : NULL;
    if (!v->filter)
        apply_filter(b, NULL);
}

void prompting_key(struct browser *b, bool is_key, wint_t c)
{
    enum prompt_result result = take_key(&b->prompt, is_key, c);

    if (result == PROMPT_TAKEN || result == PROMPT_DROPPED)
        end_prompt(b, result == PROMPT_TAKEN);
    else if (result == PROMPT_CHANGED && b->prompt.kind == PROMPT_FILTER)
        apply_filter(b, b->prompt.text);
}
