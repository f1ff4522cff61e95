/* SPDX-License-Identifier: Apache-2.0
 * A thread waits for a kernel that prints more than a ring has room for, while no other thread of
 * the program reads. The lines are counted by the reader of the program's output.
 * usage: prints
 */
#include "case.h"

#include <pthread.h>

enum { BLOCKS = 256, THREADS = 64, WAITS = 4 };

static const char TALK[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 values);\n"
    ".global .align 1 .b8 line[82] = {"
    "46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,"
    "46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,"
    "46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,46,10,0};\n"
    ".visible .entry talk()\n{\n.reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
    "mov.u64 %rd1, line;\ncvta.global.u64 %rd1, %rd1;\nmov.u64 %rd2, 0;\n"
    "{\n.param .b64 format;\nst.param.b64 [format], %rd1;\n"
    ".param .b64 values;\nst.param.b64 [values], %rd2;\n"
    ".param .b32 result;\ncall.uni (result), vprintf, (format, values);\n"
    "ld.param.b32 %r1, [result];\n}\nret;\n}\n";

static CUcontext context;

static void *talk(void *of) {
    MUST(cuCtxSetCurrent(context));
    for (int i = 0; i < WAITS; i++) {
        MUST(cuLaunchKernel(of, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, NULL, NULL));
        MUST(cuStreamSynchronize(NULL));
    }
    return NULL;
}

int main(void) {
    int device;
    CUmodule module;
    CUfunction function;
    pthread_t thread;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuCtxCreate_v2(&context, 0, device));
    MUST(cuModuleLoadData(&module, TALK));
    MUST(cuModuleGetFunction(&function, module, "talk"));
    CHECK(pthread_create(&thread, NULL, talk, function) == 0);
    pthread_join(thread, NULL);
    MUST(cuCtxDestroy_v2(context));
    return 0;
}
