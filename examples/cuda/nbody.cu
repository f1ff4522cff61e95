// SPDX-License-Identifier: Apache-2.0
// Moves bodies that attract each other, in float and in double: every block brings all bodies, tile by tile, into shared memory.
#include "runtime.h"

#include <cmath>
#include <vector>

enum { BODIES = 1024, THREADS = 128, STEPS = 3 };

/* A place and a mass; the vector types of CUDA have no common name for float and double. */
template <typename T>
struct Body {
    T x, y, z, mass;
};

template <typename T>
struct Vector {
    T x, y, z;
};

/* Adds the pull of `other` on a body at `here`; the distance is softened, so that none is zero. */
template <typename T>
__host__ __device__ void attract(const Body<T> &here, const Body<T> &other, Vector<T> &pull) {
    T x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
    T square = x * x + y * y + z * z + T(0.01);
    T factor = other.mass / (square * sqrt(square));
    pull.x += x * factor;
    pull.y += y * factor;
    pull.z += z * factor;
}

template <typename T>
__host__ __device__ void move(Body<T> &body, Vector<T> &velocity, const Vector<T> &pull) {
    const T step = T(0.01);
    velocity.x += pull.x * step;
    velocity.y += pull.y * step;
    velocity.z += pull.z * step;
    body.x += velocity.x * step;
    body.y += velocity.y * step;
    body.z += velocity.z * step;
}

template <typename T>
__global__ void step(const Body<T> *bodies, Body<T> *moved, Vector<T> *velocities) {
    __shared__ Body<T> tile[THREADS];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    Body<T> body = bodies[i];
    Vector<T> pull = {0, 0, 0};
    for (unsigned first = 0; first < BODIES; first += THREADS) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (unsigned k = 0; k < THREADS; k++)
            attract(body, tile[k], pull);
        __syncthreads();
    }
    move(body, velocities[i], pull);
    moved[i] = body;
}

template <typename T>
static std::vector<Body<T>> random_bodies() {
    std::vector<float> numbers(4 * BODIES);
    fill_floats(numbers.data(), numbers.size(), 13);
    std::vector<Body<T>> bodies(BODIES);
    for (unsigned i = 0; i < BODIES; i++)
        bodies[i] = {numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3] / BODIES};
    return bodies;
}

/* In double whatever the kernel uses. */
static std::vector<Body<double>> moved_by_host() {
    std::vector<Body<double>> bodies = random_bodies<double>();
    std::vector<Vector<double>> velocities(BODIES);
    for (int time = 0; time < STEPS; time++) {
        std::vector<Body<double>> moved = bodies;
        for (unsigned i = 0; i < BODIES; i++) {
            Vector<double> pull = {0, 0, 0};
            for (const Body<double> &other : bodies)
                attract(bodies[i], other, pull);
            move(moved[i], velocities[i], pull);
        }
        bodies = moved;
    }
    return bodies;
}

template <typename T>
static size_t wrong_places(const std::vector<Body<double>> &expected, double tolerance) {
    std::vector<Body<T>> bodies = random_bodies<T>();
    std::vector<Vector<T>> velocities(BODIES);
    Body<T> *now = device_copy(bodies.data(), BODIES), *next = device_memory<Body<T>>(BODIES);
    Vector<T> *device_velocities = device_copy(velocities.data(), BODIES);
    for (int time = 0; time < STEPS; time++) {
        step<<<BODIES / THREADS, THREADS>>>(now, next, device_velocities);
        std::swap(now, next);
    }
    copy_back(bodies.data(), now, BODIES);
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
    CHECK(cudaFree(device_velocities));

    size_t wrong = 0;
    for (unsigned i = 0; i < BODIES; i++) {
        double x = bodies[i].x - expected[i].x, y = bodies[i].y - expected[i].y, z = bodies[i].z - expected[i].z;
        wrong += !(std::sqrt(x * x + y * y + z * z) <= tolerance);
    }
    return wrong;
}

int main() {
    std::vector<Body<double>> expected = moved_by_host();
    size_t wrong = wrong_places<float>(expected, 1e-5) + wrong_places<double>(expected, 1e-13);
    return verdict("nbody", device_name().text, "1024 bodies, 3 steps, in float and in double", wrong);
}
