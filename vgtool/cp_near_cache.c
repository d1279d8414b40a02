/*
 * cp_near_cache.c - the cache model beside copies.
 *
 * In front of an instruction stand the tests of cp_cache.h, one for each access. Where all of them
 * find the most recently used line, the instruction runs. Else it runs elsewhere, in a *tail* that
 * has another copy of it. A line that is in the way where it was last gets its time in front
 * of the instruction; otherwise the model is asked behind it. Accesses that fault do not count.
 */
#include "cp_block.h"
#include "cp_cache.h"
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

/* How a test has left registers and flags. */
enum { SLOTS = 3 };
typedef struct {
    UChar spilled[SLOTS]; /* registers, to the Spill in `slots`; NO_BASE: none */
    Bool has_flags;       /* they are spilled */
    Bool keeps_flags;     /* the test has not changed them */
} TestState;

/* Code where tests lead to. */
typedef struct {
    UChar *jumps[2 * MOST_ACCESSES];
    UInt n_jumps;
    const UChar *resume;
    TestState test;
    const Insn *in;
    const NearAccesses *accesses;
} Tail;

enum { MOST_TAILS = 2 * NEAR_MOST };
static Tail tails[MOST_TAILS];
static UInt n_tails;

static Bool has_usual;
static UsualCache usual;

static UInt clamp(UInt size)
{
    return size < cp_min_line ? size : cp_min_line;
}

/*--- Addresses ---*/

/* An address: base + (index << scale) + number, and the base of FS. NO_BASE: there is no such
 * register. */
typedef struct {
    UInt base, index, scale;
    Int number;
    Bool has_fs;
} Sum;

/* The address of an access, by the program's registers. */
static Sum sum_of(const Insn *in, const Access *a)
{
    static const UInt bases[] = {[AT_PUSH] = REG_SP,
                                 [AT_TOP] = REG_SP,
                                 [AT_BP] = REG_BP,
                                 [AT_SI] = REG_SI,
                                 [AT_DI] = REG_DI};
    Operand o = {bases[a->place], NO_BASE, 0, a->place == AT_PUSH ? -8 : 0};

    if (a->place == AT_OPERAND)
        o = cp_operand(in);
    return (Sum){o.base, o.index, o.scale, o.number + (Int)a->offset,
                 a->place == AT_OPERAND && in->has_fs};
}

static UInt registers_of(const Sum *s)
{
    return (s->base == NO_BASE ? 0 : 1u << s->base) | (s->index == NO_BASE ? 0 : 1u << s->index);
}

/* Writes lea of all but FS; the result has 32 bits unless it is `wide`. */
static void put_sum(Bool wide, UInt reg, const Sum *s)
{
    if (s->index != NO_BASE)
        cp_put_lea_indexed(wide, reg, s->base, s->index, s->scale, s->number);
    else if (s->number || s->base == NO_BASE)
        cp_put_op(wide, 0x8d, reg, (Mem){s->base, s->number});
    else if (wide)
        cp_put_move(reg, s->base);
    else
        cp_put_move_32(reg, s->base);
}

/* True if the address is cut to 32 bits. */
static Bool is_cut(const Insn *in, const Access *a)
{
    return in->has_67 && a->place == AT_OPERAND;
}

/* The address of an access to a register. Changes flags. */
static void put_address(const Insn *in, const Access *a, UInt reg)
{
    Sum s = sum_of(in, a);

    put_sum(!is_cut(in, a), reg, &s);
    if (s.has_fs)
        cp_put_op(True, 0x03, reg, STATE(fs));
}

/* An operand at a fixed address. */
static Bool is_fixed(const Insn *in, const Access *a)
{
    return a->place == AT_OPERAND && in->rip_at;
}

/*--- Registers and flags of tests ---*/

static const Spill slots[SLOTS] = {SPILL_AX, SPILL_CX, SPILL_DX};

static void put_fill(const Tail *t)
{
    for (UInt n = 0; n < SLOTS; n++)
        if (t->test.spilled[n] != NO_BASE)
            cp_near_put_fill(t->test.spilled[n], slots[n]);
}

/* A register for tests that is none of `used`: a free one, else one that is spilled. */
static UInt take_register(Tail *t, UInt free, UInt used)
{
    UInt n = 0, reg;

    if (free & ~used)
        return (UInt)__builtin_ctz(free & ~used);
    while (t->test.spilled[n] != NO_BASE)
        n++;
    tl_assert(n < SLOTS);
    reg = (UInt)__builtin_ctz(~used);
    t->test.spilled[n] = (UChar)reg;
    cp_near_put_spill(slots[n], reg);
    return reg;
}

