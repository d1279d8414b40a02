#include <config.h>

#include "out/findings.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/memory.h"
#include "out/json_value.h"
#include "out/style.h"

static const struct {
    const char *word, *style;
} states[] = {[FINDING_OK] = {"ok", "32"},
              [FINDING_ERROR] = {"error", "1;31"},
              [FINDING_OPTIONAL] = {"optional", "33"},
              [FINDING_NOTE] = {"note", STYLE_BOLD}};

/* Columns of a state's word with what is behind it, and of what is between name and text. */
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

int findings_write_json(const struct findings *findings, FILE *out)
{
    json_t *checks = json_array(), *document;
    int failed;

    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->items[i];

        json_array_append_new(checks, json_pack("{s:s, s:s, s:o, s:o}", "name", f->name, "state",
                                                states[f->state].word, "text", json_text(f->text),
                                                "advice", json_text(f->advice)));
    }
    document = json_pack("{s:s, s:b, s:o}", "schema", "cprof-doctor/1", "ready",
                         !findings_error(findings), "checks", checks);
    failed = !document || json_dumpf(document, out, JSON_INDENT(2)) != 0 || fputc('\n', out) == EOF;
    json_decref(document);
    return failed ? -1 : 0;
}
