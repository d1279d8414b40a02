// heap.cc - all forms of operator new and delete, for heap.test: each is one allocation of
// malloc's, which counts once.
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct alignas(128) Wide {
    char bytes[256];
};

struct Base {
    virtual ~Base()
    {
    }
    long a = 1;
};

int main()
{
    int *one = new int(1);
    int *many = new int[10];
    Wide *wide = new Wide;
    Wide *wides = new Wide[2];
    int *quiet = new (std::nothrow) int;
    std::unique_ptr<Base> base = std::make_unique<Base>();
    std::vector<int> numbers;

    for (int i = 0; i < 100; i++)
        numbers.push_back(i);
    for (int i = 0; i < 3; i++) {
        try {
            volatile std::size_t huge = static_cast<std::size_t>(1) << 60;
            delete[] new char[huge];
        } catch (std::bad_alloc &) {
        }
    }
    delete one;
    delete[] many;
    delete wide;
    delete[] wides;
    delete quiet;
    return numbers.size() == 100 ? 0 : 1;
}
