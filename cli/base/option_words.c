#include <config.h>

#include "base/option_words.h"

#include "base/memory.h"

#include <stdlib.h>

static void add_text(struct string_list *words, const char *name, const char *value)
{
    string_list_add(words, xasprintf("--%s=%s", name, value));
}

static void add_option(const struct option_def *def, const void *settings,
                       struct string_list *words)
{
    const void *member = (const char *)settings + def->offset;
    const struct string_list *list = member;
    char *number;

    switch (option_kind(def)) {
    case OPTION_STRING:
    case OPTION_ONCE:
        add_text(words, def->name, *(const char *const *)member);
        return;
    case OPTION_OPTIONAL:
    case OPTION_FILE:
        if (**(const char *const *)member) {
            add_text(words, def->name, *(const char *const *)member);
            return;
        }
        break;
    case OPTION_LIST:
        for (size_t i = 0; i < list->n; i++)
            add_text(words, def->name, list->items[i]);
        return;
    case OPTION_NUMBER:
        number = xasprintf("%ld", *(const long *)member);
        add_text(words, def->name, number);
        free(number);
        return;
    case OPTION_CHOICE:
        add_text(words, def->name, def->choices[*(const int *)member]);
        return;
    case OPTION_COUNT:
        for (int i = 1; i < *(const int *)member; i++)
            string_list_add(words, xasprintf("--%s", def->name));
        break;
    case OPTION_FLAG:
    case OPTION_NO_FLAG:
        break;
    }
    string_list_add(words, xasprintf("--%s", def->name));
}

void option_words(const struct option_group *groups, const struct option_result *result,
                  struct string_list *words)
{
    for (const struct option_group *g = groups; g->title; g++)
        for (const struct option_def *def = g->defs; def->name; def++)
            if (option_is_given(result, def->name))
                add_option(def, g->settings, words);
}
