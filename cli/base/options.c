#include <config.h>

#include "base/options.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/strbuf.h"
#include "base/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*--- Words ---*/

static void add_text(struct string_list *words, const char *name, const char *value)
{
    string_list_add(words, xasprintf("--%s=%s", name, value));
}

static void add_option(const struct option_def *def, const void *settings,
                       struct string_list *words)
{
    const void *member = (const char *)settings + def->offset;
    const struct string_list *list = member;
    char *number;

    switch (option_kind(def)) {
    case OPTION_STRING:
    case OPTION_ONCE:
        add_text(words, def->name, *(const char *const *)member);
        return;
    case OPTION_OPTIONAL:
    case OPTION_FILE:
        if (**(const char *const *)member) {
            add_text(words, def->name, *(const char *const *)member);
            return;
        }
        break;
    case OPTION_LIST:
        for (size_t i = 0; i < list->n; i++)
            add_text(words, def->name, list->items[i]);
        return;
    case OPTION_NUMBER:
        number = xasprintf("%ld", *(const long *)member);
        add_text(words, def->name, number);
        free(number);
        return;
    case OPTION_CHOICE:
        add_text(words, def->name, def->choices[*(const int *)member]);
        return;
    case OPTION_COUNT:
        for (int i = 1; i < *(const int *)member; i++)
            string_list_add(words, xasprintf("--%s", def->name));
        break;
    case OPTION_FLAG:
    case OPTION_NO_FLAG:
        break;
    }
    string_list_add(words, xasprintf("--%s", def->name));
}

void option_words(const struct option_group *groups, const struct option_result *result,
                  struct string_list *words)
{
    for (const struct option_group *g = groups; g->title; g++)
        for (const struct option_def *def = g->defs; def->name; def++)
            if (string_list_has(&result->given, def->name))
                add_option(def, g->settings, words);
}

/*--- Options ---*/

/* The options that every command has; they set option_result.help. */
static const struct option_def help_option = {.name = "help",
                                              .letter = 'h',
                                              .kind = OPTION_FLAG,
                                              .help =
                                                  "show help: -h the usual options, --help all"};

struct parse {
    const char *command;
    const struct option_group *groups;
    struct option_result *result;
    char **argv; /* the next word */
    char as[48]; /* the option as it was given: "-n", "--limit" */
    char *error; /* the first thing that is wrong; said only where no --help follows */
};

void string_list_add(struct string_list *list, const char *text)
{
    /* One slot more than needed stays NULL, so that the list can serve as an argv. */
    list->items = xreallocarray(list->items, list->n + 2, sizeof *list->items);
    list->items[list->n++] = text;
    list->items[list->n] = NULL;
}

void string_list_append(struct string_list *list, const char *const *words)
{
    for (; words && *words; words++)
        string_list_add(list, *words);
}

struct string_list string_list_of(const char *const *words)
{
    struct string_list list = {0};

    string_list_append(&list, words);
    return list;
}

bool string_list_has(const struct string_list *list, const char *text)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->items[i], text))
            return true;
    return false;
}

void string_list_free(struct string_list *list)
{
    free(list->items);
    *list = (struct string_list){0};
}

void string_list_free_texts(struct string_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free((char *)list->items[i]);
    string_list_free(list);
}

static void fail(struct parse *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct parse *p, const char *format, ...)
{
    va_list arguments;

    if (p->error)
        return;
    va_start(arguments, format);
    p->error = xvasprintf(format, arguments);
    va_end(arguments);
}

static bool takes_value(const struct option_def *def)
{
    return option_kind(def) != OPTION_FLAG && option_kind(def) != OPTION_NO_FLAG &&
           option_kind(def) != OPTION_OPTIONAL && option_kind(def) != OPTION_FILE &&
           option_kind(def) != OPTION_COUNT;
}

/* "a, b, c" of the choices. The caller frees it. */
static char *join_choices(const char *const *choices)
{
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; choices[i]; i++)
        strbuf_add_item(&text, ", ", choices[i]);
    return strbuf_take(&text);
}

