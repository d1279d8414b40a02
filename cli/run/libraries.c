#include <config.h>

#include "run/libraries.h"

#include "base/memory.h"
#include "base/process.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The line that rustc prints, or NULL. The caller frees it. */
static char *ask_rustc(const char *print, const char *target)
{
    const char *rustc = getenv("RUSTC");
    const char *const words[] = {rustc && *rustc ? rustc : "rustc", print,
                                 target ? "--target" : NULL, target, NULL};
    struct process_spec spec = PROCESS_SPEC_INIT;
    char *line;
    int status;

    spec.argv = words;
    spec.no_input = spec.no_errors = true;
    if (!process_first_line(&spec, &line, &status) && status) {
        free(line);
        line = NULL;
    }
    return line;
}

/* The cargo on PATH, where no cargo has called us; else NULL. The caller frees it. */
static char *cargo_on_path(void)
{
    const char *caller = getenv("CARGO");

    return caller && *caller ? NULL : process_find("cargo");
}

/* The folder of the toolchain whose cargo is run by that on PATH, which is rustup's, with rustup
 * beside it; else NULL. The caller frees it. */
static char *toolchain_of(const char *cargo)
{
    char *rustup = xasprintf("%.*srustup", (int)(strrchr(cargo, '/') + 1 - cargo), cargo);
    char *folder = access(rustup, X_OK) == 0 ? ask_rustc("--print=sysroot", NULL) : NULL;

    free(rustup);
    return folder;
}

char *libraries_cargo(void)
{
    char *cargo = cargo_on_path(), *toolchain = cargo ? toolchain_of(cargo) : NULL, *path = NULL;

    if (toolchain)
        path = xasprintf("%s/bin/cargo", toolchain);
    else if (cargo)
        path = realpath(cargo, NULL);
    free(toolchain);
    free(cargo);
    return path;
}

void libraries_of_rust(const char *target, struct string_list *folders)
{
    char *folder = ask_rustc("--print=target-libdir", target);
    char *cargo = cargo_on_path(), *toolchain = cargo ? toolchain_of(cargo) : NULL;

    if (folder)
        string_list_add(folders, folder);
    /* rustup has set it for a cargo that calls us. */
    if (toolchain)
        string_list_add(folders, xasprintf("%s/lib", toolchain));
    free(toolchain);
    free(cargo);
}

/* The profile's folder: an example or a test is in one within. The caller frees it. */
static char *profile_folder(const char *executable)
{
    char *folder = xstrdup(executable), *slash = strrchr(folder, '/');

    if (slash)
        *slash = '\0';
    slash = strrchr(folder, '/');
    if (slash && (!strcmp(slash, "/examples") || !strcmp(slash, "/deps")))
        *slash = '\0';
    return folder;
}

static void add_folder(struct strbuf *text, const char *folder)
{
    if (folder && *folder)
        strbuf_addf(text, "%s%s", text->size ? ":" : "LD_LIBRARY_PATH=", folder);
}

char *libraries_setting(const char *executable, const struct string_list *linked,
                        const struct string_list *rust)
{
    char *profile = profile_folder(executable), *deps = xasprintf("%s/deps", profile);
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < linked->n; i++)
        add_folder(&text, linked->items[i]);
    add_folder(&text, profile);
    add_folder(&text, deps);
    for (size_t i = 0; i < rust->n; i++)
        add_folder(&text, rust->items[i]);
    add_folder(&text, getenv("LD_LIBRARY_PATH"));
    free(deps);
    free(profile);
    return strbuf_take(&text);
}
