/* Walks whose miss curves are known: round and round through so many lines, of which the one that
 * comes next is always the one that was not used for the longest time. They do not return: that
 * would read the stack, too. One of them goes on in another one. */
#include <string.h>
#include <unistd.h>

enum { LINE = 64, LINES = 1024, ROUNDS = 10, STRADDLED = 512, MANY = 50000 };

static _Alignas(LINE) volatile char walked[LINES * LINE];
static _Alignas(LINE) volatile char written[LINES * LINE];
static _Alignas(LINE) volatile char many[MANY * LINE];
static _Alignas(LINE) volatile char straddled[(STRADDLED + 1) * LINE];

__attribute__((noinline, noreturn)) void walk_many(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < MANY; i++)
            (void)many[i * LINE];
    _exit(0);
}

__attribute__((noinline, noreturn)) void write_once(void)
{
    for (int i = 0; i < LINES; i++)
        written[i * LINE] = 1;
    _exit(0);
}

/* Each access has two lines, the second of which is the first of the next one. */
__attribute__((noinline, noreturn)) void straddle(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < STRADDLED; i++)
            (void)*(volatile unsigned long *)(straddled + (i + 1) * LINE - 4);
    _exit(0);
}

__attribute__((noinline, noreturn)) void walk(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < LINES; i++)
            (void)walked[i * LINE];
    straddle();
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "many"))
        walk_many();
    else if (argc > 1 && !strcmp(argv[1], "write"))
        write_once();
    else
        walk();
}
