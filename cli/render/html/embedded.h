/* embedded.h - scripts and styles of pages and flame graphs: files beside this one, which the build
 * turns into strings (embed). */
#ifndef HTML_EMBEDDED_H
#define HTML_EMBEDDED_H

/* Report pages. The style is for light, dark and print. The script makes tabs of sections, and
 * sorts and filters tables of class "sortable"; without it all is there, as it was written. */
extern const char embedded_report_css[];
extern const char embedded_report_js[];
/* Colours the lines of sources that are Rust. */
extern const char embedded_highlight_js[];
/* Prints long tables as lines of text. */
extern const char embedded_print_js[];

/* The colours of kinds of code (ownership.h), of pages and flame graphs alike. */
extern const char embedded_palette_css[];

/* Flame graphs, and pages with one in them. The style has the classes m9 to m0, p0 to p9 of a
 * comparison. The script searches, zooms and shows details; it reads the numbers
 * from data-v (depth, start, value) and moves the frames. Neither script fetches or evaluates
 * anything. */
extern const char embedded_flamegraph_css[];
extern const char embedded_flamegraph_js[];
/* Names of functions in little room, for the script of flame graphs, which it precedes. */
extern const char embedded_short_names_js[];

#endif
