// exceptions.cc - C++: throwing through frames with destructors, virtual calls, containers.
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
struct Square : Shape {
    double side;
    explicit Square(double s) : side(s) {}
    double area() const override { return side * side; }
};
struct Circle : Shape {
    double radius;
    explicit Circle(double r) : radius(r) {}
    double area() const override { return 3.14159 * radius * radius; }
};

static int guards;
struct Guard {
    ~Guard() { guards++; }
};

__attribute__((noinline)) static int dig(int depth, int bottom)
{
    Guard guard;
    if (depth == bottom)
        throw std::runtime_error("bottom " + std::to_string(depth));
    return dig(depth + 1, bottom) + 1;
}

template <typename T> __attribute__((noinline)) static T total(const std::vector<T> &values)
{
    T sum{};
    for (const T &value : values)
        sum += value;
    return sum;
}

int main()
{
    std::map<std::string, int> seen;
    for (int i = 0; i < 20; i++)
        try {
            dig(0, i % 7);
        } catch (const std::exception &e) {
            seen[e.what()]++;
        }
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 200; i++)
        if (i % 3)
            shapes.push_back(std::make_unique<Square>(i));
        else
            shapes.push_back(std::make_unique<Circle>(i));
    std::vector<double> areas;
    for (const auto &shape : shapes)
        areas.push_back(shape->area());
    std::printf("%zu %d %.1f %d\n", seen.size(), guards, total(areas),
                total(std::vector<int>{1, 2, 3}));
}
