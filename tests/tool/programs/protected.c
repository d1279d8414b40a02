/* Writes and reads memory that is protected, whose lines are in the cache, and that were used
 * before all others of their sets: then such an access, which faults, must not make them the last
 * ones. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

enum { PAGE = 4096, WAYS = 8, AT = 0x840, ROUNDS = 300 };

static sigjmp_buf again;
static volatile unsigned char *pages;
static volatile int faults;

static void fail(int n)
{
    (void)n;
    faults++;
    siglongjmp(again, 1);
}

static void protect(int rights)
{
    mprotect((void *)pages, PAGE, rights);
}

static void touch_all(void)
{
    for (int i = 0; i < WAYS; i++)
        pages[i * PAGE + AT] = 1;
}

static void write_protected(void)
{
    if (!sigsetjmp(again, 1))
        pages[AT] = 2;
}

static void read_protected(void)
{
    if (!sigsetjmp(again, 1))
        (void)pages[AT];
}

static void move_protected(void)
{
    if (!sigsetjmp(again, 1))
        __asm__ volatile("pushq %0\n\tpopq %0" : "+m"(*(volatile unsigned long *)(pages + AT)));
}

/* A line more than the set has ways: what it replaces shows in the next ones. */
static void touch_more(void)
{
    pages[WAYS * PAGE + AT] = 3;
    for (int i = 1; i < WAYS; i++)
        pages[i * PAGE + AT] = 4;
}

static void rounds(int rights, void (*access)(void))
{
    for (int i = 0; i < ROUNDS; i++) {
        touch_all();
        protect(rights);
        access();
        touch_more();
        protect(PROT_READ | PROT_WRITE);
    }
}

int main(void)
{
    pages = mmap(0, PAGE * (WAYS + 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGSEGV, fail);
    rounds(PROT_READ, write_protected);
    rounds(PROT_NONE, read_protected);
    rounds(PROT_READ, move_protected);
    printf("%d\n", faults);
    return faults != 3 * ROUNDS;
}
