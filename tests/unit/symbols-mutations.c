/*
 * Damages debug information and resolves names with it, for shell tests:
 *
 *     symbols-mutations OBJECT STRIPPED WORK SEED COUNT <ADDRESSES
 *
 * STRIPPED is the same object without debug information, WORK a file to write copies to. First each
 * .debug_* section is cut to each tenth of its size, then COUNT copies have some bytes of these
 * sections changed: the same ones for the same seed everywhere. Each copy is resolved in a process
 * of its own, at the addresses (hexadecimal, one a line). Prints how many copies there were, how
 * many ended the resolver, took for ever or too much memory, changed the name of a symbol, and were
 * cut so that something was lost and nothing is said; what and why is on standard error. A copy
 * that did is left as WORK.NUMBER.
 */
#include <config.h>

#include "base/memory.h"
#include "cprof_internal.h"
#include "names/object_name.h"
#include "resolve/resolve.h"
#include "symbols/elf_file.h"
#include "symbols/forecast.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SECONDS_MAX = 30, /* of processor time, for one copy */
    MEGABYTES_MAX = 3000,
    STATUS_DIFFERS = 99, /* of a child; others are the program's and the sanitizers' */
    STATUS_SILENT = 98
};

/* A .debug_* section. */
struct section {
    char *name;
    uint64_t offset, size;
    uint64_t size_at; /* where in the file its size stands */
    unsigned char *bytes;
};

struct campaign {
    const char *work;
    int fd;
    uint64_t *addresses;
    size_t n_addresses;
    char **names; /* of the addresses' symbols, NULL: of no symbol */
    size_t n_names;
    char **places; /* the addresses' innermost functions and lines, by what is whole */
    size_t n_sections;
    struct section *sections;
    uint64_t seed;
    unsigned copies, failed, greedy, differing, silent;
};

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

/* A generator of our own (xorshift64*): the same copies everywhere. */
static uint64_t number(struct campaign *c, uint64_t below)
{
    c->seed ^= c->seed >> 12;
    c->seed ^= c->seed << 25;
    c->seed ^= c->seed >> 27;
    return (c->seed * UINT64_C(2685821657736338717) >> 16) % below;
}

static void read_addresses(struct campaign *c)
{
    uint64_t address;
    size_t room = 0;

    while (scanf("%" SCNx64, &address) == 1) {
        if (c->n_addresses == room) {
            room = room ? 2 * room : 1024;
            c->addresses = xreallocarray(c->addresses, room, sizeof *c->addresses);
        }
        c->addresses[c->n_addresses++] = address;
    }
}

/* The sections of the copy, which still is whole. */
static void read_sections(struct campaign *c)
{
    Elf_Scn *section = NULL;
    GElf_Ehdr header;
    GElf_Shdr s;
    Elf *elf;

    elf_version(EV_CURRENT);
    elf = elf_begin(c->fd, ELF_C_READ, NULL);
    if (!elf || !gelf_getehdr(elf, &header))
        die(c->work);
    while ((section = elf_nextscn(elf, section)) != NULL) {
        const char *name =
            gelf_getshdr(section, &s) ? elf_strptr(elf, header.e_shstrndx, s.sh_name) : NULL;
        struct section *new;

        if (!name || strncmp(name, ".debug_", 7) != 0 || s.sh_type == SHT_NOBITS || !s.sh_size)
            continue;
        c->sections = xreallocarray(c->sections, c->n_sections + 1, sizeof *c->sections);
        new = &c->sections[c->n_sections++];
        *new = (struct section){.name = xstrdup(name), .offset = s.sh_offset, .size = s.sh_size};
        new->size_at = header.e_shoff + elf_ndxscn(section) * header.e_shentsize +
                       offsetof(Elf64_Shdr, sh_size);
        new->bytes = xmalloc(new->size);
        if (pread(c->fd, new->bytes, new->size, (off_t) new->offset) != (ssize_t) new->size)
            die(c->work);
    }
    elf_end(elf);
}

/* The addresses in `object` by its names, as resolve says. */
static struct cprof_profile *resolve(const struct campaign *c, const char *object, bool inlines,
                                     enum name_quality *quality)
{
    struct cprof_error error = {.code = CPROF_OK};
    struct resolve_settings settings = {.no_inlines = !inlines, .style = NAME_FULL};
    struct builder *b = builder_new(&error);
    uint32_t index, function;
    struct cprof_profile *raw, *named;
    int64_t one = 1;

    (void)builder_event(b, "Ir");
    index = builder_object(b, object, NULL);
    function = builder_function(b, UNNAMED, NULL, index, CPROF_NONE, 0);
    builder_header(b)->format = CPROF_FORMAT_RAW;
    for (size_t i = 0; i < c->n_addresses; i++) {
        struct cprof_cost cost = {function, CPROF_NONE, 0, c->addresses[i]};

        builder_cost(b, &cost, &one);
    }
    raw = builder_finish(b);
    named = raw ? resolve_profile(raw, &settings, quality, &error) : NULL;
    if (!named) {
        fprintf(stderr, "%s\n", error.text);
        exit(2);
    }
    cprof_free(raw);
    return named;
}

