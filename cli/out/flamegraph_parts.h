/*
 * flamegraph_parts.h - what every flame graph has in it as it is. For flamegraph*.c, and pages with
 * a flame graph in them.
 */
#ifndef OUT_FLAMEGRAPH_PARTS_H
#define OUT_FLAMEGRAPH_PARTS_H

/* CSS: light and dark, the classes k0 to k9 of groups, and of a comparison m9 to m0, p0 to p9. */
extern const char flamegraph_style[];
/* JavaScript: search, zoom, details. */
extern const char flamegraph_script[];

#endif
