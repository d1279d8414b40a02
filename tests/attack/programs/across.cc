// across.cc - exceptions that pass frames of C: the library's qsort and bsearch, and between.c.
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int between(int (*function)(int), int n);

static int budget;

static int compare(const void *a, const void *b)
{
    if (--budget < 0)
        throw std::string("enough");
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static int __attribute__((noinline)) inner(int n)
{
    if (n % 3 == 0)
        throw n;
    return n + 1;
}

static int __attribute__((noinline)) caught(int n)
{
    try {
        return between(inner, n);
    } catch (int thrown) {
        return -thrown;
    }
}

int main()
{
    int values[64], sum = 0;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 64; i++)
            values[i] = i * 37 % 64;
        budget = 10 * round;
        try {
            qsort(values, 64, sizeof *values, compare);
        } catch (const std::string &text) {
            sum += static_cast<int>(text.size());
        }
        sum += caught(round) + between(caught, round);
    }
    std::printf("%d\n", sum);
    return 0;
}
