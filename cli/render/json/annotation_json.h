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
 * The kind is "function", "file" or "program" (without a name). All lines with costs are there,
 * whatever --threshold and -n say; "self" of a file is the sum of its lines', "self" of the
 * document the sum of its files'. An unknown file or line is null; "source" and "text" are null
 * where the source was not found. The document has "inlined" for a function whose call paths are
 * known, lines have it with --inlined only; lists of files in it are like the document's. With
 * --asm there are "instructions" (disassembly_json.h); without, `disassembly` is NULL. Returns 0,
 * or -1 with errno where writing failed.
 */
int annotation_write_json(const struct annotation_listing *listing, const char *kind,
                          const struct disassembly *disassembly, FILE *out);

#endif
