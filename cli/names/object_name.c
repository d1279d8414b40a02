#include <config.h>

#include "names/object_name.h"

#include "base/memory.h"
#include "base/words.h"

#include <stddef.h>
#include <string.h>

const char *object_name(const char *path)
{
    const char *slash = path[0] == '/' ? strrchr(path, '/') : NULL;

    return slash && slash[1] ? slash + 1 : path;
}

bool object_is_kernel(const char *path)
{
    static const char *const others[] = {"[vdso]",    "[vsyscall]",  "[heap]",     "[stack]",
                                         "[unknown]", "[anonymous]", "[no stack]", "[JIT]"};
    const char *name = object_name(path);
    size_t size = strlen(name);

    if (*name != '[')
        return !strncmp(name, "vmlinux", 7) || !strcmp(name, "kcore") ||
               (size > 3 && !strcmp(name + size - 3, ".ko"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i]))
            return false;
    return name[size - 1] == ']';
}

bool is_program(const struct cprof_profile *p, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!p->program)
        return false;
    return !strcmp(path, p->program) ||
           (slash && !strchr(p->program, '/') && !strcmp(slash + 1, p->program));
}

/*--- Functions without a name ---*/

#define OFFSET "+0x"

char *unnamed_name(const char *path, uint64_t address)
{
    return xasprintf("%s" OFFSET "%llx", object_name(path), (unsigned long long)address);
}

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789abcdef")];
}

bool is_unnamed(const struct cprof_profile *profile, const struct cprof_function *f)
{
    const char *object;
    size_t size;

    if (!strcmp(f->name, UNNAMED) || (!strncmp(f->name, "0x", 2) && is_number(f->name + 2)))
        return true;
    if (f->object == CPROF_NONE)
        return false;
    object = object_name(profile->objects[f->object].path);
    size = strlen(object);
    return !strncmp(f->name, object, size) && !strncmp(f->name + size, OFFSET, strlen(OFFSET)) &&
           is_number(f->name + size + strlen(OFFSET));
}

/*--- Names of libc ---*/

char *libc_plain_name(const char *name)
{
    static const char *const processors[] = {"_avx", "_evex", "_sse",    "_ssse",
                                             "_fma", "_erms", "_generic"};
    const char *begin = name + 2;

    if (strncmp(name, "__", 2) != 0)
        return xstrdup(name);
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++) {
        const char *end = strstr(begin, processors[i]);

        if (end && end > begin && *begin != '_')
            return xstrndup(begin, (size_t)(end - begin));
    }
    return xstrdup(name);
}

/*--- Sources of libraries ---*/

/* True for sources of C and C++, headers among them. */
static bool is_source(const char *path)
{
    static const char ends[] = "h hh hpp hxx h++ inl ipp tcc tpp c cc cpp cxx c++";
    const char *dot = strrchr(path, '.');

    return dot && text_is_word_of(ends, dot + 1, strlen(dot + 1));
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

/* The bytes of `path` before a folder "include" at `at`, and before a "src" that this is in. */
static size_t parent_of_include(const char *path, const char *at)
{
    size_t before = (size_t)(at - path);

    return before > 4 && !memcmp(at - 5, "/src/", 5) ? before - 4 : before;
}

/* The text behind the first folder that holds others' sources; NULL: there is none. */
static const char *in_project(const char *path, const char *main_file)
{
    static const char of_others[] =
        "third_party third-party thirdparty 3rdparty 3rd_party vendor vendored external externals "
        "extern _deps deps single_include subprojects submodules node_modules vcpkg_installed";

    for (const char *at = path, *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        size_t size = (size_t)(slash - at), here = (size_t)(slash + 1 - path);

        if (text_is_word_of(of_others, at, size) &&
            !is_below(main_file, path, here + strcspn(slash + 1, "/") + 1))
            return slash + 1;
        if (text_is_word_of("include", at, size) &&
            !is_below(main_file, path, parent_of_include(path, at)))
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
