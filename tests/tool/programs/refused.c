/*
 * refused FILE [ALL]: instructions of x86-64 that programs may not execute, that do not exist, or
 * that are rare, from code in the file. A handler skips what follows. It prints which signal each
 * one leads to, or what is in rax. With ALL come those that Valgrind treats otherwise.
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

enum { PAGE = 4096, ROOM = 64 };

typedef struct {
    const char *name, *bytes;
    size_t n;
} Row;
#define ROW(name, bytes)               \
    {                                  \
        name, bytes, sizeof(bytes) - 1 \
    }

static const Row rows[] = {
    ROW("in imm", "\xe4\x10"),
    ROW("in dx", "\xed"),
    ROW("out imm", "\xe6\x10"),
    ROW("out dx", "\xef"),
    ROW("int3", "\xcc"),
    ROW("ud2", "\x0f\x0b"),
    ROW("ud1", "\x0f\xb9\xc0"),
    ROW("ud0", "\x0f\xff\xc0"),
    ROW("getppid, getpid by syscall", "\xb8\x6e\0\0\0\x0f\x05\xb8\x27\0\0\0\x0f\x05\x31\xc0"),
    ROW("no system call", "\xb8\xff\xff\0\0\x0f\x05"),
    ROW("push es", "\x06"),
    ROW("daa", "\x27"),
    ROW("aaa", "\x37"),
    ROW("pusha", "\x60"),
    ROW("into", "\xce"),
    ROW("salc", "\xd6"),
    ROW("call far imm", "\x9a\0\0\0\0\0\0"),
    ROW("jmp far imm", "\xea\0\0\0\0\0\0"),
    ROW("group 1 of bytes", "\x82\xc0\x01"),
    ROW("locked add of registers", "\xf0\x01\xc8"),
    ROW("locked nop", "\xf0\x90"),
    ROW("locked mov to memory", "\xf0\x89\x04\x24"),
    ROW("locked ud2", "\xf0\x0f\x0b"),
    ROW("bad ModRM of lea", "\x48\x8d\xc0"),
    ROW("group 5 of 7", "\xff\xf8"),
    ROW("group 4 of 2", "\xfe\xd0"),
    ROW("pop of 1", "\x8f\xc8"),
    ROW("mov to cs", "\x8e\xc8"),
    ROW("mov to segment 7", "\x8e\xf8"),
    ROW("VEX behind REX", "\x48\xc5\xf8\x77"),
    ROW("VEX behind 66", "\x66\xc5\xf8\x77"),
    ROW("no VEX instruction", "\xc5\xf8\x0f\xc0"),
    ROW("VEX map 0", "\xc4\xe0\x78\x77"),
    ROW("movaps not aligned", "\x0f\x28\x44\x24\x01"),
    ROW("x87 exceptions, masked", "\xd9\xe8\xd9\xee\xde\xf9\xdb\xe3"),
    ROW("nop of many bytes", "\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0"),
    ROW("endbr64", "\xf3\x0f\x1e\xfa"),
    ROW("enter, leave", "\xc8\x10\0\0\xc9"),
    ROW("pause", "\xf3\x90"),
    ROW("lfence, mfence, sfence", "\x0f\xae\xe8\x0f\xae\xf0\x0f\xae\xf8"),
    ROW("prefetch of nothing", "\x31\xc0\x0f\x18\x08"),
    ROW("push of 2 bytes", "\x66\x6a\x01\x66\x58"),
    ROW("clflush", "\x0f\xae\x3c\x24\x31\xc0"),
    ROW("popf with AC", "\x9c\x81\x0c\x24\0\0\x04\0\x9d\x9c\x58\x50\x81\x24\x24\xff\xff\xfb\xff\x9d"
                        "\x48\xc1\xe8\x12\x83\xe0\x01"),
};

/* Valgrind does not know these, or sends another signal than the kernel, or processors differ. */
static const Row more[] = {
    ROW("rsm", "\x0f\xaa"),
    ROW("clac", "\x0f\x01\xca"),
    ROW("stac", "\x0f\x01\xcb"),
    ROW("xlat", "\x53\x6a\x2a\x48\x89\xe3\x31\xc0\xd7\x59\x5b"),
    ROW("sgdt", "\x48\x83\xec\x20\x0f\x01\x04\x24\x48\x83\xc4\x20\x31\xc0"),
    ROW("sidt", "\x48\x83\xec\x20\x0f\x01\x0c\x24\x48\x83\xc4\x20\x31\xc0"),
    ROW("monitor", "\x0f\x01\xc8"),
    ROW("mwait", "\x0f\x01\xc9"),
    ROW("xbegin", "\xc7\xf8\0\0\0\0\x31\xc0"),
    ROW("xend", "\x0f\x01\xd5"),
    ROW("3DNow!", "\x0f\x0f\xc0\x9e"),
    ROW("hlt", "\xf4"),
    ROW("cli", "\xfa"),
    ROW("sti", "\xfb"),
    ROW("insb", "\x6c"),
    ROW("outsb", "\x6e"),
    ROW("rep insb", "\xf3\x6c"),
    ROW("int 3", "\xcd\x03"),
    ROW("int 4", "\xcd\x04"),
    ROW("int 0x20", "\xcd\x20"),
    ROW("int1", "\xf1"),
    ROW("sysret", "\x0f\x07"),
    ROW("sysretq", "\x48\x0f\x07"),
    ROW("lldt", "\x0f\x00\xd0"),
    ROW("ltr", "\x0f\x00\xd8"),
    ROW("lgdt", "\x0f\x01\x14\x24"),
    ROW("lidt", "\x0f\x01\x1c\x24"),
    ROW("lmsw", "\x0f\x01\xf0"),
    ROW("invlpg", "\x0f\x01\x3c\x24"),
    ROW("swapgs", "\x0f\x01\xf8"),
    ROW("clts", "\x0f\x06"),
    ROW("invd", "\x0f\x08"),
    ROW("wbinvd", "\x0f\x09"),
    ROW("mov from cr0", "\x0f\x20\xc0"),
    ROW("mov to cr0", "\x0f\x22\xc0"),
    ROW("mov from dr0", "\x0f\x21\xc0"),
    ROW("mov to dr0", "\x0f\x23\xc0"),
    ROW("rdmsr", "\x31\xc9\x0f\x32"),
    ROW("wrmsr", "\x31\xc9\x0f\x30"),
    ROW("many prefixes", "\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"),
    ROW("mov from cs", "\x8c\xc8\x83\xe0\x03"),
    ROW("mov from ss", "\x8c\xd0\x83\xe0\x03"),
    ROW("int 0x80", "\xb8\x40\0\0\0\xcd\x80"),
    ROW("sysenter", "\x0f\x34"),
    ROW("iret", "\xcf"),
    ROW("far return", "\xcb"),
    ROW("far return of 64 bits", "\x48\xcb"),
    ROW("far jump by memory", "\xff\x2c\x24"),
    ROW("far call by memory", "\xff\x1c\x24"),
    ROW("lss", "\x0f\xb2\x04\x24"),
    ROW("lgs", "\x0f\xb5\x04\x24"),
    ROW("mov to ds", "\x31\xc0\x8e\xd8"),
    ROW("mov to es", "\x31\xc0\x8e\xc0"),
    ROW("mov to gs", "\x31\xc0\x8e\xe8"),
    ROW("mov to ss", "\x31\xc0\x8e\xd0"),
    ROW("mov bad selector to ds", "\xb8\xff\xff\0\0\x8e\xd8"),
    ROW("push fs, pop rax", "\x0f\xa0\x58"),
    ROW("push gs, pop gs", "\x0f\xa8\x0f\xa9"),
    ROW("lar", "\x31\xc0\x0f\x02\xc0"),
    ROW("lsl", "\x31\xc0\x0f\x03\xc0"),
    ROW("verr", "\x31\xc0\x0f\x00\xe0\xb8\0\0\0\0"),
    ROW("smsw", "\x0f\x01\xe0\x31\xc0"),
    ROW("str", "\x0f\x00\xc8\x31\xc0"),
    ROW("sldt", "\x0f\x00\xc0\x31\xc0"),
    ROW("rdpmc", "\x31\xc9\x0f\x33"),
    ROW("vmcall", "\x0f\x01\xc1"),
    ROW("vmmcall", "\x0f\x01\xd9"),
    ROW("xsetbv", "\x31\xc9\x0f\x01\xd1"),
    ROW("wrgsbase", "\x31\xc0\xf3\x48\x0f\xae\xd8"),
    ROW("rdgsbase", "\xf3\x48\x0f\xae\xc8\x31\xc0"),
    ROW("popf with TF", "\x9c\x81\x0c\x24\0\x01\0\0\x9d\x90\x90\x31\xc0"),
    ROW("femms", "\x0f\x0e"),
};

