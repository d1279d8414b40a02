/*
 * options.h - command lines described by tables. One table gives parsing, help, completions
 * and the list of names in an error message.
 *
 * A command has a struct of settings and one or more groups of options; each option says by offset
 * which member it sets. Long options take
 * "--name value" and "--name=value", and may be shortened as long as that is unambiguous; short
 * ones "-n 6" and "-n6". All that is not an option is an operand;
 * "--" ends the options: all after it is handed over untouched.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A growing list of strings, behind which a NULL stands. Zero-initialised is empty. The strings are
 * borrowed (they point into argv). */
struct string_list {
    size_t n;
    const char **items;
};
void string_list_add(struct string_list *list, const char *text);
/* Adds the words up to a NULL; `words` NULL: none. */
void string_list_append(struct string_list *list, const char *const *words);
/* A list of these texts, borrowed, up to the first that is NULL. */
#define STRING_LIST(...) string_list_of((const char *const[]){__VA_ARGS__, NULL})
struct string_list string_list_of(const char *const *words);
/* Adds these texts. */
#define STRING_LIST_ADD(list, ...) \
    string_list_append(list, (const char *const[]){__VA_ARGS__, NULL})
bool string_list_has(const struct string_list *list, const char *text);
void string_list_free(struct string_list *list);
/* Frees a list with its texts, which it owns; NULL may be among them. */
void string_list_free_texts(struct string_list *list);

enum option_kind {
    OPTION_FLAG,     /* bool: set to true */
    OPTION_NO_FLAG,  /* bool: set to false */
    OPTION_STRING,   /* const char *: the argument, borrowed; of several the last */
    OPTION_ONCE,     /* const char *: the argument, borrowed; a second one is an error */
    OPTION_LIST,     /* struct string_list: one more item for each use */
    OPTION_NUMBER,   /* long: decimal, at least 0 */
    OPTION_OPTIONAL, /* const char *: "--name" gives "", "--name=value" the value; never takes the
                        next word */
    OPTION_FILE,   /* as OPTION_OPTIONAL, but the next word is the value where it looks like one: no
                      option, and ends with one of `choices`, if there are some (a command with
                      operands needs them) */
    OPTION_CHOICE, /* int: index into `choices` */
    OPTION_COUNT   /* int: one more for each use, "-vv" is 2 */
};
/* Added to the kind of a row that -h shows; --help shows all rows. */
#define OPTION_USUAL 0x100

struct option_def {
    const char *name;           /* without dashes */
    char letter;                /* short form, or 0 */
    int kind;                   /* enum option_kind, perhaps with OPTION_USUAL */
    const char *value;          /* name of the argument in the help: "NAME", or NULL */
    const char *help;           /* one sentence, no full stop */
    size_t offset;              /* of the member in the settings */
    const char *const *choices; /* NULL-terminated: of OPTION_CHOICE all that there are, of
                                   OPTION_STRING values that are usual, of OPTION_FILE endings, or
                                   NULL */
};

/* Help in place of that of a row, for a command whose option has other values. */
struct option_text {
    const char *name, *help;
};

/* Options that belong together, under one heading of the help. `settings` is the struct the offsets
 * are counted in. */
struct option_group {
    const char *title;
    const struct option_def *defs; /* ends with name == NULL */
    void *settings;
    const struct option_text *texts; /* of some of the rows; ends with name == NULL; NULL: none */
};
/* The help of a row of the group. */
const char *option_help_text(const struct option_group *group, const struct option_def *def);

/* The help that was asked for. */
enum option_help { OPTION_HELP_NONE, OPTION_HELP_USUAL /* -h */, OPTION_HELP_ALL /* --help */ };

struct option_result {
    struct string_list operands;
    char **rest; /* after "--": NULL-terminated part of argv, or NULL where there was no "--" */
    enum option_help help;    /* where there is one, nothing else need be valid */
    struct string_list given; /* the options, by their long names */
    size_t doubtful; /* 1 + the operand that stands behind an option of OPTION_FILE, which did not
                        take it; 0: there is none */
};
void option_result_free(struct option_result *result);

/*
 * Parses argv[1...] for the command called `command`. `groups` ends with title == NULL. Returns 0,
 * or STATUS_USAGE after having said what is wrong: an unknown option (with the nearest name), a
 * missing or wrong value (with the valid ones).
 */
int options_parse(const char *command, int argc, char **argv, const struct option_group *groups,
                  struct option_result *result);

/* Adds what is behind "--" to the operands. */
void options_take_rest(struct option_result *result);

/* The kind of a row without its mark. */
static inline enum option_kind option_kind(const struct option_def *def)
{
    return (enum option_kind)(def->kind & ~OPTION_USUAL);
}

/* A value that stands in a file: one of these kinds. */
enum option_value_kind {
    OPTION_VALUE_SWITCH,
    OPTION_VALUE_NUMBER,
    OPTION_VALUE_TEXT,
    OPTION_VALUE_TEXTS
};
struct option_value {
    enum option_value_kind kind;
    bool on;                  /* SWITCH */
    struct string_list texts; /* one of NUMBER and TEXT */
};

/* Sets the option with the long name `name`, unless it or one that excludes it was given; then it
 * is given. Returns what is wrong, for the caller to free, or NULL. The texts are borrowed. */
char *options_set(const struct option_group *groups, struct option_result *result, const char *name,
                  const struct option_value *value);

/* The value of the OPTION_STRING or OPTION_ONCE called `name`; NULL: it has none, or there is no
 * such option. */
const char *options_text(const struct option_group *groups, const char *name);

/* True where a row is marked as usual. */
bool options_have_usual(const struct option_group *groups);

/* Writes all options as the help shows them, by groups, wrapped to `width` columns. */
void options_help(FILE *out, const struct option_group *groups, unsigned width);
/* Writes the usual ones under one heading: those of `names`, "bin release", or (NULL) those that
 * are marked. */
void options_help_usual(FILE *out, const struct option_group *groups, unsigned width,
                        const char *names);
/* Writes those of `names` under another heading. */
void options_help_further(FILE *out, const struct option_group *groups, unsigned width,
                          const char *names);

/*--- Words ---*/

/* Options that were given, as words for another command that has them, too. */

/* Adds "--name=value" for each option of the groups that was given, in the order of their tables.
 * string_list_free_texts() frees them. */
void option_words(const struct option_group *groups, const struct option_result *result,
                  struct string_list *words);

#endif
