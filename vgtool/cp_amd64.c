/*
 * cp_amd64.c - x86-64.
 *
 * The instructions are those of the Intel manual, volume 2. The registers of parameters are those
 * of the System V ABI for x86-64. Generated code keeps the guest's state in %rbp and calls through
 * %r11. A thunk changes only registers that belong to the function that is called.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_machine.h"
#include "pub_tool_vkiscnums.h"

Bool cp_arch_is_stubs(const HChar *section)
{
    return !VG_(strcmp)(section, ".plt") || !VG_(strcmp)(section, ".plt.sec") ||
           !VG_(strcmp)(section, ".plt.got") || !VG_(strcmp)(section, ".iplt");
}

Bool cp_arch_is_random(const HChar *helper)
{
    return !VG_(strcmp)(helper, "amd64g_dirtyhelper_RDRAND") ||
           !VG_(strcmp)(helper, "amd64g_dirtyhelper_RDSEED");
}

Bool cp_arch_is_extended(const HChar *helper)
{
    return !VG_(strcmp)(helper, "amd64g_dirtyhelper_loadF80le") ||
           !VG_(strcmp)(helper, "amd64g_dirtyhelper_storeF80le");
}

static Bool is_nop_before(const UChar *code)
{
    static const UChar second[] = {0, 0, 0, 0, 0x40, 0x44, 0, 0x80, 0x84};

    for (UInt size = 3; size < sizeof second; size++)
        if (code[-(Int)size] == 0x0F && code[1 - (Int)size] == 0x1F &&
            code[2 - (Int)size] == second[size] && !code[-1])
            return True;
    return code[-1] == 0x90 || code[-1] == 0xCC;
}

Bool cp_arch_ends_before(const UChar *code)
{
    return code[-1] == 0xC3 || code[-1] == 0xF4 || code[-3] == 0xC2 || code[-2] == 0xEB ||
           (code[-5] & 0xFE) == 0xE8 || (code[-2] == 0x0F && code[-1] == 0x0B) ||
           (code[-2] == 0xFF && (code[-1] & 0xF0) == 0xE0) || is_nop_before(code);
}

Bool cp_arch_opens(UInt number)
{
    return number == __NR_open || number == __NR_openat;
}

const UShort cp_arch_arguments[CP_ARGUMENTS] = {
    offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
    offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_RCX),
    offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9)};

const UShort cp_arch_syscall[1 + CP_SYSCALL_ARGUMENTS] = {
    offsetof(VexGuestAMD64State, guest_RAX), offsetof(VexGuestAMD64State, guest_RDI),
    offsetof(VexGuestAMD64State, guest_RSI), offsetof(VexGuestAMD64State, guest_RDX),
    offsetof(VexGuestAMD64State, guest_R10), offsetof(VexGuestAMD64State, guest_R8),
    offsetof(VexGuestAMD64State, guest_R9)};

const UInt cp_arch_audit = 0xC000003E;

/* The address lies where the stack pointer points to. */
Bool cp_arch_return_address(ThreadId tid, Addr *address)
{
    Addr sp = VG_(get_SP)(tid);

    if (!VG_(am_is_valid_for_client)(sp, sizeof *address, VKI_PROT_READ))
        return False;
    *address = *(const Addr *)sp;
    return True;
}

/*--- Thunks ---*/

#define CHUNK     65536
#define MAX_THUNK 64 /* bytes; three constants and the jump take 42 */

enum { RAX = 0, RDX = 2, RBP = 5, RSI = 6, RDI = 7 };
static const UChar parameters[] = {RDI, RSI, RDX};

static UChar *next, *end; /* the rest of the current chunk */
static UChar *thunk;      /* the one under construction */

static void byte(UInt b)
{
    *next++ = (UChar)b;
}

static void number(ULong value, UInt size)
{
    VG_(memcpy)(next, &value, size);
    next += size;
}

/* mov $value, %reg: of 32 bits where that suffices, since it clears the others. */
static void load_constant(UInt reg, ULong value)
{
    Bool is_short = value == (UInt)value;

    if (!is_short)
        byte(0x48);
    byte(0xB8 + reg);
    number(value, is_short ? 4 : 8);
}

void cp_thunk_begin(void)
{
    if (end - next < MAX_THUNK) {
        next = cp_core_memory(CHUNK);
        if (!next)
            VG_(tool_panic)("no memory for thunks");
        end = next + CHUNK;
    }
    thunk = next;
}

void cp_thunk_constant(UInt parameter, ULong value)
{
    load_constant(parameters[parameter], value);
}

/* mov offset(%rbp), %reg */
void cp_thunk_register(UInt parameter, Int offset)
{
    byte(0x48);
    byte(0x8B);
    byte(0x80 + (parameters[parameter] << 3) + RBP);
    number((UInt)offset, 4);
}

/* mov %rbp, %reg */
void cp_thunk_state(UInt parameter)
{
    byte(0x48);
    byte(0x89);
    byte(0xC0 + (RBP << 3) + parameters[parameter]);
}

/* jmp *%rax */
void *cp_thunk_end(Addr helper)
{
    load_constant(RAX, helper);
    byte(0xFF);
    byte(0xE0);
    return thunk;
}
