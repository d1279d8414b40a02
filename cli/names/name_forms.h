/*
 * name_forms.h - the forms of a shown name of a function, for where there is little room: each
 * says less than the one before, and none is cut within a word.
 *
 *     <nnet::net::Layer<T> as Model<M>>::train::<f64>     as it is
 *     <nnet::net::Layer as Model>::train::<f64>           types and traits without arguments
 *     nnet::net::Layer::train::<f64>                      without the trait
 *     nnet::net::Layer::train                             without arguments of its own
 *
 * name_rest() goes on from there, to "net::Layer::train", "Layer::train" and "train". Of C++ the
 * return type and the parameters go first. A name whose brackets do not match has one form.
 */
#ifndef NAMES_NAME_FORMS_H
#define NAMES_NAME_FORMS_H

#include <stddef.h>

enum name_form {
    NAME_WHOLE,
    NAME_NO_PARAMETERS, /* nor a return type */
    NAME_NO_TYPES,      /* nor arguments of types and traits */
    NAME_NO_TRAIT,      /* nor the trait; of "<T as Trait>", where T is any type, nor the type */
    NAME_NO_ARGUMENTS,  /* nor arguments of the function itself */
    NAME_FORMS
};

/* A form of `name`, with all that follows it (name_tail()); the caller frees it. */
char *name_form(const char *name, enum name_form form);

/* Where the name itself ends, in bytes: what follows says more of it, such as " [clone .cold]",
 * " [3 instances]", " #2", " (inlined)" or a place in parentheses. */
size_t name_tail(const char *name);

/* The name without the first part of its path, which is a part of it; NULL where it has but one.
 * Closures and arguments belong to the part before them: "c::{closure}::<u8>" is one. */
const char *name_rest(const char *name);

/*--- Names of C++ ---*/

/*
 * Short names of C++ functions.
 *
 * A name of at most CPLUSPLUS_SHORT bytes stays as it is. A longer one loses what it needs to, in
 * the order of name_forms.h: parameters and the type that it returns, arguments of types, arguments
 * of its own. Its path stays whole:
 *
 *     ns::basic_json<std::map, std::vector, std::string, bool, long>::json_value::destroy(ns::kind)
 *     ns::basic_json::json_value::destroy
 */

enum { CPLUSPLUS_SHORT = 60 };

/* The short form of a name that is not Rust's, for the caller to free; NULL where that is the name
 * itself. */
char *cplusplus_short_name(const char *name);

/*
 * How much is known of the names of an object.
 */

/* The knowledge of an object's names. */
enum name_quality {
    NAMES_MISSING, /* the file is gone, unreadable, or of another build than the one that ran */
    NAMES_NONE,    /* neither symbols nor debug information */
    NAMES_DYNAMIC, /* the dynamic symbol table only: exported functions */
    NAMES_SYMBOLS, /* the full symbol table, no lines */
    NAMES_LINES,   /* lines too, and inlined functions where debug information has them */
    NAMES_SHORT,   /* lines; inlined functions have short names, as only lines were asked for */
    NAMES_SPLIT, /* lines; but functions are in a .dwo or .dwp file that is not there or not read */
    NAMES_DWZ,   /* some are in a dwz file that is not there: see debug_files.h */
    NAMES_DAMAGED, /* debug information is there, and cannot be read, or not all of it */
    NAMES_KEPT /* as NAMES_MISSING, but the run has kept the names that symbols gave; no lines */
};

#endif
