/*
 * native.h - a program's command line and surroundings where it runs without the Valgrind tool.
 */
#ifndef RUN_NATIVE_H
#define RUN_NATIVE_H

#include "base/options.h"
#include "base/process.h"
#include "run/measure.h"
#include "run/program.h"

/* The words of its command line, its path first; `arguments` end with NULL, or are NULL. The words
 * are borrowed, the list is the caller's. */
struct string_list native_words(const struct program *program, char **arguments);

/* Sets the environment and the folder of a run. The environment's texts, which the spec refers to,
 * go to `environment`, an empty list; string_list_free_texts() afterwards. */
void native_surroundings(struct process_spec *spec, const struct program *program,
                         const struct measure *measure, struct string_list *environment);

#endif
