#include <config.h>

#include "../tap.h"
#include "names/normalise.h"

#include <stdlib.h>

/* The first key of a linkage name, or of a name as a file has it. */
static void first(const char *name, const char *want)
{
    char *got = normalise_name(name, NULL);

    is_text(got, want, name);
    free(got);
}

static void second(const char *name, const char *want)
{
    char *key = normalise_name(name, NULL), *got = loose_key(key);

    is_text(got, want, name);
    free(key);
    free(got);
}

/* A legacy and a v0 name of one function have the same second key. */
static void alike(const char *legacy, const char *v0)
{
    char *a = normalise_name(legacy, NULL), *b = normalise_name(v0, NULL);
    char *x = loose_key(a), *y = loose_key(b);

    is_text(x, y, legacy);
    free(a);
    free(b);
    free(x);
    free(y);
}

static void test_first_key(void)
{
    char *key;

    /* Two builds: hashes and disambiguators differ. */
    first("_ZN4nnet6matrix6Matrix3dot17h0123456789abcdefE", "nnet::matrix::Matrix::dot");
    first("_ZN4nnet6matrix6Matrix3dot17hfedcba9876543210E", "nnet::matrix::Matrix::dot");
    first("_ZN4nnet6matrix6Matrix3dot17hfedcba9876543210E.llvm.3707039078021202814",
          "nnet::matrix::Matrix::dot");
    first("_ZN4nnet6matrix6Matrix3dot17hfedcba9876543210E.cold", "nnet::matrix::Matrix::dot");
    first("_RNvMNtCs9XgynT5zlvw_4nnet3netNtB2_5Layer7forward.llvm.3707039078021202814",
          "nnet::net::Layer::forward");
    first("_RNvMNtCs1234567abcd_4nnet3netNtB2_5Layer7forward", "nnet::net::Layer::forward");
    /* A method of what has no path stays in its bracket, and so does one of a trait. */
    first("<alloc::vec::Vec<&[u8]>>::push", "alloc::vec::Vec<&[u8]>::push");
    first("<usize>::checked_sub", "usize::checked_sub");
    first("<[T]>::len", "<[T]>::len");
    first("<dyn a::T>::f", "<dyn a::T>::f");
    first("<*mut f64>::add", "<*mut f64>::add");
    first("<a::P as a::T>::f", "<a::P as a::T>::f");
    first("<lambda(int)>::operator()", "<lambda(int)>::operator()");
    first("<a::P>", "<a::P>");
    first("<a::P::f", "<a::P::f");
    first("<a::P<u8::f", "<a::P<u8::f");
    first("_RNCNvNtCsjrHSEGnQ3l9_3std9panicking12default_hook0B5_",
          "std::panicking::default_hook::{closure#0}");
    first("_RNvCsfLfy6EI15iL_7___rustc11___rdl_alloc", "__rustc::__rdl_alloc");
    /* The forms that other tools have made of them. */
    first("std::rt::lang_start::h1b5a7b2c3d4e5f60", "std::rt::lang_start");
    first("std::rt::lang_start::h1b5a7b2c3d4e5f60.llvm.77", "std::rt::lang_start");
    first("std[8f24d6a1b3c4d5e6]::rt::lang_start", "std::rt::lang_start");
    first("_$LT$std..cell..UnsafeCell$LT$T$GT$$GT$::new::hc6e81380f242e0ed",
          "std::cell::UnsafeCell<T>::new");
    first("collections::slice::_$LT$impl$u20$$u5b$T$u5d$$GT$::as_ptr::hb6f118896d8bf40e",
          "collections::slice::<impl [T]>::as_ptr");
    first("_$LT$ndarray..InnerIterMut$LT$$u27$a$C$$u20$A$GT$$u20$as$u20$std..iter..Iterator$GT$::"
          "next::_$u7b$$u7b$closure$u7d$$u7d$::h8e03226fa191cb14",
          "<ndarray::InnerIterMut<'a, A> as std::iter::Iterator>::next::{{closure}}");
    first("alloc..raw_vec..RawVec$LT$f64$GT$::drop.6071::hb09fa8b9fd3b16a8",
          "alloc::raw_vec::RawVec<f64>::drop");
    /* C and C++. */
    first("do_clone.constprop.3", "do_clone");
    first("do_clone.part.0.isra.1", "do_clone");
    first("_Z3foov.constprop.0.llvm.77", "foo()");
    first("_ZN3foo3barEi", "foo::bar(int)");
    first("memcpy@plt", "memcpy@plt");
    first("__static.17", "__static.17");
    first("a..b", "a..b");
    first("0x00000000000011a4", "???");
    first("0x00000000000011a4 [PLT]", "???");
    first("0xdecafe", "???");
    first("0xab", "0xab");
    first("0xdecafe+4", "0xdecafe+4");
    first("go", "go");
    first("", "???");
    first("operator[]", "operator[]");
    /* Texts that are no hashes. */
    first("crate::h0123456789abcde", "crate::h0123456789abcde");
    first("crate::h0123456789abcdef0", "crate::h0123456789abcdef0");
    first("words[deadbeef1]", "words");
    first("words[x]", "words[x]");
    key = normalise_name("what a tool calls it", "_ZN1a1b17h0123456789abcdefE");
    is_text(key, "a::b", "the linkage name goes before the name");
    free(key);
    key = normalise_name("a::b", "not a linkage name");
    is_text(key, "a::b", "unless it is none");
    free(key);
    key = normalise_name("drop", "a..b..C$LT$f64$GT$::drop.6071::hb09fa8b9fd3b16a8");
    is_text(key, "a::b::C<f64>::drop", "half demangled, it still says more");
    free(key);
}

