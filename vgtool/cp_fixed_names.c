/*
 * cp_fixed_names.c - names of files that do not depend on where a checkout or a toolchain lies: a
 * folder in front of them is "/fixed", further ones are "/fixed2" and so on. Folders of the system
 * are alike on all machines, and stay.
 *
 * Below that folder paths are as they were: programs that look for "target/release/deps", "bin" and
 * the like in their own path find them, and all that lies there is found by such a name.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "cp_fixed.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"

#define FIXED "/fixed"

/* Folders that have a name, in the order of their coming. Paths beyond are seen as they are. */
enum { MAX_FOLDERS = 32 };
static HChar *folders[MAX_FOLDERS];
static SizeT sizes[MAX_FOLDERS];
static UInt n_folders;
static Bool is_off; /* the machine has a folder of our name */

static HChar program[VKI_PATH_MAX];

/*--- From a path to its name ---*/

static Bool starts_with(const HChar *path, const HChar *start)
{
    return !VG_(strncmp)(path, start, VG_(strlen)(start));
}

static Bool is_systems(const HChar *path)
{
    static const HChar *const system[] = {
        "/usr/", "/bin/", "/sbin/", "/lib/", "/lib32/",     "/lib64/",     "/libx32/",
        "/etc/", "/dev/", "/proc/", "/sys/", "/nix/store/", "/gnu/store/", "/memfd:"};
    static const HChar *const users[] = {"/usr/src/", "/usr/local/src/"};

    for (UInt i = 0; i < sizeof users / sizeof *users; i++)
        if (starts_with(path, users[i]))
            return False;
    for (UInt i = 0; i < sizeof system / sizeof *system; i++)
        if (starts_with(path, system[i]))
            return True;
    return False;
}

/* The '/' in front of the last component that begins before `at`. */
static SizeT slash_before(const HChar *path, SizeT at)
{
    while (at && path[at - 1] != '/')
        at--;
    return at ? at - 1 : 0;
}

static Bool is_component(const HChar *path, SizeT slash, SizeT end, const HChar *name)
{
    return end - slash - 1 == VG_(strlen)(name) &&
           !VG_(strncmp)(path + slash + 1, name, end - slash - 1);
}

/* Folders that belong to a file's place in what was installed or built. */
static Bool is_kept(const HChar *path, SizeT slash, SizeT end)
{
    static const HChar *const kept[] = {"bin",  "sbin",     "lib",   "lib64",  "libexec",
                                        "deps", "examples", "debug", "release"};

    for (UInt i = 0; i < sizeof kept / sizeof *kept; i++)
        if (is_component(path, slash, end, kept[i]))
            return True;
    return False;
}

/* The size of the folder in front of what stays of a path. */
static SizeT folder_size(const HChar *path, SizeT size)
{
    enum { DEPTH = 5 }; /* target/TRIPLE/PROFILE/deps/FILE */
    SizeT slash = slash_before(path, size), end = slash, at = slash;

    for (UInt i = 0; i < DEPTH && at; i++) {
        SizeT up = slash_before(path, at);

        if (is_component(path, up, at, "target"))
            return up;
        at = up;
    }
    while (end && is_kept(path, slash_before(path, end), end))
        end = slash_before(path, end);
    return end;
}

static UInt folder_of(const HChar *path, SizeT size)
{
    for (UInt i = 0; i < n_folders; i++)
        if (sizes[i] == size && !VG_(strncmp)(folders[i], path, size))
            return i;
    if (n_folders == MAX_FOLDERS)
        return MAX_FOLDERS;
    folders[n_folders] = VG_(malloc)("cp.fixed.names.1", size + 1);
    VG_(memcpy)(folders[n_folders], path, size);
    folders[n_folders][size] = '\0';
    sizes[n_folders] = size;
    return n_folders++;
}

static UInt put_folder(HChar *name, UInt i)
{
    return i ? VG_(sprintf)(name, FIXED "%u", i + 1) : VG_(sprintf)(name, FIXED);
}

void cp_fixed_put_name(HChar name[VKI_PATH_MAX], const HChar *path, SizeT size)
{
    UInt folder = MAX_FOLDERS, written = 0;
    SizeT skipped = 0;

    if (size > VKI_PATH_MAX - 16)
        size = VKI_PATH_MAX - 16;
    if (path[0] == '/' && !is_off && !is_systems(path)) {
        skipped = folder_size(path, size);
        folder = folder_of(path, skipped);
    }
    if (folder < MAX_FOLDERS)
        written = put_folder(name, folder);
    else
        skipped = 0;
    VG_(memcpy)(name + written, path + skipped, size - skipped);
    name[written + size - skipped] = '\0';
}

const HChar *cp_fixed_program(void)
{
    return program;
}

void cp_fixed_init_names(void)
{
    HChar path[VKI_PATH_MAX];
    struct vg_stat st;
    SizeT n = cp_core_file_name(VG_(cl_exec_fd), path, sizeof path);

    is_off = !sr_isError(VG_(stat)(FIXED, &st));
    if (n)
        cp_fixed_put_name(program, path, n);
}

/*--- From a name to its path ---*/

