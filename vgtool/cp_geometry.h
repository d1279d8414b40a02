/*
 * cp_geometry.h - the shapes of caches: from the command line, and from the host.
 */
#ifndef CP_GEOMETRY_H
#define CP_GEOMETRY_H

#include "cp_tool.h"

/* Returns NULL if the cache can be simulated, else the reason why not. */
const HChar *cp_geometry_check(const Geometry *geometry);

/* Parses "SIZE,WAYS,LINE" and checks it. Returns NULL, or the reason why it is wrong. */
const HChar *cp_geometry_parse(const HChar *text, Geometry *geometry);

/* The host's caches, as cachegrind derives them; the processor's usual ones if the host does not
 * describe them. */
void cp_geometry_host(Geometry *i1, Geometry *d1, Geometry *ll);

#endif
