/*
 * disassembly_json.h - instructions with their costs, as JSON.
 */
#ifndef JSON_DISASSEMBLY_JSON_H
#define JSON_DISASSEMBLY_JSON_H

#include "annotate/disassembly.h"
#include "render/text/annotation.h"

#include <jansson.h>

/*
 * For "cprof-annotate/1" with --asm, its "instructions": [{"object", "address", "text", "function",
 * "file", "line", "self", "others"}, ...], range by range. Addresses are numbers. "self" is the
 * subject's cost, "others" that of functions among it; "text" is null in ranges that were not
 * decoded; "function", "file" and "line" are null where the instruction did not run.
 */
json_t *disassembly_json(const struct disassembly *d, const struct annotation_listing *listing);

#endif
