/*
 * cp_geometry.h - the shapes of caches: from the command line, and from the host.
 */
#ifndef CP_GEOMETRY_H
#define CP_GEOMETRY_H

#include "cp_tool.h"

/* NULL where the cache can be simulated, or what is wrong with it. */
const HChar *cp_geometry_check(const Geometry *geometry);

/* Parses "SIZE,WAYS,LINE", and checks it. Returns NULL, or what is wrong with it. */
const HChar *cp_geometry_parse(const HChar *text, Geometry *geometry);

/* The host's, as cachegrind derives them; its defaults for this architecture where they cannot be
 * had. */
void cp_geometry_host(Geometry *i1, Geometry *d1, Geometry *ll);

#endif
