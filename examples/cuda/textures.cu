// SPDX-License-Identifier: Apache-2.0
// Reads arrays, rows and rectangles through texture objects, and reads and writes arrays through surface objects.
#include "runtime.h"

#include <algorithm>
#include <cmath>
#include <vector>

enum { WIDTH = 37, HEIGHT = 21, DEPTH = 5, POINTS = 4096, THREADS = 256 };

struct Point {
    float x, y, z;
    int layer;
};

/* ---- kernels ------------------------------------------------------------------------------------------------------- */

__global__ void read_plane(cudaTextureObject_t texture, const Point *points, float *results) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    results[i] = tex2D<float>(texture, points[i].x, points[i].y);
}

__global__ void read_box(cudaTextureObject_t texture, const Point *points, float *results) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    results[i] = tex3D<float>(texture, points[i].x, points[i].y, points[i].z);
}

__global__ void read_layer(cudaTextureObject_t texture, const Point *points, float *results) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    results[i] = tex2DLayered<float>(texture, points[i].x, points[i].y, points[i].layer);
}

__global__ void gather(cudaTextureObject_t texture, const Point *points, float4 *results) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    results[i] = tex2Dgather<float4>(texture, points[i].x, points[i].y, 0);
}

__global__ void read_row(cudaTextureObject_t texture, int *results) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    results[i] = tex1Dfetch<int>(texture, i - 10);
}

/* Transposes a square through surfaces; outside of it there is nothing to read and nothing is written. */
__global__ void transpose(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    int x = blockIdx.x * blockDim.x + threadIdx.x - 2, y = blockIdx.y * blockDim.y + threadIdx.y - 2;
    unsigned value;
    asm volatile("suld.b.2d.b32.zero %0, [%1, {%2, %3}];" : "=r"(value) : "l"(from), "r"(x * 4), "r"(y));
    asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], %3;" : : "l"(to), "r"(y * 4), "r"(x), "r"(value) : "memory");
}

/* ---- what they must find ------------------------------------------------------------------------------------------- */

static int index_of(cudaTextureAddressMode mode, int i, int n) {
    switch (mode) {
    case cudaAddressModeWrap:
        return ((i % n) + n) % n;
    case cudaAddressModeMirror:
        i = ((i % (2 * n)) + 2 * n) % (2 * n);
        return i < n ? i : 2 * n - 1 - i;
    case cudaAddressModeBorder:
        return i >= 0 && i < n ? i : -1;
    default:
        return std::min(std::max(i, 0), n - 1);
    }
}

/* Coordinates are multiples of 1/256 for linear filtering, and so are the weights. */
struct Axis {
    int low, high;
    double weight;

    Axis(cudaTextureAddressMode mode, bool linear, float u, int n) {
        int fixed = linear ? static_cast<int>(std::floor(static_cast<double>(u) * 256 + 0.5)) - 128 : static_cast<int>(std::floor(u)) * 256;
        int first = static_cast<int>(std::floor(fixed / 256.0));
        low = index_of(mode, first, n);
        high = linear ? index_of(mode, first + 1, n) : low;
        weight = (fixed - first * 256) / 256.0;
    }
};

template <typename Texel>
static double expected(const Axis &x, const Axis &y, Texel texel) {
    double both = std::floor(x.weight * y.weight * 256 + 0.5) / 256;
    return (1 - x.weight - y.weight + both) * texel(x.low, y.low) + (x.weight - both) * texel(x.high, y.low) + (y.weight - both) * texel(x.low, y.high) +
           both * texel(x.high, y.high);
}

static bool differ(double one, double other, double allowed) { return !(std::fabs(one - other) <= allowed); }

/* ---- objects ------------------------------------------------------------------------------------------------------- */

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource, cudaTextureAddressMode mode, bool linear, bool normalized, bool fraction) {
    cudaTextureDesc how = {};
    cudaTextureObject_t object;
    std::fill(how.addressMode, how.addressMode + 3, mode);
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = normalized;
    how.borderColor[0] = 0.75f;
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    return object;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

template <typename T>
static cudaArray_t box_of(const T *host, cudaExtent extent, unsigned flags) {
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<T *>(host), extent.width * sizeof(T), extent.width, std::max<size_t>(extent.height, 1));
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, std::max<size_t>(extent.height, 1), std::max<size_t>(extent.depth, 1));
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

