"""program.py SEED - writes a program to standard output, which calls its functions in all ways: directly, by pointers, by jumps at their ends, in
circles; from signal handlers, on other stacks, from fibres, threads and callbacks of libc; and leaves them by returns, longjmp and, in C++, by
exceptions. It prints one number. The first line says whether it has threads, and how to build it: the language, a compiler, and options.

A fault is the first instruction of a basic block: translations and copies differ in what they count of one that does not end.
"""
import random
import sys

HEAD = r'''#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __cplusplus
#include <map>
#include <string>
#include <vector>
#endif
#define NOINLINE __attribute__((noinline))
typedef uint64_t word;
static __thread long budget;
static __thread word mine;
static word shared;
static word mix(word a, word b) { return (a ^ b) * 0x9e3779b97f4a7c15ull ^ a >> 29; }
'''

TAIL = r'''
int main(void)
{
    word sum = 1;
    %s
    printf("%%016lx\n", (unsigned long)(sum ^ shared ^ mine));
    return 0;
}
'''


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.cc = self.rng.random() < 0.35
        self.n = self.rng.randrange(4, 14)
        self.parts, self.calls = [], []

    def one(self, *choices):
        return self.rng.choice(choices)

    # --- work

    def work(self):
        rng = self.rng
        k = rng.randrange(1, 60)
        return self.one(
            f"x = mix(x, {k});",
            f"for (word i = 0; i < {k}; i++) x += x >> 3 ^ i;",
            f"for (int i = 0; i < {k}; i++) if (x >> i & 1) x ^= 0x{rng.randrange(1 << 30):x}; else x += {k};",
            f"{{ char buffer[{16 * k}]; memset(buffer, (int)x, sizeof buffer); x += (word)buffer[x % sizeof buffer]; }}",
            f"{{ double d[{k}]; double s = 0; for (int i = 0; i < {k}; i++) d[i] = (double)(x & 1023) * i; "
            f"for (int i = 0; i < {k}; i++) s += d[i] * 1.5; x += (word)s; }}",
            f"{{ unsigned v[{4 * k}]; for (unsigned i = 0; i < {4 * k}; i++) v[i] = i * (unsigned)x; for (unsigned i = 0; i < {4 * k}; i++) x += v[i]; }}",
            f"switch (x % 7) {{ case 0: x += 3; break; case 1: x *= 5; break; case 2: x ^= x >> 7; break; case 3: x -= {k}; break; "
            "case 4: x = ~x; break; case 5: x += x << 3; break; default: x ^= 1; }",
            f"x = x / ({k} + (x & 7)) + x % {k + 1};",
            "{ char text[32]; snprintf(text, sizeof text, \"%lu\", (unsigned long)(x & 0xffff)); x += strtoul(text, NULL, 10) + strlen(text); }",
            f"{{ char *p = (char *)malloc({k} + (x & 63)); p[0] = (char)x; x += (word)p[0]; free(p); }}",
            f"mine += x & {k};",
            f"__atomic_fetch_add(&shared, x & {k}, __ATOMIC_SEQ_CST);",
            "x = (word)((unsigned __int128)x * 0xfedcba987654321ull >> 32);",
        )

    def call(self, i):
        """A statement that calls some function."""
        j = self.rng.randrange(self.n)
        return self.one(f"x += f{j}(x ^ {j});", f"x = f{j}(x) + f{self.rng.randrange(self.n)}(x);", f"x += table[(x + {i}) % {self.n}](x);",
                        f"if (x & {1 << self.rng.randrange(6)}) x ^= f{j}(x + 1);", f"x += variadic({1 + j % 3}, x, x + 1, x + 2);",
                        f"for (int i = 0; i < {1 + j % 4}; i++) x += f{j}(x + (word)i);")

    def function(self, i):
        body = ["if (budget-- <= 0) return x;"]
        for _ in range(self.rng.randrange(1, 5)):
            body.append(self.work() if self.rng.random() < 0.55 else self.call(i))
        last = self.rng.randrange(self.n)
        body.append(self.one("return x;", f"return f{last}(x);", f"return table[x % {self.n}](x);", f"return x ^ f{last}(x >> 1);"))
        return f"NOINLINE word f{i}(word x)\n{{\n    " + "\n    ".join(body) + "\n}\n"

    # --- ways to call

    def part(self, text, call):
        self.parts.append(text)
        self.calls.append(call)

    def plain(self, k):
        self.part("", f"budget = {self.rng.randrange(50, 800)}; sum = mix(sum, f{k % self.n}(sum));")

    def handlers(self, k):
        alternate = self.rng.random() < 0.5
        nested = self.rng.random() < 0.5
        self.part(f'''
static void handler_{k}(int signal)
{{
    (void)signal;
    budget += {self.rng.randrange(10, 60)};
    shared = mix(shared, f{k % self.n}(shared));
    {"raise(SIGUSR2);" if nested else ""}
}}
static void inner_{k}(int signal) {{ (void)signal; budget += 9; shared += f{(k + 1) % self.n}(3); }}
static NOINLINE word signals_{k}(word x)
{{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    {"static char stack[65536]; stack_t s; memset(&s, 0, sizeof s); s.ss_sp = stack; s.ss_size = sizeof stack; sigaltstack(&s, NULL); a.sa_flags = SA_ONSTACK;"
     if alternate else ""}
    a.sa_handler = inner_{k};
    sigaction(SIGUSR2, &a, NULL);
    a.sa_handler = handler_{k};
    sigaction(SIGUSR1, &a, NULL);
    for (int i = 0; i < {self.rng.randrange(1, 6)}; i++) {{ raise(SIGUSR1); x = mix(x, shared); }}
    return x;
}}
''', f"sum = signals_{k}(sum);")

    def jumps(self, k):
        self.part(f'''
static jmp_buf buffer_{k};
static NOINLINE void leave_{k}(int depth, word x)
{{
    if (depth == 0) longjmp(buffer_{k}, 1 + (int)(x & 7));
    budget += 5;
    shared += f{k % self.n}(x);
    leave_{k}(depth - 1, x + 1);
    shared++;
}}
static NOINLINE word jumps_{k}(word x)
{{
    for (volatile int i = 0; i < {self.rng.randrange(1, 8)}; i++) {{
        volatile int n = setjmp(buffer_{k});
        if (!n) leave_{k}({self.rng.randrange(0, 12)} + i, x + (word)i);
        x = mix(x, (word)n);
    }}
    return x;
}}
''', f"sum = jumps_{k}(sum);")

    def handler_jumps(self, k):
        self.part(f'''
static sigjmp_buf left_{k};
static void leaving_{k}(int signal) {{ budget += 7; shared += f{k % self.n}((word)signal); siglongjmp(left_{k}, 1); }}
static NOINLINE word left_by_handler_{k}(word x)
{{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = leaving_{k};
    sigaction({self.one("SIGUSR1", "SIGFPE", "SIGTERM")}, &a, NULL);
    for (volatile int i = 0; i < {self.rng.randrange(1, 6)}; i++) {{
        if (!sigsetjmp(left_{k}, 1)) {{ budget += 11; x += f{(k + 2) % self.n}(x); raise(SIGUSR1); kill(getpid(), SIGFPE); raise(SIGTERM); }}
        x = mix(x, shared);
    }}
    return x;
}}
''', f"signal(SIGFPE, SIG_IGN); signal(SIGTERM, SIG_IGN); signal(SIGUSR1, SIG_IGN); sum = left_by_handler_{k}(sum);")

    def fibres(self, k):
        n = self.rng.randrange(1, 4)
        self.part(f'''
static ucontext_t home_{k}, fibres_{k}[{n}];
static void fibre_{k}(int i)
{{
    for (int round = 0; round < {self.rng.randrange(1, 6)}; round++) {{
        budget += 20;
        shared = mix(shared, f{k % self.n}(shared + (word)i));
        swapcontext(&fibres_{k}[i], &home_{k});
    }}
}}
static NOINLINE word run_fibres_{k}(word x)
{{
    static char stacks[{n}][65536];
    for (int i = 0; i < {n}; i++) {{
        getcontext(&fibres_{k}[i]);
        fibres_{k}[i].uc_stack.ss_sp = stacks[i];
        fibres_{k}[i].uc_stack.ss_size = sizeof stacks[i];
        fibres_{k}[i].uc_link = &home_{k};
        makecontext(&fibres_{k}[i], (void (*)(void))fibre_{k}, 1, i);
    }}
    for (int round = 0; round < {self.rng.randrange(1, 4)}; round++)
        for (int i = 0; i < {n}; i++) {{
            swapcontext(&home_{k}, &fibres_{k}[i]);
            x = mix(x, shared);
        }}
    return x;
}}
''', f"sum = run_fibres_{k}(sum);")

    def threads(self, k):
        self.part(f'''
static void *thread_{k}(void *argument)
{{
    word x = (word)(uintptr_t)argument;
    budget = {self.rng.randrange(20, 300)};
    x = f{k % self.n}(x);
    shared = mix(shared, x ^ mine);
    return (void *)(uintptr_t)x;
}}
static NOINLINE word threads_{k}(word x)
{{
    for (int i = 0; i < {self.rng.randrange(1, 5)}; i++) {{
        pthread_t t;
        void *result;
        pthread_create(&t, NULL, thread_{k}, (void *)(uintptr_t)(x + (word)i));
        pthread_join(t, &result);
        x = mix(x, (word)(uintptr_t)result);
    }}
    return x;
}}
''', f"sum = threads_{k}(sum);")

    def callbacks(self, k):
        self.part(f'''
static int compare_{k}(const void *a, const void *b)
{{
    budget += 1;
    word x = *(const word *)a, y = *(const word *)b;
    shared += f{k % self.n}(x & 15) & 1;
    return x < y ? -1 : x > y;
}}
static NOINLINE word sort_{k}(word x)
{{
    word list[{self.rng.randrange(5, 60)}];
    const size_t n = sizeof list / sizeof list[0];
    for (size_t i = 0; i < n; i++) list[i] = x = mix(x, i);
    qsort(list, n, sizeof list[0], compare_{k});
    x = mix(x, list[n / 2]);
    return x + (bsearch(&list[1], list, n, sizeof list[0], compare_{k}) != NULL);
}}
''', f"sum = sort_{k}(sum);")

    def repairs(self, k):
        self.part(f'''
static char *page_{k};
static void repair_{k}(int signal, siginfo_t *info, void *context)
{{
    (void)signal, (void)info, (void)context;
    mprotect(page_{k}, 4096, PROT_READ | PROT_WRITE);
    budget += 6;
    shared += f{k % self.n}(2);
}}
static NOINLINE void fill_{k}(void) {{ __asm__ volatile("test %%rax, %%rax\\njz 1f\\n1: movb %%al, (%%rdi)\\nrep stosb" : : "D"(page_{k}), "a"(1ul), "c"(100ul) : "memory"); }}
static NOINLINE word repairs_{k}(word x)
{{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_sigaction = repair_{k};
    a.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &a, NULL);
    page_{k} = (char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < {self.rng.randrange(1, 5)}; i++) {{
        mprotect(page_{k}, 4096, PROT_NONE);
        fill_{k}();
        x = mix(x, (word)page_{k}[7]);
    }}
    return x;
}}
''', f"sum = repairs_{k}(sum);")

    def exceptions(self, k):
        if not self.cc:
            return
        self.part(f'''
struct Guard_{k} {{ word x; ~Guard_{k}() {{ budget += 2; shared += f{k % self.n}(x); }} }};
struct Base_{k} {{ virtual ~Base_{k}() {{}} virtual word act(word x) {{ return x + 1; }} }};
struct Derived_{k} : Base_{k} {{ word act(word x) override {{ budget += 4; return f{(k + 1) % self.n}(x); }} }};
static NOINLINE word throwing_{k}(int depth, word x)
{{
    Guard_{k} guard{{x}};
    if (depth == 0) {{ if (x & 1) throw (int)(x & 15); throw std::string("text"); }}
    return throwing_{k}(depth - 1, x + 1) + 1;
}}
static NOINLINE word exceptions_{k}(word x)
{{
    Derived_{k} derived;
    Base_{k} *object = &derived;
    std::map<word, std::vector<word>> map;
    for (int i = 0; i < {self.rng.randrange(1, 6)}; i++) {{
        try {{ x += throwing_{k}({self.rng.randrange(0, 6)}, x); }}
        catch (int n) {{ x = mix(x, (word)n); }}
        catch (const std::string &s) {{ x += s.size(); }}
        x += object->act(x);
        map[x % 5].push_back(x);
    }}
    for (auto &entry : map) x = mix(x, entry.second.size());
    return x;
}}
''', f"sum = exceptions_{k}(sum);")

    def recursion(self, k):
        self.part(f'''
static NOINLINE word odd_{k}(int n, word x);
static NOINLINE word even_{k}(int n, word x) {{ return n == 0 ? x : odd_{k}(n - 1, x + 1){self.one("", " + 1", " ^ 5")}; }}
static NOINLINE word odd_{k}(int n, word x) {{ return n == 0 ? x ^ 1 : even_{k}(n - 1, x + 3){self.one("", " + 1")}; }}
static NOINLINE word fib_{k}(int n) {{ return n < 2 ? (word)n : fib_{k}(n - 1) + fib_{k}(n - 2); }}
''', f"sum = mix(sum, even_{k}({self.rng.randrange(5, 300)}, sum) + fib_{k}({self.rng.randrange(3, 13)}));")

    # --- the whole

    def write(self):
        kinds = [self.plain, self.handlers, self.jumps, self.handler_jumps, self.fibres, self.threads, self.callbacks, self.repairs, self.exceptions,
                 self.recursion]
        for k in range(self.rng.randrange(2, 8)):
            self.rng.choice(kinds)(k)
        self.plain(99)
        functions = "".join(f"word f{i}(word x);\n" for i in range(self.n))
        functions += f"static word (*volatile table[{self.n}])(word) = {{" + ", ".join(f"f{self.rng.randrange(self.n)}" for _ in range(self.n)) + "};\n"
        functions += '''static NOINLINE word variadic(int n, ...)
{
    va_list list;
    word x = 0;
    va_start(list, n);
    while (n--) x = mix(x, va_arg(list, word));
    va_end(list);
    return x;
}
'''
        functions += "".join(self.function(i) for i in range(self.n))
        options = [self.one("-O0", "-O1", "-O2", "-O3"), self.one("-static -no-pie", "-pie -fPIE", "-no-pie", "-pie -fPIE")]
        options += [o for o in ("-fno-omit-frame-pointer", "-fcf-protection=none", "-fno-plt", "-mindirect-branch=thunk", "-fno-stack-protector",
                                "-ffunction-sections", "-mavx2", "-g") if self.rng.random() < 0.2]
        threads = "threads" if any("threads_" in call for call in self.calls) else "one"
        return f"// {threads} {'c++' if self.cc else 'c'} {self.one('gcc', 'clang')} {' '.join(options)} -pthread\n" + HEAD + functions + \
            "".join(self.parts) + TAIL % "\n    ".join(self.calls)


sys.stdout.write(Program(int(sys.argv[1])).write())
