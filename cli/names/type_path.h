/*
 * type_path.h - names of types with the path before them: "ns::Particle", "struct node".
 */
#ifndef NAMES_TYPE_PATH_H
#define NAMES_TYPE_PATH_H

/* The name behind "struct ", "class ", "union " or "enum ", if one of them is before it. */
const char *type_without_keyword(const char *name);

/* Where the last part of a path begins: "Vec<a::B>" of "alloc::vec::Vec<a::B>". */
const char *type_last_part(const char *path);

#endif
