/* Option tables, suggestions, messages, and what the terminal is like. */
#include <config.h>

#include "base/message.h"
#include "base/options.h"
#include "base/process.h"
#include "base/terminal.h"
#include "base/words.h"
#include "tests/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct settings {
    bool release, plain;
    const char *bin, *json;
    struct string_list features;
    long limit;
    int verbose;
    int color;
};

static const char *const colors[] = {"auto", "always", "never", NULL};
#define AT(member) offsetof(struct settings, member)
static const struct option_def defs[] = {
    {.name = "release",
     .letter = 'r',
     .kind = OPTION_FLAG,
     .help = "Build it",
     .offset = AT(release)},
    {.name = "fancy", .kind = OPTION_NO_FLAG, .help = "Switch it off", .offset = AT(plain)},
    {.name = "bin", .kind = OPTION_STRING, .value = "NAME", .help = "One", .offset = AT(bin)},
    {.name = "bind", .kind = OPTION_STRING, .value = "NAME", .help = "Two", .offset = AT(bin)},
    {.name = "features", .kind = OPTION_LIST, .help = "Three", .offset = AT(features)},
    {.name = "limit", .letter = 'n', .kind = OPTION_NUMBER, .help = "Four", .offset = AT(limit)},
    {.name = "color",
     .kind = OPTION_CHOICE,
     .help = "Five",
     .offset = AT(color),
     .choices = colors},
    {.name = "verbose",
     .letter = 'v',
     .kind = OPTION_COUNT,
     .help = "Eight",
     .offset = AT(verbose)},
    {.name = "json", .kind = OPTION_OPTIONAL, .value = "FILE", .help = "Six", .offset = AT(json)},
    {.name = NULL}};

static struct settings settings;
static struct option_result result;
static char said[4096];

/* Runs `call` with standard error going to said[]. */
static int captured(int (*call)(void *), void *data)
{
    FILE *file = tmpfile();
    int keep = dup(STDERR_FILENO), status;
    size_t size;

    dup2(fileno(file), STDERR_FILENO);
    status = call(data);
    dup2(keep, STDERR_FILENO);
    close(keep);
    rewind(file);
    size = fread(said, 1, sizeof said - 1, file);
    said[size] = '\0';
    fclose(file);
    return status;
}

static int parse_words(void *data)
{
    const struct option_group groups[] = {{.title = "Things", .defs = defs, .settings = &settings},
                                          {.title = NULL}};
    char **argv = data;
    int argc = 0;

    while (argv[argc])
        argc++;
    string_list_free(&settings.features);
    option_result_free(&result);
    settings = (struct settings){.plain = true};
    return options_parse("test", argc, argv, groups, &result);
}

#define PARSE(...) captured(parse_words, (const char *[]){"test", __VA_ARGS__, NULL})

static void test_values(void)
{
    ok(!PARSE("--bin", "a", "--features=x", "--features", "y", "-n6", "--color=never", "--json",
              "left"),
       "all kinds parse");
    is_text(settings.bin, "a", "a value in the next word");
    is_number((long long)settings.features.n, 2, "a list grows");
    is_text(settings.features.items[1], "y", "a list keeps the order");
    is_number(settings.limit, 6, "a value glued to the letter");
    is_number(settings.color, 2, "a choice is its index");
    is_text(settings.json, "", "an optional value that is not there");
    is_text(result.operands.items[0], "left", "an optional value takes no word of its own");
    ok(!result.rest, "without -- nothing is left over");
    ok(!PARSE("-rn", "7", "--json=f", "--fancy") && settings.release && settings.limit == 7,
       "letters in a row");
    is_text(settings.json, "f", "an optional value");
    ok(!settings.plain, "a flag that switches off");
    ok(!PARSE("--rel", "--", "--bogus") && settings.release, "an abbreviation");
    is_text(result.rest[0], "--bogus", "words after -- are left as they are");
    ok(!PARSE("--bin", "b") && !strcmp(settings.bin, "b"), "an exact name wins over a longer one");
}