template <typename T>
static std::vector<T> from_device(const T *memory, size_t count) {
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

static std::vector<float> floats(size_t count, unsigned seed) {
    std::vector<float> values(count);
    fill_floats(values.data(), count, seed);
    return values;
}

/* From one and a half times before a texture to one and a half times behind it. */
static std::vector<Point> points_around(float width, float height, float depth) {
    std::vector<Point> points(POINTS);
    std::vector<float> random = floats(3 * POINTS, 4);
    for (int i = 0; i < POINTS; i++)
        points[i] = {(4 * random[3 * i] - 1.5f) * width, (4 * random[3 * i + 1] - 1.5f) * height, (4 * random[3 * i + 2] - 1.5f) * depth, i % (DEPTH + 2) - 1};
    return points;
}

/* ---- the cases ----------------------------------------------------------------------------------------------------- */

/* The coordinate as the texture counts it: normalized ones may be multiplied in another order here, so those near an edge are left out. */
static bool near_edge(float u) { return std::fabs(u * 512 - std::round(u * 512)) < 0.1; }

template <typename T>
static size_t wrong_planes(const std::vector<T> &texels, double scale, bool fraction) {
    size_t wrong = 0;
    cudaArray_t array = box_of(texels.data(), make_cudaExtent(WIDTH, HEIGHT, 0), cudaArrayDefault);
    float *results = device_memory<float>(POINTS);
    double border = fraction ? std::round(0.75 / scale) * scale : 0.75; /* as a texel would hold it */
    for (int variant = 0; variant < 16; variant++) {
        cudaTextureAddressMode mode = static_cast<cudaTextureAddressMode>(variant / 4);
        bool linear = variant & 1, normalized = variant & 2;
        std::vector<Point> points = points_around(normalized ? 1 : WIDTH, normalized ? 1 : HEIGHT, 0);
        Point *there = device_copy(points.data(), POINTS);
        cudaTextureObject_t texture = texture_of(resource_of(array), mode, linear, normalized, fraction);
        read_plane<<<POINTS / THREADS, THREADS>>>(texture, there, results);
        std::vector<float> read = from_device(results, POINTS);
        cudaTextureAddressMode counts = normalized || mode == cudaAddressModeBorder ? mode : cudaAddressModeClamp;
        for (int i = 0; i < POINTS; i++) {
            float u = points[i].x * (normalized ? WIDTH : 1), v = points[i].y * (normalized ? HEIGHT : 1);
            if (near_edge(u) || near_edge(v))
                continue;
            auto texel = [&](int x, int y) { return x < 0 || y < 0 ? border : std::max(texels[y * WIDTH + x] * scale, -1.0); };
            wrong += differ(read[i], expected(Axis(counts, linear, u, WIDTH), Axis(counts, linear, v, HEIGHT), texel), fraction ? 5e-5 : 1e-6);
        }
        CHECK(cudaDestroyTextureObject(texture));
        CHECK(cudaFree(there));
    }
    CHECK(cudaFree(results));
    CHECK(cudaFreeArray(array));
    return wrong;
}

static size_t wrong_boxes() {
    size_t wrong = 0;
    std::vector<float> texels = floats(WIDTH * HEIGHT * DEPTH, 5);
    std::vector<Point> points = points_around(WIDTH, HEIGHT, DEPTH);
    cudaArray_t array = box_of(texels.data(), make_cudaExtent(WIDTH, HEIGHT, DEPTH), cudaArrayDefault);
    cudaArray_t layers = box_of(texels.data(), make_cudaExtent(WIDTH, HEIGHT, DEPTH), cudaArrayLayered);
    Point *there = device_copy(points.data(), POINTS);
    float *results = device_memory<float>(POINTS);
    for (bool linear : {false, true}) {
        read_box<<<POINTS / THREADS, THREADS>>>(texture_of(resource_of(array), cudaAddressModeClamp, linear, false, false), there, results);
        std::vector<float> read = from_device(results, POINTS);
        read_layer<<<POINTS / THREADS, THREADS>>>(texture_of(resource_of(layers), cudaAddressModeClamp, linear, false, false), there, results);
        std::vector<float> layered = from_device(results, POINTS);
        for (int i = 0; i < POINTS; i++) {
            Axis x(cudaAddressModeClamp, linear, points[i].x, WIDTH), y(cudaAddressModeClamp, linear, points[i].y, HEIGHT);
            Axis z(cudaAddressModeClamp, linear, points[i].z, DEPTH);
            auto plane = [&](int at) { return expected(x, y, [&](int column, int row) { return texels[(at * HEIGHT + row) * WIDTH + column]; }); };
            /* How the hardware rounds the products of three weights is not documented. */
            wrong += differ(read[i], (1 - z.weight) * plane(z.low) + z.weight * plane(z.high), linear ? 0.02 : 0);
            wrong += differ(layered[i], plane(std::min<unsigned>(points[i].layer, DEPTH - 1)), 1e-6);
        }
    }
    CHECK(cudaFree(there));
    CHECK(cudaFree(results));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFreeArray(layers));
    return wrong;
}

