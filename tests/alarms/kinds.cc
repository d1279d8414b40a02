/* kinds.cc - a program in C++ of one KIND, that counts some millions of instructions. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

enum { MAPS, VECTORS, EXCEPTIONS, STREAMS };
extern "C" void fail(int code, const char *where); /* cold.c */

static uint32_t state = 1;
static uint32_t next()
{
    return state = state * 1664525 + 1013904223;
}

static uint64_t maps()
{
    std::unordered_map<std::string, int> words;
    std::map<uint32_t, std::string> sorted;

    for (int i = 0; i < 3000; i++) {
        std::string word = "a word of some length " + std::to_string(next() % 900);

        words[word] += i;
        sorted[next()] = std::move(word);
    }
    return words.size() + sorted.begin()->second.size();
}

static uint64_t vectors()
{
    std::vector<std::string> lines;
    std::vector<uint32_t> numbers(20000);

    for (int i = 0; i < 2000; i++)
        lines.push_back("line " + std::to_string(next()));
    std::sort(lines.begin(), lines.end());
    std::generate(numbers.begin(), numbers.end(), next);
    std::sort(numbers.begin(), numbers.end());
    return lines[7].size() + std::accumulate(numbers.begin(), numbers.end(), uint64_t{0});
}

struct shape {
    virtual ~shape() = default;
    virtual int area(int i) const = 0;
};
struct square : shape {
    int area(int i) const override
    {
        return i * i;
    }
};
struct line : shape {
    int area(int i) const override
    {
        throw std::out_of_range("no area " + std::to_string(i));
    }
};

static uint64_t exceptions()
{
    uint64_t sum = 0;

    for (int i = 0; i < 600; i++) {
        std::unique_ptr<shape> s;

        if (i % 4)
            s = std::make_unique<square>();
        else
            s = std::make_unique<line>();
        try {
            sum += static_cast<uint64_t>(s->area(i));
        } catch (const std::exception &e) {
            sum += std::string(e.what()).size();
        }
    }
    return sum;
}

static uint64_t streams()
{
    uint64_t sum = 0;

    for (int i = 0; i < 600; i++) {
        std::stringstream s;
        double x;
        std::string word;

        s << i / 7.0 << " words " << next() << '\n';
        if (!(s >> x >> word))
            fail(i, "streams");
        sum += word.size() + static_cast<uint64_t>(x);
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t (*const kinds[])() = {maps, vectors, exceptions, streams};

    if (argc > 1)
        return std::printf("%s: commit %s\n", argv[0], COMMIT) < 0;
    std::printf("%llu\n", static_cast<unsigned long long>(kinds[KIND]()));
}
