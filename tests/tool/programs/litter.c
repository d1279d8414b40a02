/* litter.c CHILDREN - forks so many children; the Nth works N times. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noclone, noipa)) long burn(long n)
{
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

__attribute__((noinline, noclone, noipa)) void child(long number)
{
    for (long i = 0; i < number; i++)
        burn(100);
    _exit(0);
}

int main(int argc, char **argv)
{
    int status, failed = 0;
    burn(100);
    for (long i = 1; i <= (argc > 1 ? atol(argv[1]) : 0); i++)
        if (fork() == 0)
            child(i);
    while (wait(&status) > 0)
        failed |= status;
    burn(100);
    return failed != 0;
}
