// SPDX-License-Identifier: Apache-2.0
// Host threads with a stream each: created ones, the default stream that all share, and the one that each thread has.
#include "threads.h"

static size_t with_own_stream(unsigned thread) {
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    size_t wrong = wrong_rounds(20 + thread, stream);
    CHECK(cudaStreamDestroy(stream));
    return wrong;
}

int main() {
    size_t wrong = in_threads(with_own_stream);
    wrong += in_threads([](unsigned thread) { return wrong_rounds(30 + thread, cudaStreamLegacy); });
    wrong += in_threads([](unsigned thread) { return wrong_rounds(40 + thread, cudaStreamPerThread); });
    return verdict("threads", device_name().text, "4 host threads with streams of three kinds", wrong);
}
