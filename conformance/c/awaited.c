/* SPDX-License-Identifier: Apache-2.0
 * Streams that wait for words of the program's memory. usage: awaited CASE
 */
#include "case.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

enum { GREATER_OR_EQUAL = 0, EQUAL = 1, MAPPED = 2 };

static CUcontext primary;
static CUstream stream;
static CUdeviceptr mark, there;
static volatile uint64_t *word;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&mark, 4));
    MUST(cuMemsetD32_v2(mark, 1, 1));
    MUST(cuMemHostAlloc((void **)(uintptr_t)&word, 4096, MAPPED));
    *word = 0;
    MUST(cuMemHostGetDevicePointer_v2(&there, (void *)(uintptr_t)word, 0));
}

static uint32_t read_mark(void) {
    uint32_t now;
    MUST(cuMemcpyDtoH_v2(&now, mark, sizeof now));
    return now;
}

static void *write_later(void *what) {
    usleep(50000);
    *word = (uintptr_t)what;
    return NULL;
}

/* The program writes while another thread of it waits for the stream. */
static void written(void) {
    pthread_t thread;
    for (uint32_t turn = 1; turn <= 3; turn++) {
        MUST(cuStreamWaitValue32_v2(stream, there, (int)turn * 7, GREATER_OR_EQUAL));
        MUST(cuMemsetD32Async(mark, turn, 1, stream));
        CHECK(cuStreamQuery(stream) == 600);
        pthread_create(&thread, NULL, write_later, (void *)(uintptr_t)(turn * 7));
        MUST(cuStreamSynchronize(stream));
        pthread_join(thread, NULL);
        CHECK(read_mark() == turn && *word == turn * 7);
    }
    MUST(cuStreamWaitValue64_v2(stream, there, 1ull << 40, EQUAL));
    MUST(cuMemsetD32Async(mark, 9, 1, stream));
    *word = 1ull << 40;
    MUST(cuStreamSynchronize(stream));
    CHECK(read_mark() == 9);
}

/* Another stream writes it. */
static void by_a_stream(void) {
    CUstream other;
    MUST(cuStreamCreate(&other, 1));
    MUST(cuStreamWaitValue32_v2(stream, there, 5, EQUAL));
    MUST(cuMemsetD32Async(mark, 2, 1, stream));
    MUST(cuStreamWriteValue32_v2(other, there, 5, 0));
    MUST(cuStreamSynchronize(stream));
    CHECK(read_mark() == 2 && (uint32_t)*word == 5);
}

/* It is as it should when the wait is asked for. */
static void fulfilled(void) {
    *word = 3;
    MUST(cuStreamWaitValue32_v2(stream, there, 3, EQUAL));
    MUST(cuMemsetD32Async(mark, 4, 1, stream));
    MUST(cuStreamSynchronize(stream));
    CHECK(read_mark() == 4);
}

static const test_case cases[] = {
    {"written", written}, {"by-a-stream", by_a_stream}, {"fulfilled", fulfilled}};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
