#include <config.h>

#include "tui/code_list.h"

#include "base/array.h"
#include "cprof.h"

#include <stdlib.h>

struct code_line *code_list_add(struct code_list *list, enum code_kind kind, char *text)
{
    GROW(list->items, list->n, list->room);
    list->items[list->n] =
        (struct code_line){.kind = kind, .file = CPROF_NONE, .function = CPROF_NONE, .text = text};
    return &list->items[list->n++];
}

void code_list_free(struct code_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].mark);
        free(list->items[i].text);
        free(list->items[i].tokens);
    }
    free(list->items);
    *list = (struct code_list){.n = 0};
}
