/* Where source files are looked for, and how their lines are read. */
#include <config.h>

#include "../tap.h"
#include "render/text/text.h"
#include "source/source_file.h"

#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/cprof-source.XXXXXX";

/* The list as "a b c", and empties it. */
static const char *joined(struct string_list *list)
{
    static char text[1024];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < list->n; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", list->items[i]);
    string_list_free_texts(list);
    return text;
}

static const char *mapped(const char *path, const char *map)
{
    struct string_list maps = {1, &map};
    struct string_list list = {0};

    source_mapped_paths(&list, path, &maps);
    return joined(&list);
}

static void test_maps(void)
{
    is_text(mapped("/a/b/c.rs", "/a=/x"), "/x/b/c.rs", "a folder is replaced");
    is_text(mapped("/a/b/c.rs", "/a/=/x"), "/x/b/c.rs",
            "a folder with a slash after it is replaced");
    is_text(mapped("/ab/c.rs", "/a=/x"), "", "/a is not above /ab");
    is_text(mapped("/a/c.rs", "/a/c.rs=/x/d.rs"), "/x/d.rs", "a file is replaced");
    is_text(mapped("/a/c.rs", "/a="), "./c.rs", "a folder is replaced by the current one");
    is_text(mapped("src/c.rs", "src=/x"), "/x/c.rs", "a relative path");
    is_text(mapped("/a/c.rs", "/=/x"), "/x/a/c.rs", "the root");
    ok(source_map_is_valid("a=") && source_map_is_valid("/a=/b"), "maps");
    ok(!source_map_is_valid("a") && !source_map_is_valid("=b") && !source_map_is_valid(""),
       "what is none");
}

static const char *std_path(const char *path)
{
    struct string_list list = {0};

    source_std_paths(&list, path, "/S");
    return joined(&list);
}

static void test_std(void)
{
    char *commit = source_std_commit("/rustc/59807616e1b3/library/core/src/lib.rs");

    is_text(commit, "59807616e1b3", "the commit of the standard library");
    free(commit);
    ok(!source_std_commit("/rustc/x/library/core/src/lib.rs"), "no commit");
    is_text(std_path("/rustc/59807616e1b3/library/core/src/lib.rs"),
            "/S/lib/rustlib/src/rust/library/core/src/lib.rs", "a source of std in the sysroot");
    is_text(std_path("/home/x/.rustup/toolchains/y/lib/rustlib/src/rust/library/a.rs"),
            "/S/lib/rustlib/src/rust/library/a.rs",
            "a source of std of another machine's toolchain");
    is_text(std_path("/usr/src/rustc-1.63.0/library/a.rs"), "/S/lib/rustlib/src/rust/library/a.rs",
            "a source of std as Debian builds it");
    is_text(std_path("/rust/deps/hashbrown-0.15.2/src/raw.rs"),
            "/S/lib/rustlib/src/rust/library/vendor/hashbrown-0.15.2/src/raw.rs "
            "/S/lib/rustlib/src/rust/vendor/hashbrown-0.15.2/src/raw.rs",
            "what std is made of");
    ok(source_is_std("/rustc/1/a") && !source_is_std("/home/rustc/1/a"), "what is std's");
}

static const char *crate_path(const char *path)
{
    struct string_list list = {0};

    source_crate_paths(&list, path, "/R");
    return joined(&list);
}

static const char *put(const char *name, const char *bytes, size_t size);

/* A vendored crate is the one that was built if it has the same version. */
static void test_vendored(void)
{
    static const char manifest[] = "[package]\nname = \"a-b-2fast\"\nversion = \"1.0.0-rc.1\"\n";
    struct string_list list = {0};
    char name[128], want[256];

    snprintf(name, sizeof name, "%s/vendor", folder);
    mkdir(name, 0777);
    snprintf(name, sizeof name, "%s/vendor/a-b-2fast", folder);
    mkdir(name, 0777);
    put("vendor/a-b-2fast/Cargo.toml", manifest, sizeof manifest - 1);
    source_crate_paths(&list, "/h/registry/src/i-1/a-b-2fast-1.0.0-rc.1/src/lib.rs", folder);
    snprintf(want, sizeof want, "%s/src/lib.rs", name);
    ok(strstr(joined(&list), want) != NULL, "a vendored crate of that version");
    source_crate_paths(&list, "/h/registry/src/i-1/a-b-2fast-1.0.0/src/lib.rs", folder);
    ok(strstr(joined(&list), want) == NULL, "one of another version");
    snprintf(want, sizeof want, "%s/Cargo.toml", name);
    unlink(want);
    rmdir(name);
    snprintf(name, sizeof name, "%s/vendor", folder);
    rmdir(name);
}

static const char *project_path(const char *path, const char *program)
{
    struct string_list list = {0};

    source_project_paths(&list, path, "/R", program);
    return joined(&list);
}

