/*
 * cp_near_place.c - places, and the jumps of copies that lead to them.
 *
 * A jump to a place that has no copy leaves. It is linked as soon as there is one, and again when
 * there is another. A place that is forgotten keeps its memory: its entries, and where calls in it
 * return to, become jumps that leave. Shadow stacks, other copies and tables may hold such
 * addresses.
 */
#include "cp_core.h"
#include "cp_hash.h"
#include "cp_near.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

enum {
    CODE_SIZE = MOST_COPIES_SIZE << 10,
    COPY_ROOM = 1 << 16, /* more than a copy takes */
    AHEAD = 12           /* instructions that are decoded to see which flags are read */
};

static UChar code[CODE_SIZE] __attribute__((aligned(4096)));

/* A jump in a copy to a place. */
typedef struct Link {
    struct Link *next; /* to the same place */
    const Place *to;
    UChar *at;            /* its displacement */
    const Function *from; /* the current function there; NULL: not known */
    const Place *in;      /* the place whose copy has it, in that version */
    UInt version;
} Link;

/* An address of a copy that others know. */
typedef struct Door {
    struct Door *next;
    UChar *host;
    Bool is_return;
} Door;

static Pool places = {.size = sizeof(Place), .tag = "cp.near.1"};
static Pool links = {.size = sizeof(Link), .tag = "cp.near.2"};
static Pool doors = {.size = sizeof(Door), .tag = "cp.near.3"};
static HashTable place_table;

enum { PAGE_BITS = 12, PAGES = 1 << (31 - PAGE_BITS) };
static Place *pages[PAGES];

static Place *copied;             /* the place whose copy is being made */
static Addr code_start, code_end; /* of the program's mapping around it */
static Bool code_is_made;

static const UChar *first_copy; /* routines lie before it; NULL: no copies are made */

Bool cp_near_has(Addr host)
{
    return first_copy && host >= (Addr)first_copy && host < (Addr)code + CODE_SIZE;
}

static SizeT promised; /* bytes */

void cp_near_promise(Word size)
{
    promised += (SizeT)size;
}

static Bool has_room(SizeT size)
{
    return cp_code + size + promised < code + ((SizeT)clo_copies_size << 10);
}

Bool cp_near_has_room(void)
{
    return has_room(COPY_ROOM);
}

/*--- Places ---*/

static UInt hash_place(const void *element)
{
    return cp_hash(((const Place *)element)->guest, 0, 0);
}

static Bool same_place(const void *a, const void *b)
{
    return ((const Place *)a)->guest == ((const Place *)b)->guest;
}

Place *cp_near_place(Addr guest)
{
    const Place key = {.guest = guest};
    void **entry = cp_hash_find(&place_table, &key, hash_place, same_place);
    Place *p = *entry;

    if (!p) {
        *entry = p = cp_pool_add(&places);
        p->guest = guest;
    }
    return p;
}

Bool cp_near_is_joined(Addr guest)
{
    const Place key = {.guest = guest};
    const Place *p = cp_hash_get(&place_table, &key, hash_place, same_place);

    return p && (p->unchecked || p->links);
}

void cp_near_add_door(UChar *host, Bool is_return)
{
    Door *d = cp_pool_add(&doors);

    *d = (Door){.next = copied->doors, .host = host, .is_return = is_return};
    copied->doors = d;
}

/*--- What comes behind the copy ---*/

enum { MAX_TAILS = 512 };

/* A jump in the copy whose target is written behind it. */
typedef struct {
    UChar *at;
    Addr rip;
    const UChar *routine;
    NearHelp help;
    const void *subject;
} Tail;
static Tail tails[MAX_TAILS];
static UInt n_tails;

void cp_near_put_help(UChar *at, Addr rip, const UChar *routine, NearHelp help, const void *subject)
{
    tl_assert(n_tails < MAX_TAILS);
    tails[n_tails++] = (Tail){at, rip, routine, help, subject};
}

static void put_tail(const Tail *t)
{
    cp_put_here(t->at);
    if (t->rip)
        cp_put_store_number(cp_at(&cp_near.rip), (UInt)t->rip);
    if (t->routine == cp_near_routines.help || t->routine == cp_near_routines.ask ||
        t->routine == cp_near_routines.arrive) {
        cp_put_store_number(cp_at(&cp_near.help), t->help);
        cp_near_put_spill(SPILL_AX, REG_AX);
        cp_put_set(REG_AX, (Addr)t->subject);
        cp_put_store(cp_at(&cp_near.subject), REG_AX);
        cp_near_put_fill(REG_AX, SPILL_AX);
    }
    cp_put_jump(t->routine);
}

static void put_tails(void)
{
    for (UInt i = 0; i < n_tails; i++)
        put_tail(&tails[i]);
    n_tails = 0;
}

