/* cp_filter.c - filters of system calls: how they are set, and what they say of a call. */
#include "cp_filter.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"

/* Constants of the kernel that Valgrind's headers lack. */
enum { GET_SECCOMP = 21, SET_SECCOMP = 22, GET_NO_NEW_PRIVS = 39 }; /* of prctl */
enum { SET_STRICT, SET_FILTER, ACTION_AVAILABLE };                  /* of seccomp */
enum { MODE_STRICT = 1, MODE_FILTER = 2 };
enum { FLAG_ALL_THREADS = 1, FLAGS_WITHOUT_EFFECT = 6, MOST_INSTRUCTIONS = 4096 };
#define ACTION       0xffff0000u
#define KILL_PROCESS 0x80000000u
#define KILL_THREAD  0u
#define TRAP         0x00030000u
#define ERRNO        0x00050000u
#define LOG          0x7ffc0000u
#define ALLOW        0x7fff0000u
enum { MOST_ERRNO = 4095 };

/* An instruction, as the program gives it. */
typedef struct {
    UShort code;
    UChar if_true, if_false;
    UInt k;
} Instruction;

typedef struct Filter {
    const struct Filter *next; /* the one that was set before */
    UInt n;
    Instruction code[];
} Filter;

/* The filters of each thread; a filter is never freed. */
static struct {
    const Filter *newest;
    Bool is_strict;
} * threads;

void (*cp_filter_ends)(void);

/*--- What a filter says ---*/

/* The part of a call that a filter reads. */
typedef struct {
    Int number;
    UInt processor;
    ULong ip, args[6];
} Data;

enum { WORDS = 16 }; /* of a filter's own memory */

static UInt calculate(UInt operation, UInt a, UInt b)
{
    switch (operation) {
    case 0x00:
        return a + b;
    case 0x10:
        return a - b;
    case 0x20:
        return a * b;
    case 0x30:
        return b ? a / b : 0;
    case 0x40:
        return a | b;
    case 0x50:
        return a & b;
    case 0x60:
        return b < 32 ? a << b : 0;
    case 0x70:
        return b < 32 ? a >> b : 0;
    case 0x80:
        return -a;
    case 0xa0:
        return a ^ b;
    default:
        return 0;
    }
}

static Bool jumps(UInt operation, UInt a, UInt b)
{
    return operation == 0x10   ? a == b
           : operation == 0x20 ? a > b
           : operation == 0x30 ? a >= b
           : operation == 0x40 ? (a & b) != 0
                               : False;
}

/* The value that LD and LDX load. */
static UInt load(const Instruction *i, const Data *data, const UInt *memory)
{
    UInt value = i->k;

    switch (i->code & 0xe0) {
    case 0x20:
        value = 0;
        if (i->k <= sizeof *data - sizeof value)
            VG_(memcpy)(&value, (const UChar *)data + i->k, sizeof value);
        return value;
    case 0x60:
        return memory[i->k % WORDS];
    case 0x80:
        return sizeof *data;
    default:
        return value;
    }
}

/* Classic BPF. Jumps lead forward only. */
static UInt run(const Filter *f, const Data *data)
{
    UInt a = 0, x = 0, memory[WORDS] = {0};

    for (UInt at = 0; at < f->n; at++) {
        const Instruction *i = &f->code[at];
        UInt operand = i->code & 8 ? x : i->k;

        switch (i->code & 7) {
        case 0:
            a = load(i, data, memory);
            break;
        case 1:
            x = load(i, data, memory);
            break;
        case 2:
            memory[i->k % WORDS] = a;
            break;
        case 3:
            memory[i->k % WORDS] = x;
            break;
        case 4:
            a = calculate(i->code & 0xf0, a, operand);
            break;
        case 5:
            at += !(i->code & 0xf0)                   ? i->k
                  : jumps(i->code & 0xf0, a, operand) ? i->if_true
                                                      : i->if_false;
            break;
        case 6:
            return i->code & 0x10 ? a : i->k;
        default:
            if (i->code & 0x80)
                a = x;
            else
                x = a;
        }
    }
    return KILL_THREAD;
}

/* All filters are asked; the strictest answer holds, of equal ones the newest's. */
static UInt judge(const Filter *f, const Data *data)
{
    UInt strictest = ALLOW;

    for (; f; f = f->next) {
        UInt answer = run(f, data);
        if ((Int)(answer & ACTION) < (Int)(strictest & ACTION))
            strictest = answer;
    }
    return strictest;
}

/*--- What comes of it ---*/

/* How change_mask() changes the signals that are blocked in the tool. */
enum { BLOCK_SIGNALS, UNBLOCK_SIGNALS, SET_SIGNALS };

static void change_mask(UInt how, const ULong *set, ULong *before)
{
    VG_(do_syscall)(__NR_rt_sigprocmask, how, (UWord)set, (UWord)before, sizeof *set, 0, 0, 0, 0);
}

/* Ends the process by the signal, whatever the program does at that. */
static void end(UInt signal)
{
    const ULong default_action[4] = {0}, set = 1ULL << (signal - 1);

    cp_filter_ends();
    VG_(do_syscall)(__NR_rt_sigaction, signal, (UWord)default_action, 0, sizeof set, 0, 0, 0, 0);
    VG_(do_syscall)(__NR_kill, (UWord)VG_(getpid)(), signal, 0, 0, 0, 0, 0, 0);
    change_mask(UNBLOCK_SIGNALS, &set, NULL);
    VG_(exit)(1);
}

