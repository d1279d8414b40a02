// fields.cc - misses of known members in the standard library's containers, in caches of lines of 64 bytes: D1 of 32 KiB and 8 ways.
#include <list>
#include <map>
#include <new>
#include <unordered_map>
#include <vector>

#define N     4096
#define APART __attribute__((noinline, noclone))

namespace game {
struct Vec3 {
    double x, y, z;
};
struct alignas(64) Particle {
    Vec3 pos, vel;
    long id;
    long rest;
};
}
using game::Particle;

static volatile double sink;

APART static std::vector<Particle> make_vector() { return std::vector<Particle>(N); }
APART static void read_vector(const std::vector<Particle> &v)
{
    for (const Particle &p : v)
        sink = sink + p.vel.y;
}

APART static std::list<Particle> make_list() { return std::list<Particle>(N); }
APART static void read_list(const std::list<Particle> &l)
{
    for (const Particle &p : l)
        sink = sink + p.vel.z;
}

APART static std::map<int, Particle> make_map()
{
    std::map<int, Particle> m;

    for (int i = 0; i < N; i++)
        m[i].id = i;
    return m;
}
APART static void read_map(const std::map<int, Particle> &m)
{
    for (const auto &p : m)
        sink = sink + p.second.vel.x;
}

APART static std::unordered_map<int, Particle> make_hash()
{
    std::unordered_map<int, Particle> m;

    for (int i = 0; i < N; i++)
        m[i].id = i;
    return m;
}
APART static void read_hash(const std::unordered_map<int, Particle> &m)
{
    for (const auto &p : m)
        sink = sink + p.second.vel.x;
}

APART static Particle *make_array() { Particle *volatile p = new Particle[N]; return p; } // no tail call
APART static void read_array(volatile Particle *p)
{
    for (int i = 0; i < N; i++)
        sink = sink + p[i].id;
}

int main()
{
    auto vector = make_vector();
    auto list = make_list();
    auto map = make_map();
    auto hash = make_hash();
    auto array = make_array();

    read_vector(vector);
    read_list(list);
    read_map(map);
    read_hash(hash);
    read_array(array);
    delete[] array;
    return 0;
}
