#include <config.h>

#include "tui/prompting.h"

#include "base/file.h"
#include "base/memory.h"
#include "tui/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    prompt_begin(&b->prompt, PROMPT_FILTER);
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
    prompt_begin(&b->prompt, PROMPT_FILE);
}

static int write_view(const struct view *v, FILE *out)
{
    char *title = v->class->title(v);
    int failed = 0;

    fprintf(out, "%s\n\n", title);
    for (int i = 0; i < v->n_panes && !failed; i++) {
        failed = pane_write((struct pane *)&v->panes[i], screen_utf8(), out);
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
    if (!failed) {
        failed = write_view(browser_current(b), file.stream);
        if (failed)
            file_abort(&file);
        else
            failed = file_commit(&file);
    }
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
    enum prompt_result result = prompt_key(&b->prompt, is_key, c);

    if (result == PROMPT_TAKEN || result == PROMPT_DROPPED)
        end_prompt(b, result == PROMPT_TAKEN);
    else if (result == PROMPT_CHANGED && b->prompt.kind == PROMPT_FILTER)
        apply_filter(b, b->prompt.text);
}
