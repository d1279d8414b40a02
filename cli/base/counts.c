#include <config.h>

#include "base/counts.h"

#include <string.h>

/*--- Numbers for people ---*/

char *text_count(char buffer[TEXT_NUMBER], int64_t value)
{
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    char digits[TEXT_NUMBER], *p = digits + sizeof digits - 1;
    unsigned n = 0;

    *p = '\0';
    do {
        if (n && n % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + rest % 10);
        rest /= 10;
        n++;
    } while (rest);
    if (value < 0)
        *--p = '-';
    return strcpy(buffer, p);
}
