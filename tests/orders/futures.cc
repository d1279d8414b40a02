// Threads of C++: futures, a pool of them, and what they take in turn.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <numeric>
#include <vector>

static std::mutex mutex;
static std::map<unsigned, unsigned> seen;

static unsigned sorted(unsigned n)
{
    std::vector<unsigned> v(n);
    std::iota(v.begin(), v.end(), n);
    for (unsigned i = 0; i < n; i++)
        std::swap(v[i], v[i * 7919 % n]);
    std::sort(v.begin(), v.end());
    std::lock_guard<std::mutex> guard(mutex);
    return seen[n] = static_cast<unsigned>(seen.size());
}

int main()
{
    std::vector<std::future<unsigned>> all;
    std::atomic<unsigned> done{0};

    for (unsigned i = 0; i < 12; i++)
        all.push_back(std::async(std::launch::async, [i, &done] {
            const unsigned n = sorted(500 + 100 * i);
            done++;
            return n;
        }));
    while (done < 3)
        std::this_thread::yield();
    unsigned sum = 0;
    for (auto &f : all)
        sum += f.get();
    std::printf("%u %zu\n", sum, seen.size());
    return sum != 66;
}
