#include <config.h>

#include "run/setup.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "run/input.h"

#include <stdlib.h>
#include <string.h>

static void add(struct string_list *texts, const char *word, const char *value)
{
    if (value)
        string_list_add(texts, xasprintf("%s %s", word, value));
}

void setup_texts(const struct program *program, struct string_list *texts)
{
    char *input = input_digest();

    add(texts, SETUP_PROFILE, program->profile);
    add(texts, SETUP_FEATURES, program->features);
    add(texts, SETUP_INPUT, input);
    free(input);
}

const char *setup_value(const struct cprof_profile *p, const char *word)
{
    size_t size = strlen(word);

    for (uint32_t i = 0; i < p->n_setup; i++)
        if (!strncmp(p->setup[i], word, size) && p->setup[i][size] == ' ')
            return p->setup[i] + size + 1;
    return NULL;
}

char *setup_features(const struct build_request *request)
{
    struct strbuf text = {.text = NULL};

    if (request->all_features)
        strbuf_add_item(&text, ",", "all");
    if (request->no_default_features)
        strbuf_add_item(&text, ",", "no defaults");
    for (size_t i = 0; i < request->features.n; i++)
        strbuf_add_item(&text, ",", request->features.items[i]);
    return text.text;
}
