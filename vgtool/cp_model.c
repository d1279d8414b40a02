/*
 * cp_model.c - a simulated cache: its shape, and references for any number of ways.
 */
#include "cp_model.h"

#include "cp_core.h"
#include "cp_geometry.h"

/* Refers to a list: the most recently used line comes first. */
Bool cp_model_refer_list(Cache *c, UWord line)
{
    UInt *list = cp_model_set(c, line);
    UInt tag = cp_model_tag(c, line), i = 0;
    Bool miss;

    while (i < c->last && list[i] != tag)
        i++;
    miss = list[i] != tag;
    for (; i; i--)
        list[i] = list[i - 1];
    list[0] = tag;
    return miss;
}

Bool cp_model_refer_vectors(Cache *c, UWord line)
{
    return cp_ll_set_refer(cp_model_set(c, line), cp_model_tag(c, line), c->last, c->vectors);
}

void cp_model_shape(Cache *c, const Geometry *g, const HChar *name)
{
    const HChar *wrong = cp_geometry_check(g);
    UInt sets, ways = (UInt)g->ways;

    if (wrong) {
        VG_(umsg)
        ("cannot simulate a %s cache of %d bytes, %d ways, lines of %d bytes: %s; "
         "give another one with --%s=SIZE,WAYS,LINE\n",
         name, g->size, g->ways, g->line, wrong, name);
        VG_(exit)(1);
    }
    sets = (UInt)(g->size / g->line / g->ways);
    c->line_bits = (UInt)VG_(log2)((UInt)g->line);
    c->set_bits = (UInt)VG_(log2)(sets);
    c->set_mask = sets - 1;
    c->last = ways - 1;
    c->vectors = ways <= MAX_WAYS ? cp_tag_row_vectors(ways) : 0;
    c->set_size = c->vectors ? cp_ll_set_size(c->vectors) : ways;
}

static SizeT size_of_sets(const Cache *c)
{
    return ((SizeT)c->set_mask + 1) * c->set_size * sizeof(UInt);
}

UInt *cp_model_sets(const Cache *c)
{
    void *sets = cp_core_memory(size_of_sets(c));

    if (!sets)
        VG_(tool_panic)("no memory for a simulated cache");
    cp_core_huge(sets, size_of_sets(c));
    return sets;
}

/*
 * Only line 0 is in its set at first. cachegrind's tags begin as zeroes, which is the tag of that
 * line; its copies in the other ways make no difference.
 */
void cp_model_empty(Cache *c)
{
    if (c->vectors)
        cp_core_zero(c->sets, size_of_sets(c));
    else
        VG_(memset)(c->sets, 0xff, size_of_sets(c));
    c->sets[0] = c->vectors ? cp_ll_set_kept(0) : 0;
}
