// SPDX-License-Identifier: Apache-2.0
// Compiled so that stream 0 is each thread's own.
#include "threads.h"

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

int main() {
    size_t wrong = in_threads(with_default_stream);
    return verdict("perThread", device_name().text, "a default stream for each of 4 host threads", wrong);
}
