/* Brackets in names: their ends, texts outside of them, operators of C++. */
#include <config.h>

#include "../tap.h"
#include "names/brackets.h"

#include <string.h>

/* The number of bytes of the bracket that `text` begins with; 0: it is not closed. */
static int enclosed(const char *text)
{
    const char *end = bracket_end(text, text + strlen(text));

    return end ? (int)(end - text) : 0;
}

static int outside(const char *text, const char *wanted)
{
    const char *found = find_outside(text, text + strlen(text), wanted);

    return found ? (int)(found - text) : -1;
}

int main(void)
{
    static const char operators[] =
        "a::operator<< <b>(c), myoperator<d>, operator()(), operator bool()";
    char deep[2 * BRACKETS_MAX + 3] = "";

    is_number(enclosed("<a<b>>::c"), 6, "brackets within brackets");
    is_number(enclosed("<fn(a) -> b as c>::d"), 17, "an arrow is none");
    is_number(enclosed("{a=>b}"), 6, "an arrow of either kind is no bracket");
    is_number(enclosed("<(a>b)>c"), 7, "a stray one is left alone");
    is_number(enclosed("<a"), 0, "a bracket that is not closed");
    is_number(enclosed("a<b>"), 0, "no bracket");
    is_number(enclosed(""), 0, "nothing");
    memset(deep, '<', BRACKETS_MAX);
    memset(deep + BRACKETS_MAX, '>', BRACKETS_MAX);
    is_number(enclosed(deep), 2 * BRACKETS_MAX, "brackets as deep as can be");
    memset(deep, '<', BRACKETS_MAX + 1);
    memset(deep + BRACKETS_MAX + 1, '>', BRACKETS_MAX + 1);
    is_number(enclosed(deep), 0, "deeper");
    is_number(outside("<a as b> as c", " as "), 8, "a text outside of brackets");
    is_number(outside("(a as b", " as "), -1, "a text in an open bracket is not outside");
    is_number((long long)operator_size(operators, operators + 3), 11,
              "an operator and the blank behind it");
    is_number((long long)operator_size(operators, strstr(operators, "operator<d")), 0,
              "the end of a word");
    is_number((long long)operator_size(operators, strstr(operators, "operator()")), 10, "a call");
    is_number((long long)operator_size(operators, strstr(operators, "operator b")), 0,
              "a conversion");
    return tap_done();
}