/* True if no longer name goes on with this character. */
static Bool ends_name(HChar c)
{
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '_' || c == '.');
}

/* The folder whose name the text begins with; MAX_FOLDERS: none. *size: of the name. */
static UInt folder_named(const HChar *text, SizeT *size)
{
    HChar start[16];

    if (!starts_with(text, FIXED))
        return MAX_FOLDERS;
    for (UInt i = 0; i < n_folders; i++) {
        *size = put_folder(start, i);
        if (starts_with(text, start) && ends_name(text[*size]))
            return i;
    }
    return MAX_FOLDERS;
}

Bool cp_fixed_find(HChar path[VKI_PATH_MAX], const HChar *name)
{
    SizeT size, rest;
    UInt i = folder_named(name, &size);

    if (i == MAX_FOLDERS || (name[size] && name[size] != '/'))
        return False;
    rest = VG_(strlen)(name + size);
    if (sizes[i] + rest + 2 > VKI_PATH_MAX)
        return False;
    VG_(memcpy)(path, folders[i], sizes[i]);
    VG_(memcpy)(path + sizes[i], name + size, rest + 1);
    if (!sizes[i] && !rest)
        VG_(strcpy)(path, "/");
    return True;
}

HChar *cp_fixed_text(const HChar *text)
{
    SizeT room = VG_(strlen)(text) + 1, size = 0, n;
    HChar *whole = NULL, *to;
    const HChar *at;
    UInt folder;

    for (at = text; (at = VG_(strstr)(at, FIXED)); at++)
        size++;
    if (!size || !n_folders)
        return NULL;
    for (UInt i = 0; i < n_folders; i++)
        room += size * sizes[i];
    whole = to = VG_(malloc)("cp.fixed.names.4", room);
    for (at = text; *at;) {
        folder = folder_named(at, &n);
        if (folder < MAX_FOLDERS) {
            VG_(memcpy)(to, folders[folder], sizes[folder]);
            to += sizes[folder];
            at += n;
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
    return whole;
}

/* Which arguments of a call are paths, as bits. */
static UInt path_arguments(UWord number)
{
    static const struct {
        UShort number, paths;
    } calls[] = {
#ifdef __NR_open
        {__NR_open, 1},
        {__NR_creat, 1},
        {__NR_stat, 1},
        {__NR_lstat, 1},
        {__NR_access, 1},
        {__NR_readlink, 1},
        {__NR_mkdir, 1},
        {__NR_rmdir, 1},
        {__NR_unlink, 1},
        {__NR_rename, 3},
        {__NR_link, 3},
        {__NR_symlink, 2},
        {__NR_chmod, 1},
        {__NR_chown, 1},
        {__NR_lchown, 1},
#endif
        {__NR_openat, 2},
        {CP_NR_OPENAT2, 2},
        {__NR_newfstatat, 2},
        {__NR_statx, 2},
        {__NR_faccessat, 2},
        {CP_NR_FACCESSAT2, 2},
        {__NR_readlinkat, 2},
        {__NR_mkdirat, 2},
        {__NR_unlinkat, 2},
        {__NR_renameat, 10},
        {__NR_renameat2, 10},
        {__NR_linkat, 10},
        {__NR_symlinkat, 4},
        {__NR_fchmodat, 2},
        {__NR_fchownat, 2},
        {__NR_utimensat, 2},
        {__NR_chdir, 1},
        {__NR_chroot, 1},
        {__NR_statfs, 1},
        {__NR_truncate, 1},
        {__NR_getxattr, 1},
        {__NR_lgetxattr, 1},
        {__NR_listxattr, 1},
        {__NR_llistxattr, 1},
        {__NR_inotify_add_watch, 2},
    };

    for (UInt i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number)
            return calls[i].paths;
    return 0;
}

static const HChar *text_at(UWord at)
{
    return at && VG_(am_is_valid_for_client)(at, 1, VKI_PROT_READ) ? (const HChar *)at : NULL;
}

const HChar *cp_fixed_path(const Call *call)
{
    UInt paths = path_arguments(call->number);

    for (UInt i = 0; paths >> i; i++)
        if (paths >> i & 1)
            return text_at(call->args[i]);
    return NULL;
}

Bool cp_fixed_lead_back(ThreadId tid, Call *call)
{
    typedef HChar Paths[2][VKI_PATH_MAX];
    static Paths **threads; /* each has its own: a call is made again after a signal */
    UInt paths = path_arguments(call->number), n = 0;
    HChar path[VKI_PATH_MAX];

    for (UInt i = 0; paths >> i; i++) {
        const HChar *name = paths >> i & 1 ? text_at(call->args[i]) : NULL;

        if (!name || !cp_fixed_find(path, name))
            continue;
        if (!threads)
            threads = VG_(calloc)("cp.fixed.names.3", VG_N_THREADS, sizeof *threads);
        if (!threads[tid])
            threads[tid] = VG_(malloc)("cp.fixed.names.2", sizeof *threads[tid]);
        VG_(strcpy)((*threads[tid])[n], path);
        call->args[i] = (UWord)(*threads[tid])[n++];
    }
    return n > 0;
}
