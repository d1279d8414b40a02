#include <config.h>

#include "run/cargo_config.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "source/source_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reader {
    bool (*line)(void *data, char *text);
    void *data;
    size_t read; /* bytes of the file */
};

static bool read_line(void *data, char *line)
{
    struct reader *r = data;
    bool is_read = r->read < CARGO_CONFIG_MAX;

    r->read += strlen(line) + 1;
    line[strcspn(line, "#")] = '\0';
    return is_read && r->line(r->data, line);
}

static bool read_folder(const char *folder, struct reader reader)
{
    struct reader older = reader;

    return file_lines(xasprintf("%s/config.toml", folder), read_line, &reader) ||
           file_lines(xasprintf("%s/config", folder), read_line, &older);
}

bool cargo_config_lines(bool (*line)(void *data, char *text), void *data)
{
    const struct reader reader = {line, data, 0};
    char *folder = getcwd(NULL, 0), *slash = folder, *own = source_cargo_home();
    bool found = false;

    while (slash && !found) {
        char *config = xasprintf("%s/.cargo", folder);

        found = read_folder(config, reader);
        free(config);
        slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    }
    free(folder);
    found = found || (own && read_folder(own, reader));
    free(own);
    return found;
}

/*--- Flags ---*/

const char *cargo_flags_variable(void)
{
    static const char *const names[] = {"CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS",
                                        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
                                        "CARGO_BUILD_RUSTFLAGS"};
    const char *flags = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !flags; i++)
        flags = environment_or(names[i], NULL);
    return flags;
}

struct flags {
    struct strbuf text;
    bool goes_on; /* a list that has not ended */
};

/* Takes "rustflags = [...]", which may have several lines. */
static bool take_flags(void *data, char *line)
{
    struct flags *f = data;
    char *word;

    line += strspn(line, " \t");
    if (!f->goes_on) {
        if (strncmp(line, "rustflags", strlen("rustflags")) != 0 || !strchr(line, '='))
            return false;
        line = strchr(line, '=') + 1;
    }
    f->goes_on = (f->goes_on || strchr(line, '[')) && !strchr(line, ']');
    for (word = strtok(line, " \t\",'[]"); word; word = strtok(NULL, " \t\",'[]"))
        strbuf_add_item(&f->text, " ", word);
    return false;
}

char *cargo_flags(void)
{
    const char *variable = cargo_flags_variable();
    struct flags flags = {.goes_on = false};
    char *text;

    if (!variable) {
        cargo_config_lines(take_flags, &flags);
        return flags.text.text ? strbuf_take(&flags.text) : xstrdup("none");
    }
    text = xstrdup(*variable ? variable : "none");
    for (char *at = text; *at; at++)
        if (*at == '\037') /* between CARGO_ENCODED_RUSTFLAGS */
            *at = ' ';
    return text;
}
