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
typedef struct {
    UChar spilled[2];   /* registers, to SPILL_AX and SPILL_CX; NO_BASE: none */
    UChar registers[2]; /* of the difference and of the set; with `keeps_flags`: of the address */
    Bool has_flags;     /* they are spilled */
    Bool keeps_flags;   /* the test has not changed them */
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

/* The address of an access to a register. Changes flags. */
static void put_address(const Insn *in, const Access *a, UInt reg)
{
    static const UInt bases[] = {[AT_PUSH] = REG_SP,
                                 [AT_TOP] = REG_SP,
                                 [AT_BP] = REG_BP,
                                 [AT_SI] = REG_SI,
                                 [AT_DI] = REG_DI};

    if (a->place != AT_OPERAND) {
        cp_put_lea(reg, cp_off(bases[a->place], a->place == AT_PUSH ? (SizeT)-8 : 0));
        return;
    }
    cp_put_access(in, True, 0x8d, reg);
    if (a->offset)
        cp_put_lea(reg, cp_off(reg, a->offset));
    if (in->has_fs)
        cp_put_op(True, 0x03, reg, STATE(fs));
}

/* An operand at a fixed address. */
static Bool is_fixed(const Insn *in, const Access *a)
{
    return a->place == AT_OPERAND && in->rip_at;
}

/*--- Registers and flags of tests ---*/

static void put_fill(const Tail *t)
{
    if (t->test.spilled[0] != NO_BASE)
        cp_near_put_fill(t->test.spilled[0], SPILL_AX);
    if (t->test.spilled[1] != NO_BASE)
        cp_near_put_fill(t->test.spilled[1], SPILL_CX);
}

/* A register for tests, one of those that are free, else rax or rcx, which is spilled. */
static UInt take_register(Tail *t, UInt n, UInt *free, UInt taken)
{
    UInt reg = *free ? (UInt)__builtin_ctz(*free) : taken == REG_AX ? REG_CX : REG_AX;

    if (!*free) {
        t->test.spilled[n] = reg;
        cp_near_put_spill(n ? SPILL_CX : SPILL_AX, reg);
    }
    *free &= ~(1u << reg);
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
    t->test.spilled[0] = t->test.spilled[1] = NO_BASE;
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
                     (Int)(line << mru->line_bits));
    put_jump_to_tail(t, IF_NOT_EQUAL);
}

static void put_fixed_tests(Tail *t, const Mru *mru, Addr address, UInt size)
{
    put_fixed_test(t, mru, address);
    if (address >> mru->line_bits != (address + size - 1) >> mru->line_bits)
        put_fixed_test(t, mru, address + size - 1);
}

/* The bits of an address that say which set its line is of, and which hint; 0: they are taken out
 * by shifts. */
static UInt set_bits, hint_bits;

/* True if the processor takes bits out of a word in one instruction, pext, and at once: AMD's
 * before Zen 3 take up to hundreds of cycles. */
static Bool has_fast_pext(void)
{
    enum { BMI_2 = 1 << 8, INTEL = 0x756e6547, AMD = 0x68747541, ZEN_3 = 10 };
    const NearCpuid first = cp_near_cpuid(0, 0);

    if (first.a < 7 ||
        !(first.b == INTEL || (first.b == AMD && (cp_near_cpuid(1, 0).a >> 20 & 255) >= ZEN_3)))
        return False;
    return (cp_near_cpuid(7, 0).b & BMI_2) != 0;
}

/* Takes the bits, which begin with a line's, out of an address. */
static void put_index(UInt index, UInt address, const UInt *bits, UInt mask)
{
    if (!*bits) {
        cp_put_move_32(index, address);
        cp_put_shift_right_32(index, cp_mru_D1.line_bits);
        cp_put_and_32(index, mask);
        return;
    }
    cp_put(0xc4); /* pext bits, address, index */
    cp_put(0x62u | (index & 8 ? 0 : 0x80));
    cp_put((~address & 15) << 3 | 2);
    cp_put(0xf5);
    cp_put_operand(index, cp_at(bits));
}

static void put_set_index(UInt index, UInt address)
{
    put_index(index, address, &set_bits, cp_mru_D1.sets - 1);
}

