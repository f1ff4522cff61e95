/* SPDX-License-Identifier: Apache-2.0
 * Functions of the program in streams, each topic in one case. usage: callbacks CASE
 */
#include "case.h"

#include <stdatomic.h>
#include <unistd.h>

static CUcontext primary;
static CUstream stream;
static CUdeviceptr word;

static void prepare(void) {
    MUST(cuInit(0));
    MUST(cuDevicePrimaryCtxRetain(&primary, 0));
    MUST(cuCtxSetCurrent(primary));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuMemAlloc_v2(&word, 4));
    MUST(cuMemsetD32_v2(word, 0, 1));
    MUST(cuCtxSynchronize());
}

typedef struct heard {
    _Atomic int times, status;
    CUstream stream;
} heard;

static void hear(CUstream which, CUresult status, void *by) {
    heard *one = by;
    one->stream = which;
    atomic_store(&one->status, (int)status);
    atomic_fetch_add(&one->times, 1);
}

/* It runs on a thread of its own, and may do so a little after the stream. */
static void await(heard *one) {
    while (atomic_load(&one->times) == 0)
        usleep(1000);
}

static void succeeded(void) {
    heard one = {.status = -1};
    MUST(cuMemsetD32Async(word, 1, 1, stream));
    MUST(cuStreamAddCallback(stream, hear, &one, 0));
    MUST(cuStreamSynchronize(stream));
    await(&one);
    CHECK(one.times == 1 && one.status == 0 && one.stream == stream);
    CHECK(cuStreamAddCallback(stream, NULL, &one, 0) == 1);
    CHECK(cuStreamAddCallback(stream, hear, &one, 1) == 1);
}

/* Each callback behind a kernel that fails runs once, with the error of the context. */
static void failed(void) {
    static const char BAD[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                              ".visible .entry bad()\n{\n.reg .b64 %rd<2>;\n"
                              "mov.u64 %rd1, 16;\nst.global.u32 [%rd1], 1;\nret;\n}\n";
    CUmodule module;
    CUfunction bad;
    uint32_t one = 1;
    heard before = {.status = -1}, first = {.status = -1}, second = {.status = -1};
    MUST(cuModuleLoadData(&module, BAD));
    MUST(cuModuleGetFunction(&bad, module, "bad"));
    MUST(cuStreamWaitValue32_v2(stream, word, 1, 0));
    MUST(cuStreamAddCallback(stream, hear, &before, 0));
    MUST(cuLaunchKernel(bad, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    MUST(cuStreamAddCallback(stream, hear, &first, 0));
    MUST(cuStreamAddCallback(stream, hear, &second, 0));
    CHECK(first.times == 0);
    MUST(cuMemcpyHtoD_v2(word, &one, sizeof one));
    CHECK(cuStreamSynchronize(stream) == 700);
    await(&second);
    CHECK(before.times == 1 && before.status == 0);
    CHECK(first.times == 1 && first.status == 700 && second.times == 1 && second.status == 700);
}

typedef struct attempt {
    CUevent event;
    CUstream stream;
    CUresult recorded, queried, allocated;
} attempt;

static void try_calls(void *by) {
    attempt *tried = by;
    CUdeviceptr memory;
    tried->queried = cuStreamQuery(tried->stream);
    tried->recorded = cuEventRecord(tried->event, tried->stream);
    tried->allocated = cuMemAlloc_v2(&memory, 4);
}

/* The driver refuses a function that a stream calls all that needs a context. It does not look at
 * calls about handles alone. */
static void calls(void) {
    attempt tried = {.recorded = 1, .queried = 1};
    MUST(cuEventCreate(&tried.event, 0));
    MUST(cuStreamCreate(&tried.stream, 1));
    MUST(cuLaunchHostFunc(stream, try_calls, &tried));
    MUST(cuStreamSynchronize(stream));
    CHECK(tried.recorded == 0 && tried.queried == 0 && tried.allocated == 800);
    MUST(cuEventSynchronize(tried.event));
}

static const test_case cases[] = {
    {"succeeded", succeeded},
    {"calls", calls},
    {"failed", failed}, /* it loses the context */
};

int main(int argc, char **argv) {
    return run_case(cases, sizeof cases / sizeof *cases, prepare, argc, argv);
}
