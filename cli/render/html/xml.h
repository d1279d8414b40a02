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

#endif
