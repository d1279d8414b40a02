/* A table of labels, through which the compiler jumps. */
__attribute__((noinline)) static long dispatch(long n)
{
    static const void *const table[] = {&&zero, &&one, &&two, &&three};
    long sum = 0;
    for (long i = 0; i < n; i++) {
        goto *table[(i * i + i / 3) & 3];
    zero:
        sum += 1;
        continue;
    one:
        sum ^= 3;
        continue;
    two:
        sum <<= 1;
        continue;
    three:
        sum -= i;
    }
    return sum;
}
