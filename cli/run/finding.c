#include <config.h>

#include "run/finding.h"

#include "base/memory.h"

#include <stdlib.h>

void findings_add(struct findings *findings, const char *name, enum finding_state state, char *text,
                  const char *advice)
{
    findings->items = xreallocarray(findings->items, findings->n + 1, sizeof *findings->items);
    findings->items[findings->n++] = (struct finding){name, state, text, advice};
}

const struct finding *findings_error(const struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        if (findings->items[i].state == FINDING_ERROR)
            return &findings->items[i];
    return NULL;
}

void findings_free(struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        free(findings->items[i].text);
    free(findings->items);
    *findings = (struct findings){0};
}
