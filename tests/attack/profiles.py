"""profiles.py - profiles of every format that cargo-cprof reads, made from a seed: well-formed ones whose totals are known, and mutations
of these that know what a line and a field are. Bytes, not text: names may be anything. "@HERE@" in one stands for the folder of a run."""
import gzip
import json

NUMBERS = [b"0", b"1", b"2", b"-1", b"7", b"63", b"64", b"255", b"65535", b"65536", b"2147483647", b"2147483648", b"4294967295",
           b"4294967296", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775807", b"-9223372036854775808",
           b"18446744073709551615", b"18446744073709551616", b"99999999999999999999999999", b"0x10", b"0xffffffffffffffff", b"+1", b"-3",
           b"*", b"1e9", b"00000000000000000001", b"1.5", b"", b"-", b"x"]
NAMES = [b"main", b"a", b"f", b"_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE", b"_RNvMs_NtCs1234_7mycrate3fooINtB4_3BarmE3baz",
         b"_ZNSt6vectorIiSaIiEE9push_backERKi", b"_ZN1a1bI1cE17h0000000000000000E.llvm.123", b"<a::B as c::D>::e", b"f'2", b"f'2'3", b"(1)",
         b"(1) f", b"(99)", b"(", b")", b"???", b"[program]", b"[thread 1]", b"[signal]", b"[fibre]", b"[more]", b"0x1234", b"caf\xc3\xa9",
         b"\xff\xfe\x80", b"\x1b[2J", b"\xe2\x80\xaegnp", b"%s%n%d", b"a,b;c\"d'e", b"=1+1", b"@x", b"<script>alert(1)</script>", b"]]>",
         b"&amp;", b"a\tb", b"a\\x00b", b"\\x0a", b"\\", b"a" * 300, b"std::vector<" * 40 + b"int" + b">" * 40, b"a::b::{closure#0}",
         b"core::ptr::drop_in_place<T>", b"operator<", b"operator()", b"{{closure}}", b"f [3 instances]", b"memcpy@plt", b"a b c", b" ", b"",
         b"\xf0\x9f\x92\xa9", b"\xed\xa0\x80", b"e\xcc\x81" * 20, b"-n", b"--sort", b"../../../../etc/passwd", b"/dev/stdin"]
EVENTS = [b"Ir", b"Dr", b"Dw", b"I1mr", b"D1mr", b"D1mw", b"ILmr", b"DLmr", b"DLmw", b"Bc", b"Bcm", b"Bi", b"Bim", b"Time_(10ns)", b"cpu(ms)"]
PATHS = [b"@HERE@/prog", b"@HERE@/prog.c", b"/usr/lib/libc.so.6", b"a.c", b"src/main.rs", b"/rustc/0123456789abcdef/library/core/src/fmt/mod.rs",
         b"/root/.cargo/registry/src/index-0123456789abcdef/serde-1.0.2/src/lib.rs", b"???", b"", b"[anonymous]", b"/", b"@HERE@"]


def name(rng):
    """Mostly one of its own, so that profiles have many functions."""
    kind = rng.random()
    if kind < 0.55:
        return b"%s%d" % (rng.choice([b"f", b"a::b", b"crate::mod::g", b"_ZN1x1y", b"h"]), rng.randrange(40))
    if kind < 0.95:
        return rng.choice(NAMES)
    return bytes(rng.randrange(256) for _ in range(rng.randrange(12))).replace(b"\n", b"?").replace(b"\0", b"?")


def path(rng):
    return rng.choice(PATHS) if rng.random() < 0.7 else name(rng)


def count(rng):
    return rng.choice([0, 1, 2, 3, 10, 100, 12345, rng.randrange(10 ** rng.randrange(1, 15))])


def events(rng):
    n = rng.choice([1, 1, 2, 3, 9, 13])
    chosen = EVENTS[:n] if rng.random() < 0.6 else rng.sample(EVENTS, min(n, len(EVENTS)))
    return chosen if rng.random() < 0.8 or b"Ir" in chosen else [b"Ir"] + chosen[1:]


def row(rng, n, sums=None):
    """Counts as text, zeros at the end perhaps left out; added to the sums."""
    values = [count(rng) for _ in range(n)]
    for i, value in enumerate(values):
        if sums is not None:
            sums[i] += value
    while len(values) > 1 and values[-1] == 0 and rng.random() < 0.7:
        values.pop()
    return b" ".join(b"%d" % value for value in values)