/* Flags take rax, which keeps its value unless it is free. */
static void spill_flags(Tail *t, Bool is_free)
{
    t->test.has_flags = True;
    if (!is_free) {
        t->test.spilled[0] = REG_AX;
        cp_near_put_spill(SPILL_AX, REG_AX);
    }
    cp_put_flags_to_ax();
    cp_near_put_spill(SPILL_FLAGS, REG_AX);
    put_fill(t);
}

static void fill_flags(const Tail *t)
{
    if (!t->test.has_flags)
        return;
    cp_near_put_fill(REG_AX, SPILL_FLAGS);
    cp_put_flags_from_ax();
}

static Tail *new_tail(const Insn *in, Bool has_flags, UInt free)
{
    Tail *t = &tails[n_tails++];

    tl_assert(n_tails <= MOST_TAILS);
    VG_(memset)(t, 0, sizeof *t);
    t->in = in;
    for (UInt n = 0; n < SLOTS; n++)
        t->test.spilled[n] = NO_BASE;
    if (has_flags)
        spill_flags(t, free & 1u << REG_AX);
    return t;
}

static void put_jump_to_tail(Tail *t, UInt condition)
{
    tl_assert(t->n_jumps < 2 * MOST_ACCESSES);
    t->jumps[t->n_jumps++] = cp_put_jcc_later(condition);
}

/* Finds the accesses that need a test, as bits. */
static UInt find_tested(const Insn *in, const NearAccesses *all)
{
    UInt tested = 0;

    for (UInt k = 0; k < all->n; k++)
        tested |= (UInt)cp_near_needs_test(in, &all->list[k]) << k;
    cp_near_pass_lines(in);
    return tested;
}

/*--- Tests ---*/

/* Tests the line that an address below 2 GB is on. */
static void put_fixed_test(Tail *t, const Mru *mru, Addr address)
{
    UWord line = address >> mru->line_bits;

    cp_put_number_op(True, OP_CMP, cp_at(&mru->lines[line & (mru->sets - 1)]),
                     -(Int)(line << mru->line_bits));
    put_jump_to_tail(t, IF_NOT_EQUAL);
}

static void put_fixed_tests(Tail *t, const Mru *mru, Addr address, UInt size)
{
    put_fixed_test(t, mru, address);
    if (address >> mru->line_bits != (address + size - 1) >> mru->line_bits)
        put_fixed_test(t, mru, address + size - 1);
}

/* The bits of an address that say which set its line is of; 0: the processor lacks fast pext. */
static UInt set_bits;

/* True if the processor takes bits out of a word in one instruction, pext, and at once: AMD's
 * before Zen 3 take up to hundreds of cycles. */
static Bool has_fast_pext(void)
{
    enum { BMI_2 = 1 << 8, INTEL = 0x756e6547, ZEN_3 = 10 };
    const NearCpuid first = cp_near_cpuid(0, 0);

    if (first.a < 7 ||
        !(first.b == INTEL || (cp_near_is_amd() && (cp_near_cpuid(1, 0).a >> 20 & 255) >= ZEN_3)))
        return False;
    return (cp_near_cpuid(7, 0).b & BMI_2) != 0;
}

/* pext %bits, from, to */
static void put_extract(Bool wide, UInt to, UInt from, const volatile void *bits)
{
    cp_put(0xc4), cp_put(to & 8 ? 0x62 : 0xe2);
    cp_put((wide ? 0x82u : 2u) | (~from & 15) << 3);
    cp_put(0xf5);
    cp_put_operand(to, cp_at(bits));
}

/* From an address to the place of its set in an array of words of 64 bits. */
static void put_place(UInt reg)
{
    cp_put_and_32(reg, (cp_mru_D1.sets - 1) << cp_mru_D1.line_bits);
    cp_put_shift_right_32(reg, cp_mru_D1.line_bits - 3);
}

static Mem mru_at(UInt place)
{
    return cp_off(place, (SizeT)cp_mru_D1.lines);
}

/* Adds the address, but for FS, and a number to a register. Keeps flags unless there are three
 * registers. */
