/* forks.c - a child that works, and a parent that works on. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static long burn(long n)
{
    volatile long sum = 0;
    for (long i = 0; i < n; i++)
        sum += i;
    return sum;
}

__attribute__((noinline)) static long child_only(long n)
{
    return burn(n) + 1;
}

int main(void)
{
    int status;
    burn(1000);
    if (fork() == 0) {
        child_only(5000);
        _exit(3);
    }
    wait(&status);
    burn(2000);
    return WEXITSTATUS(status) == 3 ? 0 : 1;
}