static void set_choice(struct parse *p, const struct option_def *def, int *member,
                       const char *value)
{
    char *names;

    for (int i = 0; def->choices[i]; i++) {
        if (!strcmp(def->choices[i], value)) {
            *member = i;
            return;
        }
    }
    names = join_choices(def->choices);
    fail(p, "'%s' is no value for %s; it takes one of %s", value, p->as, names);
    free(names);
}

static void set_number(struct parse *p, long *member, const char *value)
{
    char *end;

    errno = 0;
    *member = strtol(value, &end, 10);
    if (!isdigit((unsigned char)*value) || *end || errno)
        fail(p, "'%s' is no value for %s; it takes a whole number, 0 or more", value, p->as);
}

static void set_member(struct parse *p, const struct option_def *def, void *settings,
                       const char *value)
{
    void *member;

    if (def == &help_option) {
        p->result->help = OPTION_HELP_ALL;
        return;
    }
    string_list_add(&p->result->given, def->name);
    member = (char *)settings + def->offset;
    switch (option_kind(def)) {
    case OPTION_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_NO_FLAG:
        *(bool *)member = false;
        break;
    case OPTION_COUNT:
        ++*(int *)member;
        break;
    case OPTION_ONCE:
        if (*(const char **)member)
            fail(p, "%s is given twice, '%s' and '%s'; leave one out", p->as,
                 *(const char **)member, value);
        *(const char **)member = value;
        break;
    case OPTION_STRING:
    case OPTION_OPTIONAL:
    case OPTION_FILE:
        *(const char **)member = value;
        break;
    case OPTION_LIST:
        string_list_add(member, value);
        break;
    case OPTION_NUMBER:
        set_number(p, member, value);
        break;
    case OPTION_CHOICE:
        set_choice(p, def, member, value);
        break;
    }
}

/* Adds the names of all options that begin with the `size` bytes at `text`; an exact one alone.
 * Returns the last, with its settings. */
static const struct option_def *find_long(const struct parse *p, const char *text, size_t size,
                                          struct string_list *names, void **settings)
{
    const struct option_def *found = NULL, *def;

    for (const struct option_group *group = p->groups;; group++) {
        for (def = group->title ? group->defs : &help_option; def->name; def++) {
            if (!strncmp(def->name, text, size)) {
                if (!def->name[size])
                    names->n = 0;
                string_list_add(names, def->name);
                found = def;
                *settings = group->settings;
                if (!def->name[size])
                    return found;
            }
            if (def == &help_option)
                break;
        }
        if (!group->title)
            return found;
    }
}

static void fail_unknown(struct parse *p, const char *text, size_t size)
{
    struct string_list names = {0};
    char *word = xstrndup(text, size);
    void *settings;
    const char *near;

    find_long(p, "", 0, &names, &settings);
    near = nearest_name(word, names.items, names.n);
    if (near)
        fail(p, "unknown option '--%s'; did you mean '--%s'?", word, near);
    else
        fail(p, "unknown option '--%s'; 'cargo cprof %s --help' lists the options", word,
             p->command);
    free(word);
    string_list_free(&names);
}

static void fail_ambiguous(struct parse *p, const char *text, size_t size,
                           const struct string_list *names)
{
    struct strbuf list = {.text = NULL};

    for (size_t i = 0; i < names->n; i++)
        strbuf_addf(&list, "%s--%s", i ? ", " : "", names->items[i]);
    fail(p, "'--%.*s' is short for several options; write one of them in full: %s", (int)size, text,
         list.text);
    strbuf_free(&list);
}

/* Takes the value from the next word, where there is one that can be. */
static void take_next(struct parse *p, const struct option_def *def, void *settings)
{
    if (!*p->argv || !strcmp(*p->argv, "--"))
        fail(p, "%s needs a value: %s %s", p->as, p->as, def->value ? def->value : "VALUE");
    else
        set_member(p, def, settings, *p->argv++);
}

