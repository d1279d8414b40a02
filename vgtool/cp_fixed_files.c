/*
 * cp_fixed_files.c - files of the kernel that tell of the machine. Many programs read some of them,
 * which have a fixed text; the others of their folders are not there.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_fixed.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"

#define O_CLOSE_EXEC 02000000 /* which Valgrind does not name */

#define PROCESSORS "0-3\n"

static const struct {
    const HChar *path, *text;
} files[] = {
    {"/proc/meminfo", "MemTotal:       16777216 kB\n"
                      "MemFree:         8388608 kB\n"
                      "MemAvailable:   12582912 kB\n"
                      "Buffers:               0 kB\n"
                      "Cached:          4194304 kB\n"
                      "SwapTotal:             0 kB\n"
                      "SwapFree:              0 kB\n"
                      "HugePages_Total:       0\n"
                      "HugePages_Free:        0\n"
                      "Hugepagesize:       2048 kB\n"},
    {"/proc/loadavg", "0.00 0.00 0.00 1/100 1000\n"},
    {"/proc/uptime", "1000.00 4000.00\n"},
    {"/proc/stat", "cpu  400 0 400 4000 0 0 0 0 0 0\n"
                   "cpu0 100 0 100 1000 0 0 0 0 0 0\n"
                   "cpu1 100 0 100 1000 0 0 0 0 0 0\n"
                   "cpu2 100 0 100 1000 0 0 0 0 0 0\n"
                   "cpu3 100 0 100 1000 0 0 0 0 0 0\n"
                   "ctxt 1000\n"
                   "btime 1577836800\n"
                   "processes 1000\n"
                   "procs_running 1\n"
                   "procs_blocked 0\n"},
    {"/proc/version", "Linux version " CP_FIXED_RELEASE " " CP_FIXED_VERSION "\n"},
    {"/proc/sys/kernel/osrelease", CP_FIXED_RELEASE "\n"},
    {"/proc/sys/kernel/hostname", CP_FIXED_NODE "\n"},
    {"/proc/sys/vm/overcommit_memory", "0\n"},
    {"/proc/sys/vm/max_map_count", "65530\n"},
    {"/sys/devices/system/cpu/online", PROCESSORS},
    {"/sys/devices/system/cpu/possible", PROCESSORS},
    {"/sys/devices/system/cpu/present", PROCESSORS},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
    {"/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n"},
};

/* Nothing below these is there, but for `files`: cgroups limit processors and memory. */
static const HChar *const hidden[] = {
    "/sys/devices/system/cpu", "/sys/devices/system/node",
    "/sys/fs/cgroup",          "/sys/kernel/mm/transparent_hugepage",
    "/proc/self/cgroup",       "/proc/cgroups"};

static const HChar *cpuinfo(void)
{
    enum { PIECE = 1024 };
    static HChar text[CP_FIXED_PROCESSORS * PIECE];
    UInt size = 0;

    if (!*text)
        for (UInt i = 0; i < CP_FIXED_PROCESSORS; i++)
            size += cp_arch_cpuinfo(text + size, i);
    return text;
}

static const HChar *text_of(const HChar *path)
{
    if (!VG_(strcmp)(path, "/proc/cpuinfo"))
        return cpuinfo();
    for (UInt i = 0; i < sizeof files / sizeof *files; i++)
        if (!VG_(strcmp)(path, files[i].path))
            return files[i].text;
    return NULL;
}

static Bool is_hidden(const HChar *path)
{
    HChar own[32];

    for (UInt i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        SizeT size = VG_(strlen)(hidden[i]);

        if (!VG_(strncmp)(path, hidden[i], size) && (!path[size] || path[size] == '/'))
            return True;
    }
    VG_(sprintf)(own, "/proc/%d/cgroup", VG_(getpid)());
    return !VG_(strcmp)(path, own);
}

static SysRes system_call(UWord number, UWord a, UWord b)
{
    return VG_(do_syscall)(number, a, b, 0, 0, 0, 0, 0, 0);
}

/* A new descriptor that reads the text; an error as system calls give it. */
static Word open_text(const HChar *text, Bool closes)
{
    enum { CLOSE_EXEC = 1 };
    const UWord mode = 0444;
    SysRes file = system_call(__NR_memfd_create, (UWord) "file-of-machine", CLOSE_EXEC), reader;
    HChar link[40];

    if (sr_isError(file))
        return -VKI_EMFILE;
    (void)VG_(write)((Int)sr_Res(file), text, (Int)VG_(strlen)(text));
    (void)system_call(__NR_fchmod, sr_Res(file), mode);
    VG_(sprintf)(link, "/proc/self/fd/%d", (Int)sr_Res(file));
    reader = VG_(open)(link, VKI_O_RDONLY, 0);
    if (sr_isError(reader) || sr_isError(VG_(do_syscall)(__NR_dup3, sr_Res(reader), sr_Res(file),
                                                         closes ? O_CLOSE_EXEC : 0, 0, 0, 0, 0, 0)))
        VG_(close)((Int)sr_Res(file));
    if (sr_isError(reader))
        return -VKI_EMFILE;
    VG_(close)((Int)sr_Res(reader));
    return (Word)sr_Res(file);
}

/* The flags with which the call opens a file; all bits: it opens none, or they are in memory. */
static UWord opening_flags(const Call *call)
{
#ifdef __NR_open
    if (call->number == __NR_open)
        return call->args[1];
#endif
    return call->number == __NR_openat ? call->args[2] : ~(UWord)0;
}

Bool cp_fixed_file(const Call *call, Word *result)
{
    const HChar *path = cp_fixed_path(call), *text;
    UWord flags = opening_flags(call);

    if (!path || *path != '/')
        return False;
    text = text_of(path);
    if (text && (flags & VKI_O_ACCMODE) == VKI_O_RDONLY) {
        *result = open_text(text, (flags & O_CLOSE_EXEC) != 0);
        return True;
    }
    *result = -VKI_ENOENT;
    return !text && is_hidden(path);
}
