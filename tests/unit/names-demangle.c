#include <config.h>

#include "../tap.h"
#include "names/demangle.h"

#include <stdlib.h>

static void same(const char *linkage, const char *want, const char *what)
{
    char *got = demangle(linkage);

    is_text(got, want, what);
    free(got);
}

static void brief(const char *linkage, const char *want, const char *what)
{
    char *got = demangle_brief(linkage);

    is_text(got, want, what);
    free(got);
}

/* A v0 name that doubles its text with each of its back references. */
/* Values of const generics, and other parts of v0 names that not every demangler has. */
static void constants(void)
{
    same("_RINvC1x1cKRe613bc3a9_E", "x::c::<\"a;\xc3\xa9\">", "a string");
    same("_RINvC1x1cKRe2761220a00_E", "x::c::<\"'a\\\"\\n\\0\">", "a string with escapes");
    same("_RINvC1x1cKe22_E", "x::c::<{*\"\\\"\"}>", "a string that is no reference");
    same("_RINvC1x1cKc27_E", "x::c::<'\\''>", "the character '");
    same("_RINvC1x1cKc1f980_Kc22_Kc7f_E", "x::c::<'\xf0\x9f\xa6\x80', '\"', '\\u{7f}'>",
         "characters");
    same("_RINvC1x1cKVNvNtC1x1E1AUE", "x::c::<{x::E::A}>", "a variant of an enum");
    same("_RINvC1x1cKVNtC1x1PTlna_Re41_EE", "x::c::<{x::P(-10, \"A\")}>", "a tuple struct");
    same("_RINvC1x1cKVNtC1x1PS1xh1_1yb0_EE", "x::c::<{x::P { x: 1, y: false }}>", "a struct");
    same("_RINvC1x1cKTh1_b1_EKTh1_EKTEE", "x::c::<{(1, true)}, {(1,)}, {()}>", "tuples");
    same("_RINvC1x1cKAh1_h2_EKRAh3_EE", "x::c::<{[1, 2]}, {&[3]}>", "arrays");
    same("_RINvC1x1cKRh7_KQh7_E", "x::c::<{&7}, {&mut 7}>", "references");
    same("_RINvC1x1cKnn80000000000000000000000000000000_KpE",
         "x::c::<-0x80000000000000000000000000000000, _>", "128 bits");
    same("_RINvC1x1fDG0_INtC1x2FnTRL0_hRL1_cEEp6OutputuEL_E",
         "x::f::<dyn for<'a, 'b> x::Fn<(&'b u8, &'a char), Output = ()>>", "lifetimes");
    same("_RNvC1xu9gre_6ka8i",
         "x::gr\xc3\xb6\xc3\x9f"
         "e",
         "a name beyond ASCII");
    same("_RINvC1x1cKRec3_E", NULL, "a string that is no UTF-8");
    same("_RINvC1x1cKcd800_E", NULL, "a character that is none");
    same("_RINvC1x1cKb2_E", NULL, "a bool that is none");
    same("_ZN32_$LT$a..$u5927$$u20$as$u20$B$GT$1f17h0123456789abcdefE", "<a::\xe5\xa4\xa7 as B>::f",
         "legacy Rust with escapes behind a letter beyond ASCII");
}

static void hostile(void)
{
    char name[2048] = "_RNvC1am", *end = name + strlen(name);
    char *got;

    /* _RI NvC1a1b <tuple of itself>...: nested tuples, each of two references to the one before. */
    end = name + sprintf(name, "_RINvC1a1b");
    for (int i = 0; i < 40; i++)
        end += sprintf(end, "T");
    end += sprintf(end, "j");
    for (int i = 39; i >= 0; i--) {
        /* A reference is B<base-62 number>_, counted from after "_R"; 0 is "B_". The tuple begins
         * at 8 + i; the one inside it at 9 + i. */
        unsigned n = 8 + (unsigned)i + 1 - 1;
        char digits[8];

        if (n < 10)
            sprintf(digits, "%u", n);
        else if (n < 36)
            sprintf(digits, "%c", (char)('a' + n - 10));
        else
            sprintf(digits, "%c", (char)('A' + n - 36));
        end += sprintf(end, "B%s_E", digits);
    }
    sprintf(end, "E");
    got = demangle(name);
    ok(got == NULL, "a name that stands for an endless text has no readable form");
    free(got);
    got = demangle("_RINvC1a1bTTjB9_EB8_EE");
    ok(got && strstr(got, "usize"), "a short name of equal making has a readable form");
    free(got);
}

/* The result is as long as the input for a plain name: the limit is on the output. */
static void long_names(void)
{
    char *name = malloc(200000);
    size_t n = (size_t)sprintf(name, "_ZN");

    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(name + n, "10abcdefghij");
    sprintf(name + n, "17h0123456789abcdefE");
    {
        char *got = demangle(name);

        ok(got && strlen(got) == 300 * 12 - 2, "a name of 3,600 bytes is demangled");
        free(got);
    }
    memset(name, 'x', 199999);
    name[199999] = '\0';
    memcpy(name, "_ZN", 3);
    same(name, NULL, "one of 200,000 bytes is left alone");
    free(name);
}

