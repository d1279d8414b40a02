/*
 * cp_instrument.h - turns a superblock of VEX's IR into one that counts.
 */
#ifndef CP_INSTRUMENT_H
#define CP_INSTRUMENT_H

#include "cp_tool.h"
#include "pub_tool_tooliface.h"

IRSB *cp_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                    const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                    IRType host_word);

/* From now on generated code adds to the totals. Code that was translated before is forgotten. Call
 * it where none runs. */
void cp_instrument_keep_totals(void);

#endif