static size_t wrong_gathers() {
    size_t wrong = 0;
    std::vector<float> texels = floats(WIDTH * HEIGHT, 6);
    std::vector<Point> points = points_around(WIDTH, HEIGHT, 0);
    cudaArray_t array = box_of(texels.data(), make_cudaExtent(WIDTH, HEIGHT, 0), cudaArrayTextureGather);
    Point *there = device_copy(points.data(), POINTS);
    float4 *results = device_memory<float4>(POINTS);
    gather<<<POINTS / THREADS, THREADS>>>(texture_of(resource_of(array), cudaAddressModeClamp, false, false, false), there, results);
    std::vector<float4> read = from_device(results, POINTS);
    for (int i = 0; i < POINTS; i++) {
        Axis x(cudaAddressModeClamp, true, points[i].x, WIDTH), y(cudaAddressModeClamp, true, points[i].y, HEIGHT);
        auto texel = [&](int column, int row) { return texels[row * WIDTH + column]; };
        wrong += read[i].x != texel(x.low, y.high) || read[i].y != texel(x.high, y.high) || read[i].z != texel(x.high, y.low) || read[i].w != texel(x.low, y.low);
    }
    CHECK(cudaFree(there));
    CHECK(cudaFree(results));
    CHECK(cudaFreeArray(array));
    return wrong;
}

/* A row of memory is read by index; outside of it are zeros. */
static size_t wrong_rows() {
    size_t wrong = 0;
    std::vector<int> numbers(THREADS - 20);
    unsigned seed = 7;
    for (int &number : numbers)
        number = static_cast<int>(next_random(&seed));
    cudaResourceDesc row = {};
    row.resType = cudaResourceTypeLinear;
    row.res.linear.devPtr = device_copy(numbers.data(), numbers.size());
    row.res.linear.desc = cudaCreateChannelDesc<int>();
    row.res.linear.sizeInBytes = numbers.size() * sizeof(int);
    int *results = device_memory<int>(THREADS);
    read_row<<<1, THREADS>>>(texture_of(row, cudaAddressModeClamp, false, false, false), results);
    std::vector<int> read = from_device(results, THREADS);
    for (int i = 0; i < THREADS; i++)
        wrong += read[i] != (i >= 10 && i < THREADS - 10 ? numbers[i - 10] : 0);
    CHECK(cudaFree(row.res.linear.devPtr));
    CHECK(cudaFree(results));
    return wrong;
}