static void put_add_sum(UInt reg, const Sum *s, UInt more)
{
    Int number = s->number + (Int)more;

    if (s->index != NO_BASE)
        cp_put_lea_indexed(True, reg, reg, s->index, s->scale, number);
    else if (s->base != NO_BASE)
        cp_put_lea_indexed(True, reg, s->base, reg, 0, number);
    else
        cp_put_lea(reg, cp_off(reg, (SizeT)number));
    if (s->index != NO_BASE && s->base != NO_BASE)
        cp_put_lea_indexed(True, reg, s->base, reg, 0, 0);
}

/* Tests the access at an address. The register has how far it is behind the beginning of its set's
 * most recently used line, at last. */
static void put_test(Tail *t, const Sum *s, UInt reg, UInt size)
{
    put_sum(False, reg, s);
    if (s->has_fs)
        cp_put_op(False, 0x03, reg, STATE(fs));
    put_place(reg);
    cp_put_load(reg, mru_at(reg));
    put_add_sum(reg, s, 0);
    if (s->has_fs)
        cp_put_op(True, 0x03, reg, STATE(fs));
    cp_put_compare_number(reg, (UInt)cp_cache_room(size));
    put_jump_to_tail(t, IF_ABOVE);
}

/* The address of an access, which comes to a register. */
static Sum put_whole_sum(const Insn *in, const Access *a, UInt reg)
{
    put_address(in, a, reg);
    return (Sum){.base = reg, .index = NO_BASE};
}

/*
 * A test that keeps flags: rcx becomes 0 if the last byte lies on the line that its set used last,
 * and jrcxz jumps 8 bits. The first byte is on it, too: another line of the set is further away.
 */
static void put_keeping_test(Tail *t, const Insn *in, const Access *a, UInt free)
{
    enum { JUMP_SIZE = 5 };
    static ULong above;
    Sum s;

    above = ~0ULL << cp_mru_D1.line_bits;
    t->test.keeps_flags = True;
    if (!(free & 1u << REG_CX)) {
        t->test.spilled[0] = REG_CX;
        cp_near_put_spill(slots[0], REG_CX);
    }
    s = sum_of(in, a);
    if (is_cut(in, a) || (registers_of(&s) & 1u << REG_CX))
        s = put_whole_sum(in, a, take_register(t, free, 1u << REG_CX | 1u << REG_SP));
    if (s.index == NO_BASE && s.base != NO_BASE && !s.number) {
        put_extract(False, REG_CX, s.base, &set_bits);
    } else {
        put_sum(False, REG_CX, &s);
        put_extract(False, REG_CX, REG_CX, &set_bits);
    }
    cp_put_indexed(True, 0x8b, REG_CX, REG_CX, 3, cp_mru_D1.lines);
    put_add_sum(REG_CX, &s, clamp(a->size) - 1);
    put_extract(True, REG_CX, REG_CX, &above);
    cp_put(0xe3), cp_put(JUMP_SIZE);
    t->jumps[t->n_jumps++] = cp_put_jump_later();
    put_fill(t);
}

static Bool has_tail; /* of the instruction at hand */

static Bool are_fixed(const Insn *in, const NearAccesses *all)
{
    for (UInt k = 0; k < all->n; k++)
        if (!is_fixed(in, &all->list[k]))
            return False;
    return True;
}

static Bool has_keeping_test(const Insn *in, const NearAccesses *all)
{
    return set_bits && has_usual && all->n == 1 && !is_fixed(in, &all->list[0]) && !in->has_fs;
}

/* The registers of the addresses of all accesses. */
static UInt registers_of_all(const Insn *in, const NearAccesses *all)
{
    UInt used = 1u << REG_SP;

    for (UInt k = 0; k < all->n; k++) {
        Sum s = sum_of(in, &all->list[k]);
        used |= registers_of(&s);
    }
    return used;
}

/* Tests those of the accesses that `tested` has bits of, by instructions that change flags. */
static void put_changing_tests(Tail *t, UInt tested, UInt free)
{
    UInt reg = NO_BASE, whole = NO_BASE, used = registers_of_all(t->in, t->accesses);

    if (t->test.has_flags)
        used |= 1u << REG_AX;
    if (!are_fixed(t->in, t->accesses))
        reg = take_register(t, free, used);
    if (t->in->has_67)
        whole = take_register(t, free, used | 1u << reg);
    for (UInt k = 0; k < t->accesses->n; k++) {
        const Access *a = &t->accesses->list[k];
        UInt size = clamp(a->size);
        Sum s;
        if (!(tested >> k & 1))
            continue;
        if (is_fixed(t->in, a)) {
            put_fixed_tests(t, &cp_mru_D1, t->in->target + a->offset, size);
            continue;
        }
        s = whole == NO_BASE ? sum_of(t->in, a) : put_whole_sum(t->in, a, whole);
        put_test(t, &s, reg, size);
    }
    fill_flags(t);
    put_fill(t);
}

