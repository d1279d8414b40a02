#include <config.h>

#include "run/setup.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "run/cargo_config.h"
#include "run/input.h"
#include "symbols/compiler_flags.h"
#include "symbols/elf_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

static void add(struct string_list *texts, const char *word, const char *value)
{
    if (value)
        string_list_add(texts, xasprintf("%s %s", word, value));
}

/* Adds a value that is freed. */
static void take(struct string_list *texts, const char *word, char *value)
{
    add(texts, word, value);
    free(value);
}

/*--- The build ---*/

/* All compilers and linkers that the file names, each once. */
static void add_comments(struct strbuf *text, Elf *elf)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_file_section(elf, ".comment", &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    const char *at = data ? data->d_buf : NULL, *end = at ? at + data->d_size : NULL;

    for (; at && at < end && memchr(at, '\0', (size_t)(end - at)); at += strlen(at) + 1)
        if (*at && (!text->text || !strstr(text->text, at)))
            strbuf_add_item(text, ", ", at);
}

/* Adds what the program's file says of its compilers. */
static void add_compilers(struct string_list *texts, const char *path)
{
    struct strbuf compilers = {.text = NULL};
    Elf *elf;
    int fd = elf_file_open_plain(path, &elf);

    if (fd < 0)
        return;
    add_comments(&compilers, elf);
    take(texts, SETUP_COMPILER, compilers.text);
    take(texts, SETUP_CFLAGS, compiler_flags(elf));
    elf_end(elf);
    close(fd);
}

static char *lock_digest(const char *root)
{
    enum { MOST = 16 << 20 }; /* bytes */
    char *path = xasprintf("%s/Cargo.lock", root);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    unsigned char bytes[4096];
    uLong sum = crc32(0, NULL, 0);
    ssize_t n = 0;

    free(path);
    if (fd < 0)
        return NULL;
    for (int64_t size = 0; size < MOST && (n = read(fd, bytes, sizeof bytes)) > 0; size += n)
        sum = crc32(sum, bytes, (uInt)n);
    close(fd);
    return n < 0 ? NULL : xasprintf("%08lx", sum);
}

void setup_texts(const struct program *program, struct string_list *texts)
{
    struct utsname system;

    add(texts, SETUP_PROFILE, program->profile);
    add(texts, SETUP_FEATURES, program->features);
    take(texts, SETUP_INPUT, input_digest());
    if (uname(&system) == 0)
        add(texts, SETUP_KERNEL, system.release);
    add_compilers(texts, program->path);
    if (program->profile)
        take(texts, SETUP_FLAGS, cargo_flags());
    if (program->profile && program->root)
        take(texts, SETUP_SETTINGS, cargo_profile_settings(program->root, program->profile));
    if (program->root)
        take(texts, SETUP_LOCK, lock_digest(program->root));
}

/*--- The run ---*/

struct variables {
    size_t n, bytes;
    uLong sum; /* whatever their order */
};

/* The tool's own is not the program's, or differs from run to run. */
static void count_variable(struct variables *v, const char *text)
{
    size_t size = strlen(text);

    if (!strchr(text, '=') || !strncmp(text, "VALGRIND_LIB=", strlen("VALGRIND_LIB=")) ||
        !strncmp(text, "_=", 2))
        return;
    v->n++;
    v->bytes += size;
    v->sum += crc32(crc32(0, NULL, 0), (const unsigned char *)text, (uInt)size);
}

static char *variables_text(const struct string_list *environment, bool only)
{
    struct variables v = {0};

    for (char **at = environ; at && *at && !only; at++)
        if (!measure_names(environment, *at))
            count_variable(&v, *at);
    for (size_t i = 0; i < environment->n; i++)
        count_variable(&v, environment->items[i]);
    return xasprintf("%zu %zu %08lx", v.n, v.bytes, v.sum & 0xffffffff);
}

void setup_run_texts(const struct measure *measure, const struct string_list *environment,
                     bool only, struct string_list *texts)
{
    take(texts, SETUP_OPTIONS, measure_changes(measure));
    if (environment)
        take(texts, SETUP_VARIABLES, variables_text(environment, only));
}

/*--- Values ---*/

const char *setup_value(const struct cprof_profile *p, const char *word)
{
    size_t size = strlen(word);

    for (uint32_t i = 0; i < p->n_setup; i++)
        if (!strncmp(p->setup[i], word, size) && p->setup[i][size] == ' ')
            return p->setup[i] + size + 1;
    return NULL;
}

const char *setup_vex_reason(const struct cprof_profile *profile)
{
    static const char vex[] = "VEX: ";
    const char *engine = setup_value(profile, SETUP_ENGINE);

    return engine && !strncmp(engine, vex, strlen(vex)) ? engine + strlen(vex) : NULL;
}

char *setup_features(const struct build_request *request)
{
    struct strbuf text = {.text = NULL};

    if (request->all_features)
        strbuf_add_item(&text, ",", "all");
    if (request->no_default_features)
        strbuf_add_item(&text, ",", "no defaults");
    for (size_t i = 0; i < request->features.n; i++)
        strbuf_add_item(&text, ",", request->features.items[i]);
    return text.text;
}