/* True for a word that can be the file of the option before it. */
static bool is_file_of(const struct option_def *def, const char *word)
{
    size_t size = strlen(word);

    if (word[0] == '-')
        return false;
    for (const char *const *ending = def->choices; ending && *ending; ending++)
        if (size > strlen(*ending) && !strcasecmp(word + size - strlen(*ending), *ending))
            return true;
    return !def->choices;
}

/* Takes the file from the next word, or leaves it open. */
static void take_file(struct parse *p, const struct option_def *def, void *settings)
{
    const char *word = *p->argv && is_file_of(def, *p->argv) ? *p->argv++ : NULL;

    if (!word && *p->argv && **p->argv != '-')
        p->result->doubtful = p->result->operands.n + 1;
    if (word && !*word)
        fail(p, "empty file name for %s; name a file", p->as);
    set_member(p, def, settings, word ? word : "");
}

static void parse_long(struct parse *p, const char *text)
{
    size_t size = strcspn(text, "=");
    struct string_list names = {0};
    void *settings = NULL;
    const struct option_def *def = find_long(p, text, size, &names, &settings);

    snprintf(p->as, sizeof p->as, "--%s", def ? def->name : "");
    if (!def || !size)
        fail_unknown(p, text, size);
    else if (names.n > 1)
        fail_ambiguous(p, text, size, &names);
    else if (text[size] == '=' && !takes_value(def) && option_kind(def) != OPTION_OPTIONAL &&
             option_kind(def) != OPTION_FILE)
        fail(p, "--%s takes no value, found '%s'; leave it out", def->name, text + size + 1);
    else if (text[size] == '=')
        set_member(p, def, settings, text + size + 1);
    else if (takes_value(def))
        take_next(p, def, settings);
    else if (option_kind(def) == OPTION_FILE)
        take_file(p, def, settings);
    else
        set_member(p, def, settings, "");
    string_list_free(&names);
}

static const struct option_def *find_letter(const struct parse *p, char letter, void **settings)
{
    for (const struct option_group *group = p->groups; group->title; group++) {
        *settings = group->settings;
        for (const struct option_def *def = group->defs; def->name; def++)
            if (def->letter == letter)
                return def;
    }
    return letter == help_option.letter ? &help_option : NULL;
}

/* "-n6", or flags in a row with perhaps an option with a value last. */
static void parse_short(struct parse *p, const char *text)
{
    for (; *text; text++) {
        void *settings = NULL;
        const struct option_def *def = find_letter(p, *text, &settings);

        if (!def) {
            fail(p, "unknown option '-%c'; 'cargo cprof %s --help' lists the options", *text,
                 p->command);
            return;
        }
        snprintf(p->as, sizeof p->as, "-%c", *text);
        if (def == &help_option) {
            if (p->result->help == OPTION_HELP_NONE)
                p->result->help = OPTION_HELP_USUAL;
            continue;
        }
        if (takes_value(def)) {
            if (text[1])
                set_member(p, def, settings, text + 1 + (text[1] == '='));
            else
                take_next(p, def, settings);
            return;
        }
        set_member(p, def, settings, "");
    }
}

int options_parse(const char *command, int argc, char **argv, const struct option_group *groups,
                  struct option_result *result)
{
    struct parse p = {.command = command, .groups = groups, .result = result};
    int status = 0;

    *result = (struct option_result){0};
    p.argv = argv + (argc > 0);
    while (*p.argv) {
        const char *word = *p.argv++;

        if (!strcmp(word, "--")) {
            result->rest = p.argv;
            break;
        }
        if (word[0] == '-' && word[1] == '-')
            parse_long(&p, word + 2);
        else if (word[0] == '-' && word[1])
            parse_short(&p, word + 1);
        else
            string_list_add(&result->operands, word);
    }
    if (p.error && !result->help)
        status = message_usage("%s", p.error);
    free(p.error);
    return status;
}

void option_result_free(struct option_result *result)
{
    string_list_free(&result->operands);
    string_list_free(&result->given);
}

/*--- Values from files ---*/

/* Options of which a command takes one at most: a value in a file gives way to another of its set
 * on the command line. */
