// unwinding.cc - exceptions thrown six frames deep and caught, twice by way of a frame that throws on; calls of virtual functions.
#include <cstdio>

static volatile long sink;

#define SEPARATE extern "C" __attribute__((noinline, noclone, noipa))

SEPARATE void burn(long n)
{
    for (long i = 0; i < n; i++)
        sink = sink + i;
}

struct Guard {
    ~Guard() { sink = sink + 1; }
};

SEPARATE void dig(int depth)
{
    Guard guard;
    burn(5);
    if (depth == 0)
        throw 7;
    dig(depth - 1);
}

SEPARATE void pass_on()
{
    try {
        dig(2);
    } catch (int n) {
        burn(n);
        throw;
    }
}

SEPARATE int catch_it(int i)
{
    try {
        if (i % 2)
            pass_on();
        else
            dig(5);
    } catch (int n) {
        burn(n + 20);
        return n;
    }
    return 0;
}

SEPARATE void after()
{
    burn(500);
    sink = sink + 1;
}

struct Shape {
    virtual long area(long n) = 0;
};
struct Square : Shape {
    __attribute__((noinline)) long area(long n) override { return sink = n * n; }
};
struct Circle : Shape {
    __attribute__((noinline)) long area(long n) override { return sink = 3 * n * n; }
};

SEPARATE long measure(Shape **shapes, long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += shapes[i % 3 == 0]->area(i);
    return sum;
}

int main()
{
    long sum = 0;
    Square square;
    Circle circle;
    Shape *shapes[] = {&square, &circle};
    for (int i = 0; i < 4; i++) {
        sum += catch_it(i);
        after();
    }
    sum += measure(shapes, 30);
    return sum == 0;
}
