/*
 * faults: instructions of x86-64 that fault, in all kinds of accesses, where other registers will
 * be overwritten soon. A handler prints what registers hold, as offsets where they are addresses,
 * and goes on behind the code. Linked at fixed addresses, it prints the same natively.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static __attribute__((aligned(4096), used)) char stack[3 * 4096];
static uint64_t saved_sp __attribute__((used));

/* All registers hold a number of their own. Those that the last instructions overwrite are free
 * from the first one on. */
#define KIND(name, code)                                                                        \
    void run_##name(void);                                                                      \
    extern char after_##name[];                                                                 \
    __asm__(".globl run_" #name ", after_" #name "\n.type run_" #name ", @function\nrun_" #name \
            ":\npush %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"             \
            "mov %rsp, saved_sp\n"                                                              \
            "mov $11, %rax\nmov $12, %rbx\nmov $13, %rcx\nmov $14, %rdx\nmov $15, %rsi\n"       \
            "mov $16, %rdi\nmov $17, %rbp\nmov $18, %r8\nmov $19, %r9\nmov $20, %r10\n"         \
            "mov $21, %r11\nmov $22, %r12\nmov $23, %r13\nmov $24, %r14\nmov $25, %r15\n"       \
            "cmp $3, %rax\njb after_" #name "\n" code "\nmov $1, %eax\nmov $1, %ebx\n"          \
            "mov $1, %ecx\nmov $1, %edx\nmov $1, %esi\nmov $1, %edi\nmov $1, %ebp\n"            \
            "mov $1, %r8d\nmov $1, %r9d\nmov $1, %r10d\nmov $1, %r11d\nmov $1, %r12d\n"         \
            "mov $1, %r13d\nmov $1, %r14d\nmov $1, %r15d\nadd $1, %eax\nafter_" #name ":\n"     \
            "mov saved_sp, %rsp\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\n"  \
            "ret\n.size run_" #name ", .-run_" #name "\n")

KIND(load, "mov 8(%r8), %rbx");
KIND(own_load, "mov 8(%r8), %r8");
KIND(store, "add $1, %rcx\nmov %rax, 8(%r9)");
KIND(change, "add %rax, 8(%r9)");
KIND(later_store, "lea 1(%rcx), %rdx\nmov %rax, 8(%r9)");
KIND(vector, "movups 8(%r10), %xmm3");
KIND(unaligned, "lea stack+0x1001(%rip), %rdx\nmovaps (%rdx), %xmm3");
KIND(nowhere, "movabs $0x8000000000000000, %rcx\nmov (%rcx), %rdx");
KIND(relative, "mov stack(%rip), %rdx");
KIND(push, "mov $stack + 0x1000, %rsp\npush %rdx");
KIND(pop, "mov $stack + 0x2000, %rsp\npop %rdx");
KIND(call, "mov $stack + 0x1000, %rsp\ncall run_load");
KIND(call_register, "mov $run_load, %ebx\nmov $stack + 0x1000, %rsp\ncall *%rbx");
KIND(call_memory, "call *8(%r8)");
KIND(jump_memory, "jmp *8(%r8)");
KIND(jump_relative, "jmp *stack(%rip)");
KIND(jump_nowhere, "jmp *%r8");
KIND(jump_null, "xor %ebx, %ebx\njmp *%rbx");
KIND(call_null, "xor %ebx, %ebx\ncall *%rbx");
KIND(ret_null, "push $0\nret");
KIND(ret, "mov $stack + 0x2000, %rsp\nret");
KIND(ret_nowhere, "push $64\nret");
KIND(copy, "mov $stack + 0x1000, %esi\nmov $stack + 0x1ffc, %edi\nmov $8, %ecx\nrep movsb");
KIND(fill, "mov $stack + 0x1ff0, %edi\nmov $8, %ecx\nrep stosl");
KIND(many, "mov $stack + 0x1000, %edi\nmov $5000, %ecx\nrep stosb");
KIND(backwards, "mov $stack + 0x1004, %edi\nmov $8, %ecx\nstd\nrep stosb\ncld");
KIND(string, "movsb");
KIND(divide, "xor %ebx, %ebx\nxor %edx, %edx\ndiv %rbx");
KIND(overflow, "mov $1, %ebx\ndiv %rbx");
KIND(unknown, "ud2");
KIND(longest, ".byte 0x3e, 0x2e, 0x66, 0x66, 0x66, 0x66, 0x44, 0x0f, 0x38, 0x14, 0x1d\n.long "
              "stack + 0x1000 - . - 4\nmov $stack, %edi\nmov (%rdi), %al");
KIND(port, "in %dx, %al");
KIND(breakpoint, "int3");
KIND(locked, ".byte 0xf0, 0x01, 0xc8");
KIND(in_loop, "mov $stack + 0x1f00, %edi\n1: add $1, %rdx\nmov %al, (%rdi)\nadd $1, %rdi\n"
              "cmp %rdi, %rcx\njne 1b");
KIND(locked_change, "lock addq $1, 8(%r8)");
KIND(exchange, "xchg %rax, 8(%r8)");
KIND(exchange_add, "lock xadd %rcx, 8(%r9)");
KIND(compare_exchange, "lock cmpxchg %rbx, 8(%r9)");
KIND(compare_exchange_pair, "mov $stack, %esi\nlock cmpxchg16b (%rsi)");
KIND(x87_load, "fldt 8(%r8)");
KIND(x87_integer, "fildl 8(%r9)");
KIND(x87_add, "fld1\nfaddl 8(%r8)");
KIND(x87_store, "fld1\nfstpl 8(%r9)");
KIND(x87_control, "fldcw 8(%r8)");
KIND(x87_status, "fnstsw 8(%r8)");
KIND(wide_vector, "vmovdqu 8(%r10), %ymm3");
KIND(wide_store, "vmovdqu %ymm3, 8(%r10)");
KIND(masked_vector, "vpcmpeqd %ymm1, %ymm1, %ymm1\nvmaskmovps 8(%r10), %ymm1, %ymm3");
KIND(masked_store, "vpcmpeqd %ymm1, %ymm1, %ymm1\nvmaskmovps %ymm3, %ymm1, 8(%r10)");
KIND(gather, "vpcmpeqd %xmm1, %xmm1, %xmm1\nvpxor %xmm2, %xmm2, %xmm2\nvgatherdps %xmm1, "
             "(%r10,%xmm2), %xmm3");
KIND(non_temporal, "movnti %rax, 8(%r9)");
KIND(vector_part, "pinsrw $1, 8(%r9), %xmm3");
KIND(vector_exchange, "movdqu %xmm3, 8(%r9)");
KIND(rounding, "ldmxcsr 8(%r8)");
KIND(rounding_store, "stmxcsr 8(%r8)");
KIND(push_memory, "push 8(%r8)");
KIND(pop_memory, "push $5\npop 8(%r8)");
KIND(pop_flags, "mov $stack + 0x2000, %rsp\npopf");
KIND(leave, "leave");
KIND(ret_more, "mov $stack + 0x2000, %rsp\nret $16");
KIND(bit, "bts %rax, 8(%r9)");
KIND(double_shift, "shld $3, %rax, 8(%r9)");
KIND(carry, "stc\nadc %rax, 8(%r9)");
KIND(increment, "stc\nincl 8(%r9)");
KIND(condition, "sete 8(%r9)");
KIND(move_if, "cmp $99, %rax\ncmove 8(%r8), %rbx");
KIND(multiply, "imul 8(%r8), %rbx");
KIND(divide_memory, "xor %edx, %edx\ndivq 8(%r8)");
KIND(count_bits, "popcnt 8(%r8), %rbx");
KIND(check_sum, "crc32q 8(%r8), %rbx");
KIND(swapped, "movbe 8(%r8), %rbx");
KIND(find, "mov $stack + 0x1ff0, %edi\nmov $100, %ecx\nmov $3, %eax\nrepne scasb");
KIND(load_string, "mov $stack + 0x2000, %esi\nlodsq");
KIND(store_string, "mov $stack, %edi\nstosl");
KIND(repeated_load, "mov $stack + 0x1ff8, %esi\nmov $9, %ecx\nrep lodsb");
KIND(behind_call, "push %rcx\ncall 1f\n1:\tpop %rdx\npop %rcx\nmov 8(%r8), %rbx");
KIND(in_loop_read, "mov $stack + 0x1f00, %edi\nmov $stack + 0x1f80, %esi\n1: add (%rsi), %rdx\nadd "
                   "$8, %rsi\nadd %rdx, (%rdi)\ncmp %rdi, %rcx\njne 1b");
KIND(in_loop_flags,
     "mov $stack + 0x1f00, %edi\n1: adc $1, %rdx\nmov %al, (%rdi)\nlea 1(%rdi), %rdi\njmp 1b");
KIND(segment, "mov %fs:0x7fffff00, %rbx");
KIND(address_of_32_bits, "mov 8(%r8d), %rbx");
KIND(unaligned_store, "lea stack+0x1001(%rip), %rdx\nmovaps %xmm3, (%rdx)");
KIND(unaligned_operand, "lea stack+0x1001(%rip), %rdx\naddps (%rdx), %xmm3");
KIND(unaligned_stream, "lea stack+0x1001(%rip), %rdx\nmovntdq %xmm3, (%rdx)");
KIND(wide_unaligned, "lea stack+0x1001(%rip), %rdx\nvmovaps (%rdx), %ymm3");
KIND(wide_unaligned_store, "lea stack+0x1001(%rip), %rdx\nvmovaps %ymm3, (%rdx)");
KIND(wide_gather, "vpcmpeqd %ymm1, %ymm1, %ymm1\nvpxor %ymm2, %ymm2, %ymm2\nvgatherqpd %ymm1, "
                  "(%r10,%ymm2), %ymm3");
KIND(compare_strings,
     "mov $stack + 0x1ffc, %esi\nmov $stack + 0x1100, %edi\nmov $90, %ecx\nrepe cmpsb");
KIND(run_protected, "mov $stack, %eax\njmp *%rax");
KIND(run_data, "mov $stack + 0x1000, %eax\njmp *%rax");
KIND(call_data, "mov $stack + 0x1000, %eax\ncall *%rax");
KIND(ret_data, "mov $stack + 0x1010, %eax\npush %rax\nret");

static const struct kind {
    const char *name;
    void (*run)(void);
    char *after;
} kinds[] = {
#define ROW(name)                       \
    {                                   \
#name, run_##name, after_##name \
    }
    ROW(load),
    ROW(own_load),
    ROW(store),
    ROW(change),
    ROW(later_store),
    ROW(vector),
    ROW(unaligned),
    ROW(nowhere),
    ROW(relative),
    ROW(push),
    ROW(pop),
    ROW(call),
    ROW(call_register),
    ROW(call_memory),
    ROW(jump_memory),
    ROW(jump_relative),
    ROW(jump_nowhere),
    ROW(jump_null),
    ROW(call_null),
    ROW(ret_null),
    ROW(ret),
    ROW(ret_nowhere),
    ROW(copy),
    ROW(fill),
    ROW(many),
    ROW(backwards),
    ROW(string),
    ROW(divide),
    ROW(overflow),
    ROW(unknown),
    ROW(longest),
    ROW(port),
    ROW(breakpoint),
    ROW(locked),
    ROW(in_loop),
    ROW(locked_change),
    ROW(exchange),
    ROW(exchange_add),
    ROW(compare_exchange),
    ROW(compare_exchange_pair),
    ROW(x87_load),
    ROW(x87_integer),
    ROW(x87_add),
    ROW(x87_store),
    ROW(x87_control),
    ROW(x87_status),
    ROW(wide_vector),
    ROW(wide_store),
    ROW(masked_vector),
    ROW(masked_store),
    ROW(gather),
    ROW(non_temporal),
    ROW(vector_part),
    ROW(vector_exchange),
    ROW(rounding),
    ROW(rounding_store),
    ROW(push_memory),
    ROW(pop_memory),
    ROW(pop_flags),
    ROW(leave),
    ROW(ret_more),
    ROW(bit),
    ROW(double_shift),
    ROW(carry),
    ROW(increment),
    ROW(condition),
    ROW(move_if),
    ROW(multiply),
    ROW(divide_memory),
    ROW(count_bits),
    ROW(check_sum),
    ROW(swapped),
    ROW(find),
    ROW(load_string),
    ROW(store_string),
    ROW(repeated_load),
    ROW(behind_call),
    ROW(in_loop_read),
    ROW(in_loop_flags),
    ROW(segment),
    ROW(address_of_32_bits),
    ROW(unaligned_store),
    ROW(unaligned_operand),
    ROW(unaligned_stream),
    ROW(wide_unaligned),
    ROW(wide_unaligned_store),
    ROW(wide_gather),
    ROW(compare_strings),
    ROW(run_protected),
    ROW(run_data),
    ROW(call_data),
    ROW(ret_data)};
static const struct kind *now;

static void show(const char *name, greg_t value)
{
    uint64_t n = (uint64_t)value;

    if (n - (uint64_t)stack + 4096 < sizeof stack + 8192)
        printf(" %s=stack%+ld", name, (long)(n - (uint64_t)stack));
    else if (n - saved_sp + 4096 < 8192)
        printf(" %s=sp%+ld", name, (long)(n - saved_sp));
    else
        printf(" %s=%lx", name, (unsigned long)n);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    static const struct {
        const char *name;
        int number;
    } registers[] = {{"rax", REG_RAX}, {"rbx", REG_RBX}, {"rcx", REG_RCX}, {"rdx", REG_RDX},
                     {"rsi", REG_RSI}, {"rdi", REG_RDI}, {"rbp", REG_RBP}, {"rsp", REG_RSP},
                     {"r8", REG_R8},   {"r9", REG_R9},   {"r10", REG_R10}, {"r11", REG_R11},
                     {"r12", REG_R12}, {"r13", REG_R13}, {"r14", REG_R14}, {"r15", REG_R15}};
    greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

    (void)info;
    __asm__ volatile("cld");
    printf("%s: %d at %ld:", now->name, signal,
           g[REG_RIP] < 4096 ? (long)g[REG_RIP] : (long)(now->after - (char *)g[REG_RIP]));
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++)
        show(registers[i].name, g[registers[i].number]);
    putchar('\n');
    g[REG_RIP] = (greg_t)now->after;
}

int main(int argc, char **argv)
{
    static char handlers[1 << 16];
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

    sigaltstack(&(stack_t){.ss_sp = handlers, .ss_size = sizeof handlers}, NULL);
    for (unsigned i = 0; i < 5; i++) {
        struct sigaction action = {.sa_sigaction = on_fault,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigaction(signals[i], &action, NULL);
    }
    /* The stack's page lies between two that fault. */
    mprotect(stack, 4096, PROT_NONE);
    mprotect(stack + 2 * 4096, 4096, PROT_NONE);
    for (int round = 0; round < 3; round++)
        for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            now = &kinds[i];
            if (argc < 2 || !strcmp(argv[1], now->name))
                now->run();
        }
    return 0;
}
