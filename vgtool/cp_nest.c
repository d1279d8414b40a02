/*
 * cp_nest.c - pushes entries, and takes them out of the middle of a stack.
 */
#include "cp_nest.h"

/* The context of the section below `node`; counts an entry if `counts`. */
static Node *enter(Node *node, const Section *section, Bool counts)
{
    Child *below = cp_context_child(node, 0, section->function);

    below->calls += counts && cp_collecting;
    return below->node;
}

/* The context in which a function goes on below the section. */
static Node *go_on(Node *node, const Section *section, Bool counts)
{
    return cp_context_child(enter(node, section, counts), 0, node->function)->node;
}

void cp_nest_push(Stack *s, SectionEntry *entry, Bool counts)
{
    const Frame *top = cp_frame_top(s);
    Frame frame = {.is_watched = True,
                   .sp = top->sp,
                   .back = top->kind == FRAME_SIGNAL ? 0 : top->back,
                   .node = cp_now.node,
                   .entry = entry,
                   .host = cp_frame_return,
                   .kind = FRAME_SECTION};

    if (s->n == s->max)
        cp_frame_grow(s);
    s->frames[s->n++] = frame;
    cp_section_open(entry);
    cp_enter(go_on(cp_now.node, entry->section, counts));
}

/* Makes the frame stand for another child, of the same function. */
static void replace_child(Frame *f, Child *c)
{
    if (c->edge != f->child->edge) {
        cp_activity_open(&c->edge->activity);
        cp_activity_close(&f->child->edge->activity);
    }
    f->child = c;
}

/* Works out the contexts of frames from index i on again; that of the oldest is to be `node`. */
static void replant(Stack *s, UInt i, Node *node)
{
    for (; i < s->n; i++) {
        Frame *f = &s->frames[i];
        f->node = node;
        if (f->kind == FRAME_SIGNAL) {
            node = cp_context_child(node, 0, cp_function_pseudo(FUNCTION_SIGNAL))->node;
        } else if (f->kind == FRAME_SECTION) {
            if (f->entry)
                node = go_on(node, f->entry->section, False);
        } else if (f->child) {
            replace_child(f, cp_context_child(node, f->child->site, f->child->function));
            node = f->child->node;
        }
    }
    cp_enter(node);
}

static void remove(Stack *s, UInt at)
{
    s->n--;
    VG_(memmove)(s->frames + at, s->frames + at + 1, (s->n - at) * sizeof *s->frames);
    for (UInt i = 0; i < INTERRUPTIONS; i++)
        if (s->interruptions[i].frame > at)
            s->interruptions[i].frame--;
}

SectionEntry *cp_nest_pull(Stack *s, const Section *section, Bool *crossed)
{
    UInt i = s->n;
    SectionEntry *e = NULL;
    Node *node;

    *crossed = False;
    for (; i; i--) {
        const Frame *f = &s->frames[i - 1];
        if (f->kind != FRAME_SECTION || !f->entry)
            continue;
        if (f->entry->section == section)
            break;
        e = f->entry;
    }
    if (!i)
        return NULL;
    *crossed = e != NULL;
    e = s->frames[i - 1].entry;
    node = s->frames[i - 1].node;
    cp_section_close(e);
    remove(s, i - 1);
    replant(s, i - 1, node);
    return e;
}

/* The index of the call at the top, if it is the one that returns so; ~0: it is not. */
static UInt returns_from(const Stack *s, UWord sp, UWord target)
{
    UInt n = s->n;

    while (n && (s->frames[n - 1].kind == FRAME_JUMP || s->frames[n - 1].kind == FRAME_SECTION))
        n--;
    if (!n || s->frames[n - 1].kind != FRAME_CALL || s->frames[n - 1].sp + CP_RETURN_SLOT != sp ||
        s->frames[n - 1].back != target)
        return ~0u;
    return n - 1;
}

Bool cp_nest_return(Stack *s, UWord sp, UWord target)
{
    UInt call = returns_from(s, sp, target), n = 0;
    SectionEntry **carried;

    if (call == ~0u)
        return False;
    carried = VG_(malloc)("cp.nest.1", (s->n - call) * sizeof *carried);
    for (UInt i = call; i < s->n; i++)
        if (s->frames[i].kind == FRAME_SECTION && s->frames[i].entry)
            carried[n++] = s->frames[i].entry;
    cp_frame_pop(s, call);
    for (UInt i = 0; i < n; i++)
        if (s->n)
            cp_nest_push(s, carried[i], False);
        else
            cp_section_lose(carried[i]);
    VG_(free)(carried);
    return True;
}
