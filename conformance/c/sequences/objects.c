/* SPDX-License-Identifier: Apache-2.0
 * What programs make, use and leave. Work of a stream touches that stream's block alone, so that
 * what is there afterwards does not depend on who was faster.
 */
#include "sequences.h"

#include <string.h>

struct objects objects;

const char IMAGE[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                     ".visible .global .align 4 .u32 counter = 5;\n"
                     ".visible .entry add(.param .u64 to, .param .u32 what)\n"
                     "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
                     "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [what];\n"
                     "ld.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, %r1;\nst.u32 [%rd1], %r2;\nret;\n}\n";

bool objects_begin(void) {
    CUmodule module;
    if (CALL(cuInit, 0) != 0 || CALL(cuDevicePrimaryCtxRetain, &objects.context, 0) != 0)
        return false;
    objects_enter();
    for (int i = 0; i <= SLOTS; i++)
        if (CALL(cuMemAlloc_v2, &objects.blocks[i], BLOCK) != 0)
            return false;
    uint64_t sum;
    return CALL(cuModuleLoadData, &module, IMAGE) == 0 &&
           CALL(cuModuleGetFunction, &objects.add, module, "add") == 0 && objects_clean(&sum);
}

void objects_enter(void) { CALL(cuCtxSetCurrent, objects.context); }

/* One that another thread has begun ends with its stream. */
static void end_captures(void) {
    for (int i = 0; i < SLOTS; i++) {
        int status = 0;
        if (objects.streams[i] == NULL)
            continue;
        if (CALL(cuStreamIsCapturing, objects.streams[i], &status) == 0 && status == 0)
            continue;
        CALL(cuStreamDestroy_v2, objects.streams[i]);
        objects.streams[i] = NULL;
    }
}

#define END(list, function)                                                                        \
    for (int i = 0; i < SLOTS; i++) {                                                              \
        if (objects.list[i] != 0)                                                                  \
            CALL(function, objects.list[i]);                                                       \
        objects.list[i] = 0;                                                                       \
    }

static uint64_t sum_of(const uint32_t *words, size_t count) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ words[i]) * UINT64_C(0x100000001b3);
    return sum;
}

bool objects_clean(uint64_t *sum) {
    static uint32_t words[(SLOTS + 1) * BLOCK / 4];
    end_captures();
    if (CALL(cuCtxSynchronize) != 0)
        return false;
    END(executables, cuGraphExecDestroy)
    END(graphs, cuGraphDestroy)
    END(events, cuEventDestroy_v2)
    END(modules, cuModuleUnload)
    END(memory, cuMemFree_v2)
    END(page_locked, cuMemFreeHost)
    END(streams, cuStreamDestroy_v2)
    END(pools, cuMemPoolDestroy)
    memset(objects.functions, 0, sizeof objects.functions);
    memset(objects.nodes, 0, sizeof objects.nodes);
    for (int i = 0; i <= SLOTS; i++) {
        CALL(cuMemcpyDtoH_v2, words + i * (BLOCK / 4), objects.blocks[i], BLOCK);
        CALL(cuMemsetD8_v2, objects.blocks[i], 0, BLOCK);
    }
    *sum = sum_of(words, sizeof words / sizeof *words);
    return CALL(cuCtxSynchronize) == 0;
}
