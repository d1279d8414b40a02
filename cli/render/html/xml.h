/*
 * xml.h - names in XML. What may be shown (text.h) is what XML may have at all: it forbids control
 * characters even as references. Of the rest, what is markup becomes references.
 */
#ifndef HTML_XML_H
#define HTML_XML_H

#include <stdio.h>

/* Writes a text of any bytes, as content or as an attribute between quotes of either kind. */
void xml_put(FILE *out, const char *text);

#endif
