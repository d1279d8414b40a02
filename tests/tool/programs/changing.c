/*
 * changing.c - code made at run time that changes: at its end, behind a call in it that changes it,
 * where flags are read, at an address that had other code, and where it faults. Each sum is known.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

typedef uint64_t Made(uint64_t n);
static unsigned char *page;

static unsigned char *map(void *at, int protection)
{
    return mmap(at, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}

static Made *put(size_t at, const char *code, size_t size)
{
    memcpy(page + at, code, size);
    return (Made *)(uintptr_t)(page + at);
}
#define PUT(at, code) put(at, code, sizeof code - 1)

/* lea 1(%rdi), %rax; ret: the number changes, which is the last byte but one. */
static uint64_t at_the_end(void)
{
    Made *add = PUT(0, "\x48\x8d\x47\x01\xc3");
    uint64_t sum = 0;

    for (int i = 0; i < 2000; i++) {
        page[3] = (unsigned char)(i % 100);
        sum += add(1);
    }
    return sum;
}

/* Code that `behind_a_call` calls: the number behind the return is another one. */
static void change(void)
{
    page[16 + 15]++;
}

/* push %rbx; mov $change, %rax; call *%rax; mov $1, %eax; pop %rbx; ret */
static uint64_t behind_a_call(void)
{
    Made *f = PUT(16, "\x53\x48\xb8________\xff\xd0\x90\xb8\x01\0\0\0\x5b\xc3");
    void (*called)(void) = change;
    uint64_t sum = 0;

    memcpy(page + 16 + 3, &called, sizeof called);
    for (int i = 0; i < 50; i++)
        sum += f(0);
    return sum;
}

/* cmp $5, %rdi; jmp over; over: mov $1, %eax; ret, which becomes sete %al; movzbl %al, %eax; ret.
 */
static uint64_t reading_flags(void)
{
    Made *f = PUT(64, "\x48\x83\xff\x05\xeb\x10");
    uint64_t sum = 0;

    for (int i = 0; i < 300; i++) {
        if (i / 50 % 2)
            PUT(86, "\x0f\x94\xc0\x0f\xb6\xc0\xc3");
        else
            PUT(86, "\x48\x83\xff\x09\xb8\x01\0\0\0\xc3");
        sum += f((uint64_t)i % 10);
    }
    return sum;
}

/* A loop that changes itself: xor %eax, %eax; back: mov $n, %ecx; add %ecx, %eax; decb n; jne back;
 * ret */
static uint64_t its_own_loop(void)
{
    Made *f = PUT(128, "\x31\xc0\xb9\x05\0\0\0\x01\xc8\xfe\x0d\xf4\xff\xff\xff\x75\xf1\xc3");
    uint64_t sum = 0;

    for (int i = 1; i < 50; i++) {
        page[128 + 3] = (unsigned char)i;
        sum += f(0);
    }
    return sum;
}

/* Pages that are written and executed in turn, and mapped anew. */
static uint64_t in_turn(void)
{
    unsigned char *at = map(NULL, PROT_READ | PROT_WRITE), *saved = page;
    uint64_t sum = 0;

    for (int i = 0; i < 60; i++) {
        page = i % 3 ? at : map(at, PROT_READ | PROT_WRITE);
        mprotect(page, 4096, PROT_READ | PROT_WRITE);
        Made *f = PUT(0, "\x48\x8d\x47\x01\xc3");
        page[3] = (unsigned char)i;
        mprotect(page, 4096, PROT_READ | PROT_EXEC);
        sum += f(1) + f(2);
    }
    page = saved;
    return sum;
}

/* xor %ecx, %ecx; mov $7, %edx; mov (%rcx), %eax: the handler sees the registers, and where it is.
 */
static volatile uint64_t seen;

static void on_fault(int n, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

    seen += (uint64_t)r[REG_RDX] * 1000 + (uint64_t)r[REG_RIP] - (uintptr_t)page;
    r[REG_RIP] += 2;
}

static uint64_t faulting(void)
{
    const struct sigaction act = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    Made *f = PUT(200, "\x31\xc9\xba\x07\0\0\0\xb8\x02\0\0\0\x8b\x01\x01\xd0\xc3");
    uint64_t sum = 0;

    sigaction(SIGSEGV, &act, NULL);
    for (int i = 0; i < 30; i++) {
        page[203] = (unsigned char)(i % 9);
        sum += f(0);
    }
    return sum + seen;
}

static void go_on(int n, siginfo_t *info, void *context)
{
    (void)n, (void)info;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)(page + 264);
}

/* lea 1(%rdi), %rcx; lea 2(%rdi), %rdx; lea 3(%rdi), %rsi; xor %eax, %eax; jmp next;
 * next: mov (%rax), %r8; mov $1, %ecx; mov $1, %edx; mov $1, %esi; nop;
 * here: lea (%rcx,%rdx), %rax; add %rsi, %rax; ret
 * Registers are overwritten, unless the handler goes on behind that. */
static uint64_t overwriting(void)
{
    const struct sigaction act = {.sa_sigaction = go_on, .sa_flags = SA_SIGINFO};
    Made *f = PUT(
        224,
        "\x48\x8d\x4f\x01\x48\x8d\x57\x02\x48\x8d\x77\x03\x31\xc0\xeb\x00\x4c\x8b\x00\xb9"
        "\1\0\0\0\xba\1\0\0\0\xbe\1\0\0\0\x90\x90\x90\x90\x90\x90\x48\x8d\x04\x11\x48\x01\xf0\xc3");
    uint64_t sum = 0;

    sigaction(SIGSEGV, &act, NULL);
    for (uint64_t i = 0; i < 30; i++)
        sum += f(i);
    return sum;
}

int main(void)
{
    page = map(NULL, PROT_READ | PROT_WRITE | PROT_EXEC);
    printf("%lu %lu %lu\n", (unsigned long)at_the_end(), (unsigned long)behind_a_call(),
           (unsigned long)reading_flags());
    printf("%lu %lu %lu %lu\n", (unsigned long)its_own_loop(), (unsigned long)in_turn(),
           (unsigned long)faulting(), (unsigned long)overwriting());
    return 0;
}
