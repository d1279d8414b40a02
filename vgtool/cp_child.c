/*
 * cp_child.c - reads the beginning of a program that is about to be executed, and decides whether
 * it can be traced.
 */
#include "cp_child.h"

#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vkiscnums.h"

/* Constants of the kernel that Valgrind's headers lack. */
#define AT_FDCWD     (-100)
#define O_CLOSE_EXEC 02000000
#define MAY_SET_IDS  06000 /* S_ISUID and S_ISGID */

/* The beginning of an ELF file. */
enum { CLASS = 4, CLASS_64 = 2, MACHINE = 18, HEAD = 20 };

/* The kernel follows scripts of scripts this deep. */
enum { MAX_SCRIPTS = 5, LINE = 256 };

static Int handed[CP_RESERVED_FDS]; /* the descriptors of cp_child_init() */
static UInt n_handed;

static SysRes descriptor_flags(Int fd, UInt command, UWord flags)
{
    return VG_(do_syscall)(__NR_fcntl, fd, command, flags, 0, 0, 0, 0, 0);
}

/* Exec closes them, or leaves them to the next program's tool. */
static void hand_on(Bool yes)
{
    for (UInt i = 0; i < n_handed; i++)
        descriptor_flags(handed[i], VKI_F_SETFD, yes ? 0 : VKI_FD_CLOEXEC);
}

void cp_child_init(void)
{
    for (Int fd = VG_(fd_hard_limit); fd < VG_(fd_hard_limit) + CP_RESERVED_FDS; fd++) {
        SysRes flags = descriptor_flags(fd, VKI_F_GETFD, 0);

        if (!sr_isError(flags) && !(sr_Res(flags) & VKI_FD_CLOEXEC))
            handed[n_handed++] = fd;
    }
    hand_on(False);
}

static HChar *left; /* set once the core was told not to trace the next program */

static Bool starts_with(const HChar *head, SSizeT size, const HChar *start)
{
    SSizeT wanted = (SSizeT)VG_(strlen)(start);

    return size >= wanted && !VG_(memcmp)(head, start, (SizeT)wanted);
}

/* Cuts out the interpreter that "#! /bin/sh -e" names, in place. */
static const HChar *interpreter(HChar line[LINE], SSizeT size)
{
    HChar *at = line + 2, *end;

    line[size] = '\0';
    while (*at == ' ' || *at == '\t')
        at++;
    for (end = at; *end && *end != ' ' && *end != '\t' && *end != '\n'; end++)
        ;
    *end = '\0';
    return at;
}

static Bool gives_rights(Int fd)
{
    struct vg_stat st;

    if (VG_(fstat)(fd, &st) == 0 && st.mode & MAY_SET_IDS)
        return True;
    return !sr_isError(
        VG_(do_syscall)(__NR_fgetxattr, fd, (UWord) "security.capability", 0, 0, 0, 0, 0, 0));
}

/* Reads the beginning of a program. Returns its size, or -1. *rights: the program would get more
 * rights. */
static SSizeT read_head(Int folder, const HChar *path, HChar head[LINE], Bool *rights)
{
    SysRes file = VG_(do_syscall)(__NR_openat, folder, (UWord)path, VKI_O_RDONLY | O_CLOSE_EXEC, 0,
                                  0, 0, 0, 0);
    SSizeT size;

    if (sr_isError(file))
        return -1;
    size = VG_(read)((Int)sr_Res(file), head, LINE - 1);
    *rights = gives_rights((Int)sr_Res(file));
    VG_(close)((Int)sr_Res(file));
    return size;
}

/* The reason why the core cannot trace the program, or NULL. If the file cannot be read, nothing is
 * known: the core finds the error and the program is told. */
static const HChar *problem_of(Int folder, const HChar *path)
{
    HChar head[LINE];
    Bool rights = False;

    for (Int i = 0; i < MAX_SCRIPTS; i++) {
        SSizeT size = read_head(folder, path, head, &rights);

        if (size >= 0 && rights)
            return "a program that gets other rights";
        if (starts_with(head, size, "\177ELF") && size >= HEAD)
            return head[CLASS] != CLASS_64 ? "a 32-bit program"
                   : head[MACHINE] != CP_ELF_MACHINE || head[MACHINE + 1]
                       ? "a program of another processor"
                       : NULL;
        if (!starts_with(head, size, "#!"))
            return NULL;
        path = interpreter(head, size);
        folder = AT_FDCWD;
    }
    return NULL;
}

/* True if the program's memory has a whole text here. */
static Bool is_text(const HChar *text)
{
    for (Addr at = (Addr)text;; at++) {
        if ((at == (Addr)text || at % VKI_PAGE_SIZE == 0) &&
            !VG_(am_is_valid_for_client)(at, 1, VKI_PROT_READ))
            return False;
        if (!*(const HChar *)at)
            return True;
    }
}

void cp_child_before(UInt number, const UWord *args)
{
    Bool at = number == __NR_execveat;
    const HChar *path = (const HChar *)args[at ? 1 : 0], *problem;
    HChar link[40];

    if (!VG_(clo_trace_children) || !is_text(path))
        return;
    if (at && !*path) { /* the descriptor's own file */
        VG_(sprintf)(link, "/proc/self/fd/%d", (Int)args[0]);
        path = link;
    }
    problem = problem_of(at ? (Int)args[0] : AT_FDCWD, path);
    if (!problem) {
        hand_on(True);
        return;
    }
    VG_(clo_trace_children) = False;
    left = VG_(malloc)("cp.child.1", VG_(strlen)(problem) + VG_(strlen)(path) + 3);
    VG_(sprintf)(left, "%s: %s", problem, path);
}

void cp_child_failed(void)
{
    hand_on(False);
    if (!left)
        return;
    VG_(free)(left);
    left = NULL;
    VG_(clo_trace_children) = True;
}

const HChar *cp_child_left(void)
{
    return left;
}