static void test_second_key(void)
{
    second("a::b::{closure#12}", "a::b::{closure}");
    second("a::b::{{closure}}::{{closure}}", "a::b::{closure}::{closure}");
    second("core::ops::function::FnOnce::call_once{{vtable.shim}}",
           "core::ops::function::FnOnce::call_once{shim}");
    second("core::ptr::drop_in_place<alloc::vec::Vec<u8>>", "core::ptr::drop_in_place");
    second("core::ptr::drop_in_place::<alloc::vec::Vec<u8>>", "core::ptr::drop_in_place");
    second("<fn(u8) -> u8 as a::T>::f", "<fn(u8) -> u8 as a::T>::f");
    second("f::<fn(u8) -> u8>::g", "f::g");
    second("<a::b::<u8> as T>::f", "<a::b as T>::f");
    second("libfoo.so.1+0x11a4", "libfoo.so.1");
    second("a<b", "a<b");
    second("operator<", "operator<");
    second("app::run::{closure#0}<u8>::go", "app::run::{closure}::go");
    second("f(<A>)", "f(<A>)");
    second("{", "{");
    second("{a>bcdef", "{a>bcdef");
    second("{{}", "{{}");
    second("<", "<");
    second("[", "[");
    alike("_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push17h0123456789abcdefE",
          "_RNvMs_NtC5alloc3vecINtB4_3VechE4push");
    alike("_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt"
          "17h0123456789abcdefE",
          "_RNvXs_NtC5alloc6stringNtB4_6StringNtNtC4core3fmt7Display3fmt");
    alike("_ZN5alloc5slice29_$LT$impl$u20$$u5b$T$u5d$$GT$4sort17h0123456789abcdefE",
          "_RNvMNtC5alloc5sliceSh4sort");
    alike("_ZN4core3fmt3num52_$LT$impl$u20$core..fmt..Debug$u20$for$u20$usize$GT$3fmt"
          "17h0123456789abcdefE",
          "_RNvXNtNtC4core3fmt3numjNtB4_5Debug3fmt");
    alike("_ZN1a1b28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", "_RNCNvC1a1b0B3_");
}

static void file(const char *path, const char *root, const char *want)
{
    char *got = normalise_file(path, root);

    is_text(got, want, path);
    free(got);
}

static void test_files(void)
{
    char *root;

    file("/home/a/w/src/main.rs", "/home/a/w", "src/main.rs");
    file("/home/a/w/../w/./src/main.rs", "/home/a/w", "src/main.rs");
    file("/home/a/w2/src/main.rs", "/home/a/w", "/home/a/w2/src/main.rs");
    file("/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/slice/iter.rs", NULL,
         "core/src/slice/iter.rs");
    file("/rust/deps/hashbrown-0.15.5/src/raw/mod.rs", NULL, "hashbrown/src/raw/mod.rs");
    file("/home/a/.cargo/registry/src/index.example-6f17d22bba15001f/rand-core-0.8.5/src/lib.rs",
         NULL, "rand-core/src/lib.rs");
    file("/home/a/.cargo/registry/src/github-1ecc6299db9ec823/x86-1.2.3-rc.1/src/lib.rs", NULL,
         "x86/src/lib.rs");
    file("/home/a/.cargo/git/checkouts/rand-3a1f5e7f9b0d2468/4b8e21c/src/lib.rs", NULL,
         "rand/src/lib.rs");
    file("/home/a/w/target/release/build/my-pkg-1c3a5e7f9b0d2468/out/gen.rs", "/home/a/w",
         "my-pkg/out/gen.rs");
    file("/home/a/w/build/main.rs", "/home/a/w", "build/main.rs");
    file("/home/a/w/src/main.rs/@/my_app.1c3a5e7f-cgu.00", "/home/a/w", NULL);
    file("???", NULL, NULL);
    root = package_root("/home/a/w/target/release/nnet");
    is_text(root, "/home/a/w", "the folder of a package");
    free(root);
    ok(package_root("/usr/bin/xz") == NULL, "that of none");
    ok(package_root("target/release/nnet") == NULL, "a relative path is in no package");
}

static void test_recursion(void)
{
    char name[] = "fib'2", life[] = "f<'a>", plain[] = "f";

    ok(cut_recursion_mark(name), "callgrind's mark of recursion");
    is_text(name, "fib", "callgrind's mark of recursion is cut off");
    ok(!cut_recursion_mark(life) && !cut_recursion_mark(plain),
       "nothing but callgrind's mark of recursion is cut off");
}

int main(void)
{
    test_first_key();
    test_second_key();
    test_files();
    test_recursion();
    return tap_done();
}
