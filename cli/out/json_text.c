#include <config.h>

#include "out/json_text.h"

#include "base/memory.h"
#include "out/text.h"

#include <jansson.h>
#include <stdlib.h>

char *json_quote(const char *text)
{
    char *valid = text_utf8(text), *quoted;
    json_t *value = json_string(valid);

    quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    free(valid);
    return quoted ? quoted : xstrdup("\"\"");
}
