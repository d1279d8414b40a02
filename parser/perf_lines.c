#include <config.h>

/* Lines of perf script's text. */
#include "lex.h"
#include "perf.h"

static int is_number(struct perf_text word)
{
    for (const char *p = word.at; p < word.end; p++)
        if (!lex_is_digit(*p))
            return 0;
    return word.at < word.end;
}

/* "123" or "123/124"; perf has -1 where a thread is not known. */
static int is_pid(struct perf_text word)
{
    const char *slash;
    struct perf_text pid, tid;

    if (word.at == word.end)
        return 0;
    slash = memchr(word.at, '/', (size_t)(word.end - word.at));
    pid = (struct perf_text){word.at, slash ? slash : word.end};
    tid = slash ? (struct perf_text){slash + 1, word.end} : pid;
    pid.at += *pid.at == '-';
    tid.at += tid.at < tid.end && *tid.at == '-';
    return is_number(pid) && is_number(tid);
}

/* "[002]" */
static int is_cpu(struct perf_text word)
{
    return word.end - word.at > 2 && *word.at == '[' && word.end[-1] == ']' &&
           is_number((struct perf_text){word.at + 1, word.end - 1});
}

/* "1234.567890:" */
static int is_time(struct perf_text word)
{
    const char *dot;

    if (word.end - word.at < 4 || word.end[-1] != ':' || !lex_is_digit(*word.at))
        return 0;
    dot = memchr(word.at, '.', (size_t)(word.end - word.at));
    return dot && is_number((struct perf_text){word.at, dot}) &&
           is_number((struct perf_text){dot + 1, word.end - 1});
}

/* The next word; an empty one at the end of the line. */
static struct perf_text next_word(const char **at, const char *end)
{
    size_t size = 0;
    const char *word = lex_word(at, end, &size);

    return word ? (struct perf_text){word, word + size} : (struct perf_text){end, end};
}

/* A number; 0: it is negative. */
static uint64_t read_id(const char *at, const char *end)
{
    uint64_t id = 0;

    return lex_decimal(&at, end, &id) == LEX_OK ? id : 0;
}

/* The thread of "123" or "123/124", and of the latter the process. */
static void read_ids(struct perf_text word, struct perf_head *head)
{
    const char *slash = memchr(word.at, '/', (size_t)(word.end - word.at));

    head->pid = slash ? read_id(word.at, slash) : 0;
    head->tid = read_id(slash ? slash + 1 : word.at, word.end);
}

/* Nanoseconds of "1234.567890:"; those beyond 64 bits are none. */
static uint64_t read_time(struct perf_text word)
{
    const char *at = word.at;
    uint64_t seconds = 0, ns = 0, time;

    if (lex_decimal(&at, word.end, &seconds) != LEX_OK)
        return 0;
    at++;
    for (uint64_t unit = 100000000; unit && at < word.end && lex_is_digit(*at); unit /= 10)
        ns += (uint64_t)(*at++ - '0') * unit;
    return __builtin_mul_overflow(seconds, 1000000000, &time) ||
                   __builtin_add_overflow(time, ns, &time)
               ? 0
               : time;
}

/* An event of which nothing is behind its name. */
static int is_last_event(struct perf_text word, const char *at, const char *end)
{
    return word.end - word.at > 1 && word.end[-1] == ':' && lex_skip_blanks(at, end) == end;
}

/* Finds the time, and the end of the command's name, in which there may be blanks. Returns what is
 * behind the time; NULL: there is none. Without one, as older perfs and -F have it, the event has
 * to end the line. */
static const char *find_time(const char *at, const char *end, struct perf_head *head)
{
    struct perf_text one = {at, at}, two = {at, at}, word, period;
    const char *from;

    for (;;) {
        from = at;
        word = next_word(&at, end);
        if (word.at == word.end)
            return NULL;
        if (is_pid(one) || (is_cpu(one) && is_pid(two))) {
            struct perf_text pid = is_pid(one) ? one : two;
            const char *rest = at;

            period = is_number(word) ? next_word(&rest, end) : word;
            head->has_time = is_time(word);
            if (head->has_time || is_last_event(period, rest, end)) {
                head->comm.end = pid.at;
                read_ids(pid, head);
                head->time = head->has_time ? read_time(word) : 0;
                return head->has_time ? at : from;
            }
        }
        two = one;
        one = word;
    }
}

