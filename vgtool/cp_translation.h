/*
 * cp_translation.h - translates superblocks, or takes kept translations of them.
 *
 * VEX's translating is what most runs of most programs spend their time with. A kept translation
 * needs no more than its recipe to be followed and its holes to be filled.
 */
#ifndef CP_TRANSLATION_H
#define CP_TRANSLATION_H

#include "cp_tool.h"

/* With --stats=yes: says how many translations were kept, and used again. */
void cp_translation_report(void);

#endif