void cp_near_put_tests(UInt i, const Insn *in, UInt live, UInt free)
{
    const NearAccesses *all = cp_near_accesses(i);
    UInt tested = find_tested(in, all);
    Bool keeps_flags = live && has_keeping_test(in, all);
    Tail *t;

    has_tail = tested != 0;
    if (!has_tail)
        return;
    free &= ~(1u << REG_SP);
    t = new_tail(in, live && !keeps_flags, free);
    t->accesses = all;
    if (keeps_flags)
        put_keeping_test(t, in, &all->list[0], free);
    else
        put_changing_tests(t, tested, free);
}

void cp_near_end_tests(void)
{
    if (has_tail)
        tails[n_tails - 1].resume = cp_code;
}

/*--- Tails ---*/

/* Writes the part of an instruction that accesses memory. */
static void (*put_memory)(const Insn *in);

static void refer(const NearReference *r)
{
    const ULong *address = cp_near.addresses;

    cp_near.guest->guest_RSP = cp_near.sp; /* for cp_data.c */
    cp_cache_data(*address, r->point, r->room);
    while (r->has_next) {
        r++;
        cp_cache_data(*++address, r->point, r->room);
    }
}

static void put_model(const Tail *t)
{
    NearReference list[MOST_ACCESSES];

    for (UInt k = 0; k < t->accesses->n; k++) {
        const Access *a = &t->accesses->list[k];
        PointKind kind = a->is_write ? POINT_WRITE : POINT_READ;
        list[k] = (NearReference){.resume = cp_low(t->resume),
                                  .refer = cp_low(refer),
                                  .point = cp_point_of(kind, t->in->address, clamp(a->size)),
                                  .room = (UInt)cp_cache_room(clamp(a->size))};
    }
    if (has_usual && t->accesses->n == 1)
        cp_near_put_data_call(list);
    else
        cp_near_put_model(list, t->accesses->n);
}

/* The program's registers and flags are as they were before the test. */
static void put_back(const Tail *t)
{
    fill_flags(t);
    put_fill(t);
}

/* As the one in front of the test. */
static void put_mark(const Tail *t, Bool referred)
{
    NearMark mark = cp_near_mark_of((Addr)t->resume - 1);

    mark.referred = referred;
    cp_near_mark(&mark);
}

/* The end of a tail that has all addresses. */
static void put_rest(const Tail *t)
{
    put_back(t);
    put_mark(t, False);
    put_memory(t->in);
    put_model(t);
}

static void put_any_tail(const Tail *t)
{
    const NearAccesses *all = t->accesses;

    put_fill(t);
    cp_near_put_spill(SPILL_DX, REG_AX);
    for (UInt k = 0; k < all->n; k++) {
        if (k)
            cp_near_put_fill(REG_AX, SPILL_DX);
        put_address(t->in, &all->list[k], REG_AX);
        cp_put_store(STATE(addresses[k]), REG_AX);
    }
    cp_near_put_fill(REG_AX, SPILL_DX);
    put_rest(t);
}

/* Makes the reference to the way in rcx. Changes rax. */
static void put_reference(void)
{
    cp_put_indexed(False, 0x8b, REG_AX, REG_CX, 2, usual.times);
    cp_put_store_32(STATE(time), REG_AX);
    cp_put_load_32(REG_AX, cp_at(usual.clock));
    cp_put_indexed(False, 0x89, REG_AX, REG_CX, 2, usual.times);
    cp_put_lea_32(REG_AX, cp_off(REG_AX, 1));
    cp_put_store_32(cp_at(usual.clock), REG_AX);
}

/* Begins a tail that uses the first n of rax, rcx and rdx: spills them, and flags that are needed.
 * The result knows. */
static Tail put_begin(const Tail *tail, UInt n)
{
    static const UChar used[SLOTS] = {REG_AX, REG_CX, REG_DX};
    Tail t = *tail;

    put_fill(tail);
    for (UInt i = 0; i < SLOTS; i++) {
        t.test.spilled[i] = i < n ? used[i] : NO_BASE;
        if (i < n)
            cp_near_put_spill(slots[i], used[i]);
    }
    if (t.test.keeps_flags) {
        cp_put_flags_to_ax();
        cp_near_put_spill(SPILL_FLAGS, REG_AX);
        cp_near_put_fill(REG_AX, SPILL_AX);
        t.test.keeps_flags = False;
        t.test.has_flags = True;
    }
    return t;
}

