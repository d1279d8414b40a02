#include <config.h>

#include "../tap.h"
#include "base/memory.h"
#include "names/name_forms.h"

#include <stdlib.h>
#include <string.h>

static void form(const char *name, enum name_form form, const char *want)
{
    char *got = name_form(name, form);

    is_text(got, want, name);
    free(got);
}

static void test_rust(void)
{
    static const char train[] = "<nnet::net::Layer<T> as Model<M>>::train::<f64> #2";

    form(train, NAME_WHOLE, train);
    form(train, NAME_NO_PARAMETERS, train);
    form(train, NAME_NO_TYPES, "<nnet::net::Layer as Model>::train::<f64> #2");
    form(train, NAME_NO_TRAIT, "nnet::net::Layer::train::<f64> #2");
    form(train, NAME_NO_ARGUMENTS, "nnet::net::Layer::train #2");
    form("<A as SlicePartialEq<B>>::equal_same_length", NAME_NO_TRAIT,
         "SlicePartialEq::equal_same_length");
    form("<&mut F1 as FnMut>::call_mut", NAME_NO_TRAIT, "FnMut::call_mut");
    form("<&mut Iter as Iterator>::next", NAME_NO_TRAIT, "Iter::next");
    form("<[T] as PartialEq<[U]>>::eq", NAME_NO_TRAIT, "<[T]>::eq");
    form("<{closure_env#0} as FnOnce<()>>::call_once", NAME_NO_TRAIT, "FnOnce::call_once");
    form("<a::f::{closure#0} as FnOnce<()>>::call_once", NAME_NO_TRAIT,
         "a::f::{closure#0}::call_once");
    form("<Type>::f", NAME_NO_TRAIT, "<Type>::f");
    form("core::ptr::drop_in_place<Vec<Record>>", NAME_NO_TRAIT,
         "core::ptr::drop_in_place<Vec<Record>>");
    form("core::ptr::drop_in_place<Vec<Record>>", NAME_NO_ARGUMENTS, "core::ptr::drop_in_place");
    form("a::each::<u8>::{closure}", NAME_NO_TYPES, "a::each::<u8>::{closure}");
    form("a::each::<u8>::{closure}", NAME_NO_ARGUMENTS, "a::each::{closure}");
    form("a::call::<fn(u32) -> u32>::once", NAME_NO_PARAMETERS, "a::call::<fn(u32) -> u32>::once");
    form("a::call::<fn(u32) -> u32>::once", NAME_NO_TYPES, "a::call::once");
}

static void test_others(void)
{
    form("std::vector<int, std::allocator<int> >::push_back(int const&)", NAME_NO_PARAMETERS,
         "std::vector<int, std::allocator<int> >::push_back");
    form("void a::f<int>(long long) const [clone .part.0]", NAME_NO_PARAMETERS,
         "a::f<int> [clone .part.0]");
    form("foo(int)::{lambda(int)#1}::operator()(int) const", NAME_NO_PARAMETERS,
         "foo::{lambda#1}::operator()");
    form("foo(int)::{lambda(int)#1}", NAME_NO_PARAMETERS, "foo::{lambda#1}");
    form("std::operator< <char>(std::ostream&)", NAME_NO_ARGUMENTS, "std::operator<");
    form("operator new(unsigned long)", NAME_NO_PARAMETERS, "operator new");
    form("(anonymous namespace)::run(int)", NAME_NO_PARAMETERS, "(anonymous namespace)::run");
    form("if(a<b, and more", NAME_NO_ARGUMENTS, "if(a<b, and more");
    form("main", NAME_NO_ARGUMENTS, "main");
    form("", NAME_NO_ARGUMENTS, "");
}

static void test_tails(void)
{
    is_number((long)name_tail("a::b<c d> #2 (inlined)"), 9, "two additions");
    is_number((long)name_tail("f(int) const"), 12, "const is none");
    is_number((long)name_tail("f [clone .cold] (src/a b.rs:3)"), 1, "a clone, and a place");
    is_number((long)name_tail("f #"), 3, "no number");
    is_number((long)name_tail(" (x)"), 4, "no name");
}

static void rest(const char *name, const char *want)
{
    const char *got = name_rest(name);

    is_text(got ? got : "none", want, name);
}

static void test_rests(void)
{
    rest("a::B::c", "B::c");
    rest("a::b::{closure}::<u8>", "b::{closure}::<u8>");
    rest("b::{closure}::<u8>", "none");
    rest("b::{closure}::c", "c");
    rest("Vec<a::b>::push", "push");
    rest("push<a::b>", "none");
    rest("::a", "none");
    rest("a::", "none");
}

/* Work is not the square of a name's size: if it were, this would take minutes. */
static void test_long(void)
{
    enum { SIZE = 1 << 20 };
    static const char *const pieces[] = {"a::", " (a)", "f<a>", "<", "{", " #1", "operator<"};
    char *name = xcalloc(SIZE + 16, 1);

    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *got;

        for (size_t at = 0; at < SIZE; at += strlen(pieces[i]))
            strcpy(name + at, pieces[i]);
        strcat(name, "x");
        got = name_form(name, NAME_NO_ARGUMENTS);
        ok(got[0] != '\0', "a megabyte of '%s'", pieces[i]);
        free(got);
    }
    free(name);
}

int main(void)
{
    test_rust();
    test_others();
    test_tails();
    test_rests();
    test_long();
    return tap_done();
}
