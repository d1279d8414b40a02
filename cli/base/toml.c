#include <config.h>

#include "base/toml.h"

#include "base/memory.h"
#include "base/strbuf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at;
    unsigned long line;
    char *error; /* of 128 bytes */
};

static int fail(struct reader *r, const char *text)
{
    if (!r->error[0])
        snprintf(r->error, 128, "%s", text);
    return -1;
}

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool at_line_end(const struct reader *r)
{
    return !*r->at || *r->at == '\n' || (*r->at == '\r' && r->at[1] == '\n');
}

/* Skips blanks, a comment, and the end of the line. */
static int end_line(struct reader *r)
{
    skip_blanks(r);
    if (*r->at == '#')
        r->at += strcspn(r->at, "\n");
    if (!at_line_end(r))
        return fail(r, "something stands behind the value; a line has one key");
    r->at += *r->at == '\r';
    if (*r->at) {
        r->at++;
        r->line++;
    }
    return 0;
}

/* Skips all that may stand between the texts of an array. */
static void skip_lines(struct reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (*r->at == '#')
            r->at += strcspn(r->at, "\n");
        if (!*r->at || !at_line_end(r))
            return;
        r->at += *r->at == '\r';
        r->at++;
        r->line++;
    }
}

static bool is_bare(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* The letter that an escape stands for, or 0. */
static char escaped(char letter)
{
    switch (letter) {
    case '"':
    case '\\':
        return letter;
    case 'n':
        return '\n';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

/* A text in quotes: NULL where it is none. The caller frees it. */
static char *read_quoted(struct reader *r)
{
    struct strbuf text = {.text = NULL};
    char quote = *r->at++;

    while (*r->at != quote) {
        char c = *r->at++;

        if (!c || c == '\n') {
            strbuf_free(&text);
            fail(r, "a text without a closing quote");
            return NULL;
        }
        if (c == '\\' && quote == '"' && !(c = escaped(*r->at++))) {
            strbuf_free(&text);
            fail(r,
                 "an unknown escape; there are \\\\, \\\", \\n and \\t, and none between ' and '");
            return NULL;
        }
        strbuf_add_char(&text, c);
    }
    r->at++;
    return strbuf_take(&text);
}

static char *read_key(struct reader *r)
{
    const char *begin = r->at;

    if (*r->at == '"' || *r->at == '\'')
        return read_quoted(r);
    while (is_bare(*r->at))
        r->at++;
    if (r->at > begin)
        return xstrndup(begin, (size_t)(r->at - begin));
    fail(r, "no key; a line is KEY = VALUE, [TABLE] or # with a comment");
    return NULL;
}

static int read_array(struct reader *r, struct option_value *value)
{
    value->kind = OPTION_VALUE_TEXTS;
    r->at++;
    for (;;) {
        char *text;

        skip_lines(r);
        if (*r->at == ']')
            break;
        if (*r->at != '"' && *r->at != '\'')
            return fail(r, "an array has texts in quotes, with commas between, and ends with ]");
        if (!(text = read_quoted(r)))
            return -1;
        string_list_add(&value->texts, text);
        skip_lines(r);
        if (*r->at == ',')
            r->at++;
        else if (*r->at != ']')
            return fail(r, "no comma between the texts of an array, or no ] behind them");
    }
    r->at++;
    return 0;
}

static bool take_word(struct reader *r, const char *word)
{
    size_t size = strlen(word);

    if (strncmp(r->at, word, size) != 0 || is_bare(r->at[size]))
        return false;
    r->at += size;
    return true;
}

/* A whole number, without the underscores that TOML allows between digits. */
static int read_number(struct reader *r, struct option_value *value)
{
    struct strbuf digits = {.text = NULL};

    while (isdigit((unsigned char)*r->at) || *r->at == '_') {
        if (*r->at != '_')
            strbuf_add_char(&digits, *r->at);
        r->at++;
    }
    value->kind = OPTION_VALUE_NUMBER;
    string_list_add(&value->texts, strbuf_take(&digits));
    return is_bare(*r->at) || *r->at == '.' ? fail(r, "not a whole number; put texts in quotes")
                                            : 0;
}

static int read_value(struct reader *r, struct option_value *value)
{
    if (!strncmp(r->at, "\"\"\"", 3) || !strncmp(r->at, "'''", 3))
        return fail(r, "a text of several lines; write it in one line, with \\n");
    if (*r->at == '"' || *r->at == '\'') {
        char *text = read_quoted(r);

        value->kind = OPTION_VALUE_TEXT;
        if (text)
            string_list_add(&value->texts, text);
        return text ? 0 : -1;
    }
    if (*r->at == '[')
        return read_array(r, value);
    if (isdigit((unsigned char)*r->at))
        return read_number(r, value);
    value->kind = OPTION_VALUE_SWITCH;
    value->on = take_word(r, "true");
    return value->on || take_word(r, "false")
               ? 0
               : fail(r,
                      "no value; it is a text in quotes, a whole number, true, false, or [\"a\", "
                      "\"b\"]");
}

static int read_pair(struct reader *r, const char *table, toml_key *each, void *data)
{
    struct option_value value = {.on = false};
    unsigned long line = r->line;
    char *key = read_key(r);
    int status = key ? 0 : -1;

    if (!status) {
        skip_blanks(r);
        if (*r->at != '=')
            status = fail(r, "no '=' behind the key; a key has no dots");
    }
    if (!status) {
        r->at++;
        skip_blanks(r);
        status = read_value(r, &value);
    }
    if (!status)
        status = end_line(r);
    if (!status && (status = each(data, table, key, &value, line)) != 0)
        r->line = line;
    string_list_free_texts(&value.texts);
    free(key);
    return status;
}

/* "[callgrind]" into `*table`. */
static int read_table(struct reader *r, char **table)
{
    char *name;

    r->at++;
    if (*r->at == '[')
        return fail(r, "an array of tables; write a table, [TABLE]");
    skip_blanks(r);
    if (!(name = read_key(r)))
        return -1;
    free(*table);
    *table = name;
    skip_blanks(r);
    if (*r->at != ']')
        return fail(r, "no ] behind the table's name; a name has no dots");
    r->at++;
    return end_line(r);
}

int toml_read(const char *text, toml_key *each, void *data, unsigned long *line, char error[128])
{
    struct reader r = {.at = text, .line = 1, .error = error};
    char *table = xstrdup("");
    int status = 0;

    error[0] = '\0';
    if (!strncmp(text, "\xef\xbb\xbf", 3))
        r.at += 3;
    while (!status) {
        skip_lines(&r);
        if (!*r.at)
            break;
        status = *r.at == '[' ? read_table(&r, &table) : read_pair(&r, table, each, data);
    }
    free(table);
    *line = r.line;
    return status;
}
