#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

static void post_clo_init(void)
{
}
static IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                        const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                        IRType host_word)
{
    return in;
}
static void fini(Int exit_code)
{
}
static void pre_clo_init(void)
{
    VG_(details_name)("cprof");
    VG_(details_version)(CPROF_VERSION);
    VG_(details_description)("exact costs per instruction");
    VG_(details_copyright_author)("GPL-2.0-or-later");
    VG_(details_bug_reports_to)("the cargo-cprof project");
    VG_(basic_tool_funcs)(post_clo_init, instrument, fini);
}
VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void)
{
}
