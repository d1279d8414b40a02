#include <config.h>

#include "../tap.h"
#include "base/memory.h"
#include "names/name_forms.h"

#include <stdlib.h>
#include <string.h>

static void shorter(const char *full, const char *want)
{
    char *got = cplusplus_short_name(full);

    is_text(got ? got : full, want, full);
    free(got);
}

#define TEXT "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"

int main(void)
{
    char *deep = xmalloc(200001);

    shorter("std::vector<int, std::allocator<int> >::push_back(int const&)",
            "std::vector<int, std::allocator<int> >::push_back");
    shorter("std::min<int>(int const&, int const&)", "std::min<int>(int const&, int const&)");
    shorter("js::basic_json<std::map, std::vector, " TEXT ", bool, long, unsigned long, "
            "double>::json_value::destroy(js::value_t)",
            "js::basic_json::json_value::destroy");
    shorter("void fmt::v9::detail::buffer<char>::append<char>(char const*, char const*, "
            "fmt::v9::appender)",
            "fmt::v9::detail::buffer<char>::append<char>");
    shorter("(anonymous namespace)::Reader<" TEXT ", 16>::operator()(" TEXT " const&) const",
            "(anonymous namespace)::Reader::operator()");
    shorter("main::{lambda(" TEXT ")#1}::operator()(" TEXT ") const [clone .isra.0]",
            "main::{lambda#1}::operator() [clone .isra.0]");
    shorter("boost::range::sort<std::vector<" TEXT ", std::allocator<" TEXT
            "> > >(std::vector<" TEXT ">&)",
            "boost::range::sort");
    /* Long names of other languages, and those whose brackets do not match. */
    shorter("<core::slice::iter::Iter<T> as core::iter::traits::iterator::Iterator>::next",
            "<core::slice::iter::Iter<T> as core::iter::traits::iterator::Iterator>::next");
    shorter("a_function_of_c_whose_name_is_longer_than_sixty_letters_but_has_no_path",
            "a_function_of_c_whose_name_is_longer_than_sixty_letters_but_has_no_path");
    shorter("ns::f<(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
            "ns::f<(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((");
    memset(deep, '<', 200000);
    deep[200000] = '\0';
    memcpy(deep, "a::b(", 5);
    is_text(cplusplus_short_name(deep), NULL, "a long name whose brackets do not match");
    free(deep);
    return tap_done();
}