static void fails(int status, const char *want, const char *what)
{
    char name[128];

    is_number(status, STATUS_USAGE, what);
    snprintf(name, sizeof name, "%s: the message", what);
    is_text(said, want, name);
}

static void test_errors(void)
{
    fails(PARSE("--relaese"),
          "cargo-cprof: error: unknown option '--relaese'; did you mean '--release'?\n", "a typo");
    fails(PARSE("--xyzzy=1"),
          "cargo-cprof: error: unknown option '--xyzzy'; 'cargo cprof test --help' lists the "
          "options\n",
          "nothing near");
    fails(PARSE("--bi", "x"),
          "cargo-cprof: error: '--bi' is short for several options; write one of them in full: "
          "--bin, --bind\n",
          "ambiguous");
    fails(PARSE("--bin"), "cargo-cprof: error: --bin needs a value: --bin NAME\n", "no value");
    fails(PARSE("--bin", "--"), "cargo-cprof: error: --bin needs a value: --bin NAME\n",
          "-- is no value");
    fails(PARSE("--release=1"),
          "cargo-cprof: error: --release takes no value, found '1'; leave it out\n",
          "a flag's value");
    fails(PARSE("-n", "-1"),
          "cargo-cprof: error: '-1' is no value for -n; it takes a whole number, 0 or more\n",
          "a negative number");
    fails(PARSE("--lim", "x"),
          "cargo-cprof: error: 'x' is no value for --limit; it takes a whole number, 0 or more\n",
          "a wrong number by the long name");
    fails(PARSE("-n"), "cargo-cprof: error: -n needs a value: -n VALUE\n", "a letter without");
    ok(PARSE("-n", "99999999999999999999") == STATUS_USAGE, "a number too big");
    ok(PARSE("-n", "") == STATUS_USAGE, "an empty number");
    fails(
        PARSE("--color", "red"),
        "cargo-cprof: error: 'red' is no value for --color; it takes one of auto, always, never\n",
        "a wrong choice");
    fails(PARSE("-x"),
          "cargo-cprof: error: unknown option '-x'; 'cargo cprof test --help' lists the options\n",
          "an unknown letter");
    ok(!PARSE("--bogus", "-h") && result.help == OPTION_HELP_USUAL && !said[0],
       "-h forgives the rest");
    ok(!PARSE("-h", "--help", "-h") && result.help == OPTION_HELP_ALL, "--help is more than -h");
    ok(!PARSE("-rh") && result.help == OPTION_HELP_USUAL, "-h behind another letter");
}

/* Sets an option as a file would, and returns what is wrong, "" for nothing. */
static const char *set(const char *name, enum option_value_kind kind, bool on, const char *text)
{
    static char error[128];
    const struct option_group groups[] = {{.title = "Things", .defs = defs, .settings = &settings},
                                          {.title = NULL}};
    struct option_value value = {.kind = kind, .on = on};
    char *wrong;

    if (text)
        string_list_add(&value.texts, text);
    wrong = options_set(groups, &result, name, &value);
    snprintf(error, sizeof error, "%s", wrong ? wrong : "");
    free(wrong);
    string_list_free(&value.texts);
    return error;
}