class Names:
    """Callgrind's name compression: a number for each text, per kind."""

    def __init__(self, rng):
        self.rng, self.known, self.on = rng, {}, rng.random() < 0.7

    def of(self, kind, text):
        if not self.on or text.startswith(b"("):
            return text
        if (kind, text) in self.known:
            return b"(%d)" % self.known[kind, text]
        number = self.known[kind, text] = len(self.known) + 1
        return b"(%d) %s" % (number, text)


def plain_text(text):
    """As a format whose texts run to the end of the line has it."""
    return text.replace(b"\n", b" ").replace(b"\r", b" ").strip() or b"x"


def make_callgrind(rng):
    kinds, lines = events(rng), []
    names, n = Names(rng), len(kinds)
    instr = rng.random() < 0.3
    functions = [(plain_text(name(rng)), plain_text(path(rng)), plain_text(path(rng))) for _ in range(rng.randrange(1, 25))]
    if rng.random() < 0.8:
        lines += [b"# callgrind format", b"version: 1", b"creator: %s" % rng.choice([b"callgrind-3.19.0", b"me", b"xdebug 3"])]
    lines += [b"pid: 7", b"cmd: @HERE@/prog 1"] if rng.random() < 0.7 else []
    lines += [b"positions: %sline" % (b"instr " if instr else b""), b"events: " + b" ".join(kinds)]
    all_sums = [0] * n
    parts = rng.choice([1, 1, 1, 2, 3])
    for part in range(parts):
        sums = [0] * n
        if part:
            lines += [b"part: %d" % (part + 1), b"thread: %d" % rng.randrange(1, 4), b"positions: %sline" % (b"instr " if instr else b""),
                      b"events: " + b" ".join(kinds)]
        for _ in range(rng.randrange(1, 20)):
            function, file, objekt = rng.choice(functions)
            if rng.random() < 0.6:
                lines.append(b"ob=" + names.of("ob", objekt))
            lines += [b"fl=" + names.of("fl", file), b"fn=" + names.of("fn", function)]
            for _ in range(rng.randrange(4)):
                if rng.random() < 0.1:
                    lines.append(rng.choice([b"fi=", b"fe="]) + names.of("fl", plain_text(path(rng))))
                address = b"0x%x " % rng.randrange(0x1000, 0x2000) if instr else b""
                if rng.random() < 0.4:
                    callee = rng.choice(functions)
                    if rng.random() < 0.5:
                        lines.append(b"cob=" + names.of("ob", callee[2]))
                    if rng.random() < 0.5:
                        lines.append(rng.choice([b"cfi=", b"cfl="]) + names.of("fl", callee[1]))
                    lines += [b"cfn=" + names.of("fn", callee[0]), b"calls=%d %s%d" % (rng.randrange(1, 9), address, rng.randrange(99)),
                              address + b"%d " % rng.randrange(99) + row(rng, n)]
                else:
                    lines.append(address + b"%d " % rng.randrange(99) + row(rng, n, sums))
        lines += [b"totals: " + b" ".join(b"%d" % s for s in sums), b""]
        all_sums = [a + b for a, b in zip(all_sums, sums)]
    return b"\n".join(lines) + b"\n", dict(zip(kinds, all_sums))


def make_cachegrind(rng):
    kinds, lines = events(rng), []
    sums = [0] * len(kinds)
    if rng.random() < 0.7:
        lines += [b"desc: I1 cache:         32768 B, 64 B, 8-way associative", b"desc: D1 cache:         32768 B, 64 B, 8-way associative",
                  b"desc: LL cache:         8388608 B, 64 B, 16-way associative"]
    lines += [b"cmd: @HERE@/prog", b"events: " + b" ".join(kinds)]
    for _ in range(rng.randrange(1, 30)):
        lines += [b"fl=" + plain_text(path(rng)), b"fn=" + plain_text(name(rng))]
        for _ in range(rng.randrange(1, 4)):
            values = [count(rng) for _ in kinds]
            sums = [a + b for a, b in zip(sums, values)]
            lines.append(b"%d " % rng.randrange(99) + b" ".join(b"%d" % v for v in values))
    lines.append(b"summary: " + b" ".join(b"%d" % s for s in sums))
    return b"\n".join(lines) + b"\n", dict(zip(kinds, sums))


def escaped(text, word=False):
    out = b"".join(b"\\x%02x" % c if c < 0x20 or c == 0x7f or c == 0x5c or (word and c == 0x20) else bytes([c]) for c in text)
    return out or (b"-" if word else b"")


def end(lines, word=b"end"):
    return b"\n".join(lines + [b"%s %d" % (word, len(lines))]) + b"\n"