static const char *const sets[] = {
    "bin example test bench lib bins examples tests benches",
    "release profile",
    "percent counts",
    "json format",
    "json tui",
    "output tui",
    "by blame",
    "asm inlined",
    "inlined no-inlines",
};

/* True where an option was given that does not go with this one. */
static bool is_excluded(const struct option_result *result, const char *name)
{
    const struct string_list *given = &result->given;

    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (size_t k = 0; text_is_word_of(sets[i], name, strlen(name)) && k < given->n; k++)
            if (text_is_word_of(sets[i], given->items[k], strlen(given->items[k])))
                return true;
    return string_list_has(given, name);
}

/* The kind of value that an option takes, where this is another; NULL: it fits. */
static const char *wanted(const struct option_def *def, const struct option_value *value)
{
    bool text = value->kind == OPTION_VALUE_TEXT || value->kind == OPTION_VALUE_NUMBER;

    switch (option_kind(def)) {
    case OPTION_FLAG:
    case OPTION_NO_FLAG:
    case OPTION_COUNT:
        return value->kind == OPTION_VALUE_SWITCH ? NULL : "true or false";
    case OPTION_OPTIONAL:
    case OPTION_FILE:
        return text || value->kind == OPTION_VALUE_SWITCH ? NULL : "true, false or a text";
    case OPTION_NUMBER:
        return value->kind == OPTION_VALUE_NUMBER ? NULL : "a whole number";
    case OPTION_LIST:
        return text || value->kind == OPTION_VALUE_TEXTS ? NULL : "a text or a list of texts";
    case OPTION_STRING:
    case OPTION_ONCE:
    case OPTION_CHOICE:
        break;
    }
    return text ? NULL : "a text";
}

/* The option with exactly this long name, and its settings. */
static const struct option_def *find_exact(const struct option_group *groups, const char *name,
                                           void **settings)
{
    for (const struct option_group *group = groups; group->title; group++)
        for (const struct option_def *def = group->defs; def->name; def++)
            if (!strcmp(def->name, name)) {
                *settings = group->settings;
                return def;
            }
    return NULL;
}

const char *options_text(const struct option_group *groups, const char *name)
{
    void *settings = NULL;
    const struct option_def *def = find_exact(groups, name, &settings);

    if (!def || (option_kind(def) != OPTION_STRING && option_kind(def) != OPTION_ONCE))
        return NULL;
    return *(const char *const *)((const char *)settings + def->offset);
}

static char *unknown_name(const struct option_group *groups, const char *name)
{
    struct string_list names = {0};
    const char *near;
    char *text;

    for (const struct option_group *group = groups; group->title; group++)
        for (const struct option_def *def = group->defs; def->name; def++)
            string_list_add(&names, def->name);
    near = nearest_name(name, names.items, names.n);
    text = near ? xasprintf("no such option; did you mean '%s'?", near)
                : xstrdup("no such option; --help lists them");
    string_list_free(&names);
    return text;
}

/* False of a flag is what its opposite says. */
static void switch_off(struct option_result *result, const struct option_def *def, void *settings)
{
    bool *member = (bool *)((char *)settings + def->offset);

    string_list_add(&result->given, def->name);
    if (option_kind(def) == OPTION_FLAG || option_kind(def) == OPTION_NO_FLAG)
        *member = option_kind(def) == OPTION_NO_FLAG;
}

char *options_set(const struct option_group *groups, struct option_result *result, const char *name,
                  const struct option_value *value)
{
    struct parse p = {.result = result};
    void *settings = NULL;
    const struct option_def *def = find_exact(groups, name, &settings);
    const char *kind;

    if (!def)
        return unknown_name(groups, name);
    kind = wanted(def, value);
    if (kind)
        return xasprintf("it takes %s", kind);
    if (is_excluded(result, name))
        return NULL;
    snprintf(p.as, sizeof p.as, "--%s", name);
    if (value->kind != OPTION_VALUE_SWITCH)
        for (size_t i = 0; i < value->texts.n; i++)
            set_member(&p, def, settings, value->texts.items[i]);
    else if (value->on)
        set_member(&p, def, settings, "");
    else
        switch_off(result, def, settings);
    return p.error;
}

