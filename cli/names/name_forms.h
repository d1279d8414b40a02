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

#endif