static void test_files(void)
{
    ok(!PARSE("-n", "3", "--color", "never"), "a command line");
    is_text(set("limit", OPTION_VALUE_NUMBER, false, "9"), "", "a value that was given");
    is_number(settings.limit, 3, "a value that was given is left as it is");
    is_text(set("bin", OPTION_VALUE_TEXT, false, "x"), "", "a text");
    is_text(settings.bin, "x", "a text of a file is set");
    is_text(set("bin", OPTION_VALUE_TEXT, false, "y"), "", "from the next file");
    is_text(settings.bin, "x", "a text of a file is not set again");
    is_text(set("example", OPTION_VALUE_TEXT, false, "y"), "no such option; --help lists them",
            "an unknown one");
    is_text(set("relese", OPTION_VALUE_SWITCH, true, NULL),
            "no such option; did you mean 'release'?", "a typo");
    is_text(set("release", OPTION_VALUE_SWITCH, false, NULL), "", "a flag that is off");
    ok(!settings.release, "a flag that a file switches off is not set");
    set("release", OPTION_VALUE_SWITCH, true, NULL);
    ok(!settings.release, "a flag that a file switched off is not set by the next file");
    is_text(set("fancy", OPTION_VALUE_SWITCH, true, NULL), "", "a flag");
    ok(!settings.plain, "a flag that a file switches on is set");
    is_text(set("fancy", OPTION_VALUE_TEXT, false, "yes"), "it takes true or false",
            "a flag's value");
    is_text(set("bin", OPTION_VALUE_SWITCH, true, NULL), "it takes a text", "a text's value");
    is_text(set("limit", OPTION_VALUE_TEXT, false, "9"), "it takes a whole number",
            "a number's value");
    is_text(set("features", OPTION_VALUE_SWITCH, true, NULL), "it takes a text or a list of texts",
            "a list's value");
    is_text(set("features", OPTION_VALUE_TEXTS, false, "a"), "", "a list");
    is_number((long long)settings.features.n, 1, "a list of a file is set");
    is_text(set("json", OPTION_VALUE_SWITCH, true, NULL), "", "a value that may be left out");
    is_text(settings.json, "", "an optional value of a file is set");
    ok(!PARSE("-h") && !PARSE("-n", "1"), "another command line");
    is_text(set("color", OPTION_VALUE_TEXT, false, "red"),
            "'red' is no value for --color; it takes one of auto, always, never", "a wrong choice");
    ok(!PARSE("-vv", "--verbose"), "a letter that counts");
    is_number(settings.verbose, 3, "counts");
}

static void test_help(void)
{
    const struct option_group groups[] = {{.title = "Things", .defs = defs, .settings = &settings},
                                          {.title = NULL}};
    char text[4096];
    FILE *out = fmemopen(text, sizeof text, "w");

    options_help(out, groups, 80);
    fclose(out);
    ok(NULL != strstr(text, "Things:\n  -r, --release               Build it\n"),
       "a flag in the help");
    ok(NULL !=
           strstr(text, "\n      --color auto|always|never\n                              Five\n"),
       "a long label has its text below");
    ok(NULL != strstr(text, "\n      --json[=FILE]           Six\n"),
       "an optional value in the help");
    ok(NULL != strstr(text, "\n  -h, --help "), "--help is in the help");
    ok(!options_have_usual(groups), "no option is marked");
}

static void test_usual_help(void)
{
    static const struct option_def marked[] = {
        {.name = "often", .letter = 'o', .kind = OPTION_STRING | OPTION_USUAL, .help = "One"},
        {.name = "seldom", .kind = OPTION_FLAG, .help = "Two"},
        {.name = NULL}};
    const struct option_group groups[] = {
        {.title = "Things", .defs = defs, .settings = &settings},
        {.title = "Others", .defs = marked, .settings = &settings},
        {.title = NULL}};
    char text[4096];
    FILE *out = fmemopen(text, sizeof text, "w");

    ok(options_have_usual(groups), "an option is marked");
    options_help_usual(out, groups, 80, NULL);
    fclose(out);
    is_text(text,
            "Usual options:\n  -o, --often VALUE           One\n"
            "  -h, --help                  show help: -h the usual options, --help all\n\n",
            "the usual options alone");
    out = fmemopen(text, sizeof text, "w");
    options_help_usual(out, groups, 80, "sel seldom");
    fclose(out);
    is_text(text,
            "Usual options:\n      --seldom                Two\n"
            "  -h, --help                  show help: -h the usual options, --help all\n\n",
            "usual options that are named");
}

static void test_nearest(void)
{
    const char *const names[] = {"callgrind", "cachegrind", "report", "help", "x"};

    is_text(nearest_name("callgrid", names, 5), "callgrind", "a letter missing");
    is_text(nearest_name("cahcegrind", names, 5), "cachegrind", "two letters swapped");
    is_text(nearest_name("hlep", names, 5), "help", "swapped letters count one");
    is_text(nearest_name("zzz", names, 5), NULL, "nothing near");
    is_text(nearest_name("y", names, 5), NULL, "nothing in common");
}

