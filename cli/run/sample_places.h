/*
 * sample_places.h - where in its file the code of a sample is.
 */
#ifndef RUN_SAMPLE_PLACES_H
#define RUN_SAMPLE_PLACES_H

#include "cprof_internal.h"
#include "symbols/code_places.h"

/* Fills the place of a frame, as samples_source.locate: `places`, a struct code_places, owns its
 * texts. */
void sample_places_find(void *places, const struct samples_frame *frame,
                        struct samples_place *place);
/* As samples_source.begins: programs, threads and fibres begin there. */
int sample_places_begin(void *places, const struct samples_frame *frame);
/* Writes to a FILE, as samples_to_raw() wants it. */
int sample_places_put(void *file, const void *bytes, size_t size);

#endif
