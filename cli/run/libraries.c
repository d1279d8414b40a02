#include <config.h>

#include "run/libraries.h"

#include "base/memory.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "symbols/elf_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "libstd-d1237ef7159db0a2.so": a hash of rustc's. */
static bool is_of_rust(const char *name)
{
    const char *hash = strrchr(name, '-');
    size_t n = 0;

    while (hash && isxdigit((unsigned char)hash[1 + n]))
        n++;
    return n == 16 && !strcmp(hash + 1 + n, ".so");
}

static bool is_in(const char *name, const struct string_list *folders)
{
    bool found = false;

    for (size_t i = 0; i < folders->n && !found; i++) {
        char *path = xasprintf("%s/%s", folders->items[i], name);

        found = access(path, F_OK) == 0;
        free(path);
    }
    return found;
}

static bool is_not_of_system(const void *folders, const char *library)
{
    return is_of_rust(library) || is_in(library, folders);
}

/* True where a library that the program needs is rustc's or in one of the folders. */
static bool needs_any(const char *executable, const struct string_list *folders)
{
    Elf *elf;
    int fd = elf_file_open_plain(executable, &elf);
    bool does = fd >= 0 && elf_file_needs(elf, is_not_of_system, folders);

    if (fd >= 0) {
        elf_end(elf);
        close(fd);
    }
    return does;
}

/* The folder of rustc's own libraries, or NULL. */
static char *rust_folder(const char *target)
{
    const char *rustc = getenv("RUSTC");
    const char *const words[] = {rustc && *rustc ? rustc : "rustc", "--print=target-libdir",
                                 target ? "--target" : NULL, target, NULL};
    struct process_spec spec = PROCESS_SPEC_INIT;
    char *folder;
    int status;

    spec.argv = words;
    spec.no_input = spec.no_errors = true;
    if (!process_first_line(&spec, &folder, &status) && status) {
        free(folder);
        folder = NULL;
    }
    return folder;
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

/* All folders and what the user has set, in the order that cargo has them. */
static char *join(const struct string_list *folders, const char *rust)
{
    const char *own = getenv("LD_LIBRARY_PATH");
    struct strbuf text = {.text = NULL};

    for (size_t i = 0; i < folders->n + 2; i++) {
        const char *folder = i < folders->n ? folders->items[i] : i == folders->n ? rust : own;

        if (folder && *folder)
            strbuf_addf(&text, "%s%s", text.size ? ":" : "LD_LIBRARY_PATH=", folder);
    }
    if (!text.size)
        strbuf_add(&text, "LD_LIBRARY_PATH=");
    return strbuf_take(&text);
}

char *libraries_setting(const char *executable, const struct string_list *linked,
                        const char *target)
{
    char *profile = profile_folder(executable), *deps = xasprintf("%s/deps", profile);
    char *setting = NULL, *rust;
    struct string_list folders = {0};

    for (size_t i = 0; i < linked->n; i++)
        string_list_add(&folders, linked->items[i]);
    string_list_add(&folders, profile);
    string_list_add(&folders, deps);
    if (needs_any(executable, &folders)) {
        rust = rust_folder(target);
        setting = join(&folders, rust);
        free(rust);
    }
    string_list_free(&folders);
    free(deps);
    free(profile);
    return setting;
}
