/*
 * rays ROUNDS - light through the surfaces of a lens, by angles, for three colours and many
 * heights: nothing but floating point and the functions of libm. For make bench.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLOURS = 3, HEIGHTS = 40 };

struct surface {
    double radius;         /* 0: a plane */
    double index[COLOURS]; /* of what is behind it */
    double distance;       /* to the next one */
};

static const struct surface lens[] = {{61.2, {1.5223, 1.5168, 1.5143}, 7.4},
                                      {-47.9, {1.6321, 1.6200, 1.6150}, 2.6},
                                      {0, {1, 1, 1}, 4.1},
                                      {88.5, {1.5750, 1.5688, 1.5661}, 5.0},
                                      {-210.3, {1, 1, 1}, 0}};
enum { SURFACES = sizeof lens / sizeof *lens };

/* A ray crosses the axis `distance` behind the surface, at `angle`; a parallel one has a height. */
struct ray {
    double distance, angle, height;
};

static void refract_plane(struct ray *ray, double ratio)
{
    double angle = asin(sin(ray->angle) / ratio);
    ray->distance *= ratio * cos(angle) / cos(ray->angle);
    ray->angle = angle;
}

static void refract_sphere(struct ray *ray, double radius, double ratio)
{
    double in = ray->angle == 0 ? ray->height / radius
                                : (ray->distance - radius) / radius * sin(ray->angle);
    double out = in / ratio, before = asin(in), after = asin(out);
    double half, sagitta, angle = ray->angle + before - after;
    half = sin((ray->angle + before) / 2);
    sagitta = 2 * radius * half * half;
    ray->distance = radius * sin(ray->angle + before) / tan(angle) + sagitta;
    ray->angle = angle;
}

/* Where the ray crosses the axis behind the last surface. */
static double trace(double height, int colour)
{
    struct ray ray = {0, 0, height};
    double index = 1;
    for (int i = 0; i < SURFACES; i++) {
        double ratio = lens[i].index[colour] / index;
        if (lens[i].radius == 0)
            refract_plane(&ray, ratio);
        else
            refract_sphere(&ray, lens[i].radius, ratio);
        index = lens[i].index[colour];
        ray.distance -= lens[i].distance;
    }
    return ray.distance;
}

/* How far the foci of a colour lie apart. */
static double spread(int colour)
{
    double sum = 0, squares = 0;
    for (int i = 1; i <= HEIGHTS; i++) {
        double focus = trace(i * 0.35, colour);
        sum += focus;
        squares += focus * focus;
    }
    return sqrt(fabs(squares - sum * sum / HEIGHTS) / HEIGHTS);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    double sum = 0;
    for (int i = 0; i < rounds; i++)
        for (int colour = 0; colour < COLOURS; colour++)
            sum += spread(colour) * exp(-i / 1000.0) + log1p(i);
    printf("%.9f\n", sum);
    return 0;
}