/* Constraints at the end of a function of C++20; libiberty knows some of them itself. */
static void constraints(void)
{
    same("_ZN4ListIlSaIlEE4ImplC4EvQ26is_default_constructible_vIN2ns6traitsIT0_NS5_10value_typeEE6"
         "rebindIT_E5otherEE",
         "List<long, std::allocator<long> >::Impl::Impl()", "constraints of a constructor");
    same("_ZN5TupleIJONSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEEC4EOS7_Qfraa23is_move_"
         "constructible_vIT_E",
         "Tuple<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
         ">&&>::Tuple(Tuple<std::__cxx11::basic_string<char, std::char_traits<char>, "
         "std::allocator<char> >&&>&&)",
         "constraints that are folded");
    same("_Z9constructIlJRKlEQaant9unboundedIT_ErqXgsnwcvPvLi0E_S2_pispcl7declvalIT0_EEEEEPS2_S5_"
         "DpOS4_",
         "construct<long, long const&>", "constraints of a template's arguments");
    same("_ZN5ChainIlQrqXgsnwT_EE4takeEv", NULL, "constraints of a class's arguments");
    same("_ZN5QueueIQE3QQQEQ", NULL, "malformed, no constraints");
    same("_ZN5QueueIlE4takeEvQ6usableIT_E.part.0", "Queue<long>::take() [clone .part.0]",
         "constraints, another Q and a clone");
    brief("_ZN5QueueIlE4takeEvQ6usableIT_E@plt", "Queue<long>::take()@plt",
          "constraints, and a stub");
    same("_ZN5QueueIlE4takeEvQ", NULL, "a Q without constraints");
    same("_ZN5Queue4takeQ6usable", NULL, "constraints of a name that is cut off");
}

int main(void)
{
    same("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", "legacy Rust");
    same("_ZN4core3fmt5write17h0123456789abcdefE.llvm.1234567", "core::fmt::write",
         "legacy Rust with ThinLTO's suffix");
    same("_ZN4core3fmt5write17h0123456789abcdefE.cold", "core::fmt::write [clone .cold]",
         "legacy Rust, the cold part");
    same("_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt"
         "17h0123456789abcdefE",
         "<alloc::string::String as core::fmt::Display>::fmt", "legacy Rust with escapes");
    same("_ZN1s15gr$ufc$$u1f980$9Ok$u6f22$17h0123456789abcdefE",
         "s::gr\xc3\xbc\xf0\x9f\xa6\x80::Ok\xe6\xbc\xa2", "legacy Rust beyond ASCII");
    same("_ZN1s4$u7$7$ud800$9$u110000$17h0123456789abcdefE", "s::$u7$::$ud800$::$u110000$",
         "legacy Rust with what is no character");
    same("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "v0 Rust");
    same("_RNvNtCs1234_7mycrate3foo3bar.llvm.99", "mycrate::foo::bar", "v0 Rust with a suffix");
    same("_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>", "v0 Rust with a type");
    constants();
    same("_ZN3foo3barEi", "foo::bar(int)", "C++");
    same("a::b<[closure@src/a.rs:1]>", NULL, "a name with an @, demangled by another tool");
    same("_ZN3foo3barEi.isra.0", "foo::bar(int) [clone .isra.0]", "a clone in C++");
    same("_Z3foov.constprop.0.llvm.77", "foo() [clone .constprop.0]",
         "a clone, and ThinLTO's suffix");
    same("_ZSt3minIiERKT_S2_S2_", "int const& std::min<int>(int const&, int const&)",
         "an instance of a template");
    constraints();
    brief("_ZSt3minIiERKT_S2_S2_", "std::min<int>(int const&, int const&)", "the same in brief");
    brief("_ZN3foo3barEi.isra.0", "foo::bar(int) [clone .isra.0]", "in brief, no template");
    brief("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "in brief, Rust");
    same("foo.llvm.123", "foo", "a C name with ThinLTO's suffix");
    same("rand::thread_rng::h0123456789abcdef", "rand::thread_rng", "demangled by another tool");
    same("rand::thread_rng::hello_world_12345", NULL, "that was no hash");
    same("_IO_puts@@GLIBC_2.2.5", "_IO_puts", "a symbol's version");
    same("memset@plt", NULL, "a stub stays one");
    same("_ZN3foo3barEi@plt", "foo::bar(int)@plt", "a stub of C++");
    same("main", NULL, "C");
    same("_RINvNtC0std3mem8align_ofNtNtC3scriminantE.llvq.123", NULL,
         "v0 Rust with an empty crate");
    same("", NULL, "nothing");
    same("_ZN", NULL, "C++, cut off");
    same("_R", NULL, "Rust, cut off");
    same("_ZN4core3fmt5wri", NULL, "legacy, cut off");
    hostile();
    long_names();
    return tap_done();
}
