"""make_profiles.py FOLDER: writes the binary cases of parser-cases.test, profiles of pprof and gperftools, as FOLDER/NAME/input."""
import os
import struct
import sys

MAPS = """00400000-00452000 r-xp 00001000 08:02 173521 /usr/bin/app
7f0000000000-7f0000010000 r--p 00000000 08:02 99 /lib/libc.so.6
7f0000010000-7f0000020000 r-xp 00010000 08:02 99 /lib/libc.so.6
7ffc00000000-7ffc00001000 rw-p 00000000 00:00 0
"""


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n >= 0x80:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n) if n else b""


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field, numbers):
    return message(field, b"".join(map(varint, numbers)))


class Pprof:
    """A message Profile, put together by calls; ids begin with 1."""

    def __init__(self, *types):
        self.strings, self.n = {"": 0}, {}
        self.head = self.samples = self.tables = b""
        for kind, unit in types:
            self.head += message(1, number(1, self.text(kind)) + number(2, self.text(unit)))

    def text(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def id(self, kind):
        self.n[kind] = self.n.get(kind, 0) + 1
        return self.n[kind]

    def mapping(self, start, limit, offset, path, build_id=""):
        i = self.id("mapping")
        self.tables += message(3, number(1, i) + number(2, start) + number(3, limit) + number(4, offset) + number(5, self.text(path)) +
                               number(6, self.text(build_id)))
        return i

    def function(self, name, file="", line=0, system=""):
        i = self.id("function")
        self.tables += message(5, number(1, i) + number(2, self.text(name)) + number(3, self.text(system or name)) +
                               number(4, self.text(file)) + number(5, line))
        return i

    def location(self, mapping, address, *lines):
        i = self.id("location")
        self.tables += message(4, number(1, i) + number(2, mapping) + number(3, address) +
                               b"".join(message(4, number(1, f) + number(2, line)) for f, line in lines))
        return i

    def sample(self, locations, values, labels=(), apart=False):
        each = (lambda f, ns: b"".join(varint(f << 3) + varint(n) for n in ns)) if apart else packed
        data = each(1, locations) + each(2, values)
        for key, value in labels:
            data += message(3, number(1, self.text(key)) + (number(3, value) if isinstance(value, int) else number(2, self.text(value))))
        self.samples += message(2, data)

    def data(self, default=None, comment=None):
        tail = (number(13, self.text(comment)) if comment else b"") + (number(14, self.text(default)) if default else b"")
        return self.head + self.samples + self.tables + b"".join(message(6, t.encode("latin-1")) for t in self.strings) + tail


def plain():
    p = Pprof(("samples", "count"), ("cpu", "nanoseconds"))
    app, libc = p.mapping(0x400000, 0x500000, 0x1000, "/bin/app", "ab12"), p.mapping(0x7F0000000000, 0x7F0000100000, 0, "/lib/libc.so.6")
    main, work = p.function("main", "/src/main.c", 3), p.function("work", "/src/work.c", 10, "_Z4workv")
    small, macro = p.function("small", "/src/small.h", 1), p.function("work", "/src/macro.h", 0, "_Z4workv")
    a = p.location(app, 0x400010, (main, 5))
    b = p.location(app, 0x400100, (small, 2), (work, 12))  # small was inlined into work
    c = p.location(app, 0x400200, (macro, 7))
    d = p.location(app, 0x400300, (work, 15))
    e = p.location(libc, 0x7F0000000040)
    f = p.location(0, 0xFFFF800000001000)
    p.sample([b, a], [2, 20])
    p.sample([c, a], [1, 10], apart=True)
    p.sample([b, d, d, a], [3, 30])  # recursion
    p.sample([e, a], [1, 11])
    p.sample([f, e, a], [1, 9])
    p.sample([a], [0, 0])
    p.sample([], [1, 10])
    return p


def threads():
    p = Pprof(("alloc_objects", "count"), ("alloc_space", "bytes"), ("wall", "microseconds"), ("wall", "count"), ("odd unit", "furlongs"))
    f = p.function("f")
    a = p.location(0, 0, (f, 1))
    p.sample([a], [1, 100, 3, 4, 5], [("thread", "main"), ("tid", 7)])
    p.sample([a], [1, 200, 3, 4, 5], [("tid", 8), ("bytes", 64)])
    p.sample([a], [1, 300, 3, 4, 5])
    return p


def one(location=1, values=(1,), functions=1, lines=1, stack=1, repeat=1):
    """A small file that is wrong in one way."""
    p = Pprof(("samples", "count"))
    f = p.function("f")
    p.location(0, 0, *[(functions, 1)] * lines)
    assert f == 1
    for _ in range(repeat):
        p.sample([location] * stack, values)
    return p


def words(size, *values):
    return b"".join(struct.pack("<Q" if size == 8 else "<I", v) for v in values)


def cpu(size=8, end=True, maps=True):
    app, libc = 0x400000, 0x7F0000010000 if size == 8 else 0x450000
    data = words(size, 0, 3, 0, 10000, 0)
    data += words(size, 5, 3, app + 0x10, app + 0x21, libc + 0x31)
    data += words(size, 2, 2, libc + 0x40, libc + 0x31)
    data += words(size, 1, 3, app + 0x10, app + 0x10, libc + 0x31)  # the innermost one twice
    data += words(size, 1, 1, 0x99)
    if end:
        data += words(size, 0, 1, 0)
    return data + (MAPS.encode() if maps and end else b"")


def handled(other=0):
    """Two frames that a handler left are second, in all stacks but those of one frame; libc is not second everywhere with `other` stacks more."""
    app, libc = 0x400000, 0x7F0000010000
    data = words(8, 0, 3, 0, 10000, 0)
    data += words(8, 3, 4, app + 0x10, libc + 0x200, libc + 0x300, app + 0x21)
    data += words(8, 2, 3, libc + 0x40, libc + 0x200, libc + 0x300)
    for i in range(62):
        data += words(8, 1, 5, app + i, libc + 0x200, libc + 0x300, app + 0x21, libc + 0x31)
    for i in range(other):
        data += words(8, 1, 2, app + i, app + 0x21)
    return data + words(8, 0, 1, 0) + MAPS.encode()


def cases():
    yield "pprof-plain", plain().data("cpu", "./app 1 2")
    yield "pprof-threads", threads().data()
    data = plain().data("cpu")
    yield "error-pprof-cut", data[:-3]
    yield "error-pprof-strings", data[:data.index(message(6, b"main"))]
    yield "error-pprof-location", one(location=2).data()
    yield "error-pprof-function", one(functions=2).data()
    yield "error-pprof-values", one(values=(1, 2)).data()
    yield "error-pprof-negative", one(values=(-1,)).data()
    yield "error-pprof-sum", one(values=(1 << 62,), repeat=2).data()
    yield "error-pprof-frames", one(lines=500, stack=5000).data()
    yield "error-pprof-nul", one().data().replace(message(6, b"f"), message(6, b"f\0"))
    yield "error-pprof-number", one().data() + message(5, number(1, 9) + number(2, 3) + b"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f")
    yield "gperftools-cpu", cpu()
    yield "gperftools-cpu-words", cpu(4)
    yield "gperftools-cpu-handler", handled(2)
    yield "gperftools-cpu-libc", handled(3)
    yield "gperftools-cpu-cut-maps", cpu()[:-9]
    yield "gperftools-cpu-cut", cpu()[:-len(MAPS) - 26]
    yield "gperftools-cpu-no-maps", cpu(maps=False)
    yield "error-gperftools-header", words(8, 0, 3, 0)
    yield "error-gperftools-sum", words(8, 0, 3, 0, 10000, 0, 1 << 62, 1, 5, 0, 1, 0) + MAPS.encode()
    head = "heap profile: 3: 400 [5: 700] @ heapprofile\n"
    lines = "  2: 300 [ 3: 500] @ 0x00400011 0x00400022\n  1: 100 [ 2: 200] @ 0x00400011 0x7f0000010032\n"
    yield "gperftools-heap", (head + lines + "\nMAPPED_LIBRARIES:\n" + MAPS).encode()
    yield "gperftools-heap-cut", (head + lines[:-5]).encode()
    yield "gperftools-heap-odd", (head + "odd line\n1: 2 [3: 4] @ stack\n" + lines + "--- Memory map: ---\n00400000-00452000: /bin/b\n").encode()
    yield "gperftools-heap-sampled", (head.replace("heapprofile", "heap_v2/1000") + lines + "MAPPED_LIBRARIES:\n").encode()
    yield "error-gperftools-heap-kind", head.replace("heapprofile", "growthz").encode()
    yield "error-gperftools-heap-counts", b"heap profile: many\n"


def main():
    for name, data in cases():
        os.makedirs(os.path.join(sys.argv[1], name), exist_ok=True)
        with open(os.path.join(sys.argv[1], name, "input"), "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
