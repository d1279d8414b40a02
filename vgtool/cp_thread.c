/* cp_thread.c - names of threads, by number. */
#include "cp_thread.h"

#include "cp_core.h"
#include "pub_tool_vkiscnums.h"

#define SET_NAME 15 /* PR_SET_NAME */

void cp_thread_name_first(const HChar *path)
{
    const HChar *slash = VG_(strrchr)(path, '/');

    (void)VG_(do_syscall)(__NR_prctl, SET_NAME, (UWord)(slash ? slash + 1 : path), 0, 0, 0, 0, 0,
                          0);
}

enum { NAME_SIZE = 16 }; /* with the NUL, as the kernel has it */
typedef HChar Name[NAME_SIZE];

static Name *names;
static UInt n_names;

static void grow(UInt n)
{
    names = VG_(realloc)("cp.thread.1", names, n * sizeof *names);
    VG_(memset)(names + n_names, 0, (n - n_names) * sizeof *names);
    n_names = n;
}

void cp_thread_syscall(UInt thread, UInt number, const UWord *args)
{
    const HChar *text;
    UInt i;

    if (number != __NR_prctl || args[0] != SET_NAME)
        return;
    if (thread >= n_names)
        grow(2 * thread + 1);
    /* The kernel has read it up to its end, or so many bytes. */
    text = (const HChar *)args[1];
    for (i = 0; i < NAME_SIZE - 1 && text[i]; i++)
        names[thread][i] = text[i];
    names[thread][i] = '\0';
}

const HChar *cp_thread_root(UInt thread)
{
    static HChar text[32 + NAME_SIZE];
    const HChar *name = thread < n_names ? names[thread] : "";

    VG_(sprintf)(text, *name ? "[thread %u: %s]" : "[thread %u%s]", thread, name);
    return text;
}