static int say_hostile(void *data)
{
    return message_error("no file '%s'", (const char *)data);
}

static int say_library(void *data)
{
    return message_library_error(data);
}

static int say_refused(void *data)
{
    return process_refused(data, ENOTDIR);
}

static void test_messages(void)
{
    char hostile[] = "a\nb\033[m";
    struct cprof_error error = {
        .line = 3, .column = 5, .mark = 4, .source = "f", .text = "bad", .excerpt = "12 x4"};

    is_number(captured(say_hostile, hostile), STATUS_ERROR, "an error's status");
    is_text(said, "cargo-cprof: error: no file 'a?b?[m'\n", "a message is one line");
    captured(say_library, &error);
    is_text(said, "cargo-cprof: error: f:3:5: bad\n  12 x4\n      ^\n", "a place is shown");
    captured(say_refused, (char[]){"file/program"});
    is_text(said,
            "cargo-cprof: error: cannot execute 'file/program': Not a directory; check the path\n",
            "a program below a file is a wrong path");
}

/* Writes a text from a column on, in lines of 12 columns whose first two are blank. */
static void wraps(const char *text, unsigned column, const char *want, const char *what)
{
    char got[200] = "";
    FILE *out = fmemopen(got, sizeof got, "w");

    wrap_put_from(out, text, column, 2, 12);
    fclose(out);
    is_text(got, want, what);
}

static void test_wrap(void)
{
    wraps("one two", 2, "one two", "a line that fits");
    wraps("one two three four", 2, "one two\n  three four", "one that does not");
    wraps("one two  three   x", 2, "one two\n  three   x",
          "two blanks at the end of a line are left out, those within it stay");
    wraps("first second", 9, "first\n  second", "what begins behind other text stays there");
    wraps("a-word-that-is-long b", 2, "a-word-that-is-long\n  b", "a long word is not cut");
}

static void test_terminal(void)
{
    int ends[2];

    setenv("COLUMNS", "99999", 1);
    is_number(terminal_width(STDOUT_FILENO), 99999, "a width of COLUMNS");
    if (pipe(ends) != 0) {
        skip("a pipe", "there is none");
        return;
    }
    setenv("COLUMNS", "100000", 1);
    is_number(terminal_width(ends[0]), 0, "one that is too large");
    setenv("COLUMNS", "80x", 1);
    is_number(terminal_width(ends[0]), 0, "one that is no number");
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    ok(!terminal_color(ends[0]), "a pipe gets no colors");
}

static void test_find(void)
{
    setenv("PATH", "/", 1);
    is_text(process_find("proc"), NULL, "a folder on PATH is no program");
}

static struct passed_on signalled(int sig)
{
    struct handlers handlers;

    pass_on_begin(&handlers, PASS_ON_END);
    raise(sig);
    ok(pass_on_is_pending(), "signal %d came before there was a child", sig);
    return pass_on_end(&handlers);
}

static void test_pass_on(void)
{
    struct passed_on signals = signalled(SIGTERM);

    ok(signals.ended_by == SIGTERM && !signals.interrupted, "SIGTERM ends, and is no Ctrl-C");
    signals = signalled(SIGHUP);
    ok(signals.ended_by == SIGHUP && !signals.interrupted, "SIGHUP ends, and is no Ctrl-C");
    signals = signalled(SIGINT);
    ok(!signals.ended_by && signals.interrupted, "SIGINT is one");
}

int main(void)
{
    /* Ignored signals are not passed on. Shells start background jobs with SIGINT ignored, nohup
     * its command with SIGHUP ignored. */
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    test_pass_on();
    test_values();
    test_errors();
    test_files();
    test_help();
    test_usual_help();
    test_nearest();
    test_messages();
    test_wrap();
    test_terminal();
    test_find();
    return tap_done();
}
