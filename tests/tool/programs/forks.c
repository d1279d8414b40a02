/* forks.c - a child that works, and a parent that works on. Writes the child's process ID, as it is
 * in memory: then it costs the same whatever its digits. */
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
    pid_t child;

    burn(1000);
    child = fork();
    if (child == 0) {
        child_only(5000);
        _exit(3);
    }
    if (write(STDOUT_FILENO, &child, sizeof child) != sizeof child)
        return 2;
    wait(&status);
    burn(2000);
    return WEXITSTATUS(status) == 3 ? 0 : 1;
}