/* Gives the thread the signal that a filter asks for; the core knows of signals that come. */
static void trap(ThreadId tid, const Data *data, UInt answer)
{
    struct {
        Int signal, error, code, padding;
        ULong ip;
        Int number;
        UInt processor, rest[24];
    } info = {VKI_SIGSYS,
              (Int)(answer & ~ACTION),
              1 /* SYS_SECCOMP */,
              0,
              data->ip,
              data->number,
              data->processor,
              {0}};
    Int thread = (Int)sr_Res(VG_(do_syscall)(__NR_gettid, 0, 0, 0, 0, 0, 0, 0, 0));
    const ULong all = ~0ULL;
    ULong before;

    /* The core takes signals as they come only while it waits for the kernel. */
    change_mask(BLOCK_SIGNALS, &all, &before);
    VG_(do_syscall)
    (__NR_rt_tgsigqueueinfo, (UWord)VG_(getpid)(), (UWord)thread, VKI_SIGSYS, (UWord)&info, 0, 0, 0,
     0);
    VG_(poll_signals)(tid);
    change_mask(SET_SIGNALS, &before, NULL);
}

/* True if the call is not to be made. */
static Bool apply(ThreadId tid, const Data *data, UInt answer)
{
    UInt error = answer & ~ACTION;

    switch (answer & ACTION) {
    case ALLOW:
    case LOG:
        return False;
    case KILL_THREAD:
    case KILL_PROCESS:
        end(VKI_SIGSYS);
        return True;
    case TRAP:
        trap(tid, data, answer);
        return True;
    case ERRNO:
        cp_arch_set_result(tid, -(Word)(error < MOST_ERRNO ? error : MOST_ERRNO));
        return True;
    default: /* it asks a process that watches, and there is none */
        cp_arch_set_result(tid, -VKI_ENOSYS);
        return True;
    }
}

/*--- How filters are set ---*/

/* True if the thread may set filters, which programs with more rights would have to obey. */
static Bool may_set(void)
{
    SysRes set = VG_(do_syscall)(__NR_prctl, GET_NO_NEW_PRIVS, 0, 0, 0, 0, 0, 0, 0);

    return VG_(geteuid)() == 0 || (!sr_isError(set) && sr_Res(set));
}

/* Reads the program's filter. Returns 0, or an error. */
static Int read_filter(Addr at, Filter **filter)
{
    struct {
        UShort n;
        const Instruction *code;
    } program;
    SizeT size;

    if (!VG_(am_is_valid_for_client)(at, sizeof program, VKI_PROT_READ))
        return VKI_EFAULT;
    VG_(memcpy)(&program, (const void *)at, sizeof program);
    size = program.n * sizeof *program.code;
    if (!program.n || program.n > MOST_INSTRUCTIONS)
        return VKI_EINVAL;
    if (!VG_(am_is_valid_for_client)((Addr)program.code, size, VKI_PROT_READ))
        return VKI_EFAULT;
    if ((program.code[program.n - 1].code & 7) != 6)
        return VKI_EINVAL;
    if (!may_set())
        return VKI_EACCES;
    *filter = VG_(malloc)("cp.filter.1", sizeof **filter + size);
    (*filter)->n = program.n;
    VG_(memcpy)((*filter)->code, program.code, size);
    return 0;
}

static void begin(void)
{
    if (!threads)
        threads = VG_(calloc)("cp.filter.2", VG_N_THREADS, sizeof *threads);
}

static Int add_filter(ThreadId tid, UWord flags, Addr at)
{
    Filter *filter;
    Int error;

    if (flags & ~(UWord)(FLAG_ALL_THREADS | FLAGS_WITHOUT_EFFECT))
        return VKI_EINVAL;
    error = read_filter(at, &filter);
    if (error)
        return error;
    begin();
    filter->next = threads[tid].newest;
    for (ThreadId i = 0; i < VG_N_THREADS; i++)
        if (i == tid || flags & FLAG_ALL_THREADS)
            threads[i].newest = filter;
    return 0;
}

static Int set_strict(ThreadId tid)
{
    begin();
    threads[tid].is_strict = True;
    return 0;
}

/* True for a call about filters, which is answered. */
static Bool is_setting(ThreadId tid, const Call *call)
{
    const UWord *a = call->args;
    Bool by_prctl = call->number == __NR_prctl && a[0] == SET_SECCOMP;

    if (by_prctl && a[1] == MODE_STRICT)
        cp_arch_set_result(tid, -set_strict(tid));
    else if (by_prctl && a[1] == MODE_FILTER)
        cp_arch_set_result(tid, -add_filter(tid, 0, a[2]));
    else if (call->number == __NR_prctl && a[0] == GET_SECCOMP)
        cp_arch_set_result(tid, threads && threads[tid].newest ? MODE_FILTER : 0);
    else if (call->number == __NR_seccomp && a[0] == SET_STRICT && !a[1] && !a[2])
        cp_arch_set_result(tid, -set_strict(tid));
    else if (call->number == __NR_seccomp && a[0] == SET_FILTER)
        cp_arch_set_result(tid, -add_filter(tid, a[1], a[2]));
    else
        return False;
    return True;
}

static Bool is_allowed_strictly(UWord number)
{
    return number == __NR_read || number == __NR_write || number == __NR_exit ||
           number == __NR_rt_sigreturn;
}

Bool cp_filter_call(ThreadId tid, const Call *call, Addr ip)
{
    if (threads && threads[tid].is_strict && !is_allowed_strictly(call->number))
        end(VKI_SIGKILL);
    if (threads && threads[tid].newest) {
        Data data = {(Int)call->number, cp_arch_audit, ip, {0}};
        for (UInt i = 0; i < 6; i++)
            data.args[i] = call->args[i];
        if (apply(tid, &data, judge(threads[tid].newest, &data)))
            return True;
    }
    return is_setting(tid, call);
}

void cp_filter_thread(ThreadId parent, ThreadId child)
{
    if (threads)
        threads[child] = threads[parent];
}
