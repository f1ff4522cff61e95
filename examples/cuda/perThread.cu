// SPDX-License-Identifier: Apache-2.0
// Compiled so that stream 0 is each thread's own: it does not wait for a created stream, and other threads' work does not wait for it.
#include "threads.h"

/* Waits for the host to set the flag, or until the clock has ticked `limit` times. */
__global__ void wait_for(volatile int *flag, long long limit, int *seen) {
    long long start = clock64();
    while (*flag == 0 && clock64() - start < limit)
        ;
    *seen = *flag;
}

static size_t with_default_stream(unsigned thread) {
    size_t wrong = wrong_rounds(50 + thread, 0);
    unsigned values[64], *memory = device_memory<unsigned>(64);
    CHECK(cudaMemset(memory, 0x11, sizeof values));
    step_on<<<1, 64>>>(memory, thread);
    CHECK(cudaMemcpy(values, memory, sizeof values, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(memory));
    for (unsigned value : values)
        wrong += value != 0x11111111u * 5 + thread;
    return wrong;
}

/* A kernel on this thread's default stream goes on only once another thread's copy, on that one's default stream, has been made. */
static size_t wrong_order() {
    int zero = 0, *flag = device_copy(&zero, 1), *seen = device_copy(&zero, 1);
    wait_for<<<1, 1>>>(flag, 20000000000LL, seen);
    CHECK(cudaGetLastError());
    std::thread([flag] {
        int one = 1;
        CHECK(cudaMemcpy(flag, &one, sizeof one, cudaMemcpyHostToDevice));
    }).join();
    int result = 0;
    CHECK(cudaMemcpy(&result, seen, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(flag));
    CHECK(cudaFree(seen));
    return result != 1;
}

int main() {
    size_t wrong = in_threads(with_default_stream) + wrong_order();
    return verdict("perThread", device_name().text, "a default stream for each of 4 host threads", wrong);
}
