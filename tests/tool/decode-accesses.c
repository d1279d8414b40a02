/*
 * decode-accesses - compares the accesses that the tool's decoder knows of an instruction with
 * those that VEX's translation of it makes: sizes, directions, order and places.
 *
 * Without an argument it reads what `objdump -d -w` prints; instructions with equal bytes are
 * compared once. With "some" or "all" it makes an instruction of each opcode, prefix and group,
 * with a few or all immediates that matter. The last line is "N instructions, N unknown, N wrong";
 * wrong ones come before it.
 */
#include "cp_accesses.h"

#include <ctype.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/libvex.h>
#include <valgrind/libvex_guest_amd64.h>

/* The accesses of VEX's translation; `other` where it makes some under a guard, or too many. */
typedef struct {
    Access accesses[MOST_ACCESSES];
    int n;
    bool other;
    bool exits;   /* in the middle */
    bool refused; /* VEX does not know the instruction */
    IRExpr *read; /* the address of the last access, if it is a read */
} Found;

/* An address: a register or another value, and what is added to it. */
typedef struct {
    int root; /* a temporary's number; below 0: a register's, by its offset in the guest's state */
    int64_t offset;
} Sum;

static Found found;
static Sum sums[MOST_ACCESSES];
static Sum temporaries[10000];
static unsigned long n_compared, n_unknown, n_wrong;

static jmp_buf failed;

/* VEX gives up on some instructions that no compiler writes. */
static __attribute__((noreturn)) void fail(void)
{
    longjmp(failed, 1);
}

static void log_bytes(const HChar *bytes, SizeT n)
{
    (void)bytes, (void)n;
}

static Sum sum_of(const IRExpr *e)
{
    return e->tag == Iex_RdTmp ? temporaries[e->Iex.RdTmp.tmp]
                               : (Sum){0, (int64_t)e->Iex.Const.con->Ico.U64};
}

/* Notes what a temporary is, as far as it is a sum. */
static void note(IRTemp t, const IRExpr *e)
{
    Sum *s = &temporaries[t];

    *s = (Sum){(int)t + 1, 0};
    if (e->tag == Iex_Get)
        s->root = -1 - e->Iex.Get.offset;
    else if (e->tag == Iex_RdTmp)
        *s = sum_of(e);
    else if (e->tag == Iex_Binop &&
             (e->Iex.Binop.op == Iop_Add64 || e->Iex.Binop.op == Iop_Sub64) &&
             e->Iex.Binop.arg1->tag == Iex_RdTmp && e->Iex.Binop.arg2->tag == Iex_Const) {
        int64_t n = (int64_t)e->Iex.Binop.arg2->Iex.Const.con->Ico.U64;
        *s = sum_of(e->Iex.Binop.arg1);
        s->offset += e->Iex.Binop.op == Iop_Add64 ? n : -n;
    }
}

static void add(IRExpr *address, int size, bool is_write)
{
    if (is_write && found.read && found.n && found.accesses[found.n - 1].size == size &&
        eqIRAtom(found.read, address)) {
        found.read = NULL;
        return;
    }
    found.read = is_write ? NULL : address;
    if (found.n == MOST_ACCESSES) {
        found.other = true;
        return;
    }
    sums[found.n] = sum_of(address);
    found.accesses[found.n++] = (Access){.size = (uint8_t)size, .is_write = is_write};
}

static void look_at(const IRSB *block, const IRStmt *s)
{
    switch (s->tag) {
    case Ist_WrTmp:
        note(s->Ist.WrTmp.tmp, s->Ist.WrTmp.data);
        if (s->Ist.WrTmp.data->tag == Iex_Load)
            add(s->Ist.WrTmp.data->Iex.Load.addr, sizeofIRType(s->Ist.WrTmp.data->Iex.Load.ty),
                false);
        break;
    case Ist_Store:
        add(s->Ist.Store.addr, sizeofIRType(typeOfIRExpr(block->tyenv, s->Ist.Store.data)), true);
        break;
    case Ist_CAS: {
        const IRCAS *cas = s->Ist.CAS.details;
        int size = sizeofIRType(typeOfIRExpr(block->tyenv, cas->dataLo)) * (cas->dataHi ? 2 : 1);
        add(cas->addr, size, false);
        add(cas->addr, size, true);
        break;
    }
    case Ist_Dirty: {
        const IRDirty *d = s->Ist.Dirty.details;
        if (d->mFx == Ifx_Read || d->mFx == Ifx_Modify)
            add(d->mAddr, d->mSize, false);
        if (d->mFx == Ifx_Write || d->mFx == Ifx_Modify)
            add(d->mAddr, d->mSize, true);
        break;
    }
    case Ist_Exit:
        found.exits = true;
        break;
    case Ist_StoreG:
    case Ist_LoadG:
    case Ist_LLSC:
        found.other = true;
        break;
    default:
        break;
    }
}

