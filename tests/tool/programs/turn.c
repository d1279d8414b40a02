/* turn.c - a library of which two builds (-DONE or not) lie at one address in turn: same-named
 * functions, unequal work. */
#ifdef ONE
#define TIMES 300
#define OWN   own_of_one
#else
#define TIMES 500
#define OWN   own_of_two
#endif

static volatile long sink;

__attribute__((noinline)) static void same(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

__attribute__((noinline)) void OWN(long n)
{
    for (long i = 0; i < n; i++)
        sink ^= i;
}

__attribute__((noinline)) void work(long n)
{
    same(n * TIMES);
    OWN(n * TIMES + 1);
}
