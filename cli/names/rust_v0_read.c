#include <config.h>

/* Reading and writing of v0 names. */
#include "names/rust_v0_private.h"
#include "names/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Deeper names are malformed: rustc's own demangler has this bound. */
enum { DEPTH_MOST = 500, PUNYCODE_MOST = 128 };

void v0_put_bytes(struct v0 *v, const char *bytes, size_t size)
{
    if (v->skipping || v->failed)
        return;
    if (size > v->most - v->size) {
        v->failed = true;
        return;
    }
    memcpy(v->text + v->size, bytes, size);
    v->size += size;
}

void v0_put(struct v0 *v, const char *text)
{
    v0_put_bytes(v, text, strlen(text));
}

void v0_put_number(struct v0 *v, uint64_t number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRIu64, number);
    v0_put(v, digits);
}

void v0_put_character(struct v0 *v, uint32_t c)
{
    char bytes[4];
    size_t size = c < 0x80 ? (bytes[0] = (char)c, 1) : utf8_put(bytes, c);

    if (!size)
        v->failed = true;
    v0_put_bytes(v, bytes, size);
}

char v0_take(struct v0 *v)
{
    if (v->failed || v->next == v->end) {
        v->failed = true;
        return '\0';
    }
    return *v->next++;
}

bool v0_eat(struct v0 *v, char c)
{
    if (v->failed || v->next == v->end || *v->next != c)
        return false;
    v->next++;
    return true;
}

bool v0_goes_on(struct v0 *v, unsigned n)
{
    if (v->failed || v0_eat(v, 'E'))
        return false;
    if (n)
        v0_put(v, ", ");
    return true;
}

/*--- Numbers and identifiers ---*/

unsigned v0_digit_62(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36
                                  : 62;
}

uint64_t v0_base_62(struct v0 *v)
{
    uint64_t n = 0;

    if (v0_eat(v, '_'))
        return 0;
    while (!v->failed && !v0_eat(v, '_')) {
        unsigned digit = v0_digit_62(v0_take(v));

        if (digit == 62 || __builtin_mul_overflow(n, 62, &n) ||
            __builtin_add_overflow(n, digit, &n))
            v->failed = true;
    }
    if (n == UINT64_MAX)
        v->failed = true;
    return n + 1;
}

uint64_t v0_tagged_62(struct v0 *v, char tag)
{
    uint64_t n = v0_eat(v, tag) ? v0_base_62(v) + 1 : 0;

    return n;
}

struct v0_ident v0_read_ident(struct v0 *v)
{
    struct v0_ident i = {.is_punycode = v0_eat(v, 'u')};
    char c = v0_take(v);

    if (c < '0' || c > '9')
        v->failed = true;
    i.size = (size_t)(c - '0');
    while (c != '0' && !v->failed && v->next < v->end && *v->next >= '0' && *v->next <= '9' &&
           i.size < (size_t)(v->end - v->start))
        i.size = i.size * 10 + (size_t)(*v->next++ - '0');
    (void)v0_eat(v, '_');
    if (v->failed || i.size > (size_t)(v->end - v->next)) {
        v->failed = true;
        return (struct v0_ident){.bytes = ""};
    }
    i.bytes = v->next;
    v->next += i.size;
    return i;
}

/* RFC 3492, 6.1 */
static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
    uint32_t k = 0;

    delta = first ? delta / 700 : delta / 2;
    delta += delta / points;
    for (; delta > 35 * 26 / 2; k += 36)
        delta /= 35;
    return k + 36 * delta / (delta + 38);
}

/* The distance of the next character, RFC 3492, 6.2. Returns false where it is malformed. */
static bool read_delta(const char **at, const char *end, uint32_t bias, uint32_t *delta)
{
    uint64_t weight = 1, sum = 0;

    for (uint32_t k = 36;; k += 36) {
        uint32_t t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias, digit;

        if (*at == end)
            return false;
        digit = v0_digit_62(*(*at)++);
        if (digit >= 36)
            return false;
        digit = digit < 10 ? digit + 26 : digit - 10;
        sum += digit * weight;
        if (sum > INT32_MAX)
            return false;
        if (digit < t) {
            *delta = (uint32_t)sum;
            return true;
        }
        weight *= 36 - t;
        if (weight > INT32_MAX)
            return false;
    }
}

/* Returns the number of characters; 0: it is malformed, or too long. */
static size_t decode_punycode(const struct v0_ident *ident, uint32_t *out)
{
    const char *end = ident->bytes + ident->size, *at = memrchr(ident->bytes, '_', ident->size);
    size_t n = at ? (size_t)(at - ident->bytes) : 0;
    uint32_t c = 0x80, i = 0, bias = 72, delta;

    if (n > PUNYCODE_MOST)
        return 0;
    for (size_t k = 0; k < n; k++)
        out[k] = (unsigned char)ident->bytes[k];
    at = at ? at + 1 : ident->bytes;
    for (bool first = true; at < end; first = false, i++) {
        if (n == PUNYCODE_MOST || !read_delta(&at, end, bias, &delta))
            return 0;
        i += delta;
        n++;
        bias = adapt(delta, (uint32_t)n, first);
        c += i / (uint32_t)n;
        i %= (uint32_t)n;
        memmove(out + i + 1, out + i, (n - 1 - i) * sizeof *out);
        out[i] = c;
    }
    return n;
}

void v0_put_ident(struct v0 *v, const struct v0_ident *ident)
{
    uint32_t characters[PUNYCODE_MOST];
    size_t n = ident->is_punycode ? decode_punycode(ident, characters) : 0;

    if (ident->is_punycode && !n)
        v0_put(v, "punycode{");
    if (!n)
        v0_put_bytes(v, ident->bytes, ident->size);
    if (ident->is_punycode && !n)
        v0_put(v, "}");
    for (size_t i = 0; i < n; i++)
        v0_put_character(v, characters[i]);
}

bool v0_enter(struct v0 *v)
{
    if (++v->depth > DEPTH_MOST)
        v->failed = true;
    return !v->failed;
}

void v0_leave(struct v0 *v)
{
    v->depth--;
}

const char *v0_go_back(struct v0 *v)
{
    const char *from = v->next - 1, *after;
    uint64_t place = v0_base_62(v);

    after = v->next;
    if (place >= (uint64_t)(from - v->start))
        v->failed = true;
    if (v->failed || v->skipping)
        return NULL;
    v->next = v->start + place;
    return after;
}
