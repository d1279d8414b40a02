#include <config.h>

#include "render/json/findings_json.h"

#include "render/json/json_document.h"
#include "render/json/json_value.h"
#include "render/text/findings.h"

int findings_write_json(const struct findings *findings, FILE *out)
{
    json_t *checks = json_array(), *document;

    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->items[i];

        json_array_append_new(checks, json_pack("{s:s, s:s, s:o, s:o}", "name", f->name, "state",
                                                findings_word(f->state), "text", json_text(f->text),
                                                "advice", json_text(f->advice)));
    }
    document = json_pack("{s:s, s:b, s:o}", "schema", "cprof-doctor/1", "ready",
                         !findings_error(findings), "checks", checks);
    return json_finish(document, out);
}
