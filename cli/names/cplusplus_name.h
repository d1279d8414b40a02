/*
 * cplusplus_name.h - short names of C++ functions.
 *
 * A name of at most CPLUSPLUS_SHORT bytes stays as it is. A longer one loses what it needs to, in
 * the order of name_forms.h: parameters and the type that it returns, arguments of types, arguments
 * of its own. Its path stays whole:
 *
 *     ns::basic_json<std::map, std::vector, std::string, bool, long>::json_value::destroy(ns::kind)
 *     ns::basic_json::json_value::destroy
 */
#ifndef NAMES_CPLUSPLUS_NAME_H
#define NAMES_CPLUSPLUS_NAME_H

enum { CPLUSPLUS_SHORT = 60 };

/* The short form of a name that is not Rust's, for the caller to free; NULL where that is the name
 * itself. */
char *cplusplus_short_name(const char *name);

#endif
