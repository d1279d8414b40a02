/*
 * sample_places.h - where in its file the code of a sample is.
 */
#ifndef RUN_SAMPLE_PLACES_H
#define RUN_SAMPLE_PLACES_H

#include "cprof_internal.h"
#include "symbols/code_places.h"

/* Fills the place of a frame; `places` owns its texts. */
void sample_places_find(struct code_places *places, const struct samples_frame *frame,
                        struct samples_place *place);

#endif
