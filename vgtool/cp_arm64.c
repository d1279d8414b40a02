/*
 * cp_arm64.c - 64-bit ARM.
 *
 * The instructions are those of the Arm Architecture Reference Manual for A-profile, chapter C6.
 * The registers of parameters are those of the procedure call standard (AAPCS64). Generated code
 * keeps the guest's state in x21 and calls through x9. A thunk changes only registers that belong
 * to the function that is called.
 */
#include "cp_arch.h"
#include "cp_core.h"
#include "pub_tool_machine.h"
#include "pub_tool_vkiscnums.h"

Bool cp_arch_is_stubs(const HChar *section)
{
    return !VG_(strcmp)(section, ".plt") || !VG_(strcmp)(section, ".iplt") ||
           !VG_(strcmp)(section, ".plt.got");
}

/* VEX knows neither RNDR nor RNDRRS. */
Bool cp_arch_is_random(const HChar *helper)
{
    return False;
}

/*--- The class of the processor ---*/

/* ARMv8.0: floating point and vectors. Without more, and without leave to read the processor's
 * registers, libc and compilers' own libraries take what all processors have. */
enum { FLOATS = 1, VECTORS = 2 };

const HChar *cp_arch_choose_class(const HChar *name)
{
    return !name || !VG_(strcmp)(name, cp_arch_class()) ? NULL : "there is v8";
}

const HChar *cp_arch_class(void)
{
    return "v8";
}

/* The core hands the kernel's description on. */
const HChar *cp_arch_host_class(void)
{
    return "as it is";
}

void cp_arch_identify(IRDirty *call)
{
}

UWord cp_arch_hardware(void)
{
    return FLOATS | VECTORS;
}

UInt cp_arch_cpuinfo(HChar *text, UInt number)
{
    return VG_(sprintf)(text,
                        "processor\t: %u\n"
                        "BogoMIPS\t: 100.00\n"
                        "Features\t: fp asimd\n"
                        "CPU implementer\t: 0x41\n"
                        "CPU architecture: 8\n\n",
                        number);
}

/*--- The clock ---*/

static ULong (*read_clock)(void);

static ULong read_count(void)
{
    return read_clock();
}

static ULong read_frequency(void)
{
    return 3000000000ULL;
}

void *cp_arch_clock(const HChar *helper, ULong (*cycles)(void))
{
    read_clock = cycles;
    return !VG_(strcmp)(helper, "arm64g_dirtyhelper_MRS_CNTVCT_EL0")   ? (void *)read_count
           : !VG_(strcmp)(helper, "arm64g_dirtyhelper_MRS_CNTFRQ_EL0") ? (void *)read_frequency
                                                                       : NULL;
}

Bool cp_arch_is_extended(const HChar *helper)
{
    return False;
}

Bool cp_arch_ends_before(const UChar *code)
{
    UInt before = *(const UInt *)(code - 4);

    /* ret, b and bl, br and blr, nop, brk, udf. */
    return (before & 0xFF9FFC1F) == 0xD61F0000 || (before & 0x7C000000) == 0x14000000 ||
           before == 0xD503201F || (before & 0xFFE0001F) == 0xD4200000 || !(before >> 16);
}

Bool cp_arch_opens(UInt number)
{
    return number == __NR_openat;
}

const UShort cp_arch_syscall[1 + CP_SYSCALL_ARGUMENTS] = {
    offsetof(VexGuestARM64State, guest_X8), offsetof(VexGuestARM64State, guest_X0),
    offsetof(VexGuestARM64State, guest_X1), offsetof(VexGuestARM64State, guest_X2),
    offsetof(VexGuestARM64State, guest_X3), offsetof(VexGuestARM64State, guest_X4),
    offsetof(VexGuestARM64State, guest_X5)};

const UInt cp_arch_audit = 0xC00000B7;

Bool cp_arch_return_address(ThreadId tid, Addr *address)
{
    *address = cp_arch_register(tid, offsetof(VexGuestARM64State, guest_X30));
    return True;
}

/*--- Thunks ---*/

#define CHUNK     65536
#define MAX_THUNK 72 /* bytes; three constants, the helper and the jump take 68 */

enum { X9 = 9, X21 = 21 };

static UInt *next, *end; /* the rest of the current chunk */
static UInt *thunk;      /* the one under construction */

/* movz and movk: sixteen bits each, those that are not 0. */
static void load_constant(UInt reg, ULong value)
{
    *next++ = 0xD2800000 | (UInt)(value & 0xffff) << 5 | reg;
    for (UInt i = 1; i < 4; i++)
        if (value >> 16 * i & 0xffff)
            *next++ = 0xF2800000 | i << 21 | (UInt)(value >> 16 * i & 0xffff) << 5 | reg;
}

void cp_thunk_begin(void)
{
    if ((UChar *)end - (UChar *)next < MAX_THUNK) {
        next = cp_core_memory(CHUNK);
        if (!next)
            VG_(tool_panic)("no memory for thunks");
        end = next + CHUNK / sizeof *next;
    }
    thunk = next;
}

void cp_thunk_constant(UInt parameter, ULong value)
{
    load_constant(parameter, value);
}

/* ldr reg, [x21, #offset] */
void cp_thunk_register(UInt parameter, Int offset)
{
    tl_assert(offset >= 0 && offset % sizeof(ULong) == 0 && offset / sizeof(ULong) < 4096);
    *next++ = 0xF9400000 | (UInt)(offset / sizeof(ULong)) << 10 | X21 << 5 | parameter;
}

/* mov reg, x21 */
void cp_thunk_state(UInt parameter)
{
    *next++ = 0xAA0003E0 | X21 << 16 | parameter;
}

/* br x9. The processor may have fetched what was in these bytes before. */
void *cp_thunk_end(Addr helper)
{
    load_constant(X9, helper);
    *next++ = 0xD61F0000 | X9 << 5;
    __builtin___clear_cache((char *)thunk, (char *)next);
    return thunk;
}
