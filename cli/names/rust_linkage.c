#include <config.h>

#include "names/rust_linkage.h"

#include <string.h>

#define HEX "0123456789abcdef"

const char *rust_next_hash(const char *text)
{
    for (const char *p = strstr(text, "17h"); p; p = strstr(p + 1, "17h")) {
        const char *digits = p + 3;

        if (strspn(digits, HEX) >= RUST_HASH_DIGITS && digits[RUST_HASH_DIGITS] == 'E')
            return digits;
    }
    return NULL;
}

size_t rust_size_without_hash(const char *name, size_t size)
{
    const size_t whole = strlen("::h") + RUST_HASH_DIGITS;
    const char *hash;

    if (size <= whole)
        return size;
    hash = name + size - whole;
    if (memcmp(hash, "::h", 3) != 0 || strspn(hash + 3, HEX) < RUST_HASH_DIGITS)
        return size;
    return size - whole;
}

const char *rust_hash_of(const char *linkage)
{
    size_t size = strlen(linkage);

    if (strncmp(linkage, "_ZN", 3) == 0)
        return rust_next_hash(linkage);
    return rust_ends_in_hash(linkage) ? linkage + size - RUST_HASH_DIGITS : NULL;
}

bool rust_has_hash(const char *linkage)
{
    return strncmp(linkage, "_ZN", 3) == 0 && rust_next_hash(linkage);
}

bool rust_ends_in_hash(const char *name)
{
    size_t size = strlen(name);

    return rust_size_without_hash(name, size) < size;
}

bool rust_is_mangled(const char *linkage)
{
    return strncmp(linkage, "_R", 2) == 0 || rust_has_hash(linkage);
}

bool rust_is_linkage(const char *name)
{
    return rust_is_mangled(name) || rust_ends_in_hash(name);
}