static const char *trim(const char *from, const char *end)
{
    while (end > from && lex_is_blank(end[-1]))
        end--;
    return end;
}

int perf_head_line(const char *at, const char *end, struct perf_head *head)
{
    const char *from = lex_skip_blanks(at, end);
    struct perf_text word;

    if (!(at = find_time(from, end, head)))
        return 0;
    head->comm = (struct perf_text){from, trim(from, head->comm.end)};
    head->period = 1;
    word = next_word(&at, end);
    head->has_period = is_number(word);
    if (head->has_period) {
        const char *digits = word.at;

        if (lex_decimal(&digits, end, &head->period) != LEX_OK)
            return 0;
        word = next_word(&at, end);
    }
    head->is_record = LEX_STARTS(word.at, word.end, "PERF_RECORD_");
    if (!head->is_record && (word.end - word.at < 2 || word.end[-1] != ':'))
        return 0;
    head->event = (struct perf_text){word.at, word.end - !head->is_record};
    head->rest = at;
    return 1;
}

int perf_field_value(const char *at, const char *end, const char *field, uint64_t *value)
{
    size_t size = strlen(field);

    for (;;) {
        struct perf_text word = next_word(&at, end);
        const char *digits = word.at + size + 1;

        if (word.at == word.end)
            return 0;
        if ((size_t)(word.end - word.at) > size + 1 && word.at[size] == '=' &&
            !memcmp(word.at, field, size))
            return (LEX_STARTS(digits, word.end, "0x")
                        ? (digits += 2, lex_hex(&digits, word.end, value))
                        : lex_decimal(&digits, word.end, value)) == LEX_OK &&
                   digits == word.end;
    }
}

/* The '(' that belongs to the ')' before `end`; NULL: none. */
static const char *find_open(const char *at, const char *end)
{
    unsigned depth = 0;

    for (const char *p = end; p-- > at;) {
        depth += *p == ')';
        if (*p == '(' && --depth == 0)
            return p;
    }
    return NULL;
}

/* The last `c` in the text, or NULL. */
static const char *find_last(const char *at, const char *end, char c)
{
    while (end > at)
        if (*--end == c)
            return end;
    return NULL;
}

/* "symbol+0x1f" without its offset, which is left alone where there is none. */
static const char *without_offset(const char *at, const char *end, uint64_t *offset)
{
    const char *plus = find_last(at, end, '+');
    uint64_t number;

    if (!plus || plus == at || !LEX_STARTS(plus, end, "+0x"))
        return end;
    at = plus + 3;
    if (lex_hex(&at, end, &number) != LEX_OK || at != end)
        return end;
    *offset = number;
    return plus;
}

static struct perf_text known(const char *at, const char *end)
{
    static const char unknown[] = "[unknown]";
    int is_unknown = end - at == sizeof unknown - 1 && !memcmp(at, unknown, sizeof unknown - 1);

    return is_unknown ? (struct perf_text){end, end} : (struct perf_text){at, end};
}

int perf_frame_line(const char *at, const char *end, struct perf_frame *frame)
{
    const char *open;
    uint64_t address;

    at = lex_skip_blanks(at, end);
    end = trim(at, end);
    if (lex_hex(&at, end, &address) != LEX_OK || (at < end && !lex_is_blank(*at)))
        return 0;
    at = lex_skip_blanks(at, end);
    *frame = (struct perf_frame){.symbol = {end, end}, .object = {end, end}, .address = address};
    open = at < end && end[-1] == ')' ? find_open(at, end) : NULL;
    if (open && (open == at || lex_is_blank(open[-1]))) {
        frame->inlined = end - open == 9 && !memcmp(open, "(inlined)", 9);
        if (!frame->inlined)
            frame->object = known(open + 1, end - 1);
        end = trim(at, open);
    }
    frame->symbol = known(at, without_offset(at, end, &frame->offset));
    return 1;
}