static void test_crates(void)
{
    setenv("CARGO_HOME", "/no-such-folder", 1);
    is_text(crate_path("/h/.cargo/registry/src/index.crates.io-1949/rand-0.8.5/src/lib.rs"),
            "/usr/share/cargo/registry/rand-0.8.5/src/lib.rs /R/vendor/rand-0.8.5/src/lib.rs",
            "a registry's crate");
    is_text(crate_path("/h/.cargo/git/checkouts/rand-1a2b/3c4d/src/lib.rs"),
            "/no-such-folder/git/checkouts/rand-1a2b/3c4d/src/lib.rs", "a checkout");
    is_text(crate_path("/ci/project/vendor/rand/src/lib.rs"), "/R/vendor/rand/src/lib.rs",
            "vendored where it was built");
    is_text(crate_path("/ci/project/src/lib.rs"), "", "a file of the project is no crate's");
    is_text(project_path("/ci/p/src/lib.rs", "/ci/p/target/release/p"), "/R/src/lib.rs",
            "a project that has moved");
    is_text(project_path("/ci/pq/src/lib.rs", "/ci/p/target/release/p"), "",
            "a file that is not the project's");
    is_text(project_path("src/lib.rs", "/ci/p/target/release/p"),
            "/R/src/lib.rs src/lib.rs /ci/p/src/lib.rs", "a path that is relative to the project");
}

/* Writes a file into the folder; its path is valid until the next one. */
static const char *put(const char *name, const char *bytes, size_t size)
{
    static char path[256];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "w");
    if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
        exit(99);
    return path;
}

static const char *line_of(const struct source *s, uint32_t line)
{
    static char text[64];
    const char *bytes;
    size_t size;

    if (!source_line(s, line, &bytes, &size))
        return NULL;
    snprintf(text, sizeof text, "%.*s", (int)size, bytes);
    return text;
}

static void test_lines(void)
{
    struct source_finder finder = {0};
    const struct source *s = source_find(&finder, put("a.rs", "one\ntwo\r\n\nfour", 14));
    char *many = malloc(2000);

    ok(s->state == SOURCE_FOUND && s->n_lines == 4, "a file without a newline at its end");
    is_text(line_of(s, 1), "one", "the first line of a file without a newline at its end");
    is_text(line_of(s, 2), "two", "a line with CR LF");
    is_text(line_of(s, 3), "", "an empty line");
    is_text(line_of(s, 4), "four", "the last line of a file without a newline at its end");
    ok(!line_of(s, 0) && !line_of(s, 5), "there are no others");
    ok(source_find(&finder, s->recorded) == s, "a file is read once");
    memset(many, '\n', 2000);
    memcpy(many + 1000, "x\n", 2);
    s = source_find(&finder, put("many.rs", many, 2000));
    ok(s->n_lines == 1999, "many lines");
    is_text(line_of(s, 1001), "x", "one of many lines");
    is_text(line_of(s, 1999), "", "the last of them");
    s = source_find(&finder, put("empty.rs", "", 0));
    ok(s->state == SOURCE_FOUND && s->n_lines == 0 && !line_of(s, 1), "an empty file");
    ok(source_find(&finder, folder)->state == SOURCE_MISSING, "a folder is no source");
    ok(source_find(&finder, "/dev/zero")->state == SOURCE_MISSING, "a device is no source");
    ok(source_find(&finder, "")->state == SOURCE_MISSING, "nothing is no source");
    free(many);
    source_finder_free(&finder);
}

static void test_code(void)
{
    char *text = code_text("\tif\x1b[31m(a\tb)  \t", 16, text_clean), huge[5000];

    is_text(text, "        if\xef\xbf\xbd[31m(a       b)",
            "tabs, a control character, blanks at the end");
    free(text);
    text = code_text("a\0b\xff", 4, text_clean);
    is_text(text,
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd",
            "a NUL, and what is not UTF-8");
    free(text);
    memset(huge, 'x', sizeof huge);
    text = code_text(huge, sizeof huge, text_clean);
    ok(strlen(text) == 2000, "a long line is cut");
    free(text);
    for (size_t i = 1; i < sizeof huge; i += 2)
        memcpy(huge + i, "\xc3\xa4", i + 1 < sizeof huge ? 2 : 1);
    text = code_text(huge, sizeof huge, text_clean);
    ok(!strstr(text, "\xef\xbf\xbd"), "a long line is cut between characters");
    free(text);
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    if (!mkdtemp(folder))
        return 99;
    test_maps();
    test_std();
    test_crates();
    test_vendored();
    test_lines();
    test_code();
    for (const char *const *name = (const char *const[]){"a.rs", "many.rs", "empty.rs", NULL};
         *name; name++) {
        char path[256];

        snprintf(path, sizeof path, "%s/%s", folder, *name);
        unlink(path);
    }
    rmdir(folder);
    return tap_done();
}