static sigjmp_buf leave;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    __asm__ volatile("cld\n\tpushf\n\tandl $~0x40000, (%%rsp)\n\tpopf" ::: "cc", "memory");
    siglongjmp(leave, signal);
}

/* mov $77, %eax; the bytes; ret */
static void put(char *at, const Row *r)
{
    memcpy(at, "\xb8\x4d\0\0\0", 5);
    memcpy(at + 5, r->bytes, r->n);
    at[5 + r->n] = '\xc3';
}

static long call(const char *code)
{
    long (*function)(void);

    memcpy(&function, &code, sizeof function);
    return function();
}

static void run(const char *name, const char *code)
{
    for (volatile int i = 0; i < 3; i++) {
        int signal = sigsetjmp(leave, 1);
        if (signal)
            printf("%s: signal %d\n", name, signal);
        else
            printf("%s: %ld\n", name, call(code));
    }
}

static void run_rows(char *page, const Row *all, unsigned n)
{
    mprotect(page, 4 * PAGE, PROT_READ | PROT_WRITE);
    for (unsigned i = 0; i < n; i++)
        put(page + ROOM * i, &all[i]);
    mprotect(page, 4 * PAGE, PROT_READ | PROT_EXEC);
    for (unsigned i = 0; i < n; i++)
        run(all[i].name, page + ROOM * i);
}

int main(int argc, char **argv)
{
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    static char handlers[1 << 16];
    char *page;
    int file = argc >= 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

    setvbuf(stdout, NULL, _IONBF, 0);
    if (ftruncate(file, 4 * PAGE))
        return 2;
    page = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    sigaltstack(&(stack_t){.ss_sp = handlers, .ss_size = sizeof handlers}, NULL);
    for (unsigned i = 0; i < 5; i++) {
        struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(signals[i], &action, NULL);
    }
    run_rows(page, rows, sizeof rows / sizeof rows[0]);
    if (argc > 2)
        run_rows(page, more, sizeof more / sizeof more[0]);
    return 0;
}
