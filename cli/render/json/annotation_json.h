/*
 * annotation_json.h - source lines with their costs, as JSON.
 */
#ifndef JSON_ANNOTATION_JSON_H
#define JSON_ANNOTATION_JSON_H

#include "render/text/annotation.h"

#include <stdio.h>

struct disassembly;

/*
 * A JSON document, "cprof-annotate/1":
 *
 *     {
 *       "schema": "cprof-annotate/1",
 *       "program": "/home/me/nnet/target/release/nnet",
 *       "events": ["Ir", ...],
 *       "totals": {"Ir": 403999288, ...},
 *       "subject": {"kind": "function", "name": "nnet::matrix::Matrix::dot"},
 *       "self": {"Ir": 286566400, ...},
 *       "inlined": {"Ir": 0, ...},
 *       "files": [
 *         {"file": "/home/me/nnet/src/matrix.rs", "source": "/home/me/nnet/src/matrix.rs",
 *          "self": {...},
 *          "lines": [
 *            {"line": 45, "text": "    *sum += factor * value;", "self": {...}},
 *            {"line": 46, "text": ..., "self": {...},
 *             "inlined": [{"name": ..., "inclusive": {...}, "files": [...]}, ...]},
 *            ...]},
 *         ...
 *       ]
 *     }
 *
 * The kind is "function", "file" or "program" (without a name). Lines are those with costs,
 * whatever --threshold and -n say; "self" of a file is the sum of its lines', that of the document
 * the sum of its files'. A file or line that is not known is null, and so is "source" and "text"
 * where the source was not found. The document's "inlined" is there for a function whose call paths
 * are known, that of lines with --inlined only; a list of files in it is as that of the document.
 * With
 * --asm there are "instructions" (disassembly_json.h); `disassembly` is NULL without. Returns 0, or
 * -1 with errno where writing failed.
 */
int annotation_write_json(const struct annotation_listing *listing, const char *kind,
                          const struct disassembly *disassembly, FILE *out);

#endif
