/* cp_place.c - writes places by the objects that they lie in. */
#include "cp_place.h"

#include "cp_context.h"
#include "cp_file.h"
#include "cp_object.h"

void cp_put_place(UInt range, Addr address)
{
    cp_put_decimal(cp_range(range)->object);
    cp_put_char(' ');
    cp_put_hex(address - cp_range(range)->bias);
}

void cp_put_node(UInt node)
{
    if (cp_node(node)->function->kind == FUNCTION_ALL)
        cp_put_char('-');
    else
        cp_put_decimal(node);
}

void cp_put_site(const Function *caller, Addr site)
{
    if (caller->kind <= FUNCTION_STUB && site)
        cp_put_place(caller->range, site);
    else
        cp_put("- 0");
}
