/* spare.c - code, tables and texts that nothing uses, under names that begin with SPARE. */
#define JOIN_(a, b, n) a##b##n
#define JOIN(a, b, n)  JOIN_(a, b, n)
#define ONE(n)                                                                     \
    const char *JOIN(SPARE, _text_, n)(void);                                      \
    unsigned JOIN(SPARE, _work_, n)(unsigned x);                                   \
    unsigned JOIN(SPARE, _table_, n)[90 + n] = {n};                                \
    const char *JOIN(SPARE, _text_, n)(void)                                       \
    {                                                                              \
        return "a text to spare, " #n;                                             \
    }                                                                              \
    unsigned JOIN(SPARE, _work_, n)(unsigned x)                                    \
    {                                                                              \
        for (unsigned i = 0; i < x; i++)                                           \
            x = (x ^ JOIN(SPARE, _table_, n)[i % 90]) * 2654435761u + i % (n + 3); \
        return x;                                                                  \
    }
ONE(1)
ONE(2)
ONE(3)
ONE(4)
ONE(5)
ONE(6)
ONE(7)
