/* The functions of libc by the names that programs call them by. */
#include "names/object_name.h"
#include "tests/tap.h"

#include <stdlib.h>

static void check(const char *name, const char *plain)
{
    char *got = libc_plain_name(name);

    is_text(got, plain, name);
    free(got);
}

int main(void)
{
    check("__memcmp_avx2_movbe", "memcmp");
    check("__memcpy_avx_unaligned_erms", "memcpy");
    check("__strlen_sse2", "strlen");
    check("__strncasecmp_l_avx2", "strncasecmp_l");
    check("__strspn_generic", "strspn");
    check("__memset_evex_unaligned_erms", "memset");
    check("__strcpy_ssse3", "strcpy");
    check("__sin_fma", "sin");
    check("__fma_fma3", "fma");
    check("__fma", "__fma");
    check("__memmove_erms", "memmove");
    check("_int_malloc", "_int_malloc");
    check("__libc_start_main", "__libc_start_main");
    check("memcmp_avx2", "memcmp_avx2");
    check("___avx2", "___avx2");
    check("__avx2", "__avx2");
    check("__", "__");
    check("", "");
    return tap_done();
}