static int is_hex(struct perf_text word)
{
    uint64_t number;

    return word.at < word.end && lex_hex(&word.at, word.end, &number) == LEX_OK &&
           word.at == word.end;
}

/* The last of the fields "|OP LOAD|LVL L1 hit|...|BLK  N/A", from its bar on; NULL: there are none.
 */
static const char *last_of_access(const char *at, const char *end)
{
    const char *bar = memmem(at, (size_t)(end - at), "|OP ", 4) ? find_last(at, end, '|') : NULL;

    while (bar && (end - bar < 5 || bar[1] < 'A' || bar[1] > 'Z' || bar[2] < 'A' || bar[2] > 'Z' ||
                   bar[3] < 'A' || bar[3] > 'Z' || bar[4] != ' '))
        bar = find_last(at, bar, '|');
    return bar;
}

/* Behind these fields, which end with words that are no numbers; `at` where there are none. */
static const char *behind_access(const char *at, const char *end)
{
    const char *bar = last_of_access(at, end), *next;

    if (!bar)
        return at;
    at = bar + 1;
    do
        next = lex_skip_blanks(at, end);
    while (next < end && !is_hex(next_word(&at, end)));
    return next;
}

int perf_frame_in_line(const char *at, const char *end, struct perf_frame *frame)
{
    const char *close = find_last(at, end, ')'), *from, *rest;
    struct perf_text next;

    end = close ? close + 1 : end; /* behind it are registers, branches and the like */
    at = behind_access(at, end);
    /* Addresses and weights stand before the instruction: that is the last number, but for a
     * function that is called as one. */
    for (;;) {
        from = lex_skip_blanks(at, end);
        if (!is_hex(next_word(&at, end)))
            return 0;
        rest = at;
        if (!is_hex(next_word(&rest, end)))
            break;
        next = next_word(&rest, end);
        if (next.at == next.end || *next.at == '(')
            break;
    }
    return perf_frame_line(from, end, frame);
}

int perf_source_line(const char *at, const char *end, struct perf_text *file, uint32_t *line)
{
    const char *from = lex_skip_blanks(at, end), *colon = find_last(from, end, ':');
    uint64_t number;

    if (from == at || !colon || colon == from)
        return 0;
    at = colon + 1;
    if (lex_decimal(&at, end, &number) != LEX_OK || at != end || number > UINT32_MAX)
        return 0;
    *file = (struct perf_text){from, colon};
    *line = (uint32_t)number;
    return 1;
}

int perf_other_line(const char *at, const char *end)
{
    const char *from = lex_skip_blanks(at, end), *open = find_last(from, end, '[');
    uint64_t address;

    if (from == at)
        return 0;
    if (LEX_STARTS(from, end, "insn:"))
        return 1;
    if (!open || open == from)
        return 0;
    open++;
    return lex_hex(&open, end, &address) == LEX_OK && end - open == 1 && *open == ']';
}

/* The ':' before modifiers; the end: there are none, as the last part of a tracepoint's name is
 * not.
 */
static const char *find_modifiers(struct perf_text event)
{
    const char *colon = event.end;

    while (colon > event.at && colon[-1] != ':')
        if (!memchr("ukhpPGHISDWeb", *--colon, 13))
            return event.end;
    return colon > event.at + 1 && colon < event.end ? colon - 1 : event.end;
}

size_t perf_event_name(struct perf_text event, char *name, size_t size)
{
    const char *modifiers = find_modifiers(event);
    size_t n = 0;

    for (const char *p = event.at; p < modifiers && n < size; p++)
        name[n++] = *p;
    for (const char *p = modifiers; p < event.end && n + 1 < size; p++)
        if (memchr("ukh", *p, 3)) {
            if (n == (size_t)(modifiers - event.at))
                name[n++] = ':';
            name[n++] = *p;
        }
    return n;
}
