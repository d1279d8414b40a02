/*
 * calls FUNCTIONS - compiles a small language in one pass, as a quick compiler does: a function for
 * each character, token, level of precedence and byte of code, few of them longer than ten
 * instructions. For make bench.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The compiler would else make one function of them. */
#define OWN __attribute__((noinline))

enum { SYMBOLS = 1024, CODE = 1 << 16, NAME = 16 };
enum { END, NAMED, NUMBER };

struct symbol {
    char name[NAME];
    int offset;
};

static const char *at;
static int token, number;
static char name[NAME];
static struct symbol symbols[SYMBOLS];
static unsigned char code[CODE];
static unsigned n_code, checksum;

/*--- Characters ---*/

OWN static int peek(void)
{
    return *at;
}

OWN static int get(void)
{
    return *at ? *at++ : 0;
}

OWN static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

OWN static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

OWN static void skip_blanks(void)
{
    while (peek() == ' ' || peek() == '\n')
        get();
}

/*--- Tokens ---*/

OWN static void read_name(void)
{
    int length = 0;
    while (is_letter(peek()) || is_digit(peek())) {
        int c = get();
        if (length < NAME - 1)
            name[length++] = (char)c;
    }
    name[length] = '\0';
    token = NAMED;
}

OWN static void read_number(void)
{
    number = 0;
    while (is_digit(peek()))
        number = number * 10 + (get() - '0');
    token = NUMBER;
}

OWN static void next(void)
{
    skip_blanks();
    if (is_letter(peek()))
        read_name();
    else if (is_digit(peek()))
        read_number();
    else
        token = get();
}

OWN static void expect(int wanted)
{
    if (token != wanted) {
        fprintf(stderr, "calls: '%c' is missing before '%.20s'\n", wanted, at);
        exit(1);
    }
    next();
}

OWN static int take(int wanted)
{
    if (token != wanted)
        return 0;
    next();
    return 1;
}

/*--- Symbols ---*/

OWN static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % SYMBOLS;
}

OWN static struct symbol *find(const char *wanted)
{
    unsigned i = hash(wanted);
    while (symbols[i].name[0] && strcmp(symbols[i].name, wanted) != 0)
        i = (i + 1) % SYMBOLS;
    if (!symbols[i].name[0]) {
        strcpy(symbols[i].name, wanted);
        symbols[i].offset = (int)i * 4;
    }
    return &symbols[i];
}

/*--- Code ---*/

OWN static void byte(int b)
{
    code[n_code++ % CODE] = (unsigned char)b;
}

OWN static void word(int w)
{
    byte(w);
    byte(w >> 8);
    byte(w >> 16);
    byte(w >> 24);
}

OWN static void operation(int opcode)
{
    byte(0x5b);
    byte(opcode);
    byte(0xd8);
}

OWN static void load(int offset)
{
    byte(0x8b);
    byte(0x85);
    word(offset);
}

OWN static void constant(int value)
{
    byte(0xb8);
    word(value);
}

OWN static int jump(int opcode)
{
    byte(opcode);
    word(0);
    return (int)n_code;
}

OWN static void land(int from)
{
    code[(unsigned)(from - 4) % CODE] = (unsigned char)((int)n_code - from);
}

/*--- Expressions and statements ---*/

static void expression(void);

OWN static void primary(void)
{
    if (token == NUMBER) {
        constant(number);
        next();
    } else if (token == NAMED) {
        load(find(name)->offset);
        next();
    } else {
        expect('(');
        expression();
        expect(')');
    }
}

OWN static void unary(void)
{
    int negative = take('-');
    primary();
    if (negative)
        operation(0xf7);
}

OWN static void product(void)
{
    unary();
    while (token == '*' || token == '/') {
        int opcode = token == '*' ? 0xaf : 0xf9;
        next();
        byte(0x50);
        unary();
        operation(opcode);
    }
}

OWN static void sum(void)
{
    product();
    while (token == '+' || token == '-') {
        int opcode = token == '+' ? 0x01 : 0x29;
        next();
        byte(0x50);
        product();
        operation(opcode);
    }
}

static void expression(void)
{
    sum();
    while (token == '<' || token == '>') {
        int opcode = token == '<' ? 0x9c : 0x9f;
        next();
        byte(0x50);
        sum();
        operation(opcode);
    }
}

OWN static void statement(void)
{
    if (take('{')) {
        while (!take('}'))
            statement();
    } else if (take('?')) {
        expression();
        int from = jump(0x74);
        statement();
        land(from);
    } else {
        struct symbol *symbol = find(name);
        expect(NAMED);
        expect('=');
        expression();
        expect(';');
        load(symbol->offset);
    }
}

OWN static void compile(const char *text)
{
    at = text;
    n_code = 0;
    next();
    while (token != END)
        statement();
    for (unsigned i = 0; i < n_code && i < CODE; i++)
        checksum = checksum * 31 + code[i];
}

int main(int argc, char **argv)
{
    int functions = argc > 1 ? atoi(argv[1]) : 100;
    char text[512];
    for (int i = 0; i < functions; i++) {
        snprintf(text, sizeof text,
                 "{ count%d = count%d + 1; total = (total + count%d * %d) / (step - %d);\n"
                 "  ? total > limit_%d - 3 * (a + b * -c) { total = 0; step = step + 2; }\n"
                 "  ? a < b x%d = a * a + b * b - (c / 7 + 11) * d; y = x%d + count%d; }\n",
                 i % 50, i % 50, i % 20, i, i % 13, i % 9, i % 31, i % 31, i % 50);
        compile(text);
    }
    printf("%u\n", checksum);
    return 0;
}
