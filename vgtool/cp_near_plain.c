/* cp_near_plain.c - instructions as they are in copies, and those that cannot be there. */
#include "cp_near.h"

/* Without effect on an operand relative to RIP: a prefix that names another segment. */
static Bool is_idle(UChar byte)
{
    return (byte & 0xe7) == 0x26;
}

static Bool is_prefix(UChar byte)
{
    return is_idle(byte) || byte == 0x66 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3;
}

/* The offset of a prefix that can be left out: it is idle, or comes again. If there is none, that
 * of the first byte that is no prefix. */
static UInt needless_prefix(const UChar *bytes)
{
    UInt i;

    for (i = 0; is_prefix(bytes[i]) && !is_idle(bytes[i]); i++)
        for (UInt k = i + 1; is_prefix(bytes[k]); k++)
            if (bytes[k] == bytes[i])
                return i;
    return i;
}

/* An operand relative to RIP takes a byte more in a copy, and processors refuse instructions of
 * more than 15. */
static Bool is_too_long(const Insn *in)
{
    return in->rip_at && in->length == 15;
}

static Bool can_be_shorter(const Insn *in)
{
    const UChar *bytes = in->bytes;

    return is_prefix(bytes[needless_prefix(bytes)]);
}

static void put_bytes(const UChar *bytes, UInt n)
{
    VG_(memcpy)(cp_code, bytes, n);
    cp_code += n;
}

void cp_near_put_plain(const Insn *in)
{
    const UChar *bytes = in->bytes;
    UInt behind = in->rip_at + 4u, from = 0;

    if (!in->rip_at) {
        put_bytes(bytes, in->length);
        return;
    }
    if (is_too_long(in)) {
        put_bytes(bytes, needless_prefix(bytes));
        from = needless_prefix(bytes) + 1;
    }
    put_bytes(bytes + from, in->modrm_at - from);
    cp_put((bytes[in->modrm_at] & 0x38u) | 4);
    cp_put(0x25);
    cp_put_word((UInt)in->target);
    put_bytes(bytes + behind, in->length - behind);
}

/* Client requests begin with rolq $3, %rdi and rolq $13, %rdi; VEX knows them. */
static Bool is_request(const Insn *in)
{
    static const UChar first[] = {0x48, 0xC1, 0xC7, 0x03, 0x48, 0xC1, 0xC7, 0x0D};
    Insn next;

    return in->length == 4 && in->writes == 1u << REG_DI &&
           cp_near_decode(in->address + 4, &next) && next.length == 4 &&
           !VG_(memcmp)(in->bytes, first, sizeof first);
}

Bool cp_near_copies(const Insn *in)
{
    /* Where it leads to, and goes on. */
    Bool is_low = !(in->target >> 31) && !((in->address + 15) >> 31);

    return is_low && !(is_too_long(in) && !can_be_shorter(in)) &&
           !(in->has_masks && !cp_near_has_wide()) && !is_request(in) &&
           !(clo_cache_sim && !cp_near_knows_accesses(in));
}