static int compare_addresses(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Calls `see` with each address, as an index, and its cost record. */
static void each_address(struct campaign *c, struct cprof_profile *p,
                         void (*see)(struct campaign *c, size_t i, const struct cprof_profile *p,
                                     const struct cprof_cost *cost))
{
    for (uint32_t i = 0; i < p->n_costs; i++) {
        uint64_t *at = bsearch(&p->costs[i].address, c->addresses, c->n_addresses,
                               sizeof *c->addresses, compare_addresses);

        if (at)
            see(c, (size_t)(at - c->addresses), p, &p->costs[i]);
    }
    cprof_free(p);
}

/* The name of the symbol that an address has; NULL: none. */
static const char *symbol_of(const struct cprof_profile *p, const struct cprof_cost *cost)
{
    const struct cprof_function *f = &p->functions[cost->function];

    return is_unnamed(p, f) ? NULL : f->mangled ? f->mangled : f->name;
}

/* For the caller to free. */
static char *place_of(const struct cprof_profile *p, const struct cprof_cost *cost)
{
    return xasprintf("%s %s:%u", p->functions[cost->function].name,
                     cost->file == CPROF_NONE ? "?" : p->files[cost->file], (unsigned)cost->line);
}

static void note_symbol(struct campaign *c, size_t i, const struct cprof_profile *p,
                        const struct cprof_cost *cost)
{
    const char *name = symbol_of(p, cost);

    c->names[i] = name ? xstrdup(name) : NULL;
    c->n_names += name != NULL;
}

static void note_place(struct campaign *c, size_t i, const struct cprof_profile *p,
                       const struct cprof_cost *cost)
{
    c->places[i] = place_of(p, cost);
}

static void check_symbol(struct campaign *c, size_t i, const struct cprof_profile *p,
                         const struct cprof_cost *cost)
{
    const char *name = symbol_of(p, cost);

    if (!c->names[i] || (name && !strcmp(name, c->names[i])))
        return;
    fprintf(stderr, "%" PRIx64 ": %s, not %s\n", c->addresses[i], name ? name : UNNAMED,
            c->names[i]);
    _exit(STATUS_DIFFERS);
}

static void check_place(struct campaign *c, size_t i, const struct cprof_profile *p,
                        const struct cprof_cost *cost)
{
    char *place = place_of(p, cost);

    if (strcmp(place, c->places[i]) != 0) {
        fprintf(stderr, "%" PRIx64 ": %s, not %s, and nothing is said\n", c->addresses[i], place,
                c->places[i]);
        _exit(STATUS_SILENT);
    }
    free(place);
}

/* All that is read of a program's debug information. */
static void look_at_copy(struct campaign *c, bool cut)
{
    struct cprof_profile *p;
    enum name_quality quality;
    struct rlimit limit = {SECONDS_MAX, SECONDS_MAX + 1};

    setrlimit(RLIMIT_CPU, &limit);
    limit = (struct rlimit){0, 0};
    setrlimit(RLIMIT_CORE, &limit);
    (void)forecast_look(c->work);
    each_address(c, resolve(c, c->work, false, &quality), check_symbol);
    p = resolve(c, c->work, true, &quality);
    if (cut && quality == NAMES_LINES)
        each_address(c, p, check_place);
    _exit(0);
}

static void keep_copy(const struct campaign *c)
{
    char *to = xasprintf("%s.%u", c->work, c->copies);
    struct stat st;
    char *bytes;
    FILE *out;

    if (fstat(c->fd, &st) != 0)
        die(c->work);
    bytes = xmalloc((size_t)st.st_size);
    out = fopen(to, "wb");
    if (!out || pread(c->fd, bytes, (size_t)st.st_size, 0) != st.st_size ||
        fwrite(bytes, 1, (size_t)st.st_size, out) != (size_t)st.st_size || fclose(out) != 0)
        die(to);
    free(bytes);
    free(to);
}

static void try_copy(struct campaign *c, const char *what, bool cut)
{
    struct rusage usage;
    int status = 0;
    pid_t child = fork();

    if (child < 0)
        die("fork");
    if (child == 0)
        look_at_copy(c, cut);
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            die("wait4");
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_DIFFERS)
        c->differing++;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SILENT)
        c->silent++;
    else if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        c->greedy++;
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        c->failed++;
    else if (usage.ru_maxrss / 1024 > MEGABYTES_MAX)
        c->greedy++;
    else {
        c->copies++;
        return;
    }
    fprintf(stderr, "copy %u, %s: %s %d, %ld MB\n", c->copies, what,
            WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), usage.ru_maxrss / 1024);
    keep_copy(c);
    c->copies++;
}

