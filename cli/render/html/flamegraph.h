/*
 * flamegraph.h - a flame graph as one SVG file that needs nothing else: readable as a picture, and
 * with search, zoom and details where a browser runs its script.
 *
 * Each frame is
 *
 *     <g data-v="DEPTH START VALUE SELF HIDDEN N_HIDDEN" class="i"><title>...</title>
 *       <rect class="k3" .../><text>...</text></g>
 *
 * from the root on, which is at the bottom, or on top of a reversed one; with the numbers of
 * flame.h; class "i" is code that was inlined. The first line of the title is the function's name,
 * followed by " (inlined)" where it was.
 */
#ifndef HTML_FLAMEGRAPH_H
#define HTML_FLAMEGRAPH_H

#include "paths/flame.h"
#include "paths/flame_groups.h"
#include "render/text/labels.h"

#include <stdbool.h>
#include <stdio.h>

struct flamegraph {
    const struct flame *flame;
    const struct flame_groups *groups; /* what frames are coloured by */
    const struct labels *labels;
    const char *title;   /* the program */
    const char *measure; /* "Ir" */
    bool compared;       /* red and blue instead of the groups' colours */
    const char *than;    /* what it is compared with */
    int64_t gone;        /* what the other one's paths cost that have no frame here */
    double threshold;    /* percent: frames below it are left out */
    uint32_t n_paths;    /* all of them, without the root; 0: not known */
    unsigned width;      /* of the picture, in pixels */
    bool in_page;        /* an element of an HTML page, which has the focus apart from it */
};

/* Returns 0, or -1 with errno where writing failed. */
int flamegraph_write(const struct flamegraph *graph, FILE *out);

#endif
