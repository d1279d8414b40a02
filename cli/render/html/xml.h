/*
 * xml.h - texts, elements and attributes of HTML and SVG.
 *
 * Texts may be of any bytes. Clean text (text.h) is what XML may have at all: it forbids control
 * characters even as references. Characters of markup become references.
 */
#ifndef HTML_XML_H
#define HTML_XML_H

#include <stdio.h>

/* Writes a text as content, or as an attribute between quotes of either kind. */
void xml_text(FILE *out, const char *text);
/* Writes <tag attributes>text</tag>; `attributes` are written as they are, each with the blank
 * before it. */
void xml_element(FILE *out, const char *tag, const char *attributes, const char *text);
/* Writes an attribute, with the blank before it. */
void xml_attribute(FILE *out, const char *name, const char *text);
/* Writes an attribute that is a length, to a hundredth, without zeros at its end. */
void xml_length(FILE *out, const char *name, double length);

/* Elements of pictures: a line of a class; a text whose start, middle or end (`anchor`) is there.
 */
void xml_line(FILE *out, const char *class, double x1, double y1, double x2, double y2);
void xml_label(FILE *out, const char *anchor, double x, double y, const char *text);

#endif
