/*
 * flamegraph.h - a flame graph as one SVG file that needs nothing else: readable as a picture, and
 * with search, zoom and details where a browser runs its script.
 *
 * Each frame is
 *
 *     <g data-v="DEPTH START VALUE SELF HIDDEN N_HIDDEN" class="i"><title>...</title>
 *       <rect class="o1" .../><text>...</text></g>
 *
 * from the root on, which is at the bottom, or on top of a reversed graph; its numbers are those of
 * flame.h; class "i" is inlined code; those of
 * rects are of ownership.h. The first line of the title is the function's name,
 * followed by " (inlined)" where it was.
 */
#ifndef HTML_FLAMEGRAPH_H
#define HTML_FLAMEGRAPH_H

#include "paths/flame.h"
#include "render/text/text.h"

#include <stdbool.h>
#include <stdio.h>

struct flamegraph {
    const struct flame *flame;
    const struct flame_kinds *kinds; /* the colours of frames; NULL where it is compared */
    const struct labels *labels;
    const char *title;   /* the program */
    const char *measure; /* "Ir" */
    bool compared;       /* red and blue instead of the kinds' colours */
    const char *than;    /* the name of the profile that it is compared with */
    int64_t gone;        /* the cost of the other profile's paths that have no frame here */
    double threshold;    /* percent: smaller frames are left out */
    uint32_t n_paths;    /* the number of all paths, without the root; 0: not known */
    unsigned width;      /* in pixels */
    bool in_page;        /* the graph is an element of an HTML page, which has a focus of its own */
};

/* Returns 0, or -1 with errno where writing failed. */
int flamegraph_write(const struct flamegraph *graph, FILE *out);

#endif
