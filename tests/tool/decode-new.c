/*
 * decode-new - compares what the tool's decoder knows of accesses of AVX-512 with what objdump
 * says of operands in memory.
 *
 * With "make" it writes an instruction of each opcode of EVEX, 16 bytes for each, and the moves of
 * masks. Their displacement is 1, so that objdump shows what it is multiplied by. Otherwise it
 * reads what `objdump -D -b binary -m i386:x86-64 -M intel -w` prints of them. The last line is "N
 * instructions, N wrong"; wrong ones come before it.
 */
#include "cp_accesses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 16, EVEX = 0x62, VEX = 0xc4 };
static unsigned long n_compared, n_wrong;

static void make(const uint8_t *code, size_t n)
{
    uint8_t bytes[ROOM];
    Insn in;

    memset(bytes, 0x90, ROOM);
    memcpy(bytes, code, n);
    if (!cp_decode(bytes, ROOM, 0, &in))
        return;
    memset(bytes + in.length, 0x90, (size_t)(ROOM - in.length));
    fwrite(bytes, 1, ROOM, stdout);
}

/* `last` is the last byte of the prefix: the vectors' length, a number for all of a vector. */
static void make_evex(unsigned map, unsigned w, unsigned pp, unsigned last)
{
    for (unsigned op = 0; op < 256; op++) {
        const uint8_t code[] = {EVEX,
                                (uint8_t)(0xf0 | map),
                                (uint8_t)(w << 7 | 0x7c | pp),
                                (uint8_t)(last | 8),
                                (uint8_t)op,
                                0x48,
                                1,
                                0};

        make(code, sizeof code);
    }
}

static void make_all(void)
{
    static const uint8_t maps[] = {1, 2, 3, 5, 6};

    for (unsigned m = 0; m < sizeof maps; m++)
        for (unsigned kind = 0; kind < 2 * 4 * 3 * 2; kind++)
            make_evex(maps[m], kind & 1, kind >> 1 & 3, (kind >> 3) % 3 << 5 | (kind / 24) << 4);
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned op = 0x90; op <= 0x91; op++) {
            const uint8_t code[] = {
                VEX, 0xe1, (uint8_t)((kind & 1) << 7 | 0x78 | kind >> 1), (uint8_t)op, 0x48, 1};

            make(code, sizeof code);
        }
}

/* True for what came after AVX-512, which newer ones of objdump know: AVX10.2, and APX's forms of
 * what had none with this prefix. */
static int is_newer(const char *text)
{
    static const char *const parts[] = {
        "{evex}",    "hf8",    "bf8",    "bf4",     "iubs",   "ps2ibs",  "bf162ibs",
        "vpmovssdb", "vmovw ", "qqs ",   "dqs ",    "sis ",   "comx",    "vminmax",
        "vmpsadbw",  "vmovrs", "vmovd ", "misbf16", "vcmpbf", "vbitrev", "vbmac"};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text, parts[i]))
            return 1;
    return 0;
}

/* objdump knows an instruction by its name, and a processor has fewer: "(bad)", "vcmpp{bad}", and
 * some that read no number for all of a vector. */
static int exists(const char *text)
{
    return !is_newer(text) && !strstr(text, "bad") && !strchr(strchr(text, ' '), '(') &&
           !strstr(text, "{ba") &&
           !(strstr(text, " BCST ") &&
             (strstr(text, "dbpsadbw") || strstr(text, "vpshldw") || strstr(text, "vpshrdw")));
}

/* The bytes of an operand by their name, which ends at `end`; 0: none. */
static unsigned size_named(const char *text, const char *end)
{
    static const struct {
        const char *name;
        unsigned size;
    } names[] = {{" BYTE", 1},    {" WORD", 2},    {" DWORD", 4},   {" QWORD", 8},
                 {"XMMWORD", 16}, {"YMMWORD", 32}, {"ZMMWORD", 64}, {",BYTE", 1},
                 {",WORD", 2},    {",DWORD", 4},   {",QWORD", 8}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i].name);

        if (end - text >= (long)n && !strncmp(end - n, names[i].name, n))
            return names[i].size;
    }
    return 0;
}

static void compare(const char *line, const uint8_t *bytes, const char *text)
{
    const char *at = strstr(text, " PTR [rax+0x");
    unsigned size = 0, offset = 0;
    Access a[MOST_ACCESSES];
    Insn in;

    if (!at)
        at = strstr(text, " BCST [rax+0x");
    if (!at || !exists(text) || !cp_decode(bytes, ROOM, 0, &in))
        return;
    size = size_named(text, at);
    offset = (unsigned)strtoul(strstr(at, "0x"), NULL, 16);
    n_compared++;
    if (cp_accesses(&in, a) == 1 && a[0].size == size &&
        in.short_offset + a[0].offset == (int)offset)
        return;
    n_wrong++;
    printf("%s", line);
}

static void compare_all(void)
{
    char line[1000];

    while (fgets(line, sizeof line, stdin)) {
        uint8_t bytes[ROOM] = {0};
        char *at = strchr(line, '\t'), *end;

        for (unsigned n = 0; at && n < ROOM; n++, at = end) {
            unsigned long byte = strtoul(at, &end, 16);

            if (end == at || (*end != ' ' && *end != '\t'))
                break;
            bytes[n] = (uint8_t)byte;
        }
        if (at && (at = strchr(at, '\t')) && strchr(at, ' '))
            compare(line, bytes, at);
    }
    printf("%lu instructions, %lu wrong\n", n_compared, n_wrong);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        make_all();
    else
        compare_all();
    return 0;
}