def make_raw(rng, addresses=(0x1130, 0x1150, 0x1170)):
    """One to three processes; `addresses` are where functions of @HERE@/prog begin."""
    contexts = rng.random() < 0.7
    extra = rng.choice([[], [b"Dr", b"Dw"], [b"I1mr", b"ILmr", b"Dr", b"D1mr", b"DLmr", b"Dw", b"D1mw", b"DLmw"]])
    kinds, total, out = [b"Ir"] + extra, {}, b""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text, sums = make_process(rng, kinds, [k for k in extra if k not in (b"Dr", b"Dw")], contexts, addresses)
        out += text
        total = {k: total.get(k, 0) + v for k, v in sums.items()}
    return out, total


def make_process(rng, kinds, counted, contexts, addresses):
    sums = dict.fromkeys(kinds, 0)
    lines = [b"cprof-raw 2", b"creator: cprof-0.1.0 valgrind-3.19.0", b"pid: %d" % rng.randrange(1, 9999), b"exit: code 0", b"program: @HERE@/prog",
             b"arg: prog", b"arg: " + escaped(name(rng))]
    lines += [b"I1: 32768 8 64", b"D1: 32768 8 64", b"LL: 8388608 16 64"] if counted else []
    lines += [b"events: " + b" ".join(kinds), b"counted: " + b" ".join(counted), b"random: " + rng.choice([b"no", b"yes", b"fixed"])]
    objects = [b"@HERE@/prog", b"[anonymous]", escaped(path(rng) or b"x")][: rng.randrange(1, 4)]
    for i, objekt in enumerate(objects):
        lines.append(b"o %d %s %s" % (i, rng.choice([b"-", b"-", b"ab12"]), objekt))
    specs = []
    for i in range(rng.randrange(1, 12)):
        words, spec, address = [], {}, rng.choice(addresses) + rng.randrange(0, 40)
        for k in range(rng.randrange(1, 6)):
            letters = "i" + "".join(rng.choice("rw") for _ in range(rng.randrange(3)) if b"Dr" in kinds)
            for letter in letters:
                spec[letter] = spec.get(letter, 0) + 1
            words.append(b"%s%s" % (b"+%x " % rng.randrange(1, 8) if k else b"", letters.encode()))
        lines.append(b"s %d %d %x %s" % (i, rng.randrange(len(objects)), address, b" ".join(words)))
        specs.append(spec)

    def costs():
        for _ in range(rng.randrange(4)):
            section = rng.randrange(len(specs))
            runs = [rng.randrange(1, 1000) for _ in range(rng.randrange(1, 1 + min(4, len(specs) - section)))]
            for k, n in enumerate(runs):
                for letter, event in (("i", b"Ir"), ("r", b"Dr"), ("w", b"Dw")):
                    if event in sums:
                        sums[event] += n * specs[section + k].get(letter, 0)
            lines.append(b"k %d %s" % (section, b" ".join(b"%d" % n for n in runs)))
            if counted and rng.random() < 0.5:
                values = [rng.randrange(1, 50) for _ in range(rng.randrange(1, len(counted) + 1))]
                for event, n in zip(counted, values):
                    sums[event] += n
                lines.append(b"m 0 %x %s" % (rng.choice(addresses), b" ".join(b"%d" % n for n in values)))

    if not contexts:
        costs()
        return end(lines), sums
    n = rng.randrange(1, 30)
    used = []
    for i in range(n):
        place = (rng.randrange(len(objects)), rng.choice(addresses) + rng.choice([0, 0, 16, 32]))
        if i == 0 or rng.random() < 0.05:
            lines.append(b"t %d %s %s" % (i, b"-" if i == 0 or rng.random() < 0.5 else b"%d" % rng.randrange(i),
                                          rng.choice([b"[thread 1]", b"[thread 2]", b"[signal]", b"[fibre]", b"[more]"])))
        else:
            site = b"- 0" if rng.random() < 0.2 else b"0 %x" % (rng.choice(addresses) + rng.randrange(30))
            lines.append(b"n %d %d %d %x %s %d" % (i, rng.randrange(i) if rng.random() < 0.6 else i - 1, *place, site, rng.randrange(9)))
            used.append(place)
        costs()
    for place in dict.fromkeys(used):
        lines.append(b"i %d %x %s" % (*place, row(rng, len(kinds))))
        if rng.random() < 0.7:
            caller = rng.choice(used)
            lines.append(b"e %d %x %d %x 0 %x %d %s" % (*caller, *place, rng.choice(addresses), rng.randrange(9), row(rng, len(kinds))))
    return end(lines), sums


