#include <config.h>

#include "run/cargo_config.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "source/source_file.h"

#include <ctype.h>
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

/*--- Settings of build profiles ---*/

struct settings {
    const char *profile; /* that is looked for */
    bool within;         /* its table, or one below it: "[profile.release.package.a]" */
    char *below;         /* "package.a."; or "" */
    char *inherits;      /* the profile that it says to inherit; NULL: none */
    struct strbuf text;
};

/* Takes "[profile.release]" and the like. */
static void take_table(struct settings *s, const char *header)
{
    static const char profile[] = "[profile.";
    size_t size = strlen(s->profile), start = sizeof profile - 1, rest;

    free(s->below);
    s->below = NULL;
    s->within = !strncmp(header, profile, start) && !strncmp(header + start, s->profile, size) &&
                header[start + size] && strchr("].", header[start + size]);
    if (!s->within || header[start + size] == ']')
        return;
    header += start + size + 1;
    rest = strcspn(header, "]");
    s->below = xasprintf("%.*s.", (int)rest, header);
}

static bool take_setting(void *data, char *line)
{
    struct settings *s = data;
    char *value = strchr(line, '='), *key = strtok(line, " \t=");

    if (key && *key == '[')
        take_table(s, key);
    /* Debug information changes no code. */
    if (!key || *key == '[' || !value || !s->within || !strcmp(key, "debug"))
        return false;
    value += 1 + strspn(value + 1, " \t");
    value[strcspn(value, " \t")] = '\0';
    if (!strcmp(key, "inherits")) {
        if (*value && !s->inherits)
            s->inherits = xasprintf("%.*s", (int)strcspn(value + 1, "\"'"), value + 1);
        return false;
    }
    strbuf_add_item(&s->text, " ", s->below ? s->below : "");
    strbuf_addf(&s->text, "%s=%s", key, value);
    return false;
}

static bool take_manifest_line(void *data, char *line)
{
    line[strcspn(line, "#")] = '\0';
    return take_setting(data, line);
}

/* Takes variables such as CARGO_PROFILE_RELEASE_OPT_LEVEL. */
static void take_variables(struct settings *s)
{
    char *name = xasprintf("CARGO_PROFILE_%s_", s->profile);
    size_t size = strlen(name);

    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    for (char **at = environ; at && *at; at++)
        if (!strncmp(*at, name, size) && strncmp(*at + size, "DEBUG=", strlen("DEBUG=")) != 0)
            strbuf_add_item(&s->text, " ", *at);
    free(name);
}

char *cargo_profile_settings(const char *root, const char *profile)
{
    enum { DEEPEST = 8 }; /* profiles that inherit */
    struct settings s = {.profile = profile};
    char *name = xstrdup(profile);

    for (int i = 0; i < DEEPEST && name; i++) {
        s.profile = name;
        s.within = false;
        file_lines(xasprintf("%s/Cargo.toml", root), take_manifest_line, &s);
        s.within = false;
        cargo_config_lines(take_setting, &s);
        take_variables(&s);
        if (!s.inherits && !strcmp(name, "bench"))
            s.inherits = xstrdup("release");
        if (!s.inherits && !strcmp(name, "test"))
            s.inherits = xstrdup("dev");
        free(name);
        name = s.inherits;
        s.inherits = NULL;
    }
    free(name);
    free(s.below);
    return s.text.text ? strbuf_take(&s.text) : xstrdup("none");
}
