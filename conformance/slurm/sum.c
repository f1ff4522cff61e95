/* SPDX-License-Identifier: Apache-2.0
 * A program of several ranks with a GPU each: every rank's GPU makes its part of the numbers from 0
 * on, and MPI adds all of them up. Rank 0 prints how many GPUs the ranks have, and whether the sum
 * is right.
 */
#include <cuda.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 100000, BLOCK = 128, MOST = 64 };

static const char FILL[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry fill(.param .u64 to, .param .u32 first, .param .u32 count)\n"
    "{\n.reg .pred %p<2>;\n.reg .b64 %rd<4>;\n.reg .b32 %r<8>;\n"
    "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [first];\nld.param.u32 %r2, [count];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.u32 %r5, %r3, %r4, %r5;\nsetp.ge.u32 %p1, %r5, %r2;\n@%p1 bra done;\n"
    "cvta.to.global.u64 %rd2, %rd1;\nmul.wide.u32 %rd3, %r5, 4;\nadd.u64 %rd2, %rd2, %rd3;\n"
    "add.u32 %r6, %r5, %r1;\nst.global.u32 [%rd2], %r6;\n"
    "done:\nret;\n}\n";

static uint32_t numbers[PART];

typedef struct uuid {
    char bytes[16];
} uuid;

static void must(CUresult result, const char *call) {
    if (result != 0) {
        fprintf(stderr, "error %d: %s\n", (int)result, call);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}
#define MUST(call) must(call, #call)

/* Of the GPUs that the ranks of a node see, each takes its own, as long as there are enough. */
static int choose(void) {
    MPI_Comm node;
    int place, count;
    int device;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_free(&node);
    MUST(cuInit(0));
    MUST(cuDeviceGetCount(&count));
    MUST(cuDeviceGet(&device, place % count));
    return device;
}

static uint64_t part(int device, uint32_t first) {
    CUcontext context;
    CUmodule module;
    CUfunction fill;
    CUdeviceptr memory;
    uint32_t count = PART;
    void *parameters[] = {&memory, &first, &count};
    uint64_t sum = 0;
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, FILL));
    MUST(cuModuleGetFunction(&fill, module, "fill"));
    MUST(cuMemAlloc_v2(&memory, sizeof numbers));
    MUST(cuLaunchKernel(fill, (PART + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, parameters,
                        NULL));
    MUST(cuMemcpyDtoH_v2(numbers, memory, sizeof numbers));
    for (int i = 0; i < PART; i++)
        sum += numbers[i];
    return sum;
}

static int distinct(uuid *all, int count) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        int before = 0;
        while (before < i && memcmp(&all[before], &all[i], sizeof *all) != 0)
            before++;
        found += before == i;
    }
    return found;
}

int main(int count, char **arguments) {
    static uuid all[MOST];
    int rank, ranks;
    uuid own;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    int device = choose();
    MUST(cuDeviceGetUuid_v2(own.bytes, device));
    MPI_Gather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    uint64_t mine = part(device, (uint32_t)rank * PART), sum = 0, top = (uint64_t)ranks * PART;
    MPI_Reduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, %d GPUs, the sum is %s\n", ranks, distinct(all, ranks),
               sum == top * (top - 1) / 2 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