static IRSB *look(void *opaque, IRSB *in, const VexGuestLayout *layout,
                  const VexGuestExtents *extents, const VexArchInfo *host, IRType guest,
                  IRType word)
{
    (void)opaque, (void)layout, (void)extents, (void)host, (void)guest, (void)word;
    if (in->jumpkind == Ijk_NoDecode)
        found.refused = true;
    for (int i = 0; i < in->stmts_used; i++)
        look_at(in, in->stmts[i]);
    return in;
}

static UInt needs_no_check(void *opaque, VexRegisterUpdates *updates, const VexGuestExtents *e)
{
    (void)opaque, (void)updates, (void)e;
    return 0;
}

static Bool never(void *opaque, Addr address)
{
    (void)opaque, (void)address;
    return False;
}

static VexArchInfo machine(void)
{
    VexArchInfo info;

    LibVEX_default_VexArchInfo(&info);
    info.endness = VexEndnessLE;
    info.hwcaps = VEX_HWCAPS_AMD64_SSE3 | VEX_HWCAPS_AMD64_SSSE3 | VEX_HWCAPS_AMD64_CX16 |
                  VEX_HWCAPS_AMD64_LZCNT | VEX_HWCAPS_AMD64_AVX | VEX_HWCAPS_AMD64_RDTSCP |
                  VEX_HWCAPS_AMD64_BMI | VEX_HWCAPS_AMD64_AVX2 | VEX_HWCAPS_AMD64_F16C |
                  VEX_HWCAPS_AMD64_RDRAND | VEX_HWCAPS_AMD64_RDSEED;
    return info;
}

static bool translate(const uint8_t *bytes, uint64_t address)
{
    static UChar code[1 << 16];
    VexTranslateArgs a;
    VexGuestExtents extents;
    Int used = 0;

    memset(&a, 0, sizeof a);
    found = (Found){.n = 0};
    a.arch_guest = a.arch_host = VexArchAMD64;
    a.archinfo_guest = a.archinfo_host = machine();
    LibVEX_default_VexAbiInfo(&a.abiinfo_both);
    a.abiinfo_both.guest_stack_redzone_size = 128;
    a.abiinfo_both.guest_amd64_assume_fs_is_const = True;
    a.abiinfo_both.guest_amd64_assume_gs_is_const = True;
    a.guest_bytes = bytes;
    a.guest_bytes_addr = address;
    a.chase_into_ok = never;
    a.guest_extents = &extents;
    a.host_bytes = code;
    a.host_bytes_size = sizeof code;
    a.host_bytes_used = &used;
    a.instrument1 = look;
    a.needs_self_check = needs_no_check;
    a.disp_cp_chain_me_to_slowEP = a.disp_cp_chain_me_to_fastEP = fail;
    a.disp_cp_xindir = a.disp_cp_xassisted = fail;
    return LibVEX_Translate(&a).status == VexTransOK;
}

static void print(const char *name, const Access *a, int n)
{
    printf(" %s", name);
    for (int i = 0; i < n; i++)
        printf(" %s%u", a[i].is_write ? "write " : "read ", a[i].size);
}

/* True if the access is where it should be; an operand's beside the instruction's first one. */
static bool is_there(const Access *a, const Access *first, Sum at, Sum begin)
{
    static const int registers[] = {[AT_PUSH] = offsetof(VexGuestAMD64State, guest_RSP),
                                    [AT_TOP] = offsetof(VexGuestAMD64State, guest_RSP),
                                    [AT_BP] = offsetof(VexGuestAMD64State, guest_RBP),
                                    [AT_SI] = offsetof(VexGuestAMD64State, guest_RSI),
                                    [AT_DI] = offsetof(VexGuestAMD64State, guest_RDI)};

    if (a->place == AT_OPERAND)
        return at.root == begin.root && at.offset - begin.offset == a->offset - first->offset;
    return at.root == -1 - registers[a->place] && at.offset == (a->place == AT_PUSH ? -8 : 0);
}

static bool is_same(const Access *a, int n)
{
    if (found.other || n != found.n)
        return false;
    for (int i = 0; i < n; i++)
        if (a[i].size != found.accesses[i].size || a[i].is_write != found.accesses[i].is_write ||
            !is_there(&a[i], a, sums[i], sums[0]))
            return false;
    return true;
}

/* Instructions of a copy in memory that is followed by no-operations. */
static void compare(const uint8_t *bytes, uint64_t address, const char *words)
{
    Access accesses[MOST_ACCESSES];
    uint8_t padded[64];
    Insn in;
    int n;

    if (!cp_decode(bytes, 15, address, &in))
        return;
    n_compared++;
    n = cp_accesses(&in, accesses);
    memset(padded, 0x90, sizeof padded);
    memcpy(padded, bytes, in.length);
    if (setjmp(failed) || !translate(padded, address) || found.refused)
        return;
    if (n < 0) {
        n_unknown++;
        return;
    }
    if (is_same(accesses, n) && (in.kind != INSN_PLAIN || found.exits == cp_access_exits(&in)))
        return;
    n_wrong++;
    print("known", accesses, n);
    print("VEX", found.accesses, found.n);
    printf("%s%s: %s", found.other ? " and others" : "", found.exits ? ", exits" : "", words);
}

