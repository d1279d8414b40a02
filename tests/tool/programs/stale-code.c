/*
 * stale-code calls|threads|unseen|faults: code of x86-64, of a file and made, that changes, or
 * goes, after it has run, behind it or within a call that it makes. Its data then lie on other
 * lines than before. Prints what each function returned, or the signal that came.
 * - calls: system calls tell of it
 * - threads: another thread changes it
 * - unseen: a write elsewhere changes it. What runs then is the code as it was, under Valgrind.
 * - faults: it changes what it has just executed, and faults behind that; at 0x20000000, 50 times
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, WAYS = 24, OTHER = 1024 /* where the other function is, in a page */ };

typedef long Code(const long *data, void (*callee)(void));

static sigjmp_buf leave;
static long lines[WAYS][PAGE / sizeof(long)] __attribute__((aligned(4096)));
static int file;
static off_t end; /* of the file's pages that are in use */
static char *page;

/* push %rbx; mov %rdi, %rbx; call *%rsi; mov (%rbx), %rax; add 8(%rbx), %rax; incl 16(%rbx);
 * add $1, %rax; pop %rbx; ret */
static const char before[] =
    "\x53\x48\x89\xfb\xff\xd6\x48\x8b\x03\x48\x03\x43\x08\xff\x43\x10\x48\x83\xc0"
    "\x01\x5b\xc3";
/* Shorter instructions, others, and more; what comes behind the call stays. */
static const char after[] =
    "\x53\x48\x89\xfb\xff\xd6\x8b\x03\x90\x2b\x43\x08\x90\xff\x4b\x10\x48\x83\xc0"
    "\x05\x5b\xc3";
/* No instructions behind the call. */
static const char none[] =
    "\x53\x48\x89\xfb\xff\xd6\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06\x06"
    "\x06\x06";

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    siglongjmp(leave, signal);
}

static void nothing(void)
{
}

/* A page of code: of the file, or without one. */
static char *map(char *where, const char *code, int flags)
{
    char bytes[PAGE] = "";
    int of_file = !(flags & MAP_ANONYMOUS);
    char *p;

    memcpy(bytes, code, sizeof before);
    memcpy(bytes + OTHER, code, sizeof before);
    if (of_file && pwrite(file, bytes, PAGE, end) != PAGE)
        exit(2);
    p = mmap(where, PAGE, PROT_READ | (of_file ? PROT_EXEC : PROT_WRITE),
             MAP_PRIVATE | flags | (where ? MAP_FIXED : 0), of_file ? file : -1, of_file ? end : 0);
    if (p == MAP_FAILED)
        exit(2);
    if (!of_file) {
        memcpy(p, bytes, PAGE);
        mprotect(p, PAGE, PROT_READ | PROT_EXEC);
    }
    end += of_file ? PAGE : 0;
    return p;
}

static long call(const char *code, const long *data, void (*callee)(void))
{
    Code *function;

    memcpy(&function, &code, sizeof function);
    return function(data, callee);
}

/* Calls the code, whose data have just been used, and lie on one line. */
static void warm(const char *code)
{
    for (int i = 0; i < 5; i++) {
        lines[0][0] = i;
        call(code, lines[0], nothing);
    }
}

/* Runs code whose data lie on lines that are each other's rivals. The callee is called once. */
static void run(const char *name, const char *code, void (*callee)(void))
{
    volatile long sum = 0;
    int signal = sigsetjmp(leave, 1);

    if (signal) {
        printf("%s: signal %d\n", name, signal);
        return;
    }
    for (volatile int i = 0; i < WAYS; i++) {
        sum += call(code, lines[i], i ? nothing : callee);
        printf("%s: %ld\n", name, sum);
    }
}

static void try(const char *name, int flags, void (*change)(void))
{
    page = map(NULL, before, flags);
    warm(page);
    warm(page + OTHER);
    change();
    run(name, page, nothing);

    page = map(NULL, before, flags);
    warm(page);
    run(name, page, change);
    end = 0;
}

static void write_over(const char *code)
{
    memcpy(page, code, sizeof before);
    memcpy(page + OTHER, code, sizeof before);
}

static void patch_with(const char *code, int allowed)
{
    mprotect(page, PAGE, PROT_READ | PROT_WRITE | allowed);
    write_over(code);
    mprotect(page, PAGE, PROT_READ | PROT_EXEC);
}

static void patch(void)
{
    patch_with(after, PROT_EXEC);
}

static void patch_away(void)
{
    patch_with(none, 0);
}

/* The page stays writable. */
static void patch_open(void)
{
    mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
    write_over(after);
}

static void *patch_in_thread(void *none_needed)
{
    patch();
    return none_needed;
}

