/*
 * bad-code FILE: code of x86-64, written to the file, that is changed, mapped elsewhere or twice,
 * taken away while it runs, or no code at all. A handler prints which signals came. It prints the
 * same natively.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static sigjmp_buf leave;
static char *base;
static long sum;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    siglongjmp(leave, signal);
}

/* mov $n, %eax; add $1, %eax; ret */
static void put_code(char *at, int n)
{
    static const char code[] = "\xb8\0\0\0\0\x83\xc0\x01\xc3";

    memcpy(at, code, sizeof code);
    memcpy(at + 1, &n, sizeof n);
}

static char *map(int file, char *where, int access, off_t from)
{
    char *p = mmap(where, PAGE, access, MAP_PRIVATE | (where ? MAP_FIXED : 0), file, from);

    if (p == MAP_FAILED)
        exit(2);
    return p;
}

static int call(const char *code)
{
    int (*function)(void);

    memcpy(&function, &code, sizeof function);
    return function();
}

/* Calls it a few times; the signal that came, or what it returned. */
static void try(const char *name, const char *code)
{
    for (volatile int i = 0; i < 3; i++) {
        int signal = sigsetjmp(leave, 1);
        if (signal)
            printf("%s: signal %d\n", name, signal);
        else
            printf("%s: %d\n", name, call(code));
    }
}

/* Runs until it takes itself away. */
static void change(char *at, int n)
{
    mprotect(at, PAGE, PROT_READ | PROT_WRITE);
    put_code(at, n);
    mprotect(at, PAGE, PROT_READ | PROT_EXEC);
}

static void change_often(void)
{
    for (int i = 0; i < 40; i++) {
        change(base, i);
        for (int k = 0; k < 10; k++)
            sum += call(base);
    }
    printf("changed: %ld\n", sum);
}

static void map_anew(int file)
{
    sum = 0;
    for (int i = 0; i < 40; i++) {
        map(file, base, PROT_READ | PROT_EXEC, (i & 1) * PAGE);
        for (int k = 0; k < 10; k++)
            sum += call(base);
    }
    printf("mapped anew: %ld\n", sum);
}

static void map_twice(int file)
{
    char *first = map(file, NULL, PROT_READ | PROT_EXEC, 0);
    char *second = map(file, NULL, PROT_READ | PROT_EXEC, 0);

    sum = 0;
    for (int i = 0; i < 20; i++)
        sum += call(first) + call(second) + (first != second);
    munmap(first, PAGE);
    sum += call(second);
    munmap(second, PAGE);
    printf("mapped twice: %ld\n", sum);
    try("taken away", second);
}

static void write_and_run(int file)
{
    char *p = map(file, NULL, PROT_READ | PROT_WRITE | PROT_EXEC, 0);

    sum = 0;
    for (int i = 0; i < 20; i++) {
        put_code(p, i);
        sum += call(p);
    }
    printf("written while it may run: %ld\n", sum);
    munmap(p, PAGE);
}

static void move(int file)
{
    char *p = map(file, NULL, PROT_READ | PROT_EXEC, 0), *to;

    sum = call(p) + call(p);
    to = map(file, NULL, PROT_READ, 0);
    p = mremap(p, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    sum += call(p) + call(to);
    printf("moved: %ld\n", sum);
}

/* Code changes while it is on the call path: a function that its callee overwrites. */
static void change_caller(void)
{
    change(base, 5);
}

static void change_under_call(int file)
{
    /* sub $8, %rsp; mov $f, %rax; call *%rax; add $8, %rsp; mov $1, %eax; ret */
    static const char code[] =
        "\x48\x83\xec\x08\x48\xb8\0\0\0\0\0\0\0\0\xff\xd0\x48\x83\xc4\x08\xb8\1\0\0\0\xc3";
    void (*f)(void) = change_caller;

    for (int i = 0; i < 5; i++) {
        map(file, base, PROT_READ | PROT_WRITE, 0);
        memcpy(base, code, sizeof code);
        memcpy(base + 6, &f, sizeof f);
        mprotect(base, PAGE, PROT_READ | PROT_EXEC);
        printf("changed by its callee: %d\n", call(base));
    }
}

int main(int argc, char **argv)
{
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    char page[2 * PAGE] = "";
    int file = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

    setvbuf(stdout, NULL, _IONBF, 0);
    put_code(page, 10);
    put_code(page + PAGE, 1000);
    if (write(file, page, sizeof page) != sizeof page)
        return 2;
    for (unsigned i = 0; i < 5; i++) {
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
        sigaction(signals[i], &action, NULL);
    }
    base = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
    try("not executable", base);
    try("below", (char *)64);
    try("not canonical", (char *)0x8000000000000000);
    map(file, base, PROT_READ | PROT_EXEC, 0);
    change_often();
    map_anew(file);
    map_twice(file);
    write_and_run(file);
    move(file);
    change_under_call(file);
    return 0;
}
