/* near.c - calls a library's functions from several places, and by jumps. */
void far_leaf(long n);
void far_work(long n);
void far_back(void (*function)(long), long n);

static volatile long sink;

#define SEPARATE __attribute__((noinline, noclone, noipa))

SEPARATE void called_back(long n)
{
    far_leaf(n);
    sink++;
}

SEPARATE void one(void)
{
    far_work(10);
    sink++;
}

SEPARATE void two(void)
{
    far_leaf(20);
    far_work(20);
    sink++;
}

/* Jumps to the linkage table. */
SEPARATE void three(void)
{
    sink++;
    far_work(30);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        one();
        two();
        three();
    }
    far_back(called_back, 40);
    return 0;
}