/*--- Flags ---*/

static Bool is_indirect(const Insn *in)
{
    return in->kind == INSN_RET || in->kind == INSN_JMP_INDIRECT || in->kind == INSN_CALL_INDIRECT;
}

Bool cp_near_decode(Addr a, Insn *in)
{
    return a >= code_start && a < code_end &&
           cp_decode((const UChar *)a, (UInt)(code_end - a > 15 ? 15 : code_end - a), a, in);
}

UInt cp_near_flags_at(Addr a)
{
    UInt read = 0, open = FLAGS_ALL;
    Insn in;

    if (code_is_made) /* it may change */
        return FLAGS_ALL;
    for (UInt i = 0; i < AHEAD && cp_near_decode(a, &in); i++) {
        read |= in.flags_read & open;
        open &= ~(UInt)in.flags_killed;
        if (!open)
            return read;
        if (in.kind == INSN_JCC || is_indirect(&in))
            break;
        a = in.kind == INSN_JMP || in.kind == INSN_CALL ? in.target : a + in.length;
    }
    return read | open;
}

UInt cp_near_longest_block(void)
{
    Bool has_models = clo_cache_sim || clo_branch_sim;

    return has_models ? (UInt)VG_(clo_vex_control).guest_max_insns : NEAR_MOST;
}

/*--- Edges ---*/

static void patch(const Link *l, const Place *p)
{
    cp_link(l->at, l->from == p->function ? p->unchecked : p->checked);
}

Link *cp_near_put_link(Addr target, const Function *from)
{
    Place *p = cp_near_place(target);
    Link *l = cp_pool_add(&links);

    *l = (Link){.next = p->links,
                .to = p,
                .at = cp_code,
                .from = from,
                .in = copied,
                .version = copied->version};
    p->links = l;
    cp_code += 4;
    if (p->unchecked)
        patch(l, p);
    else if (p->left)
        cp_link(l->at, p->left);
    else
        cp_near_put_help(l->at, target, cp_near_routines.miss, 0, NULL);
    return l;
}

void cp_near_know(Link *l, const Function *from)
{
    if (l->from == from || l->version != l->in->version)
        return;
    l->from = from;
    if (l->to->unchecked)
        patch(l, l->to);
}

/* An event check that keeps flags: by jrcxz, which jumps 8 bits. */
static Link *put_event_check_with_flags(Addr target, const Function *from)
{
    UChar *none;
    Link *link;

    cp_near_put_spill(SPILL_CX, REG_CX);
    cp_put_op(True, 0x63, REG_CX, cp_at(&cp_near.events)); /* movslq */
    cp_put_lea(REG_CX, cp_off(REG_CX, (SizeT)-1));
    cp_put_store_32(cp_at(&cp_near.events), REG_CX);
    cp_put(0xe3);
    none = cp_code++;
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_put(0xe9);
    link = cp_near_put_link(target, from);
    *none = (UChar)(cp_code - (none + 1));
    cp_near_put_fill(REG_CX, SPILL_CX);
    cp_near_put_help(cp_put_jump_later(), target, cp_near_routines.leave_event, 0, NULL);
    return link;
}

Link *cp_near_put_edge(Addr target, Addr here, const Function *from)
{
    if (target <= here) {
        if (cp_near_flags_at(target))
            return put_event_check_with_flags(target, from);
        cp_put_number_op(False, OP_SUB, cp_at(&cp_near.events), 1);
        cp_near_put_help(cp_put_jcc_later(IF_AT_MOST), target, cp_near_routines.leave_event, 0,
                         NULL);
    }
    cp_put(0xe9);
    return cp_near_put_link(target, from);
}

/*--- Beginning and ending a copy ---*/

enum { DOOR_SIZE = 12 + 5 };

void cp_near_set_code(Addr start, Addr end, Bool is_made)
{
    code_is_made = is_made;
    code_start = start;
    code_end = end;
}

void cp_near_begin(Place *p)
{
    Place **page = &pages[p->guest >> PAGE_BITS];

    if (!p->version) {
        p->version = 1;
        p->next = *page;
        *page = p;
    }
    copied = p;
    cp_code = (UChar *)(((Addr)cp_code + 15) & ~15UL);
}

const Function *cp_near_copied_function(void)
{
    return copied->function;
}

void cp_near_end(void)
{
    put_tails();
    if (cp_code < copied->unchecked + DOOR_SIZE)
        cp_code = copied->unchecked + DOOR_SIZE;
    copied->left = NULL;
    for (const Link *l = copied->links; l; l = l->next)
        if (l->version == l->in->version)
            patch(l, copied);
}