static void let_patch(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, patch_in_thread, NULL) || pthread_join(thread, NULL))
        exit(2);
}

static void unmap(void)
{
    munmap(page, PAGE);
}

static void map_over(void)
{
    map(page, after, 0);
}

static void map_made_over(void)
{
    map(page, after, MAP_ANONYMOUS);
}

static void protect(void)
{
    mprotect(page, PAGE, PROT_NONE);
}

static void protect_for_a_while(void)
{
    mprotect(page, PAGE, PROT_NONE);
    mprotect(page, PAGE, PROT_READ | PROT_EXEC);
}

static void no_code(void)
{
    mprotect(page, PAGE, PROT_READ);
}

static void move_away(void)
{
    if (mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, map(NULL, none, MAP_ANONYMOUS)) ==
        MAP_FAILED)
        exit(2);
}

/* By another view of the file. */
static void write_view(void)
{
    char *view = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    memcpy(view + end - PAGE, after, sizeof after);
    memcpy(view + end - PAGE + OTHER, after, sizeof after);
    munmap(view, end);
}

static void try_shared(const char *name)
{
    char bytes[PAGE] = "";

    memcpy(bytes, before, sizeof before);
    memcpy(bytes + OTHER, before, sizeof before);
    end = PAGE;
    if (pwrite(file, bytes, PAGE, 0) != PAGE)
        exit(2);
    page = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    warm(page);
    warm(page + OTHER);
    run(name, page, write_view);
    run(name, page + OTHER, nothing);
    end = 0;
}

static void write_file(void)
{
    if (pwrite(file, none, sizeof none, end - PAGE) < 0 ||
        pwrite(file, none, sizeof none, end - PAGE + OTHER) < 0)
        exit(2);
}

static void write_memory(void)
{
    int memory = open("/proc/self/mem", O_RDWR);

    if (pwrite(memory, after, sizeof after, (off_t)page) < 0 ||
        pwrite(memory, after, sizeof after, (off_t)(page + OTHER)) < 0)
        exit(2);
    close(memory);
}

static void cut_file(void)
{
    if (ftruncate(file, 0))
        exit(2);
}

static void try_unseen(void)
{
    try("another private view", 0, write_view);
    try("the file is written", 0, write_file);
    try("memory is written as a file", 0, write_memory);
    try("the file is cut", 0, cut_file);
}

/* nop; nop; nop; nop; movl $0x06060606, -14(%rip); mov (%rdi), %rax; ret */
static void try_faults(void)
{
    static const char code[] =
        "\x90\x90\x90\x90\xc7\x05\xf2\xff\xff\xff\x06\x06\x06\x06\x48\x8b\x07\xc3";
    volatile long faults = 0;
    char *mapped = mmap((char *)0x20000000, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

    for (volatile int i = 0; i < 50; i++) {
        memcpy(mapped, code, sizeof code);
        if (sigsetjmp(leave, 1))
            faults++;
        else
            call(mapped, NULL, nothing);
    }
    printf("%ld faults\n", faults);
}

static void try_threads(void)
{
    try("patched by a thread", 0, let_patch);
    try("patched by a thread, made", MAP_ANONYMOUS, let_patch);
}

static void try_calls(void)
{
    try("patched", 0, patch);
    try("patched, made", MAP_ANONYMOUS, patch);
    try("patched away", 0, patch_away);
    try("patched away, made", MAP_ANONYMOUS, patch_away);
    try("patched, and open", 0, patch_open);
    try("patched, and open, made", MAP_ANONYMOUS, patch_open);
    try("unmapped", 0, unmap);
    try("unmapped, made", MAP_ANONYMOUS, unmap);
    try("mapped over", 0, map_over);
    try("mapped over, made", MAP_ANONYMOUS, map_over);
    try("made code over", 0, map_made_over);
    try("protected", 0, protect);
    try("protected, made", MAP_ANONYMOUS, protect);
    try("protected for a while", 0, protect_for_a_while);
    try("no code", 0, no_code);
    try("no code, made", MAP_ANONYMOUS, no_code);
    try("moved", 0, move_away);
    try("moved, made", MAP_ANONYMOUS, move_away);
    try_shared("two views");
}

int main(int argc, char **argv)
{
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

    file = memfd_create("code", 0);
    setvbuf(stdout, NULL, _IONBF, 0);
    for (unsigned i = 0; i < 5; i++) {
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
        sigaction(signals[i], &action, NULL);
    }
    if (argc == 2 && !strcmp(argv[1], "threads"))
        try_threads();
    else if (argc == 2 && !strcmp(argv[1], "unseen"))
        try_unseen();
    else if (argc == 2 && !strcmp(argv[1], "faults"))
        try_faults();
    else
        try_calls();
    return 0;
}
