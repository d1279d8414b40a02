#include <config.h>

#include "run/avx512.h"

#include "base/memory.h"
#include "run/machine.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /* Other bytes of code look like one of these instructions once in 280 kB (gdb, git, perl,
     * rustc); what is compiled for AVX-512 has 30 and more in a small program. */
    ENOUGH = 3,
    CHANCE = 100000,
    CONFIG_MAX = 1 << 20, /* bytes of a configuration file that are looked at */
};

/*--- Flags ---*/

/* Values of "target-cpu" that ask for it begin with one of these. */
static const char *const processors[] = {
    "x86-64-v4",      "skylake-avx512", "cascadelake",   "cooperlake",
    "cannonlake",     "icelake",        "tigerlake",     "rocketlake",
    "sapphirerapids", "emeraldrapids",  "graniterapids", "diamondrapids",
    "znver4",         "znver5",         "knl",           "knm",
};

bool avx512_in_flags(const char *flags, bool native)
{
    static const char option[] = "target-cpu=";

    if (strstr(flags, "+avx512"))
        return true;
    for (const char *at = strstr(flags, option); at; at = strstr(at + 1, option)) {
        const char *name = at + strlen(option);

        if (native && !strncmp(name, "native", strlen("native")))
            return true;
        for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
            if (!strncmp(name, processors[i], strlen(processors[i])))
                return true;
    }
    return false;
}

/* True where a configuration file of cargo's asks for it, on a line that is no comment. */
static bool in_file(char *path, bool native)
{
    FILE *in = path ? fopen(path, "re") : NULL;
    char *line = NULL;
    size_t room = 0, read = 0;
    bool found = false;
    ssize_t size;

    free(path);
    while (in && !found && read < CONFIG_MAX && (size = getline(&line, &room, in)) > 0) {
        read += (size_t)size;
        line[strcspn(line, "#")] = '\0';
        found = avx512_in_flags(line, native);
    }
    free(line);
    if (in)
        fclose(in);
    return found;
}

static bool in_folder(const char *folder, bool native)
{
    return in_file(xasprintf("%s/config.toml", folder), native) ||
           in_file(xasprintf("%s/config", folder), native);
}

/* The files that cargo merges: those of the current folder and of all above it, and its own. */
static bool in_files(bool native)
{
    const char *cargo = getenv("CARGO_HOME"), *home = getenv("HOME");
    char *folder = getcwd(NULL, 0), *slash = folder, *own = NULL;
    bool found = false;

    while (slash && !found) {
        char *config = xasprintf("%s/.cargo", folder);

        found = in_folder(config, native);
        free(config);
        slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    }
    free(folder);
    if (cargo && *cargo)
        own = xstrdup(cargo);
    else if (home && *home)
        own = xasprintf("%s/.cargo", home);
    found = found || (own && in_folder(own, native));
    free(own);
    return found;
}

static bool is_asked_for(bool native)
{
    /* The first of these that is set is what cargo takes, and then no file. */
    static const char *const names[] = {"CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS",
                                        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
                                        "CARGO_BUILD_RUSTFLAGS"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *flags = getenv(names[i]);

        if (flags && *flags)
            return avx512_in_flags(flags, native);
    }
    return in_files(native);
}

/*--- Code ---*/

/*
 * An instruction of AVX-512 begins so (Intel's manual, volume 2, 2.7): 0x62; P0 with bits 3 and 2
 * clear and one of three maps; P1 with bit 2 set; P2 without mask, broadcast and rounding, of 128,
 * 256 or 512 bits, with bit 3 set.
 */
static bool is_evex(const unsigned char *code)
{
    unsigned map = code[1] & 0x0f;

    return code[0] == 0x62 && map >= 1 && map <= 3 && (code[2] & 0x04) &&
           (code[3] == 0x08 || code[3] == 0x28 || code[3] == 0x48);
}

bool avx512_in_code(const unsigned char *code, unsigned long size)
{
    const unsigned char *end = code + size, *at = code;
    unsigned long found = 0;

    for (; size >= 4 && (at = memchr(at, 0x62, (size_t)(end - at))) != NULL && end - at >= 4; at++)
        found += is_evex(at);
    return found >= ENOUGH + size / CHANCE;
}

static bool in_program(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    Elf *elf = NULL;
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    bool found = false;

    elf_version(EV_CURRENT);
    if (fd >= 0)
        elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    while (elf && !found && (section = elf_nextscn(elf, section)) != NULL) {
        Elf_Data *data;

        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_EXECINSTR))
            continue;
        data = elf_rawdata(section, NULL);
        found = data && data->d_buf && avx512_in_code(data->d_buf, data->d_size);
    }
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return found;
}

bool avx512_is_likely(const char *path)
{
    return PROCESSOR_ELF == EM_X86_64 && is_asked_for(processor_has_avx512()) && in_program(path);
}
