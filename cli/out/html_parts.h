/*
 * html_parts.h - what every report page has in it as it is. For html*.c.
 */
#ifndef OUT_HTML_PARTS_H
#define OUT_HTML_PARTS_H

/* CSS: light, dark and print. */
extern const char html_style[];
/* JavaScript: tables of class "sortable" are sorted by their heads and filtered; the rest is there
 * without. */
extern const char html_script[];

#endif