static void put(const struct campaign *c, const void *bytes, size_t size, uint64_t at)
{
    if (pwrite(c->fd, bytes, size, (off_t)at) != (ssize_t)size)
        die(c->work);
}

static void cut_sections(struct campaign *c)
{
    for (size_t i = 0; i < c->n_sections; i++)
        for (unsigned tenth = 0; tenth < 10; tenth++) {
            const struct section *s = &c->sections[i];
            uint64_t size = s->size * tenth / 10;
            char *what = xasprintf("%s cut to %u tenths", s->name, tenth);

            put(c, &size, sizeof size, s->size_at);
            try_copy(c, what, true);
            put(c, &s->size, sizeof s->size, s->size_at);
            free(what);
        }
}

/* Changes a byte of `bytes`, or an offset's worth of them. */
static void damage(struct campaign *c, unsigned char *bytes, uint64_t size)
{
    uint64_t at = number(c, size);
    uint32_t offset = (uint32_t)number(c, size);

    switch (number(c, 6)) {
    case 0:
        bytes[at] ^= (unsigned char)(1u << number(c, 8));
        break;
    case 1:
        bytes[at] = 0;
        break;
    case 2:
        bytes[at] = 0xff;
        break;
    case 3: /* somewhere else in the section */
        if (size - at >= sizeof offset)
            memcpy(bytes + at, &offset, sizeof offset);
        break;
    default:
        bytes[at] = (unsigned char)number(c, 256);
    }
}

/* Mostly where the structure is. */
static const struct section *any_section(struct campaign *c)
{
    const struct section *s = &c->sections[number(c, c->n_sections)];

    for (int i = 0; i < 3 && !strstr(s->name, "info") && !strstr(s->name, "abbrev"); i++)
        s = &c->sections[number(c, c->n_sections)];
    return s;
}

/* A few bytes, as many as some pages or units have, or a part of a percent of all. */
static void change_bytes(struct campaign *c)
{
    const struct section *s = any_section(c);
    unsigned char *bytes = xmalloc(s->size);
    uint64_t n = 1 + number(c, 8);
    char *what;

    switch (number(c, 3)) {
    case 0:
        n += s->size >> 12;
        break;
    case 1:
        n += s->size >> (8 + number(c, 8));
    }
    what = xasprintf("%" PRIu64 " changes in %s", n, s->name);
    memcpy(bytes, s->bytes, s->size);
    for (uint64_t i = 0; i < n; i++)
        damage(c, bytes, s->size);
    put(c, bytes, s->size, s->offset);
    try_copy(c, what, false);
    put(c, s->bytes, s->size, s->offset);
    free(bytes);
    free(what);
}

static void copy_file(struct campaign *c, const char *from)
{
    char bytes[65536];
    ssize_t n;
    int in = open(from, O_RDONLY | O_CLOEXEC);

    c->fd = open(c->work, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (in < 0 || c->fd < 0)
        die(in < 0 ? from : c->work);
    while ((n = read(in, bytes, sizeof bytes)) > 0)
        if (write(c->fd, bytes, (size_t)n) != n)
            die(c->work);
    close(in);
}

static void release(struct campaign *c)
{
    for (size_t i = 0; i < c->n_addresses; i++) {
        free(c->names[i]);
        free(c->places[i]);
    }
    for (size_t i = 0; i < c->n_sections; i++) {
        free(c->sections[i].name);
        free(c->sections[i].bytes);
    }
    free(c->names);
    free(c->places);
    free(c->sections);
    free(c->addresses);
    close(c->fd);
}

int main(int argc, char **argv)
{
    struct campaign c = {.n_addresses = 0};
    unsigned long count;
    char *stripped;
    enum name_quality quality;

    if (argc != 6 || argv[3][0] != '/')
        return 2;
    c.work = argv[3];
    c.seed = strtoull(argv[4], NULL, 10) | 1;
    count = strtoul(argv[5], NULL, 10);
    read_addresses(&c);
    if (!c.n_addresses)
        return 2;
    qsort(c.addresses, c.n_addresses, sizeof *c.addresses, compare_addresses);
    c.names = xcalloc(c.n_addresses, sizeof *c.names);
    c.places = xcalloc(c.n_addresses, sizeof *c.places);
    stripped = realpath(argv[2], NULL); /* no other is looked at */
    if (!stripped)
        die(argv[2]);
    each_address(&c, resolve(&c, stripped, false, &quality), note_symbol);
    free(stripped);
    copy_file(&c, argv[1]);
    each_address(&c, resolve(&c, c.work, true, &quality), note_place);
    if (quality == NAMES_DAMAGED) {
        fprintf(stderr, "%s is damaged already\n", argv[1]);
        return 2;
    }
    read_sections(&c);
    if (!c.n_names || !c.n_sections)
        return 2;
    cut_sections(&c);
    for (unsigned long i = 0; i < count; i++)
        change_bytes(&c);
    printf("%u %u %u %u %u\n", c.copies, c.failed, c.greedy, c.differing, c.silent);
    release(&c);
    return 0;
}
