"""inlined-deep.py DEPTH - writes a program, as assembly, whose function `whole` has that many functions inlined, one into the other.

The function f1 is called at line 1 of whole, f2 at line 2 of f1, and so on; each has two instructions of its own, the innermost has a loop. DWARF 4.
"""
import sys

depth = int(sys.argv[1])
names = [f"f{i}" for i in range(1, depth + 1)]


def uleb(n):
    return f".uleb128 {n}"


def code():
    yield from [".text", ".globl _start", ".type _start,@function", "_start:", "call whole", "xor %edi,%edi", "mov $60,%eax", "syscall", ".size _start,.-_start"]
    yield from [".globl whole", ".type whole,@function", "whole:", ".loc 1 1", "nop"]
    for name in names:
        yield from [f".Lbegin_{name}:", ".loc 1 2", "nop"]
    yield from ["mov $1000,%ecx", "1: dec %ecx", "jnz 1b"]
    for name in reversed(names):
        yield from ["nop", f".Lend_{name}:"]
    yield from ["ret", ".Lend:", ".size whole,.-whole", '.section .note.GNU-stack,"",@progbits']


# Abbreviations: the unit, a function that was inlined, one with code, a copy of an inlined one.
ABBREVIATIONS = {
    1: (0x11, True, [(0x03, 0x08), (0x13, 0x05), (0x11, 0x01), (0x12, 0x07), (0x10, 0x17)]),
    2: (0x2E, False, [(0x03, 0x08), (0x3A, 0x0B), (0x3B, 0x05), (0x20, 0x0B)]),
    3: (0x2E, True, [(0x03, 0x08), (0x3A, 0x0B), (0x3B, 0x05), (0x11, 0x01), (0x12, 0x07)]),
    4: (0x1D, True, [(0x31, 0x13), (0x11, 0x01), (0x12, 0x07), (0x58, 0x0B), (0x59, 0x05)]),
    5: (0x1D, False, [(0x31, 0x13), (0x11, 0x01), (0x12, 0x07), (0x58, 0x0B), (0x59, 0x05)]),
}


def information():
    yield from ['.section .debug_info,"",@progbits', ".Lunit:", ".long .Lunit_end-.Lunit_start", ".Lunit_start:", ".short 4", ".long .Labbreviations", ".byte 8"]
    yield from [uleb(1), '.string "deep.c"', ".short 12", ".quad _start", ".quad .Lend-_start", ".long .Llines"]
    for i, name in enumerate(names):
        yield from [f".Ldie_{name}:", uleb(2), f'.string "{name}"', ".byte 1", f".short {i + 2}", ".byte 1"]
    yield from [uleb(3), '.string "whole"', ".byte 1", ".short 1", ".quad whole", ".quad .Lend-whole"]
    for i, name in enumerate(names):
        yield from [uleb(5 if i + 1 == depth else 4), f".long .Ldie_{name}-.Lunit", f".quad .Lbegin_{name}", f".quad .Lend_{name}-.Lbegin_{name}", ".byte 1", f".short {i + 1}"]
    yield from [uleb(0)] * (depth + 1)
    yield ".Lunit_end:"


def abbreviations():
    yield from ['.section .debug_abbrev,"",@progbits', ".Labbreviations:"]
    for number, (tag, children, attributes) in ABBREVIATIONS.items():
        yield from [uleb(number), uleb(tag), f".byte {int(children)}"]
        for pair in attributes + [(0, 0)]:
            yield from map(uleb, pair)
    yield uleb(0)


print('.file "deep.c"', '.file 1 "deep.c"', *code(), *information(), *abbreviations(), '.section .debug_line,"",@progbits', ".Llines:", sep="\n")