/* Takes from the address what was its set's most recently used line. */
static void put_difference(UInt address, UInt set)
{
    put_set_index(set, address);
    cp_put_indexed(True, 0x2b, address, set, 3, cp_mru_D1.lines);
}

/* Tests the access whose address is in the first register. */
static void put_test(Tail *t, const UInt registers[2], UInt size)
{
    put_difference(registers[0], registers[1]);
    cp_put_compare_number(registers[0], (UInt)cp_cache_room(size));
    put_jump_to_tail(t, IF_ABOVE);
}

/* pext all bits above a line's, reg, reg */
static void put_line(UInt reg)
{
    static ULong above;

    above = ~0ULL << cp_mru_D1.line_bits;
    cp_put(0xc4), cp_put(reg & 8 ? 0x62 : 0xe2);
    cp_put(0x82 | (~reg & 15) << 3);
    cp_put(0xf5);
    cp_put_operand(reg, cp_at(&above));
}

/*
 * A test that keeps flags: rcx becomes 0 if the last byte lies on the line that its set used last,
 * and jrcxz jumps 8 bits. The first byte is on it, too: another line of the set is further away.
 */
static void put_keeping_test(Tail *t, const Insn *in, const Access *a, UInt free)
{
    enum { JUMP_SIZE = 5 };
    UInt reg;

    t->test.keeps_flags = True;
    if (!(free & 1u << REG_CX)) {
        t->test.spilled[1] = REG_CX;
        cp_near_put_spill(SPILL_CX, REG_CX);
    }
    free &= ~(1u << REG_CX);
    reg = take_register(t, 0, &free, REG_CX);
    put_address(in, a, reg);
    put_set_index(REG_CX, reg);
    cp_put_indexed(True, 0x8b, REG_CX, REG_CX, 3, cp_mru_D1.lines);
    cp_put(0x48), cp_put(0xf7), cp_put(0xd1); /* not %rcx */
    cp_put(0x48 | reg >> 3), cp_put(0x8d);    /* lea size(reg, %rcx), %rcx */
    cp_put(0x4c), cp_put(REG_CX << 3 | (reg & 7));
    cp_put(clamp(a->size));
    put_line(REG_CX);
    cp_put(0xe3), cp_put(JUMP_SIZE);
    t->jumps[t->n_jumps++] = cp_put_jump_later();
    t->test.registers[0] = reg;
    t->test.registers[1] = REG_CX;
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

void cp_near_put_tests(UInt i, const Insn *in, UInt live, UInt free)
{
    const NearAccesses *all = cp_near_accesses(i);
    UInt registers[2] = {REG_AX, REG_AX}, tested = find_tested(in, all);
    Bool keeps_flags;
    Tail *t;

    has_tail = tested != 0;
    if (!has_tail)
        return;
    free &= ~(1u << REG_SP);
    keeps_flags = live && has_keeping_test(in, all);
    t = new_tail(in, live && !keeps_flags, free);
    t->accesses = all;
    if (keeps_flags) {
        put_keeping_test(t, in, &all->list[0], free);
        return;
    }
    if (live)
        free &= ~(1u << REG_AX);
    if (!are_fixed(in, all)) {
        if (!live)
            registers[0] = take_register(t, 0, &free, NO_BASE);
        registers[1] = take_register(t, 1, &free, registers[0]);
    }
    t->test.registers[0] = registers[0];
    t->test.registers[1] = registers[1];
    for (UInt k = 0; k < all->n; k++) {
        const Access *a = &all->list[k];
        UInt size = clamp(a->size);
        if (!(tested >> k & 1))
            continue;
        if (is_fixed(in, a)) {
            put_fixed_tests(t, &cp_mru_D1, in->target + a->offset, size);
            continue;
        }
        if (k)
            put_fill(t); /* the address may need them */
        put_address(in, a, registers[0]);
        put_test(t, registers, size);
    }
    fill_flags(t);
    put_fill(t);
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
    cp_near_put_model(list, t->accesses->n);
}

/* Flags that a test has kept; they keep rax. */
static void put_keep_flags(void)
{
    cp_near_put_spill(SPILL_DX, REG_AX);
    cp_put_flags_to_ax();
    cp_near_put_spill(SPILL_FLAGS, REG_AX);
    cp_near_put_fill(REG_AX, SPILL_DX);
}

static void put_kept_flags(void)
{
    cp_near_put_spill(SPILL_DX, REG_AX);
    cp_near_put_fill(REG_AX, SPILL_FLAGS);
    cp_put_flags_from_ax();
    cp_near_put_fill(REG_AX, SPILL_DX);
}

/* The program's registers and flags are as they were before the test. */
static void put_back(const Tail *t)
{
    t->test.keeps_flags ? put_kept_flags() : fill_flags(t);
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

/* Makes the reference to the way in the second register. Changes the first one. */
static void put_reference(UInt reg, UInt way)
{
    cp_put_indexed(False, 0x8b, reg, way, 2, usual.times);
    cp_put_store_32(STATE(time), reg);
    cp_put_load_32(reg, cp_at(usual.clock));
    cp_put_indexed(False, 0x89, reg, way, 2, usual.times);
    cp_put_lea_32(reg, cp_off(reg, 1));
    cp_put_store_32(cp_at(usual.clock), reg);
}

/* The line becomes its set's most recently used. */
static void put_note(UInt reg, UInt way)
{
    cp_put_indexed(True, 0x8b, reg, way, 3, usual.lines);
    put_set_index(way, reg);
    cp_put_indexed(True, 0x89, reg, way, 3, cp_mru_D1.lines);
}

/* The end of a tail that has made the reference. */
static void put_referred(const Tail *t)
{
    put_back(t);
    put_mark(t, True);
    put_memory(t->in);
    cp_put_jump(t->resume);
}

/* Refers to the line where it was last, in front of the instruction; else asks the model. */
static void put_usual_tail(const Tail *t)
{
    UInt reg = t->test.registers[0], index = t->test.registers[1];
    UChar *other;

    if (t->test.keeps_flags)
        put_keep_flags();
    else
        cp_put_indexed(True, 0x03, reg, index, 3, cp_mru_D1.lines);
    put_index(index, reg, &hint_bits, usual.hint_mask);
    cp_put_indexed(False, 0x0fb7, index, index, 1, usual.ways); /* movzwl */
    cp_put_indexed(True, 0x2b, reg, index, 3, usual.lines);
    cp_put_compare_number(reg, (UInt)cp_cache_room(clamp(t->accesses->list[0].size)));
    other = cp_put_jcc_later(IF_ABOVE);
    put_reference(reg, index);
    put_note(reg, index);
    put_referred(t);
    cp_put_here(other);
    cp_put_indexed(True, 0x03, reg, index, 3, usual.lines);
    cp_put_store(STATE(addresses[0]), reg);
    put_rest(t);
}

/* As put_usual_tail(), for an access to one line at a fixed address. */
static void put_fixed_tail(const Tail *tail, Addr address)
{
    const UWord line = address >> CP_L1_BITS;
    const UInt start = (UInt)(line << CP_L1_BITS);
    Tail t = *tail;
    UChar *other;

    t.test.spilled[0] = REG_AX;
    t.test.spilled[1] = REG_CX;
    cp_near_put_spill(SPILL_AX, REG_AX);
    cp_near_put_spill(SPILL_CX, REG_CX);
    cp_put(0x0f); /* movzwl */
    cp_put_op(False, 0xb7, REG_CX, cp_at(&usual.ways[line & usual.hint_mask]));
    cp_put_indexed(True, 0x8b, REG_AX, REG_CX, 3, usual.lines);
    cp_put_compare_number(REG_AX, start);
    other = cp_put_jcc_later(IF_NOT_EQUAL);
    put_reference(REG_AX, REG_CX);
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

    room += (test->has_flags || test->keeps_flags) * 80;
    room += (test->spilled[0] != NO_BASE) * 16 + (test->spilled[1] != NO_BASE) * 16;
    return room + (t->accesses->n == 1 ? 240 : 120 + 80 * t->accesses->n);
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
        if (all->n == 2)
            r->read = cp_point_next(POINT_READ, in->address, r->size, False);
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
    if (has_fast_pext() && !cp_near_is_masked("BMI2")) {
        set_bits = (cp_mru_D1.sets - 1) << cp_mru_D1.line_bits;
        hint_bits = usual.hint_mask << CP_L1_BITS;
    }
}
