/*
 * cp_hash.c - the growth of hash tables.
 */
#include "cp_hash.h"

#define MIN_ROOM 1024

void cp_hash_grow(HashTable *table)
{
    HashTable old = *table;

    table->room = old.room ? 2 * old.room : MIN_ROOM;
    table->entries = VG_(calloc)("cp.hash.1", table->room, sizeof *table->entries);
    for (UInt i = 0; i < old.room; i++) {
        UInt at;

        if (!old.entries[i].element)
            continue;
        at = (UInt)old.entries[i].hash & (table->room - 1);
        while (table->entries[at].element)
            at = (at + 1) & (table->room - 1);
        table->entries[at] = old.entries[i];
    }
    VG_(free)(old.entries);
}
