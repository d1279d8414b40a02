/*
 * cp_near_model.c - how copies call the model: by routines, which they jump to.
 */
#include "cp_near.h"

#define STATE(field) cp_at(&cp_near.field)

static const UChar *any, *fetch, *data; /* the routines */

/* The registers that C may change, and rbx. */
static const UInt kept[] = {REG_CX, REG_DX, REG_BX, REG_SI, REG_DI, 8, 9, 10, 11};
enum { KEPT = sizeof kept / sizeof *kept };

/* rax has the reference, and cp_near.model_ax the program's rax. The reference comes to rdi, for C,
 * which runs on the core's stack. rbx has the stack pointer, as it was before it was aligned. */
static void put_begin(void)
{
    cp_put_store(STATE(sp), REG_SP);
    cp_put_load(REG_SP, STATE(host_sp));
    for (UInt i = 0; i < KEPT; i++)
        cp_put_push(kept[i]);
    cp_put_move(REG_DI, REG_AX);
    cp_put_flags_to_ax();
    cp_put_push(REG_AX);
    cp_put_load_32(REG_AX, cp_off(REG_DI, offsetof(NearReference, resume)));
    cp_put_store(STATE(target), REG_AX);
    cp_put_move(REG_BX, REG_SP);
    cp_put(0x48), cp_put(0x83), cp_put(0xe4), cp_put(0xf0); /* and $-16, %rsp */
    cp_put(0xfc);                                           /* cld */
}

/* Calls the function in rax. */
static void put_refer(void)
{
    cp_near_put_save_vectors();
    cp_put(0xff), cp_put(0xd0); /* call *%rax */
    cp_near_put_load_vectors();
}

static void put_end(void)
{
    UChar *forward;

    cp_put_move(REG_SP, REG_BX);
    cp_put_load(REG_AX, STATE(guest));
    cp_put_number_op(False, OP_CMP, cp_off(REG_AX, __builtin_offsetof(Guest, guest_DFLAG)), 1);
    forward = cp_put_jcc_later(IF_EQUAL);
    cp_put(0xfd); /* std */
    cp_put_here(forward);
    cp_put_pop(REG_AX);
    cp_put_flags_from_ax();
    for (UInt i = KEPT; i-- > 0;)
        cp_put_pop(kept[i]);
    cp_put_load(REG_AX, STATE(model_ax));
    cp_put_load(REG_SP, STATE(sp));
    cp_put_jump_to_word(STATE(target));
}

/* Programs miss the first level so often that vectors are saved only for the last one, once for
 * many misses. */
static const UChar *make_quick(NearRefer *(*quick)(const NearReference *r))
{
    const UChar *routine = cp_put_aligned();
    UChar *done;

    put_begin();
    cp_put_store(STATE(reference), REG_DI);
    cp_put_call(quick);
    cp_put_test(REG_AX);
    done = cp_put_jcc_later(IF_EQUAL);
    cp_put_load(REG_DI, STATE(reference));
    put_refer();
    cp_put_here(done);
    put_end();
    return routine;
}

static void make_any(void)
{
    any = cp_put_aligned();
    put_begin();
    cp_put_load_32(REG_AX, cp_off(REG_DI, offsetof(NearReference, refer)));
    put_refer();
    put_end();
}

void cp_near_init_model(void)
{
    make_any();
    fetch = make_quick(cp_near_quick_fetch);
    data = make_quick(cp_near_quick_data);
}

static void put_call(const void *reference, const UChar *routine)
{
    cp_put_store(STATE(model_ax), REG_AX);
    cp_put_set(REG_AX, (Addr)reference);
    cp_put_jump(routine);
}

void cp_near_put_model_call(const void *reference)
{
    put_call(reference, any);
}

static void put_references(const NearReference *list, UInt n, const UChar *routine)
{
    NearReference *r = (NearReference *)(((Addr)cp_code + NEAR_MODEL_CALL + 7) & ~7UL);

    put_call(r, routine);
    for (UInt i = 0; i < n; i++) {
        r[i] = list[i];
        r[i].has_next = i + 1 < n;
    }
    cp_code = (UChar *)(r + n);
    if (!r->resume)
        r->resume = cp_low(cp_code);
}

void cp_near_put_model(const NearReference *list, UInt n)
{
    put_references(list, n, any);
}

void cp_near_put_fetch_call(const NearReference *list, UInt n)
{
    put_references(list, n, fetch);
}

void cp_near_put_data_call(const NearReference *reference)
{
    put_references(reference, 1, data);
}