def make_named(rng):
    kinds = events(rng)
    n, sums = len(kinds), [0] * len(kinds)
    lines = [b"cprof-named 1", b"format: " + rng.choice([b"cprof", b"cprof", b"callgrind", b"cachegrind"]), b"program: @HERE@/prog", b"command: ./prog 1",
             b"pid: 4711", b"exit: code 0", b"arg: ./prog", b"events: " + b" ".join(kinds)]
    objects, files, functions = rng.randrange(3), rng.randrange(4), rng.randrange(1, 20)
    lines += [b"o %s %s" % (rng.choice([b"-", b"ab12"]), escaped(path(rng))) for _ in range(objects)]
    lines += [b"l " + escaped(path(rng)) for _ in range(files)]

    def one_of(size):
        return b"-" if not size or rng.random() < 0.2 else b"%d" % rng.randrange(size)

    for _ in range(functions):
        lines.append(b"f %s %s %d %x %d %s %s %s %s" % (one_of(objects), one_of(files), rng.randrange(50), rng.randrange(0x2000), rng.choice([0, 0, 2]),
                                                     rng.choice([b"-", b"-", b"i", b"l", b"il"]), escaped(name(rng), True),
                                                     rng.choice([b"-", b"u8", b"u8,\\x20f64"]), escaped(name(rng))))
    def costs(times):
        for _ in range(times):
            lines.append(b"c %d %s %d %x %s" % (rng.randrange(functions), one_of(files), rng.randrange(60), rng.randrange(0x2000), row(rng, n, sums)))

    if rng.random() < 0.3:
        costs(rng.randrange(1, 20))
        return end(lines), dict(zip(kinds, sums))
    for i in range(rng.randrange(1, 25)):
        inlined = rng.random() < 0.2
        lines.append(b"n %s %d %s %d %x %d %d" % (b"-" if i == 0 else b"%d" % (rng.randrange(i) if rng.random() < 0.5 else i - 1), rng.randrange(functions),
                                               one_of(files), rng.randrange(60), 0 if inlined else rng.randrange(0x2000), 0 if inlined else rng.randrange(9), inlined))
        costs(rng.randrange(3))
    for _ in range(rng.randrange(10)):
        lines.append(b"e %d %d %s %d %x %d 0 %s" % (rng.randrange(functions), rng.randrange(functions), one_of(files), rng.randrange(60), rng.randrange(0x2000),
                                                 rng.randrange(9), row(rng, n)))
    for i in sorted(rng.sample(range(functions), rng.randrange(functions + 1))):
        lines.append(b"i %d %s" % (i, row(rng, n)))
    return end(lines), dict(zip(kinds, sums))


MAKERS = {"callgrind": make_callgrind, "cachegrind": make_cachegrind, "raw": make_raw, "named": make_named}


# --- the files beside profiles

def make_noise(rng):
    runs, width, orders = rng.choice([2, 5, 0, -1, 2 ** 40]), rng.choice([4, 5, 5]), rng.random() < 0.5
    each = lambda n: {"each": [[count(rng) for _ in range(n)] for _ in range(min(max(runs, 0), 5))]} if orders else {}
    functions = [{"name": name(rng).decode("utf-8", "replace"), "least": [count(rng) for _ in range(width)], "most": [count(rng) for _ in range(width)],
                  **each(width)} for _ in range(rng.randrange(6))]
    return json.dumps({"schema": "cprof-noise/1", "runs": runs, "orders": orders, "events": ["Ir", "Dr"],
                       "total": {"least": [1, 2], "most": [3, 4], **each(2)}, "functions": functions}, indent=1).encode()


def make_packages(rng):
    packages = [{"name": name(rng).decode("utf-8", "replace"), "version": rng.choice(["1.0.2", None, ""]), "folder": rng.choice(["@HERE@", "/root/.cargo", "relative", "/"]),
                 "own": rng.random() < 0.5, "crates": [name(rng).decode("utf-8", "replace") for _ in range(rng.randrange(3))]} for _ in range(rng.randrange(5))]
    return json.dumps({"schema": "cprof-packages/1", "packages": packages}, indent=1).encode()


def names_in(data):
    """The functions of a profile, as far as they can be seen from without."""
    found = []
    for line in data.split(b"\n"):
        key, _, text = line.partition(b"=")
        if key in (b"fn", b"cfn") and text:
            found.append(text.split(b" ", 1)[-1] if text.startswith(b"(") else text)
        elif line.startswith(b"f ") and line.count(b" ") >= 9:
            found.append(line.split(b" ", 9)[-1])
    return [f.replace(b"\0", b"") for f in found]


