#ifndef ROUNDS
#define ROUNDS 5
#endif
namespace demo {
volatile int sink;
template <typename T> __attribute__((noinline)) T scale(T value) { for (int i = 0; i < 10; i++) sink += i; return value * 2; }
static inline __attribute__((always_inline)) void inner(int n) { sink ^= n; sink += int(scale<double>(n)); }
static inline __attribute__((always_inline)) void outer(int n) { sink += n; for (int i = 0; i < 3; i++) inner(n + i); }
__attribute__((noinline)) void leaf(int n) { static int table[4096]; for (int i = 0; i < n * 64; i++) table[i * 16 % 4096] += i % 3 ? sink : i; }
__attribute__((noinline)) int recurse(int n) { leaf(n); return n ? recurse(n - 1) + scale<int>(n) : 0; }
__attribute__((noinline)) void first(int n) { outer(n); leaf(2); }
__attribute__((noinline)) void second(int n) { outer(n); outer(2 * n); if (n > 3) first(n); }
#ifdef OLD
__attribute__((noinline)) void gone(int n) { leaf(n); }
#else
__attribute__((noinline)) void fresh(int n) { leaf(n + 1); sink++; }
#endif
}
static int run()
{
    for (int i = 0; i < ROUNDS; i++) {
        demo::first(i);
        demo::second(i);
#ifdef OLD
        demo::gone(i);
#else
        demo::fresh(i);
#endif
    }
    return demo::recurse(4) == 1 ? 1 : 0;
}

int main()
{
    return run();
}
extern "C" __attribute__((force_align_arg_pointer)) void _start()
{
    long status = main();
    asm volatile("syscall" : : "a"(231), "D"(status));
    __builtin_unreachable();
}