/* The end of a tail that has made the reference. */
static void put_referred(const Tail *t)
{
    put_back(t);
    put_mark(t, True);
    put_memory(t->in);
    cp_put_jump(t->resume);
}

/* From an address to the negative address of its line. */
static void put_line(UInt reg)
{
    cp_put(0x48), cp_put(0x83), cp_put(0xe0 | reg), cp_put(0x100 - (1 << CP_L1_BITS)); /* and */
    cp_put(0x48), cp_put(0xf7), cp_put(0xd8 | reg);                                    /* neg */
}

/* The line in rdx becomes its set's most recently used. Changes rcx. */
static void put_note(void)
{
    cp_put_move_32(REG_CX, REG_DX);
    cp_put(0xf7), cp_put(0xd8 | REG_CX); /* neg */
    put_place(REG_CX);
    cp_put_store(mru_at(REG_CX), REG_DX);
}

/*
 * Refers to the line where it was last, in front of the instruction; else asks the model. The line
 * is noted by the access's address, not by what was found at its hint: tests that follow read the
 * note, and on an AMD processor wait until its place is known, which would be after three loads.
 */
static void put_usual_tail(const Tail *tail)
{
    const Access *a = &tail->accesses->list[0];
    const Tail t = put_begin(tail, 3);
    UChar *other;

    put_address(t.in, a, REG_AX);
    cp_put_move(REG_DX, REG_AX);
    put_line(REG_DX);
    cp_put_move_32(REG_CX, REG_AX);
    cp_put_shift_right_32(REG_CX, CP_L1_BITS);
    cp_put_and_32(REG_CX, usual.hint_mask);
    cp_put_indexed(False, 0x0fb7, REG_CX, REG_CX, 1, usual.ways); /* movzwl */
    cp_put_indexed(True, 0x03, REG_AX, REG_CX, 3, usual.lines);
    cp_put_compare_number(REG_AX, (UInt)cp_cache_room(clamp(a->size)));
    other = cp_put_jcc_later(IF_ABOVE);
    put_reference();
    put_note();
    put_referred(&t);
    cp_put_here(other);
    cp_put_indexed(True, 0x2b, REG_AX, REG_CX, 3, usual.lines);
    cp_put_store(STATE(addresses[0]), REG_AX);
    put_rest(&t);
}

/* As put_usual_tail(), for an access to one line at a fixed address. */
static void put_fixed_tail(const Tail *tail, Addr address)
{
    const UWord line = address >> CP_L1_BITS;
    const UInt start = -(UInt)(line << CP_L1_BITS);
    const Tail t = put_begin(tail, 2);
    UChar *other;

    cp_put(0x0f); /* movzwl */
    cp_put_op(False, 0xb7, REG_CX, cp_at(&usual.ways[line & usual.hint_mask]));
    cp_put_indexed(True, 0x8b, REG_AX, REG_CX, 3, usual.lines);
    cp_put_compare_number(REG_AX, start);
    other = cp_put_jcc_later(IF_NOT_EQUAL);
    put_reference();
    cp_put_store_number(cp_at(&cp_mru_D1.lines[line & (cp_mru_D1.sets - 1)]), start);
    put_referred(&t);
    cp_put_here(other);
    cp_put_store_number(STATE(addresses[0]), (UInt)address);
    put_rest(&t);
}

static void put_tail(const Tail *t)
{
    const Access *a = &t->accesses->list[0];
    const Addr fixed = t->in->target + a->offset; /* if it is */

    if (!has_usual || t->accesses->n != 1)
        put_any_tail(t);
    else if (!is_fixed(t->in, a))
        put_usual_tail(t);
    else if (fixed >> CP_L1_BITS == (fixed + clamp(a->size) - 1) >> CP_L1_BITS)
        put_fixed_tail(t, fixed);
    else
        put_any_tail(t);
}

/*
 * Tails that are made late: two of three tests never lead anywhere. Until then a few instructions
 * stand for the tail, what is known of the test, and the bytes of the instruction: those of the
 * program may have changed, or be gone.
 */