# --- mutations

def mutate_field(rng, line):
    parts = line.split(b" ")
    i = rng.randrange(len(parts))
    kind = rng.random()
    if kind < 0.5:
        parts[i] = rng.choice(NUMBERS)
    elif kind < 0.65:
        parts[i] = name(rng)
    elif kind < 0.75:
        del parts[i]
    elif kind < 0.85:
        parts.insert(i, rng.choice(parts + NUMBERS))
    elif b"=" in parts[i]:
        key, _, value = parts[i].partition(b"=")
        parts[i] = key + b"=" + rng.choice([b"(%d)" % rng.randrange(30), name(rng), rng.choice(NUMBERS), value + value, b""])
    else:
        k = rng.randrange(len(parts))
        parts[i], parts[k] = parts[k], parts[i]
    return b" ".join(parts)


def mutate_lines(rng, lines, other):
    i = rng.randrange(len(lines))
    kind = rng.random()
    if kind < 0.45:
        lines[i] = mutate_field(rng, lines[i])
    elif kind < 0.55:
        del lines[i]
    elif kind < 0.65:
        lines.insert(rng.randrange(len(lines) + 1), lines[i])
    elif kind < 0.72:
        lines.insert(rng.randrange(len(lines)), lines.pop(i))
    elif kind < 0.80 and other:
        k = rng.randrange(len(other))
        lines[i:i] = other[k:k + rng.randrange(1, 20)]
    elif kind < 0.86:
        lines[i:i + rng.randrange(1, 8)] = []
    elif kind < 0.92:
        k = min(len(lines), i + rng.randrange(1, 6))
        lines[i:k] = lines[i:k] * rng.choice([2, 3, 30])
    elif lines[i]:
        k = rng.randrange(len(lines[i]))
        lines[i] = lines[i][:k] + bytes([rng.randrange(256)]) + lines[i][k + rng.randrange(2):]


def counted_again(lines):
    """The number in `end N` put right, of each profile in a row: the mutation is to be seen beyond it."""
    start = 0
    for i, line in enumerate(lines):
        if line.startswith(b"end ") and i > 0:
            lines[i] = b"end %d" % (i - start)
            start = i + 1


def mutate_mildly(rng, data):
    """Some numbers become others, and some names: mostly still a profile."""
    lines = data.split(b"\n")
    for _ in range(rng.choice([1, 2, 5, 20])):
        i = rng.randrange(len(lines))
        parts = lines[i].split(b" ")
        k = rng.randrange(len(parts))
        if parts[k].isdigit() and not lines[i].startswith((b"end", b"totals", b"summary", b"version", b"cprof-")):
            parts[k] = rng.choice([b"0", b"1", b"%d" % rng.randrange(30), b"%d" % count(rng), b"2147483648", b"4294967295", b"%d" % (2 ** 62 - 1), b"%d" % (2 ** 63 - 1)])
        elif k == len(parts) - 1 and lines[i][:2] in (b"fn", b"fl", b"ob", b"f ", b"l ", b"o ", b"ar", b"cm"):
            key = parts[k].partition(b"=")
            parts[k] = key[0] + key[1] + (escaped(name(rng)) or b"x") if key[1] else escaped(name(rng))
        lines[i] = b" ".join(parts)
    return b"\n".join(lines)


def mutate(rng, data, other=b""):
    """One to six changes of lines; at times a cut, or a change of bytes."""
    if rng.random() < 0.45:
        return mutate_mildly(rng, data)
    lines, others = data.split(b"\n"), other.split(b"\n")
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        mutate_lines(rng, lines, others)
        if not lines:
            lines = [b""]
    if rng.random() < 0.85:
        counted_again(lines)
    data = b"\n".join(lines)
    kind = rng.random()
    if kind < 0.04:
        data = data[: rng.randrange(len(data) + 1)]
    elif kind < 0.07:
        data = data.replace(b"\n", b"\r\n")
    return data


def mutate_bytes(rng, data):
    """Of binary files: bytes replaced, or small numbers put in place of others."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 2, 8, 40])):
        i = rng.randrange(len(data)) if data else 0
        if data:
            data[i:i + rng.choice([1, 1, 4, 8])] = rng.choice([bytes([rng.randrange(256)]), b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff" * 8, b"\x01\0\0\0"])
    return bytes(data[: rng.randrange(len(data) + 1)] if rng.random() < 0.1 else data)


def pack(rng, data):
    packed = gzip.compress(data, 1, mtime=0)
    return mutate_bytes(rng, packed) if rng.random() < 0.3 else packed
