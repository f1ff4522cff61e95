/* SPDX-License-Identifier: Apache-2.0
 * Several host threads, each with a stream and memory of its own, that work at the same time. */
#ifndef THREADS_H
#define THREADS_H

#include "runtime.h"

#include <atomic>
#include <thread>
#include <vector>

enum { HOST_THREADS = 4, ROUNDS = 20, COUNT = 4096 };

__global__ void step_on(unsigned *values, unsigned by) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = values[i] * 5 + by;
}

/* The work of one host thread: everything is posted on its stream, and waited for once. */
static inline size_t wrong_rounds(unsigned seed, cudaStream_t stream) {
    std::vector<unsigned> input(COUNT), output(COUNT);
    for (unsigned &value : input)
        value = next_random(&seed);
    unsigned *values = device_memory<unsigned>(COUNT);
    CHECK(cudaMemcpyAsync(values, input.data(), COUNT * sizeof(unsigned), cudaMemcpyHostToDevice,
                          stream));
    for (unsigned round = 0; round < ROUNDS; round++)
        step_on<<<COUNT / 128, 128, 0, stream>>>(values, round);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(output.data(), values, COUNT * sizeof(unsigned), cudaMemcpyDeviceToHost,
                          stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(values));
    size_t wrong = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned expected = input[i];
        for (unsigned round = 0; round < ROUNDS; round++)
            expected = expected * 5 + round;
        wrong += output[i] != expected;
    }
    return wrong;
}

/* Runs `work(thread)` in each host thread; returns how much was wrong in all. */
template <typename Work>
static size_t in_threads(Work work) {
    std::atomic<size_t> wrong(0);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < HOST_THREADS; i++)
        threads.emplace_back([&wrong, &work, i] { wrong += work(i); });
    for (std::thread &thread : threads)
        thread.join();
    return wrong;
}

#endif
