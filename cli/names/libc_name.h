/*
 * libc_name.h - the functions of libc by the names that programs call them by.
 */
#ifndef NAMES_LIBC_NAME_H
#define NAMES_LIBC_NAME_H

/*
 * The name without what tells the implementation for a processor: "memcmp" of
 * "__memcmp_avx2_movbe"; any other name as it is. The caller frees it.
 */
char *libc_plain_name(const char *name);

#endif
