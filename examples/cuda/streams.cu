// SPDX-License-Identifier: Apache-2.0
// Several streams, each copies its part in from page-locked memory, works on it, and copies it out; another stream waits for all of
// them by events and sums the parts.
#include "runtime.h"

enum { STREAMS = 4, PART = 1 << 16, THREADS = 128 };

__global__ void scale(unsigned *values, unsigned count, unsigned factor) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] = values[i] * factor + i;
}

__global__ void add_up(const unsigned *values, unsigned parts, unsigned count, unsigned *sums) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned sum = 0;
    for (unsigned part = 0; part < parts; part++)
        sum += values[part * count + i];
    sums[i] = sum;
}

static unsigned *page_locked(size_t count) {
    void *memory;
    CHECK(cudaMallocHost(&memory, count * sizeof(unsigned)));
    return static_cast<unsigned *>(memory);
}

static size_t wrong_results(const unsigned *input, const unsigned *output, const unsigned *sums) {
    size_t wrong = 0;
    for (unsigned i = 0; i < PART; i++) {
        unsigned sum = 0;
        for (unsigned part = 0; part < STREAMS; part++) {
            unsigned expected = input[part * PART + i] * (part + 2) + i;
            wrong += output[part * PART + i] != expected;
            sum += expected;
        }
        wrong += sums[i] != sum;
    }
    return wrong;
}

int main() {
    const size_t bytes = PART * sizeof(unsigned);
    unsigned *input = page_locked(STREAMS * PART), *output = page_locked(STREAMS * PART), *sums = page_locked(PART);
    unsigned seed = 9;
    for (unsigned i = 0; i < STREAMS * PART; i++)
        input[i] = next_random(&seed);

    unsigned *device_values = device_memory<unsigned>(STREAMS * PART), *device_sums = device_memory<unsigned>(PART);
    cudaStream_t streams[STREAMS], last;
    cudaEvent_t done[STREAMS], start, stop;
    CHECK(cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start, last));
    for (int i = 0; i < STREAMS; i++) {
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
        unsigned *part = device_values + i * PART;
        CHECK(cudaMemcpyAsync(part, input + i * PART, bytes, cudaMemcpyHostToDevice, streams[i]));
        scale<<<PART / THREADS, THREADS, 0, streams[i]>>>(part, PART, i + 2);
        CHECK(cudaMemcpyAsync(output + i * PART, part, bytes, cudaMemcpyDeviceToHost, streams[i]));
        CHECK(cudaEventRecord(done[i], streams[i]));
        CHECK(cudaStreamWaitEvent(last, done[i], 0));
    }
    add_up<<<PART / THREADS, THREADS, 0, last>>>(device_values, STREAMS, PART, device_sums);
    CHECK(cudaMemcpyAsync(sums, device_sums, bytes, cudaMemcpyDeviceToHost, last));
    CHECK(cudaEventRecord(stop, last));
    CHECK(cudaStreamSynchronize(last));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    size_t wrong = wrong_results(input, output, sums) + (milliseconds >= 0 ? 0 : 1);

    for (int i = 0; i < STREAMS; i++) {
        CHECK(cudaEventQuery(done[i]));
        CHECK(cudaEventDestroy(done[i]));
        CHECK(cudaStreamDestroy(streams[i]));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaStreamDestroy(last));
    CHECK(cudaFree(device_values));
    CHECK(cudaFree(device_sums));
    CHECK(cudaFreeHost(input));
    CHECK(cudaFreeHost(output));
    CHECK(cudaFreeHost(sums));
    return verdict("streams", device_name().text, "4 streams of 65536 numbers, ordered by events", wrong);
}
