/*
 * decode-listing - reads what `objdump -d -w` prints, decodes each instruction's bytes with the
 * tool's decoder, and compares: lengths, operands relative to RIP, kinds and targets of branches.
 *
 * The last line is "N instructions, N refused, N wrong"; wrong ones come before it, ten at most.
 * Data in between, which objdump calls (bad), is left out. With "refused", prints what is refused.
 */
#include "cp_decode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long n, n_refused, n_wrong;

/* A line of objdump: "  401000:\tf3 0f 1e fa          \tendbr64 ". */
typedef struct {
    uint64_t address;
    uint8_t bytes[32];
    uint32_t length;
    const char *words; /* mnemonic and operands */
} Line;

static bool read_line(char *text, Line *line)
{
    char *at, *end;

    line->address = strtoull(text, &at, 16);
    if (at == text || at[0] != ':' || at[1] != '\t')
        return false;
    line->length = 0;
    for (at += 2; isxdigit((unsigned char)*at) && line->length < 16; at = end + (*end == ' '))
        line->bytes[line->length++] = (uint8_t)strtoul(at, &end, 16);
    while (*at == ' ')
        at++;
    line->words = *at == '\t' ? at + 1 : "";
    return line->length && *at == '\t';
}

/* The mnemonic behind prefixes that objdump writes as words. */
static const char *mnemonic(const char *words)
{
    static const char *const prefixes[] = {"bnd ",      "notrack ", "repz ",  "repnz ", "data16 ",
                                           "cs ",       "ds ",      "rex.W ", "lock ",  "addr32 ",
                                           "es ",       "ss ",      "rep ",   "fs ",    "xacquire ",
                                           "xrelease ", "rex "};

    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(words, prefixes[i], strlen(prefixes[i])))
            return mnemonic(words + strlen(prefixes[i]));
    return words;
}

static InsnKind kind_of(const char *words)
{
    const char *m = mnemonic(words), *operand = m + strcspn(m, " \n");
    bool is_indirect;

    operand += strspn(operand, " ");
    is_indirect = *operand == '*';
    if (!strncmp(m, "jmp", 3))
        return is_indirect ? INSN_JMP_INDIRECT : INSN_JMP;
    if (!strncmp(m, "call", 4))
        return is_indirect ? INSN_CALL_INDIRECT : INSN_CALL;
    if (!strncmp(m, "ret", 3))
        return INSN_RET;
    if (m[0] == 'j')
        return INSN_JCC;
    if (strstr(words, "rep movs") || strstr(words, "rep stos") || strstr(words, "rep lods"))
        return INSN_REPEAT;
    if (strstr(m, "stmxcsr"))
        return INSN_STATUS;
    return INSN_PLAIN;
}

/* The target as objdump shows it: a branch's operand, or what stands behind '#'. */
static bool has_target(const Line *line, const Insn *in)
{
    const char *mark = strchr(line->words, '#'), *m = mnemonic(line->words);

    if (in->rip_at && in->kind != INSN_CALL)
        return mark && strtoull(mark + 1, NULL, 16) == in->target;
    if (in->kind == INSN_JCC || in->kind == INSN_JMP || in->kind == INSN_CALL)
        return strtoull(m + strcspn(m, " \n"), NULL, 16) == in->target;
    return !mark || !strstr(line->words, "(%rip)");
}

static void compare(const Line *line, bool shows_refused)
{
    Insn in;

    if (strstr(line->words, "(bad)") || line->words[0] == '.')
        return;
    n++;
    if (!cp_decode(line->bytes, sizeof line->bytes, line->address, &in)) {
        n_refused++;
        if (shows_refused)
            printf("%s", line->words);
        return;
    }
    if (in.length == line->length && in.kind == kind_of(line->words) && has_target(line, &in))
        return;
    if (n_wrong++ < 10)
        printf("wrong: %llx length %u for %u, kind %u for %u, target %llx: %s",
               (unsigned long long)line->address, in.length, line->length, in.kind,
               kind_of(line->words), (unsigned long long)in.target, line->words);
}

int main(int argc, char **argv)
{
    static char text[1 << 16];
    Line line;

    while (fgets(text, sizeof text, stdin)) {
        memset(&line, 0, sizeof line);
        if (read_line(text, &line))
            compare(&line, argc > 1 && !strcmp(argv[1], "refused"));
    }
    printf("%lu instructions, %lu refused, %lu wrong\n", n, n_refused, n_wrong);
    return n_wrong != 0;
}
