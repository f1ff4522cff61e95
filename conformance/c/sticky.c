/* SPDX-License-Identifier: Apache-2.0
 * Kernels that lose their context, each in a process of its own; prints, one line a kernel, what
 * the wait for it returned, and what each later call did.
 * usage: sticky [KERNEL]
 */
#include "case.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#define BEGIN ".version 7.0\n.target sm_75\n.address_size 64\n"

static const char ILLEGAL[] = BEGIN ".visible .entry go(.param .u64 at)\n{\n.reg .b64 %rd<2>;\n"
                                    "mov.u64 %rd1, 16;\nst.global.u32 [%rd1], 7;\nret;\n}\n";

static const char MISALIGNED[] = BEGIN ".visible .entry go(.param .u64 at)\n{\n.reg .b64 %rd<2>;\n"
                                       "ld.param.u64 %rd1, [at];\nadd.u64 %rd1, %rd1, 1;\n"
                                       "st.global.u32 [%rd1], 7;\nret;\n}\n";

static const char TRAP[] = BEGIN ".visible .entry go(.param .u64 at)\n{\ntrap;\nret;\n}\n";

static const char ASSERT[] = BEGIN ".extern .func __assertfail(.param .b64 message, .param .b64 "
                                   "file, .param .b32 line, .param .b64 function,"
                                   " .param .b64 size);\n"
                                   ".global .align 1 .b8 text[3] = {110, 111, 0};\n"
                                   ".visible .entry go(.param .u64 at)\n{\n.reg .b64 %rd<3>;\n"
                                   ".reg .b32 %r<2>;\n"
                                   "mov.u64 %rd1, text;\ncvta.global.u64 %rd2, %rd1;\n"
                                   "mov.u64 %rd1, 1;\nmov.u32 %r1, 7;\n"
                                   "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\n"
                                   ".param .b64 d;\n.param .b64 e;\n"
                                   "st.param.b64 [a], %rd2;\nst.param.b64 [b], %rd2;\n"
                                   "st.param.b32 [c], %r1;\nst.param.b64 [d], %rd2;\n"
                                   "st.param.b64 [e], %rd1;\n"
                                   "call.uni __assertfail, (a, b, c, d, e);\n}\nret;\n}\n";

/* An atomic operation knows no local memory. */
static const char SPACE[] = BEGIN ".visible .entry go(.param .u64 at)\n{\n"
                                  ".local .align 4 .b8 own[8];\n.reg .b64 %rd<3>;\n"
                                  ".reg .b32 %r<2>;\n"
                                  "mov.u64 %rd1, own;\ncvta.local.u64 %rd2, %rd1;\n"
                                  "atom.add.u32 %r1, [%rd2], 1;\n"
                                  "ld.param.u64 %rd1, [at];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

/* A call of what is no function. */
static const char COUNTER[] = BEGIN ".visible .entry go(.param .u64 at)\n{\n.reg .b64 %rd<2>;\n"
                                    "ld.param.u64 %rd1, [at];\nadd.u64 %rd1, %rd1, 7;\n"
                                    "shape: .callprototype _ ();\ncall %rd1, shape;\nret;\n}\n";

static const struct {
    const char *name, *text;
} kernels[] = {{"illegal", ILLEGAL}, {"assert", ASSERT},   {"misaligned", MISALIGNED},
               {"space", SPACE},     {"counter", COUNTER}, {"trap", TRAP}};

static CUcontext context;
static CUdeviceptr memory;

static void tell(const char *what, CUresult result) { printf(" %s %d", what, (int)result); }

static void *elsewhere(void *unused) {
    CUdeviceptr more;
    cuCtxSetCurrent(context);
    tell("elsewhere", cuMemAlloc_v2(&more, 4096));
    return unused;
}

static void later(CUstream stream, CUevent event, CUmodule module, CUfunction go) {
    CUdeviceptr more;
    CUevent other = NULL;
    unsigned number;
    pthread_t thread;
    tell("allocate", cuMemAlloc_v2(&more, 4096));
    tell("create", cuEventCreate(&other, 0));
    tell("record", cuEventRecord(event, stream));
    tell("launch", cuLaunchKernel(go, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&memory}, NULL));
    tell("fill", cuMemsetD32Async(memory, 1, 1, stream));
    tell("copy", cuMemcpyDtoH_v2(&number, memory, sizeof number));
    tell("query", cuStreamQuery(stream));
    tell("wait", cuStreamSynchronize(stream));
    pthread_create(&thread, NULL, elsewhere, NULL);
    pthread_join(thread, NULL);
    tell("free", cuMemFree_v2(memory));
    tell("unload", cuModuleUnload(module));
    tell("end-event", cuEventDestroy_v2(event));
    tell("end-stream", cuStreamDestroy_v2(stream));
    tell("synchronise", cuCtxSynchronize());
}

static void run(const char *text) {
    CUmodule module;
    CUfunction go;
    CUstream stream;
    CUevent event;
    MUST(cuInit(0));
    MUST(cuCtxCreate_v2(&context, 0, 0));
    MUST(cuMemAlloc_v2(&memory, 4096));
    MUST(cuStreamCreate(&stream, 1));
    MUST(cuEventCreate(&event, 0));
    MUST(cuModuleLoadData(&module, text));
    MUST(cuModuleGetFunction(&go, module, "go"));
    MUST(cuLaunchKernel(go, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&memory}, NULL));
    tell("first", cuStreamSynchronize(stream));
    later(stream, event, module, go);
    tell("| end", cuCtxDestroy_v2(context));
    CUresult anew = cuCtxCreate_v2(&context, 0, 0);
    tell("anew", anew == 0 ? cuMemAlloc_v2(&memory, 4096) : anew);
    puts("");
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (argc == 2 && strcmp(argv[1], kernels[i].name) != 0)
            continue;
        printf("%s:", kernels[i].name);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            run(kernels[i].text);
            fflush(stdout);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (status != 0)
            printf(" (the process ended with %d)\n", status);
    }
    return 0;
}
