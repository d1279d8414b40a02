/*
 * cp_frame.c - the memory of shadow stacks, and what follows from their frames.
 */
#include "cp_frame.h"

#include "cp_event.h"
#include "pub_tool_aspacemgr.h"

void (*cp_frame_inside)(UInt n);
Stack *cp_frame_stacks;

const void *cp_frame_return;

void __attribute__((noinline)) cp_frame_grow(Stack *stack)
{
    Frame *all = stack->frames ? stack->frames - 1 : NULL;

    if (!stack->max) {
        stack->next = cp_frame_stacks;
        cp_frame_stacks = stack;
    }
    stack->max = stack->max ? 2 * stack->max : 256;
    all = VG_(realloc)("cp.frame.1", all, (stack->max + 1) * sizeof *all);
    all[0] = (Frame){.is_watched = True, .host = cp_frame_return};
    stack->frames = all + 1;
}

void cp_frame_settle(Stack *s)
{
    for (UInt i = s->n; i-- > 0;)
        cp_frame_close(&s->frames[i]);
}

void cp_frame_resume(Stack *s)
{
    for (UInt i = 0; i < s->n; i++)
        cp_frame_open(&s->frames[i]);
}

void cp_frame_empty(Stack *s)
{
    cp_frame_settle(s);
    for (UInt i = 0; i < s->n; i++)
        cp_frame_lose(&s->frames[i]);
    s->n = s->n_gone = s->n_inside = 0;
    s->base = s->node = s->root;
    s->open_end = True;
    s->pending = NULL;
    s->is_new = False;
}

void cp_frame_leave_tree(Stack *s)
{
    if (!cp_inclusive_by_tree)
        return;
    cp_frame_settle(s);
    cp_inclusive_leave_tree();
    cp_frame_resume(s);
}

Bool cp_frame_read(Addr at, UWord *word)
{
    if (!VG_(am_is_valid_for_client)(at, sizeof *word, VKI_PROT_READ))
        return False;
    *word = *(const UWord *)at;
    return True;
}

Addr cp_frame_return_address(ThreadId tid)
{
    const NSegment *code;
    Addr back;

    if (!cp_arch_return_address(tid, &back))
        return 0;
    code = VG_(am_find_nsegment)(back);
    return code && code->hasX ? back : 0;
}

Bool cp_frame_same_memory(Addr a, Addr b)
{
    const NSegment *x = VG_(am_find_nsegment)(a), *y = VG_(am_find_nsegment)(b);

    return x == y;
}

void cp_frame_walk(const Stack *s, UWord ir)
{
    static ULong walk;

    walk++;
    for (UInt i = 0; i < s->n && cp_collecting; i++) {
        const Frame *frame = &s->frames[i];
        Function *f = cp_frame_child(frame) ? frame->child->function : NULL;
        if (frame->kind == FRAME_SECTION && frame->entry)
            f = frame->entry->section->function;
        if (!f || f->last_walk == walk)
            continue;
        f->last_walk = walk;
        f->walked += ir;
    }
}

void cp_frame_count(const Stack *s, UInt event, ULong n)
{
    for (UInt i = 0; i < s->n; i++) {
        const Frame *f = &s->frames[i];
        if (cp_frame_child(f)) {
            cp_event_add_inclusive(f->child->function, event, n);
            cp_event_add_inclusive(f->child->edge, event, n);
        } else if (f->kind == FRAME_SECTION && f->entry) {
            cp_event_add_inclusive(f->entry->section->function, event, n);
        }
    }
}

Node *cp_frame_bottom(Stack *s)
{
    Frame *t = cp_frame_top(s);

    if (!t)
        return s->base;
    return cp_context_child(t->node, 0, cp_function_pseudo(FUNCTION_SIGNAL))->node;
}

Bool cp_frame_can_jump(const Stack *s, const Function *f)
{
    UInt i = s->n;

    while (i && s->frames[i - 1].kind == FRAME_JUMP && s->frames[i - 1].child->function != f)
        i--;
    return i && s->frames[i - 1].kind != FRAME_SIGNAL;
}

/* Tells whether the running call is of the function, or has jumped to it. */
static Bool is_in_call(const Stack *s, const Function *f)
{
    for (const Frame *at = cp_now.top; at-- > s->frames;) {
        if (cp_frame_child(at) && at->child->function == f)
            return True;
        if (at->kind != FRAME_JUMP)
            break;
    }
    return False;
}

/* Tells whether a jump into the middle of code that no table covers is a tail call: it comes from
 * another function, the stack is as the running call found it, that has not been in that code
 * before, and what stands before does not run on. */
static Bool is_tail_call(const Stack *s, const Function *from, Addr address, UWord sp)
{
    const Frame *t = cp_now.top - 1;
    const Function *to;

    if (!from || t < s->frames || t->sp != sp || t->kind == FRAME_SIGNAL ||
        t->kind == FRAME_SECTION)
        return False;
    to = cp_function_guessed(address, from);
    return to && to != from && !is_in_call(s, to) &&
           VG_(am_is_valid_for_client)(address - 8, 8, VKI_PROT_READ) &&
           cp_arch_ends_before((const UChar *)address);
}

Function *cp_frame_function(const Stack *s, Addr address, UWord sp)
{
    const Function *from = cp_now.function;
    Bool is_called =
        from ? from->kind == FUNCTION_STUB
             : s->pending || (cp_now.top > s->frames && cp_now.top[-1].kind == FRAME_SIGNAL);

    return is_called || is_tail_call(s, from, address, sp) ? cp_function_called(address)
                                                           : cp_function_reached(address, from);
}

Addr cp_frame_interrupted_at(const Stack *s, UInt frame)
{
    UInt n = s->n_interruptions;

    for (UInt i = 1; i <= INTERRUPTIONS && i <= n; i++)
        if (s->interruptions[(n - i) % INTERRUPTIONS].frame == frame)
            return s->interruptions[(n - i) % INTERRUPTIONS].ip;
    return 0;
}
