/*
 * json_file.h - JSON documents as files.
 */
#ifndef BASE_JSON_FILE_H
#define BASE_JSON_FILE_H

#include <jansson.h>

/* Writes a document to a temporary file beside `path`, and renames that. Returns 0, or -1 with
 * errno, and `path` is as it was. */
int json_file_write(const json_t *document, const char *path);

#endif
