/* between.c - a frame of C between those of C++; with -fexceptions. */
int between(int (*function)(int), int n);

__attribute__((noinline)) int between(int (*function)(int), int n)
{
    volatile int result = function(n);

    return result + 1;
}
