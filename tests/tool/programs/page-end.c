/*
 * page-end FILE: code of x86-64 at the end of a page, of the file and made at run time, that goes
 * on, or whose rest is missing: the next page is no page, or not code. A handler prints where it
 * ended. It prints the same natively.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static sigjmp_buf leave;
static siginfo_t fault;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)context;
    fault = *info;
    siglongjmp(leave, signal);
}

static const struct row {
    const char *name, *bytes;
    size_t n;
} rows[] = {{"jump", "\xeb\x00", 2},
            {"call", "\xe8\0\0\0\0", 5},
            {"return but for a byte", "\x31\xc0\xc3\xcc", 4},
            {"return", "\xb8\1\0\0\0\xc3", 6},
            {"unknown", "\x0f\x0b", 2},
            {"nops", "\x31\xc0\x90", 3},
            {"push, pop", "\x31\xc0\x50\x58", 4},
            {"branch", "\x31\xc0\x74\x00", 4},
            {"cpuid", "\x31\xc0\x0f\xa2", 4},
            {"part of a number", "\xb8\x01\x02", 3},
            {"part of an address", "\x48\x8b\x05\x10", 4},
            {"no distance of a jump", "\x31\xc0\xeb", 3},
            {"part of the distance of a call", "\x31\xc0\xe8\0\0", 5},
            {"prefix alone", "\x66", 1},
            {"many prefixes", "\x66\xf2\xf0", 3},
            {"REX alone", "\x48", 1},
            {"0F alone", "\x0f", 1},
            {"part of VEX", "\xc4\xe2", 2},
            {"no ModRM", "\x90\x90\x89", 3},
            {"no SIB", "\x8b\x04", 2}};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int call(const char *code)
{
    int (*function)(void);

    memcpy(&function, &code, sizeof function);
    return function();
}

/* Each has two pages of its own: no code is called anywhere else but where others are. */
static void try(const char *next, const struct row *r, char *page)
{
    char *code = page + PAGE - r->n;

    mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    memcpy(code, r->bytes, r->n);
    mprotect(page, PAGE, PROT_READ | PROT_EXEC);
    for (volatile int i = 0; i < 3; i++) {
        int signal = sigsetjmp(leave, 1);
        if (!signal)
            printf("%s, %s: %d\n", r->name, next, call(code));
        else if (signal != SIGSEGV)
            printf("%s, %s: signal %d\n", r->name, next, signal);
        else
            printf("%s, %s: code %d at %ld\n", r->name, next, fault.si_code,
                   (long)((char *)fault.si_addr - page));
    }
}

static void try_all(const char *next, char *memory)
{
    for (int i = 0; i < ROWS; i++)
        try(next, &rows[i], memory + 2 * i * PAGE);
}

static void protect(char *memory, int access)
{
    for (int i = 0; i < ROWS; i++)
        mprotect(memory + (2 * i + 1) * PAGE, PAGE, access);
}

/* The next page begins with returns: what is there completes some instructions. */
static void go_on(char *memory)
{
    protect(memory, PROT_READ | PROT_WRITE);
    for (int i = 0; i < ROWS; i++)
        memset(memory + (2 * i + 1) * PAGE, 0xc3, PAGE);
    protect(memory, PROT_READ | PROT_EXEC);
    for (int i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].name, "nops") || !strcmp(rows[i].name, "branch") ||
            !strcmp(rows[i].name, "push, pop"))
            try("code comes next", &rows[i], memory + 2 * i * PAGE);
}

static void use(int file)
{
    enum { SIZE = 2 * ROWS * PAGE };
    int flags = MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0);
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags, file, 0);

    if (memory == MAP_FAILED)
        exit(2);
    go_on(memory);
    protect(memory, PROT_READ);
    try_all("no code comes next", memory);
    protect(memory, PROT_NONE);
    try_all("nothing to read comes next", memory);
    for (int i = 0; i < ROWS; i++)
        munmap(memory + (2 * i + 1) * PAGE, PAGE);
    try_all("nothing comes next", memory);
    munmap(memory, SIZE);
}

int main(int argc, char **argv)
{
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    int file = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

    setvbuf(stdout, NULL, _IONBF, 0);
    if (ftruncate(file, 2 * ROWS * PAGE))
        return 2;
    for (unsigned i = 0; i < 5; i++) {
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
        sigaction(signals[i], &action, NULL);
    }
    use(file);
    use(-1);
    return 0;
}
