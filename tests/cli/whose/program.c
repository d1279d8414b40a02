#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

__attribute__((noinline)) long work(long n)
{
    char text[32];
    long sum = 0;

    for (long i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%ld", i);
        sum += text[0];
        for (int k = 0; k < 50; k++)
            sum ^= sum * 31 + k;
    }
    return sum;
}

/* Runs a function that is made now: it counts down from its argument. */
__attribute__((noinline)) static void run_made(long n)
{
#ifdef __x86_64__
    static const unsigned char code[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};
    void *at =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memcpy(at, code, sizeof code);
    ((void (*)(long))at)(n);
#else
    (void)n;
#endif
}

int main(void)
{
    printf("%ld\n", work(500));
    run_made(10000);
    return 0;
}