/* "  -n, --limit N" of an option, in memory that the caller frees. */
static char *option_label(const struct option_def *def)
{
    char letter[] = "    ";
    const char *value = def->value ? def->value : "VALUE";
    char *choices, *label;

    if (def->letter)
        snprintf(letter, sizeof letter, "-%c, ", def->letter);
    if (option_kind(def) == OPTION_CHOICE && !def->value) {
        choices = join_choices(def->choices);
        for (char *from = choices, *to = choices;; from++) {
            if (*from == ',')
                *from = '|';
            if (*from != ' ')
                *to++ = *from;
            if (!*from)
                break;
        }
        label = xasprintf("  %.4s--%s %s", letter, def->name, choices);
        free(choices);
        return label;
    }
    if (option_kind(def) == OPTION_FILE)
        return xasprintf("  %.4s--%s [%s]", letter, def->name, value);
    if (option_kind(def) == OPTION_OPTIONAL && def->value)
        return xasprintf("  %.4s--%s[=%s]", letter, def->name, value);
    if (takes_value(def))
        return xasprintf("  %.4s--%s %s", letter, def->name, value);
    return xasprintf("  %.4s--%s", letter, def->name);
}

enum { HELP_INDENT = 30, HELP_LEAST = 20 };

const char *option_help_text(const struct option_group *group, const struct option_def *def)
{
    for (const struct option_text *text = group->texts; text && text->name; text++)
        if (!strcmp(text->name, def->name))
            return text->help;
    return def->help;
}

static void write_option(FILE *out, const struct option_def *def, const char *help, unsigned width)
{
    char *label = option_label(def);

    if (strlen(label) + 2 > HELP_INDENT)
        fprintf(out, "%s\n%*s", label, HELP_INDENT, "");
    else
        fprintf(out, "%-*s", HELP_INDENT, label);
    wrap_put(out, help, HELP_INDENT, width);
    putc('\n', out);
    free(label);
}

void options_take_rest(struct option_result *result)
{
    string_list_append(&result->operands, (const char *const *)result->rest);
}

bool options_have_usual(const struct option_group *groups)
{
    for (const struct option_group *group = groups; group->title; group++)
        for (const struct option_def *def = group->defs; def->name; def++)
            if (def->kind & OPTION_USUAL)
                return true;
    return false;
}

static unsigned help_width(unsigned width)
{
    return width < HELP_INDENT + HELP_LEAST ? HELP_INDENT + HELP_LEAST : width;
}

void options_help(FILE *out, const struct option_group *groups, unsigned width)
{
    width = help_width(width);
    for (const struct option_group *group = groups; group->title; group++) {
        wrap_put(out, group->title, 0, width - 1);
        fputs(":\n", out);
        for (const struct option_def *def = group->defs; def->name; def++)
            write_option(out, def, option_help_text(group, def), width);
        if (!group[1].title)
            write_option(out, &help_option, help_option.help, width);
        putc('\n', out);
    }
}

static void write_named(FILE *out, const struct option_group *groups, unsigned width,
                        const char *names)
{
    for (const struct option_group *group = groups; group->title; group++)
        for (const struct option_def *def = group->defs; def->name; def++)
            if (names ? text_is_word_of(names, def->name, strlen(def->name))
                      : def->kind & OPTION_USUAL)
                write_option(out, def, option_help_text(group, def), width);
}

void options_help_usual(FILE *out, const struct option_group *groups, unsigned width,
                        const char *names)
{
    width = help_width(width);
    fputs("Usual options:\n", out);
    write_named(out, groups, width, names);
    write_option(out, &help_option, help_option.help, width);
    putc('\n', out);
}

void options_help_further(FILE *out, const struct option_group *groups, unsigned width,
                          const char *names)
{
    fputs("Further options:\n", out);
    write_named(out, groups, help_width(width), names);
    putc('\n', out);
}
