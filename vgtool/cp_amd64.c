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
#include "pub_tool_tooliface.h"
#include "pub_tool_vkiscnums.h"

Bool cp_arch_is_stubs(const HChar *section)
{
    return !VG_(strcmp)(section, ".plt") || !VG_(strcmp)(section, ".plt.sec") ||
           !VG_(strcmp)(section, ".plt.got") || !VG_(strcmp)(section, ".iplt");
}

static Bool is_other_prefix(UChar byte)
{
    return byte == 0x66 || byte == 0x67 || (byte & 0xe7) == 0x26 || byte == 0x64 || byte == 0x65;
}

/* movs and cmps are A4 to A7; stos, lods and scas AA to AF. */
Bool cp_arch_repeats(Addr address, Bool *is_wrong)
{
    const UChar *at = (const UChar *)address;
    Bool repeats = False;

    for (; *at == 0xf2 || *at == 0xf3 || is_other_prefix(*at); at++)
        repeats |= *at >= 0xf2;
    if ((*at & 0xf0) == 0x40)
        at++;
    *is_wrong = repeats && (*at & 0xfe) == 0xac;
    return repeats && ((*at >= 0xa4 && *at <= 0xa7) || (*at >= 0xaa && *at <= 0xaf));
}

Bool cp_arch_is_random(const HChar *helper)
{
    return !VG_(strcmp)(helper, "amd64g_dirtyhelper_RDRAND") ||
           !VG_(strcmp)(helper, "amd64g_dirtyhelper_RDSEED");
}

/*--- The class of the processor ---*/

/* VEX calls one of these for CPUID, each for a processor of its own. */
typedef void Identify(VexGuestAMD64State *state, ULong f16c, ULong rdrand, ULong rdseed);
Identify amd64g_dirtyhelper_CPUID_baseline, amd64g_dirtyhelper_CPUID_sse42_and_cx16,
    amd64g_dirtyhelper_CPUID_avx2;

/* Repeated string instructions are slow, as far as libc knows, without "erms": it copies by
 * vectors then, whatever the size. With it, each byte above 2 KB is an instruction. */
static const struct Class {
    const HChar *name;
    Identify *identify;
    UInt needs; /* VEX_HWCAPS_ */
    Bool has_erms;
    const HChar *flags;
} classes[] = {
    {"v1", amd64g_dirtyhelper_CPUID_baseline, 0, False, ""},
    {"v2", amd64g_dirtyhelper_CPUID_sse42_and_cx16, VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16,
     False, " pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm"},
    {"v3-erms", amd64g_dirtyhelper_CPUID_avx2, VEX_HWCAPS_AMD64_AVX2 | VEX_HWCAPS_AMD64_F16C, True,
     " pni ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt xsave avx f16c lahf_lm abm bmi1 avx2 bmi2 "
     "erms"},
    {"v3", amd64g_dirtyhelper_CPUID_avx2, VEX_HWCAPS_AMD64_AVX2 | VEX_HWCAPS_AMD64_F16C, False,
     " pni ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt xsave avx f16c lahf_lm abm bmi1 avx2 bmi2"},
};
static const struct Class *class = classes;

const HChar *cp_arch_choose_class(const HChar *name)
{
    enum { N = sizeof classes / sizeof *classes };
    VexArch arch;
    VexArchInfo info;

    VG_(machine_get_VexArchInfo)(&arch, &info);
    for (UInt i = N; i-- > 0;) {
        Bool has = (info.hwcaps & classes[i].needs) == classes[i].needs;

        if (name ? VG_(strcmp)(name, classes[i].name) : !has)
            continue;
        class = &classes[i];
        return has ? NULL : "this processor does not have all of it";
    }
    return "there are v1, v2, v3 and v3-erms";
}

const HChar *cp_arch_class(void)
{
    return class->name;
}

/* VEX takes one of its processors by these. */
const HChar *cp_arch_host_class(void)
{
    VexArch arch;
    VexArchInfo info;

    VG_(machine_get_VexArchInfo)(&arch, &info);
    if (info.hwcaps & VEX_HWCAPS_AMD64_AVX2)
        return "v3-erms";
    if (info.hwcaps & VEX_HWCAPS_AMD64_AVX)
        return "v2 with AVX";
    return info.hwcaps & VEX_HWCAPS_AMD64_SSSE3 ? "v2" : "v1";
}

static void identify(VexGuestAMD64State *state)
{
    enum { FEATURES = 7, ERMS = 1 << 9 };
    Bool features = (UInt)state->guest_RAX == FEATURES && !(UInt)state->guest_RCX;

    class->identify(state, 1, 0, 0);
    if (features && !class->has_erms)
        state->guest_RBX &= ~(ULong)ERMS;
}

void cp_arch_identify(IRDirty *call)
{
    static const HChar start[] = "amd64g_dirtyhelper_CPUID_";

    if (!VG_(strncmp)(call->cee->name, start, sizeof start - 1))
        call->cee->addr = VG_(fnptr_to_fnentry)(identify);
}

/* The kernel takes it from CPUID. */
UWord cp_arch_hardware(void)
{
    VexGuestAMD64State state = {.guest_RAX = 1};

    identify(&state);
    return (UInt)state.guest_RDX;
}

UInt cp_arch_cpuinfo(HChar *text, UInt number)
{
    return VG_(sprintf)(text,
                        "processor\t: %u\n"
                        "vendor_id\t: GenuineIntel\n"
                        "cpu family\t: 6\n"
                        "model\t\t: 60\n"
                        "model name\t: x86-64-%s\n"
                        "stepping\t: 3\n"
                        "cpu MHz\t\t: 2900.000\n"
                        "cache size\t: 8192 KB\n"
                        "physical id\t: 0\n"
                        "siblings\t: 4\n"
                        "core id\t\t: %u\n"
                        "cpu cores\t: 4\n"
                        "flags\t\t: fpu tsc cx8 cmov mmx fxsr sse sse2 syscall lm%s\n"
                        "clflush size\t: 64\n\n",
                        number, class->name, number, class->flags);
}

/*--- The clock ---*/

static ULong (*read_clock)(void);

static ULong read_cycles(void)
{
    return read_clock();
}

/* rdtscp: the clock, and the number of the processor. */
static void read_cycles_and_processor(VexGuestAMD64State *state)
{
    ULong now = read_clock();

    state->guest_RAX = now & 0xffffffff;
    state->guest_RDX = now >> 32;
    state->guest_RCX = 0;
}

void *cp_arch_clock(const HChar *helper, ULong (*cycles)(void))
{
    read_clock = cycles;
    return !VG_(strcmp)(helper, "amd64g_dirtyhelper_RDTSC")    ? (void *)read_cycles
           : !VG_(strcmp)(helper, "amd64g_dirtyhelper_RDTSCP") ? (void *)read_cycles_and_processor
                                                               : NULL;
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