static void put_leave(Addr guest) /* DOOR_SIZE bytes */
{
    cp_put_store_number(cp_at(&cp_near.rip), (UInt)guest);
    cp_put_jump(cp_near_routines.leave);
}

void cp_near_leave_place(Place *p)
{
    enum { LEAVE_ROOM = 32 };

    if (p->left || !has_room(LEAVE_ROOM))
        return;
    p->left = cp_code;
    put_leave(p->guest);
    for (const Link *l = p->links; l; l = l->next)
        if (l->version == l->in->version)
            cp_link(l->at, p->left);
}

/*--- Forgetting ---*/

/* The code that is written over an entry has DOOR_SIZE bytes at most. */
static void close_door(const Door *d, Addr guest)
{
    UChar *saved = cp_code;

    cp_code = d->host;
    if (d->is_return)
        cp_put_jump(cp_near_routines.return_slow);
    else
        put_leave(guest);
    cp_code = saved;
}

/* Calls to the place may lead to another function from now on. */
static void forget_entries(Place *p)
{
    for (Child *c = p->function->children; c && p->is_entry; c = c->next)
        if (c->entry == p->guest)
            c->entry = NO_ENTRY;
    p->is_entry = False;
}

void cp_near_forget(Place *p)
{
    Lookup *l = &cp_near_lookups[p->guest % LOOKUP_SIZE];

    if (!p->unchecked)
        return;
    for (const Door *d = p->doors; d; d = d->next)
        close_door(d, p->guest);
    p->doors = NULL;
    forget_entries(p);
    p->checked = p->unchecked = NULL;
    p->version++;
    if (l->guest == p->guest)
        cp_near_clear_lookup(l);
}

void cp_near_forget_range(Addr start, ULong size)
{
    const Addr longest = NEAR_MOST * 15, least = start > longest ? start - longest : 0;
    Addr end = start + size;

    for (Addr page = least >> PAGE_BITS; page < PAGES && page << PAGE_BITS < end; page++)
        for (Place *p = pages[page]; p; p = p->next)
            if (p->guest < end && p->guest + p->size > start)
                cp_near_forget(p);
}

/*--- The beginning ---*/

/* Asks the kernel for bits of what the processor has: a word of /proc/self/auxv. */
static Bool has_hardware(ULong type, ULong bits)
{
    ULong pairs[64][2];
    SysRes opened = VG_(open)("/proc/self/auxv", VKI_O_RDONLY, 0);
    Int n;

    if (sr_isError(opened))
        return False;
    n = VG_(read)((Int)sr_Res(opened), pairs, sizeof pairs);
    VG_(close)((Int)sr_Res(opened));
    for (Int i = 0; i < n / (Int)sizeof pairs[0]; i++)
        if (pairs[i][0] == type)
            return (pairs[i][1] & bits) != 0;
    return False;
}

/* False: the system does not let memory be written and executed. */
static Bool allow_code(void)
{
    const UWord all = VKI_PROT_READ | VKI_PROT_WRITE | VKI_PROT_EXEC;

    cp_code = code;
    cp_core_huge(code, CODE_SIZE);
    return !sr_isError(VG_(do_syscall)(__NR_mprotect, (UWord)code, CODE_SIZE, all, 0, 0, 0, 0, 0));
}

Bool cp_near_is_masked(const HChar *what)
{
    const HChar *masked = VG_(getenv)("CPROF_WITHOUT");

    return masked && VG_(strcmp)(masked, what) == 0;
}

/* Instructions that move flags may lack in the mode of 64 bits. */
static Bool has_lahf(void)
{
    enum { EXTENSIONS = 0x80000001 };

    return cp_near_cpuid(EXTENSIONS, 0).c & 1;
}

const HChar *cp_near_init_places(void)
{
    enum { HARDWARE_2 = 26, HARDWARE_2_FSGSBASE = 2 };
    VexArch arch;
    VexArchInfo info;

    VG_(machine_get_VexArchInfo)(&arch, &info);
    if (!(info.hwcaps & VEX_HWCAPS_AMD64_AVX) || cp_near_is_masked("AVX"))
        return "the processor has no AVX";
    if (!has_lahf() || cp_near_is_masked("LAHF"))
        return "the processor has no LAHF";
    if (!has_hardware(HARDWARE_2, HARDWARE_2_FSGSBASE) || cp_near_is_masked("FSGSBASE"))
        return "the processor or the kernel has no FSGSBASE";
    return allow_code() ? NULL : "the system lets no memory be written and executed";
}

void cp_near_begin_copies(void)
{
    first_copy = cp_code;
}

void cp_near_free_copies(void)
{
    const Addr in_page = (1 << PAGE_BITS) - 1, start = ((Addr)first_copy + in_page) & ~in_page;

    cp_core_zero((void *)start, (Addr)code + CODE_SIZE - start);
}