/* A set of instructions that have been compared, by a hash of their bytes. */
static bool is_new(const uint8_t *bytes, unsigned length)
{
    enum { SIZE = 1 << 22 };
    static uint64_t seen[SIZE];
    uint64_t hash = 14695981039346656037ULL;

    for (unsigned i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 1099511628211ULL;
    hash |= 1;
    for (uint64_t i = hash >> 40; seen[i % SIZE] != hash; i++)
        if (!seen[i % SIZE]) {
            seen[i % SIZE] = hash;
            return true;
        }
    return false;
}

static void read_line(char *text)
{
    uint8_t bytes[32] = {0};
    unsigned length = 0;
    char *at, *end;
    uint64_t address = strtoull(text, &at, 16);

    if (at == text || at[0] != ':' || at[1] != '\t')
        return;
    for (at += 2; isxdigit((unsigned char)*at) && length < 16; at = end + (*end == ' '))
        bytes[length++] = (uint8_t)strtoul(at, &end, 16);
    if (length && is_new(bytes, length))
        compare(bytes, address, at);
}

/*--- All opcodes ---*/

static uint8_t assembled[16];
static unsigned n_made;

static void put(unsigned byte)
{
    assembled[n_made++] = (uint8_t)byte;
}

/* The parts of an instruction: `prefix` is 0 to 3 for none, 66, F3, F2. */
typedef struct {
    unsigned map, op, prefix, wide, large, reg, immediate;
    bool is_locked, is_vex, has_register;
} Shape;

static const uint8_t prefixes[] = {0, 0x66, 0xf3, 0xf2};

static void put_legacy_opcode(const Shape *s)
{
    if (s->is_locked)
        put(0xf0);
    if (s->prefix)
        put(prefixes[s->prefix]);
    if (s->wide)
        put(0x48);
    if (s->map)
        put(0x0f);
    if (s->map > 1)
        put(s->map == 2 ? 0x38 : 0x3a);
}

static void put_vex_opcode(const Shape *s)
{
    put(0xc4);
    put(0xe0 | s->map);
    put(s->wide << 7 | 0x78 | s->large << 2 | s->prefix);
}

/* Compares an instruction with 8(%rax) or %rcx as its operand. */
static void try_shape(const Shape *s)
{
    char words[64];

    n_made = 0;
    memset(assembled, 0, sizeof assembled);
    if (s->is_vex)
        put_vex_opcode(s);
    else
        put_legacy_opcode(s);
    put(s->op);
    put(s->reg << 3 | (s->has_register ? 0xc1 : 0x40));
    if (!s->has_register)
        put(8);
    put(s->immediate);
    for (unsigned i = 0; i < 3; i++)
        put(s->immediate & 0x80 ? 0xff : 0);
    n_made = 0;
    for (unsigned i = 0; i < 10; i++)
        n_made += (unsigned)sprintf(words + n_made, "%02x ", assembled[i]);
    sprintf(words + n_made, "\n");
    compare(assembled, 0x400000, words);
}

static bool is_long;

/* VEX leaves a read out whose value makes no difference. */
static void try_immediates(Shape *s)
{
    static const uint8_t immediates[] = {0, 255, 32, 49, 1, 2, 3, 5, 8, 15, 16, 127, 240};
    bool has_all = is_long && (s->map == 3 || s->op == 0xc2) && !s->reg;

    for (unsigned i = 0; i < (has_all ? 256 : is_long ? sizeof immediates : 3); i++) {
        s->immediate = has_all ? i : immediates[i];
        try_shape(s);
    }
}

static void try_opcode(Shape s)
{
    for (s.prefix = 0; s.prefix < 4; s.prefix++)
        for (s.wide = 0; s.wide < 2; s.wide++)
            for (s.reg = 0; s.reg < 8; s.reg++)
                for (unsigned i = 0; i < 4; i++) {
                    s.has_register = i & 1;
                    s.large = s.is_vex ? i >> 1 : 0;
                    s.is_locked = !s.is_vex && i >> 1;
                    try_immediates(&s);
                }
}

static void try_all(void)
{
    for (unsigned map = 0; map < 4; map++)
        for (unsigned op = 0; op < 256; op++) {
            try_opcode((Shape){.map = map, .op = op});
            if (map)
                try_opcode((Shape){.map = map, .op = op, .is_vex = true});
        }
}

int main(int argc, char **argv)
{
    static char text[1 << 16];
    VexControl control;

    LibVEX_default_VexControl(&control);
    control.guest_max_insns = 1;
    control.guest_chase = False;
    control.iropt_unroll_thresh = 0;
    LibVEX_Init(fail, log_bytes, 0, &control);
    is_long = argc > 1 && !strcmp(argv[1], "all");
    if (argc > 1)
        try_all();
    else
        while (fgets(text, sizeof text, stdin))
            read_line(text);
    printf("%lu instructions, %lu unknown, %lu wrong\n", n_compared, n_unknown, n_wrong);
    return n_wrong != 0;
}
