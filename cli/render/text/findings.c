#include <config.h>

#include "render/text/findings.h"

#include "base/clean.h"
#include "base/memory.h"
#include "render/text/style.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *style;
} states[] = {[FINDING_OK] = {"ok", "32"},
              [FINDING_ERROR] = {"error", "1;31"},
              [FINDING_OPTIONAL] = {"optional", "33"},
              [FINDING_NOTE] = {"note", STYLE_BOLD}};

/* Columns of a state's word with the blanks behind it; columns between name and text. */
enum { STATE_WIDTH = 10, GAP = 2 };

void findings_write(const struct findings *findings, unsigned width, bool color, FILE *out)
{
    size_t longest = 0;

    for (size_t i = 0; i < findings->n; i++)
        if (strlen(findings->items[i].name) > longest)
            longest = strlen(findings->items[i].name);
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->items[i];
        char *text = f->advice ? xasprintf("%s; %s", f->text, f->advice) : xstrdup(f->text);
        char *clean = text_local(text);

        style_put(out, color, states[f->state].style, states[f->state].word);
        fprintf(out, "%*s%-*s", (int)(STATE_WIDTH - strlen(states[f->state].word)), "",
                (int)longest + GAP, f->name);
        wrap_put(out, clean, STATE_WIDTH + (unsigned)longest + GAP, width ? width : UINT_MAX);
        fputc('\n', out);
        free(clean);
        free(text);
    }
}

const char *findings_word(enum finding_state state)
{
    return states[state].word;
}
