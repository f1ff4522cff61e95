// SPDX-License-Identifier: Apache-2.0
// Kernels made from a template for several types, and functions that kernels call through pointers: of a table, of a parameter that
// the host read from the device, and of objects with virtual functions.
#include "runtime.h"

#include <vector>

enum { COUNT = 1000, THREADS = 128, BLOCKS = (COUNT + THREADS - 1) / THREADS };

struct Sum {
    template <typename T>
    static __host__ __device__ T apply(T a, T b) {
        return a + b;
    }
};

struct Larger {
    template <typename T>
    static __host__ __device__ T apply(T a, T b) {
        return a > b ? a : b;
    }
};

template <typename T, typename Operation>
__global__ void combine(const T *a, const T *b, T *results) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < COUNT)
        results[i] = Operation::apply(a[i], b[i]);
}

template <typename T, typename Operation>
static size_t wrong_combinations() {
    std::vector<T> a(COUNT), b(COUNT), results(COUNT);
    unsigned seed = 16;
    for (int i = 0; i < COUNT; i++) {
        a[i] = static_cast<T>(next_random(&seed) >> 12);
        b[i] = static_cast<T>(next_random(&seed) >> 12);
    }
    T *device_a = device_copy(a.data(), COUNT), *device_b = device_copy(b.data(), COUNT);
    combine<T, Operation><<<BLOCKS, THREADS>>>(device_a, device_b, device_a);
    copy_back(results.data(), device_a, COUNT);
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    size_t wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += results[i] != Operation::apply(a[i], b[i]);
    return wrong;
}

typedef int (*Step)(int, int);

static __host__ __device__ int add(int a, int b) { return a + b; }
static __host__ __device__ int subtract(int a, int b) { return a - b; }
static __host__ __device__ int multiply(int a, int b) { return a * b; }

__device__ Step steps[] = {add, subtract, multiply};
__device__ Step last_step = multiply;

struct Shape {
    __device__ Shape(int side) : side(side) {}
    virtual __device__ int area() const { return side * side; }
    int side;
};

struct Half : Shape {
    __device__ Half(int side) : Shape(side) {}
    __device__ int area() const override { return Shape::area() / 2; }
};

static __device__ int area_of(const Shape &shape) {
    return shape.area();
}

__global__ void call(Step last, int *results) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= COUNT)
        return;
    Shape square(i);
    Half half(i);
    int area = area_of(i % 2 == 0 ? square : half);
    results[i] = last(steps[i % 3](i, 7), area);
}

static size_t wrong_calls() {
    Step last;
    CHECK(cudaMemcpyFromSymbol(&last, last_step, sizeof last));
    std::vector<int> results(COUNT);
    int *device_results = device_memory<int>(COUNT);
    call<<<BLOCKS, THREADS>>>(last, device_results);
    copy_back(results.data(), device_results, COUNT);
    CHECK(cudaFree(device_results));
    const Step of_host[] = {add, subtract, multiply};
    size_t wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += results[i] != multiply(of_host[i % 3](i, 7), i % 2 == 0 ? i * i : i * i / 2);
    return wrong;
}

int main() {
    size_t wrong = wrong_combinations<int, Sum>() + wrong_combinations<float, Larger>() + wrong_combinations<double, Sum>() +
                   wrong_combinations<unsigned char, Larger>() + wrong_calls();
    return verdict("functions", device_name().text, "templates, function pointers and virtual functions", wrong);
}
