#include <config.h>

#include "../tap.h"
#include "base/memory.h"
#include "names/rust_name.h"

#include <stdlib.h>

static void shorter(const char *full, const char *want)
{
    char *got = rust_short_name(full);

    is_text(got, want, full);
    free(got);
}

static void generic(const char *full, const char *want)
{
    char *got = rust_generic_name(full);

    is_text(got, want, full);
    free(got);
}

static void arguments(const char *full, const char *want)
{
    char *got = rust_short_arguments(full);

    is_text(got, want, full);
    free(got);
}

/* Names that no demangler writes must not do harm. */
static void hostile(void)
{
    static const char *const names[] = {"",        "<",
                                        ">",       "<>",
                                        "<<>>",    "::",
                                        "a::",     "::a",
                                        "<impl ",  "<impl >",
                                        "{",       "{{",
                                        "{{}",     "}}",
                                        "a<b",     "a>b",
                                        "<a as >", "< as >::x",
                                        "a::<",    "->",
                                        "<->",     "\xff\xfe::\x01"};
    char *deep = xmalloc(20001), *got;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        got = rust_short_name(names[i]);
        ok(got != NULL, "'%s'", names[i]);
        free(got);
        free(rust_generic_name(names[i]));
        free(rust_short_arguments(names[i]));
    }
    for (size_t i = 0; i < 10000; i++) {
        deep[i] = '<';
        deep[10000 + i] = '>';
    }
    deep[20000] = '\0';
    got = rust_short_name(deep);
    ok(got && strlen(got) >= 100, "ten thousand brackets");
    free(got);
    free(deep);
}

int main(void)
{
    shorter("nnet::matrix::Matrix::dot", "nnet::matrix::Matrix::dot");
    shorter("alloc::vec::Vec<T,A>::push", "Vec<T>::push");
    shorter("<alloc::vec::Vec<u8>>::push", "Vec<u8>::push");
    shorter("<alloc::vec::Vec<u8, alloc::alloc::Global>>::push", "Vec<u8>::push");
    shorter("<alloc::vec::Vec<T> as core::iter::traits::collect::FromIterator<T>>::from_iter",
            "<Vec<T> as FromIterator<T>>::from_iter");
    shorter("core::iter::traits::iterator::Iterator::for_each", "Iterator::for_each");
    shorter("core::ops::function::FnOnce::call_once{{vtable.shim}}",
            "FnOnce::call_once{vtable.shim}");
    shorter("core::ptr::drop_in_place<alloc::vec::Vec<alloc::string::String>>",
            "core::ptr::drop_in_place<Vec<String>>");
    shorter("core::ptr::drop_in_place::<alloc::string::String>",
            "core::ptr::drop_in_place::<String>");
    shorter("core::num::<impl usize>::checked_sub", "usize::checked_sub");
    shorter("<f64>::exp", "f64::exp");
    shorter("core::slice::<impl [T]>::iter", "<[T]>::iter");
    shorter("core::fmt::num::<impl core::fmt::Display for u32>::fmt", "<u32 as Display>::fmt");
    shorter("nnet::data::batch::{{closure}}", "nnet::data::batch::{closure}");
    shorter("std::rt::lang_start_internal::{closure#0}",
            "std::rt::lang_start_internal::{closure#0}");
    shorter("std::panicking::catch_unwind::<isize, std::rt::lang_start_internal::{closure#0}>",
            "std::panicking::catch_unwind::<isize, lang_start_internal::{closure#0}>");
    shorter("<app::stack::Stack<T> as core::clone::Clone>::clone",
            "<app::stack::Stack<T> as Clone>::clone");
    shorter("app::stack::Stack<alloc::string::String>::push", "app::stack::Stack<String>::push");
    shorter("<&dyn core::ops::function::Fn<(), Output = i32> as "
            "core::ops::function::FnOnce<()>>::call_once",
            "<&dyn Fn<(), Output = i32> as FnOnce<()>>::call_once");
    shorter("<core::iter::adapters::map::Map<I,F> as core::iter::traits::iterator::Iterator>::fold",
            "<Map<I, F> as Iterator>::fold");
    shorter("app::run::<fn(&core::fmt::Arguments) -> core::result::Result<u8, ()>>",
            "app::run::<fn(&Arguments) -> Result<u8, ()>>");
    shorter("<<app::T as app::Shape>::Edge as core::ops::Drop>::drop",
            "<<T as Shape>::Edge as Drop>::drop");
    shorter("<[u8; 4] as core::cmp::PartialEq>::eq", "<[u8; 4] as PartialEq>::eq");
    shorter("core::fmt::write [clone .cold]", "core::fmt::write [clone .cold]");
    shorter("<core::ops::range::Range<usize> as core::slice::index::SliceIndex<[T]>>::index_mut",
            "<Range<usize> as SliceIndex<[T]>>::index_mut");
    shorter("std::io::Write::write_fmt::Adapter<T>::new", "Write::write_fmt::Adapter<T>::new");
    shorter("main", "main");
    shorter("<app::T as app::U", "<app::T as app::U");
    shorter("<app::T::run", "<app::T::run");

    generic("<alloc::vec::Vec<u8>>::push", "Vec<_>::push");
    generic("app::run::<u8>", "app::run::<_>");
    generic("app::run", "app::run");

    arguments("u8, alloc::alloc::Global", "u8");
    arguments("alloc::vec::Vec<u8, alloc::alloc::Global>, usize", "Vec<u8>, usize");
    arguments("f64, alloc::alloc::Global, core::ops::range::Range<usize>", "f64, Range<usize>");
    hostile();
    return tap_done();
}
