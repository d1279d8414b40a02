/*
 * gzip.h - a compressed stream into a file. The same bytes in give the same bytes out: no name and
 * no time are in the header.
 */
#ifndef EXPORT_GZIP_H
#define EXPORT_GZIP_H

#include <stddef.h>
#include <stdio.h>

struct gzip;

struct gzip *gzip_new(FILE *out);
void gzip_write(struct gzip *gzip, const void *bytes, size_t size);
/* Writes the end and frees. Returns 0, or -1 with errno where writing failed. */
int gzip_close(struct gzip *gzip);

#endif