typedef struct {
    UInt resume, refer; /* as in NearReference, for the routine */
    UInt place;         /* its address in the program */
    UShort back;        /* bytes from the first jump's displacement to `resume` */
    TestState test;
    UChar bytes[15]; /* as many as there are */
} LateTail;

/* More than the bytes of a tail. */
static SizeT room_of(const Tail *t)
{
    const TestState *test = &t->test;
    SizeT room = 2 * t->in->length + (t->in->kind == INSN_PLAIN ? 0 : 100);

    room += (test->has_flags || test->keeps_flags) * 44 + t->in->has_fs * 8;
    for (UInt n = 0; n < SLOTS; n++)
        room += (test->spilled[n] != NO_BASE) * 8;
    return room + (t->accesses->n == 1 ? 284 : 150 + 80 * t->accesses->n);
}

/* Makes the tail that a jump has led to, and goes on in it. */
static void make_late(const NearReference *r)
{
    static NearAccesses accesses;
    static Insn in;
    UChar *first = (UChar *)(Addr)r - NEAR_MODEL_CALL, *start = cp_code;
    const Place *p;
    LateTail late;
    Bool decoded;
    Tail t;

    VG_(memcpy)(&late, r, sizeof late);
    t = (Tail){
        .resume = (UChar *)(Addr)late.resume, .test = late.test, .in = &in, .accesses = &accesses};
    p = cp_near_place(late.place);
    cp_superblock_begin(p->guest, p->function);
    decoded = cp_decode(late.bytes, sizeof late.bytes, cp_near_mark_of(late.resume - 1).guest, &in);
    tl_assert(decoded);
    accesses.n = (UInt)cp_accesses(&in, accesses.list);
    put_tail(&t);
    tl_assert((SizeT)(cp_code - start) <= room_of(&t));
    cp_near_promise(-(Word)room_of(&t));
    cp_link((UChar *)(Addr)late.resume - late.back, start);
    *first = 0xe9; /* a jump, for other jumps that lead here */
    cp_link(first + 1, start);
    cp_near.target = (Addr)start;
}

static void put_late(const Tail *t, const Place *p)
{
    LateTail late = {.resume = cp_low(t->resume),
                     .refer = cp_low(make_late),
                     .place = (UInt)p->guest,
                     .back = (UShort)(t->resume - t->jumps[0]),
                     .test = t->test};
    SizeT size = offsetof(LateTail, bytes) + t->in->length;

    VG_(memcpy)(late.bytes, t->in->bytes, t->in->length);
    cp_near_put_model_call(cp_code + NEAR_MODEL_CALL);
    VG_(memcpy)(cp_code, &late, size);
    cp_code += size;
    cp_near_promise((Word)room_of(t));
}

void cp_near_put_cache_tails(const Place *p, void (*memory)(const Insn *in))
{
    put_memory = memory;
    for (const Tail *t = tails; t < tails + n_tails; t++) {
        for (UInt i = 0; i < t->n_jumps; i++)
            cp_put_here(t->jumps[i]);
        put_late(t, p);
    }
    n_tails = 0;
}

/*--- Repeated instructions ---*/

void cp_near_begin_repeat(NearRepeat *r, const Insn *in, UInt i)
{
    const NearAccesses *all = cp_near_accesses(i);

    if (clo_cache_sim) {
        r->size = all->list[0].size;
        if (!all->list[0].is_write)
            r->read = cp_point_next(POINT_READ, in->address, r->size, False);
        if (all->list[all->n - 1].is_write)
            r->write = cp_point_next(POINT_WRITE, in->address, r->size, False);
    }
    cp_near_begin_lines();
    cp_near_put_spill(SPILL_AX, REG_AX);
    cp_put_set(REG_AX, (Addr)r);
    cp_put_store(STATE(repeat), REG_AX);
    cp_near_put_fill(REG_AX, SPILL_AX);
    cp_put_store_number(STATE(is_first), True);
    cp_put_store(STATE(count), REG_CX);
    cp_put_store(STATE(from), REG_SI);
    cp_put_store(STATE(to), REG_DI);
}

void cp_near_end_repeat(const NearRepeat *r)
{
    const NearReference reference = {.refer = cp_low(cp_near_repeat_ended), .repeat = r};

    cp_near_put_model(&reference, 1);
}

void cp_near_init_cache(void)
{
    has_usual = cp_l1_is_usual(&usual);
    if (has_fast_pext() && !cp_near_is_masked("BMI2"))
        set_bits = (cp_mru_D1.sets - 1) << cp_mru_D1.line_bits;
}
