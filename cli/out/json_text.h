/*
 * json_text.h - texts for JSON that is written as it is gone through, without a document in memory.
 */
#ifndef OUT_JSON_TEXT_H
#define OUT_JSON_TEXT_H

/* A JSON text with its quotes, by the rule of text.h for data; the caller frees it. */
char *json_quote(const char *text);

#endif
