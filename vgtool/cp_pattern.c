/*
 * cp_pattern.c - names of functions are the core's, from symbol tables.
 */
#include "cp_pattern.h"

#include "cp_core.h"
#include "pub_tool_seqmatch.h"

enum { VERSIONED = 256 }; /* bytes of a name with a version; longer ones are compared with it */

/* Compares a name, with its version ("memcpy@@GLIBC_2.14") and without. */
static Bool matches(const HChar *pattern, const HChar *name)
{
    const HChar *at = VG_(strchr)(name, '@');
    HChar plain[VERSIONED];

    if (VG_(string_match)(pattern, name))
        return True;
    if (!at || at - name >= VERSIONED)
        return False;
    VG_(memcpy)(plain, name, (SizeT)(at - name));
    plain[at - name] = 0;
    return VG_(string_match)(pattern, plain);
}

Bool cp_pattern_matches(const HChar *pattern, Addr start)
{
    DiEpoch now = VG_(current_DiEpoch)();
    const HChar *name;

    /* The second call makes the first one's answer invalid. */
    return (VG_(get_fnname)(now, start, &name) && matches(pattern, name)) ||
           (VG_(get_fnname_raw)(now, start, &name) && matches(pattern, name));
}
