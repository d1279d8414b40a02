/* far.c - a library whose functions are called through its users' linkage tables, and call back. */
static volatile long sink;

__attribute__((noinline)) void far_leaf(long n)
{
    for (long i = 0; i < n; i++)
        sink += i;
}

__attribute__((noinline)) void far_work(long n)
{
    far_leaf(n);
    sink++;
}

__attribute__((noinline)) void far_back(void (*function)(long), long n)
{
    function(n);
    sink++;
}
