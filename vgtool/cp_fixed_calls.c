/* cp_fixed_calls.c - system calls that tell of the machine: its name, memory, processors. */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_fixed.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"

static Bool is_writable(UWord at, SizeT size)
{
    return at && VG_(am_is_valid_for_client)(at, size, VKI_PROT_WRITE);
}

/*--- Names ---*/

/* The kernel's struct new_utsname. */
typedef struct {
    HChar system[65], node[65], release[65], version[65], machine[65], domain[65];
} Names;

static Bool is_renamed; /* the program has given the machine another name */

/* The processor's name is the kernel's. */
static Word answer_names(UWord at)
{
    Names *names = (Names *)at;
    HChar machine[65];

    if (!is_writable(at, sizeof *names))
        return -VKI_EFAULT;
    (void)VG_(do_syscall)(__NR_uname, at, 0, 0, 0, 0, 0, 0, 0);
    VG_(memcpy)(machine, names->machine, sizeof machine);
    VG_(memset)(names, 0, sizeof *names);
    VG_(strcpy)(names->system, "Linux");
    VG_(strcpy)(names->node, CP_FIXED_NODE);
    VG_(strcpy)(names->release, CP_FIXED_RELEASE);
    VG_(strcpy)(names->version, CP_FIXED_VERSION);
    VG_(memcpy)(names->machine, machine, sizeof machine);
    VG_(strcpy)(names->domain, "(none)");
    return 0;
}

/*--- Memory ---*/

/* The kernel's struct sysinfo. */
typedef struct {
    Long uptime;
    ULong loads[3], total, free, shared, buffers, total_swap, free_swap;
    UShort processes, pad;
    ULong total_high, free_high;
    UInt unit;
} Memory;

static Word answer_memory(UWord at)
{
    const Memory memory = {.uptime = 1000,
                           .total = (ULong)CP_FIXED_MEMORY << 10,
                           .free = (ULong)CP_FIXED_MEMORY << 9,
                           .processes = 100,
                           .unit = 1};

    if (!is_writable(at, sizeof memory))
        return -VKI_EFAULT;
    VG_(memcpy)((void *)at, &memory, sizeof memory);
    return 0;
}

/*--- Processors ---*/

/* The processors that each thread may run on, as bits. */
enum { ALL = (1 << CP_FIXED_PROCESSORS) - 1 };
static UChar *allowed;

void cp_fixed_init_calls(void)
{
    allowed = VG_(malloc)("cp.fixed.calls.1", VG_N_THREADS);
    VG_(memset)(allowed, ALL, VG_N_THREADS);
}

void cp_fixed_thread(ThreadId parent, ThreadId child)
{
    if (allowed && parent != VG_INVALID_THREADID)
        allowed[child] = allowed[parent];
}

/* The thread that a call is about; VG_INVALID_THREADID: one of another process. */
static ThreadId thread_of(ThreadId tid, UWord number)
{
    return number ? VG_(lwpid_to_vgtid)((Int)number) : tid;
}

static Word answer_allowed(ThreadId tid, UWord size, UWord at)
{
    enum { WORD = sizeof(UWord) };

    if (size < WORD || size % WORD)
        return -VKI_EINVAL;
    if (!is_writable(at, WORD))
        return -VKI_EFAULT;
    *(UWord *)at = allowed[tid];
    return WORD;
}

static Word allow(ThreadId tid, UWord size, UWord at)
{
    UChar set;

    if (!size || !at || !VG_(am_is_valid_for_client)(at, 1, VKI_PROT_READ))
        return -VKI_EFAULT;
    set = *(const UChar *)at & ALL;
    if (!set)
        return -VKI_EINVAL;
    allowed[tid] = set;
    return 0;
}

/* The first that the thread may run on, where all are of one node. */
static Word answer_processor(ThreadId tid, UWord processor, UWord node)
{
    UInt first = 0;

    if ((processor && !is_writable(processor, sizeof(UInt))) ||
        (node && !is_writable(node, sizeof(UInt))))
        return -VKI_EFAULT;
    while (!(allowed[tid] >> first & 1))
        first++;
    if (processor)
        *(UInt *)processor = first;
    if (node)
        *(UInt *)node = 0;
    return 0;
}

/*--- The program's path ---*/

static Word answer_program(UWord at, UWord size)
{
    SizeT length = VG_(strlen)(cp_fixed_program());

    if ((Word)size <= 0)
        return -VKI_EINVAL;
    if (length > size)
        length = size;
    if (!is_writable(at, length))
        return -VKI_EFAULT;
    VG_(memcpy)((void *)at, cp_fixed_program(), length);
    return (Word)length;
}

/*--- Calls ---*/

static Bool answer_link(const Call *call, Word *result)
{
    const UInt first = call->number == __NR_readlinkat;
    const HChar *path = cp_fixed_path(call);

    if (!*cp_fixed_program() || !path || !cp_core_is_own_program(path))
        return False;
    *result = answer_program(call->args[first + 1], call->args[first + 2]);
    return True;
}

Bool cp_fixed_call(ThreadId tid, const Call *call, Word *result)
{
    const UWord *a = call->args;

    switch (call->number) {
    case __NR_uname:
        if (is_renamed)
            return False;
        *result = answer_names(a[0]);
        return True;
    case __NR_sethostname:
        is_renamed = True;
        return False;
    case __NR_sysinfo:
        *result = answer_memory(a[0]);
        return True;
    case __NR_sched_getaffinity:
    case __NR_sched_setaffinity:
        tid = thread_of(tid, a[0]);
        if (tid == VG_INVALID_THREADID)
            return False;
        *result = call->number == __NR_sched_getaffinity ? answer_allowed(tid, a[1], a[2])
                                                         : allow(tid, a[1], a[2]);
        return True;
    case __NR_getcpu:
        *result = answer_processor(tid, a[0], a[1]);
        return True;
#ifdef __NR_readlink
    case __NR_readlink:
#endif
    case __NR_readlinkat:
        return answer_link(call, result);
    default:
        return cp_fixed_file(call, result);
    }
}
