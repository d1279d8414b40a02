#include <config.h>

#include "names/library_path.h"

#include <string.h>

static bool is_among(const char *text, size_t size, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == size && !memcmp(text, *list, size))
            return true;
    return false;
}

/* True for sources of C and C++, headers among them. */
static bool is_source(const char *path)
{
    static const char *const ends[] = {"h",   "hh", "hpp", "hxx", "h++", "inl", "ipp", "tcc",
                                       "tpp", "c",  "cc",  "cpp", "cxx", "c++", NULL};
    const char *dot = strrchr(path, '.');

    return dot && is_among(dot + 1, strlen(dot + 1), ends);
}

/* The segment at `rest`, behind one that says for which processor: "x86_64-linux-gnu". */
static struct slice library_name(const char *rest)
{
    size_t size = strcspn(rest, "/");

    if (rest[size] && memmem(rest, size, "-linux-", strlen("-linux-")))
        return library_name(rest + size + 1);
    return (struct slice){rest, size};
}

/* The text behind a folder of the system for headers that `path` is in; NULL: it is in none. */
static const char *in_system(const char *path)
{
    static const char *const folders[] = {"/usr/include/", "/usr/local/include/"};
    const char *include = strstr(path, "/include/");

    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return path + strlen(folders[i]);
    if (include && (!strncmp(path, "/opt/", 5) || !strncmp(path, "/usr/lib/", 9)))
        return include + strlen("/include/");
    return NULL;
}

/* True where `file` is below the first `size` bytes of `path`, which end in a slash. */
static bool is_below(const char *file, const char *path, size_t size)
{
    return !strncmp(file, path, size);
}

static bool is_include(const char *at, size_t size)
{
    return is_among(at, size, (const char *const[]){"include", NULL});
}

/* The bytes of `path` before a folder "include" at `at`, and before a "src" that this is in. */
static size_t parent_of_include(const char *path, const char *at)
{
    size_t before = (size_t)(at - path);

    return before > 4 && !memcmp(at - 5, "/src/", 5) ? before - 4 : before;
}

/* The text behind the first folder that holds others' sources; NULL: there is none. */
static const char *in_project(const char *path, const char *main_file)
{
    static const char *const of_others[] = {
        "third_party",    "third-party", "thirdparty", "3rdparty",     "3rd_party",       "vendor",
        "vendored",       "external",    "externals",  "extern",       "_deps",           "deps",
        "single_include", "subprojects", "submodules", "node_modules", "vcpkg_installed", NULL};

    for (const char *at = path, *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        size_t size = (size_t)(slash - at), here = (size_t)(slash + 1 - path);

        if (is_among(at, size, of_others) &&
            !is_below(main_file, path, here + strcspn(slash + 1, "/") + 1))
            return slash + 1;
        if (is_include(at, size) && !is_below(main_file, path, parent_of_include(path, at)))
            return slash + 1;
    }
    return NULL;
}

bool library_of_path(const char *path, const char *main_file, struct slice *name)
{
    const char *rest = is_source(path) ? in_system(path) : NULL;

    if (!rest && main_file && is_source(path))
        rest = in_project(path, main_file);
    if (rest)
        *name = library_name(rest);
    return rest != NULL;
}