/* Memory of a pitch, as a texture whose coordinates are mirrored. */
static size_t wrong_rectangles() {
    size_t wrong = 0, pitch;
    std::vector<float> texels = floats(WIDTH * HEIGHT, 8);
    std::vector<Point> points = points_around(1, 1, 0);
    cudaResourceDesc rectangle = {};
    void *memory;
    CHECK(cudaMallocPitch(&memory, &pitch, WIDTH * sizeof(float), HEIGHT));
    CHECK(cudaMemcpy2D(memory, pitch, texels.data(), WIDTH * sizeof(float), WIDTH * sizeof(float), HEIGHT, cudaMemcpyHostToDevice));
    rectangle.resType = cudaResourceTypePitch2D;
    rectangle.res.pitch2D.devPtr = memory;
    rectangle.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    rectangle.res.pitch2D.width = WIDTH;
    rectangle.res.pitch2D.height = HEIGHT;
    rectangle.res.pitch2D.pitchInBytes = pitch;
    Point *there = device_copy(points.data(), POINTS);
    float *results = device_memory<float>(POINTS);
    read_plane<<<POINTS / THREADS, THREADS>>>(texture_of(rectangle, cudaAddressModeMirror, true, true, false), there, results);
    std::vector<float> read = from_device(results, POINTS);
    for (int i = 0; i < POINTS; i++) {
        float u = points[i].x * WIDTH, v = points[i].y * HEIGHT;
        Axis x(cudaAddressModeMirror, true, u, WIDTH), y(cudaAddressModeMirror, true, v, HEIGHT);
        wrong += !near_edge(u) && !near_edge(v) && differ(read[i], expected(x, y, [&](int column, int row) { return texels[row * WIDTH + column]; }), 1e-6);
    }
    CHECK(cudaFree(memory));
    CHECK(cudaFree(there));
    CHECK(cudaFree(results));
    return wrong;
}

static size_t wrong_surfaces() {
    enum { SIDE = 60 };
    size_t wrong = 0;
    std::vector<unsigned> numbers(SIDE * SIDE), read(SIDE * SIDE), moved(SIDE * SIDE);
    unsigned seed = 9;
    for (unsigned &number : numbers)
        number = next_random(&seed);
    cudaArray_t from = box_of(numbers.data(), make_cudaExtent(SIDE, SIDE, 0), cudaArraySurfaceLoadStore);
    cudaArray_t to = box_of(moved.data(), make_cudaExtent(SIDE, SIDE, 0), cudaArraySurfaceLoadStore);
    cudaResourceDesc source = resource_of(from), target = resource_of(to);
    cudaSurfaceObject_t first, second;
    CHECK(cudaCreateSurfaceObject(&first, &source));
    CHECK(cudaCreateSurfaceObject(&second, &target));
    transpose<<<dim3(4, 4), dim3(16, 16)>>>(first, second);
    CHECK(cudaGetLastError());
    enum { ROW = SIDE * sizeof(unsigned) };
    CHECK(cudaMemcpy2DFromArray(read.data(), ROW, to, 0, 0, ROW, SIDE, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2DArrayToArray(from, 0, 10, to, 0, 0, ROW, 20, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy2DFromArray(moved.data(), ROW, from, 0, 0, ROW, SIDE, cudaMemcpyDeviceToHost));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            wrong += read[y * SIDE + x] != numbers[x * SIDE + y];
            wrong += moved[y * SIDE + x] != (y >= 10 && y < 30 ? numbers[x * SIDE + y - 10] : numbers[y * SIDE + x]);
        }
    CHECK(cudaDestroySurfaceObject(first));
    CHECK(cudaDestroySurfaceObject(second));
    CHECK(cudaFreeArray(from));
    CHECK(cudaFreeArray(to));
    return wrong;
}

template <typename T>
static std::vector<T> integers(unsigned seed) {
    std::vector<T> values(WIDTH * HEIGHT);
    for (T &value : values)
        value = static_cast<T>(next_random(&seed) >> 7);
    return values;
}

int main() {
    size_t wrong = wrong_planes(floats(WIDTH * HEIGHT, 3), 1, false);
    wrong += wrong_planes(integers<unsigned char>(1), 1 / 255.0, true) + wrong_planes(integers<short>(2), 1 / 32767.0, true);
    wrong += wrong_boxes() + wrong_gathers() + wrong_rows() + wrong_rectangles() + wrong_surfaces();
    return verdict("textures", device_name().text, "arrays, rows and rectangles as textures and surfaces", wrong);
}
