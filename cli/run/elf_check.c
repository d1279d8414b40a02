#include <config.h>

#include "run/elf_check.h"

#include "base/counts.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/words.h"
#include "run/cargo_config.h"
#include "run/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Valgrind runs no program that would get more rights than who starts it: it would lend them. */
static int check_rights(const char *path, const struct stat *st)
{
    bool by_id = st->st_mode & (S_ISUID | S_ISGID);

    if (!by_id && getxattr(path, "security.capability", NULL, 0) <= 0)
        return 0;
    return message_error("cannot profile '%s': it is a program %s, which Valgrind refuses; profile "
                         "a copy of it, which has your own rights",
                         path, by_id ? "with set-user-ID or set-group-ID" : "with capabilities");
}

/* "/proc/self/exe", or another way there: each process finds itself, Valgrind too. */
static bool is_own_executable(const char *path)
{
    char *name = path_folder(path);
    char *folder = name ? realpath(name, NULL) : NULL;
    char *own = xasprintf("/proc/%ld", (long)getpid());
    size_t size = strlen(own);
    bool is = folder && !strcmp(path_base(path), "exe") && !strncmp(folder, own, size) &&
              (!folder[size] || folder[size] == '/');

    free(name);
    free(folder);
    free(own);
    return is;
}

static int check_kind(const char *path)
{
    struct stat st;

    if (is_own_executable(path))
        return message_error("cannot profile '%s': it is another program in each process; name the "
                             "program's own file",
                             path);
    if (stat(path, &st) < 0)
        return message_error("cannot profile '%s': %s; check the path", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return message_error("cannot profile '%s': it is a directory; name an executable in it",
                             path);
    if (!S_ISREG(st.st_mode))
        return message_error("cannot profile '%s': it is no regular file; name an executable",
                             path);
    if (access(path, X_OK) < 0 && file_is_noexec(path))
        return message_error("cannot profile '%s': its file system is mounted noexec; put it on "
                             "another one; for what cargo builds, by --target-dir",
                             path);
    if (access(path, X_OK) < 0)
        return message_error("cannot profile '%s': it is not executable; try chmod +x", path);
    return check_rights(path, &st);
}

/* Names what is at the file's beginning instead of an ELF header. */
static int refuse_foreign(const char *path, int fd)
{
    char start[2] = "";

    if (pread(fd, start, sizeof start, 0) == 2 && start[0] == '#' && start[1] == '!')
        return message_error("cannot profile '%s': it is a script; name the program that it runs, "
                             "and the script after --",
                             path);
    return message_error(
        "cannot profile '%s': it is no ELF executable; name a program built for " PROCESSOR_NAME
        " Linux",
        path);
}

static int check_header(const char *path, Elf *elf)
{
    GElf_Ehdr header;

    if (gelf_getclass(elf) == ELFCLASS32)
        return message_error("cannot profile '%s': it is a 32-bit program; build it for a 64-bit "
                             "target (--target " PROCESSOR_TARGET ")",
                             path);
    if (!gelf_getehdr(elf, &header))
        return message_error("cannot profile '%s': its ELF header is broken; build it again", path);
    if (header.e_machine != PROCESSOR_ELF)
        return message_error(
            "cannot profile '%s': it is built for another processor; build it for " PROCESSOR_NAME
            " (--target " PROCESSOR_TARGET ")",
            path);
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return message_error("cannot profile '%s': it is an object file, not a linked program; "
                             "name an executable",
                             path);
    /* A shared library has no entry point (libc.so.6 has: it is a program too). */
    if (!header.e_entry)
        return message_error("cannot profile '%s': it is a library, not a program; name an "
                             "executable that uses it",
                             path);
    return 0;
}

/* The end of the last byte that the kernel would load, or that its table of that takes; 0: there is
 * no such table. A segment of zeroes takes no byte, wherever it says that it begins. */
static uint64_t loaded_end(Elf *elf, const GElf_Ehdr *header)
{
    uint64_t end = header->e_phoff + (uint64_t)header->e_phnum * header->e_phentsize;
    GElf_Phdr segment;

    if (!header->e_phoff || !header->e_phnum)
        return 0;
    for (int i = 0; gelf_getphdr(elf, i, &segment); i++) {
        uint64_t candidate;

        if (segment.p_type != PT_LOAD || !segment.p_filesz)
            continue;
        if (__builtin_add_overflow(segment.p_offset, segment.p_filesz, &candidate))
            return UINT64_MAX;
        end = candidate > end ? candidate : end;
    }
    return end;
}

static int check_segments(const char *path, int fd, Elf *elf)
{
    GElf_Ehdr header;
    struct stat st;
    uint64_t end;

    if (!gelf_getehdr(elf, &header) || fstat(fd, &st) < 0)
        return message_error("cannot profile '%s': its ELF header is broken; build it again", path);
    end = loaded_end(elf, &header);
    if (!end)
        return message_error("cannot profile '%s': it has no program headers; build it again",
                             path);
    if (end > (uint64_t)st.st_size)
        return message_error("cannot profile '%s': it is cut short, of %s bytes at least there "
                             "are %s; build or copy it again",
                             path, TEXT_COUNT(end), TEXT_COUNT(st.st_size));
    return 0;
}

int elf_check(const char *path)
{
    int status = check_kind(path), fd;
    Elf *elf;

    if (status)
        return status;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return message_error("cannot profile '%s': it cannot be read: %s; Valgrind must read the "
                             "program, try chmod +r",
                             path, strerror(errno));
    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (!elf || elf_kind(elf) != ELF_K_ELF) {
        status = refuse_foreign(path, fd);
    } else {
        status = check_header(path, elf);
        if (!status)
            status = check_segments(path, fd, elf);
    }
    elf_end(elf);
    close(fd);
    return status;
}

/*--- AVX-512 ---*/

enum {
    /* Other bytes of code look like one of these instructions once in 280 kB (gdb, git, perl,
     * rustc); what is compiled for AVX-512 has 30 and more in a small program. */
    ENOUGH = 3,
    CHANCE = 100000,
};

/*--- Flags ---*/

/* Values of "target-cpu" that ask for it begin with one of these. */
static const char processors[] =
    "x86-64-v4 skylake-avx512 cascadelake cooperlake cannonlake icelake tigerlake "
    "rocketlake sapphirerapids emeraldrapids graniterapids diamondrapids znver4 znver5 "
    "knl knm";

bool avx512_in_flags(const char *flags, bool native)
{
    static const char option[] = "target-cpu=";

    if (strstr(flags, "+avx512"))
        return true;
    for (const char *at = strstr(flags, option); at; at = strstr(at + 1, option)) {
        const char *name = at + strlen(option);

        if ((native && text_begins(name, "native")) || text_begins_with_word_of(name, processors))
            return true;
    }
    return false;
}

/* True where a line of cargo's configuration asks for it. */
static bool in_line(void *native, char *line)
{
    return avx512_in_flags(line, *(bool *)native);
}

static bool is_asked_for(bool native)
{
    const char *flags = cargo_flags_variable();

    return flags ? avx512_in_flags(flags, native) : cargo_config_lines(in_line, &native);
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
