/* SPDX-License-Identifier: Apache-2.0
 * The calls of which programs are made.
 */
#include "sequences.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers that calls are given ------------------------------------------------------------ */

static const uint64_t FLAGS[] = {0, 0, 1, 1, 2, 3, 64}, FEW[] = {0, 0, 0, 1, 8},
                      MODES[] = {0, 0, 1, 2, 2, 3},
                      SIZES[] = {0, 64, 4096, 1 << 20, (uint64_t)1 << 60, ~(uint64_t)0},
                      OFFSETS[] = {0, 0, 4, 64, 1},
                      LENGTHS[] = {0, 4, 64, 64, BLOCK / 2, (uint64_t)1 << 40},
                      FIGURES[] = {0, 1, 2, 3, 5, 8, 9, 16, 77}, GRIDS[] = {0, 1, 1, 1, 1u << 31},
                      BLOCKS[] = {0, 1, 1, 1, 2048}, LIMITS[] = {3, 5, 9, 1000};

#define S0 (one->slots[0])
#define S1 (one->slots[1])
#define N1 (one->numbers[1])
#define pick(list) (list[one->numbers[0] % (sizeof list / sizeof *list)])
#define pick_other(list) (list[one->numbers[2] % (sizeof list / sizeof *list)])

/* The answer where nothing is called. */
enum { NOTHING = -1 };

/* ---- what calls put out, of the thread that makes them --------------------------------------- */

static _Thread_local int put_out;
static _Thread_local float milliseconds;
static _Thread_local uint64_t size, count;
static _Thread_local CUdeviceptr address;
static _Thread_local CUgraph made;
static uint8_t bytes[BLOCK] = "what is copied up", room[BLOCK];

static CUdeviceptr block(int slot) {
    return objects.blocks[objects.streams[slot] != NULL ? slot : SLOTS];
}

/* Whether work is done already depends on the machine. */
static int settled(int result) {
    enum { NOT_READY = 600 };
    return result == NOT_READY ? 0 : result;
}

static int ended(int result, void **slot) {
    if (result == 0)
        *slot = NULL;
    return result;
}

/* A driver that fails may have written there. */
static int made_in(int result, void **slot) {
    if (result != 0)
        *slot = NULL;
    return result;
}

/* What a capture allocates is its graph's. */
static int forgotten(int result, int slot, int stream) {
    int status = 0;
    CALL(cuStreamIsCapturing, objects.streams[stream], &status);
    if (status != 0 || result != 0)
        objects.memory[slot] = 0;
    return result;
}

static int keep_graph(int result, int slot) {
    if (result != 0 || made == NULL)
        return result;
    if (objects.graphs[slot] == NULL)
        objects.graphs[slot] = made;
    else
        CALL(cuGraphDestroy, made);
    made = NULL;
    return result;
}

static int destroyed(int result, int slot) {
    objects.nodes[slot] = NULL;
    return ended(result, (void **)&objects.graphs[slot]);
}

/* The functions of a module end with it. */
static int unloaded(int result, int slot) {
    if (result == 0)
        objects.functions[slot] = NULL;
    return ended(result, (void **)&objects.modules[slot]);
}

static int counted(int result) {
    put_out = (int)count;
    return result;
}

static int launch(CUfunction function, int slot, unsigned grid, unsigned threads) {
    CUdeviceptr to = block(slot);
    int what = 3;
    return CALL(cuLaunchKernel, function, grid, 1, 1, threads, 1, 1, 0, objects.streams[slot],
                (void *[]){&to, &what}, NULL);
}

static int graph_fill(int slot, int of) {
    CUDA_MEMSET_NODE_PARAMS fill = {objects.blocks[slot], 0, 7, 1, 64, 1};
    return CALL(cuGraphAddMemsetNode, &objects.nodes[slot], objects.graphs[slot], NULL,
                0, of == 0 ? NULL : &fill, objects.context);
}

static bool captures(void) {
    int status = 0;
    for (int i = 0; i < SLOTS && status == 0; i++)
        if (objects.streams[i] != NULL)
            CALL(cuStreamIsCapturing, objects.streams[i], &status);
    return status != 0;
}

/* Its work touches blocks of other streams: it is alone, or it does not run. */
static int graph_launch(int slot) {
    if (captures())
        return NOTHING;
    CALL(cuCtxSynchronize);
    int result = CALL(cuGraphLaunch, objects.executables[slot], objects.streams[slot]);
    CALL(cuCtxSynchronize);
    return result;
}

/* CUDA_KERNEL_NODE_PARAMS: the header has no name for it. */
static int graph_kernel(int slot, int of) {
    CUdeviceptr to = objects.blocks[slot];
    int what = 5;
    void *parameters[] = {&to, &what};
    struct {
        CUfunction function;
        unsigned grid[3], block[3], shared;
        void **parameters, **extra;
        CUkernel kernel;
        CUcontext context;
    } node = {of == 0 ? NULL : objects.add, {1, 1, 1}, {1, 1, 1}, 0, parameters, NULL, NULL, NULL};
    return CALL(cuGraphAddKernelNode_v2, &objects.nodes[slot], objects.graphs[slot], NULL, 0,
                (void *)&node);
}

/* ---- the calls ------------------------------------------------------------------------------- */

typedef int call(const operation *one);

#define STREAM objects.streams[S0]
#define OTHER objects.streams[S1]
#define EVENT objects.events[S0]
#define END_EVENT objects.events[S1]
#define MEMORY objects.memory[S0]
#define LOCKED objects.page_locked[S0]
#define MODULE objects.modules[S0]
#define FOUND objects.functions[S0]
#define GRAPH objects.graphs[S0]
#define OTHER_GRAPH objects.graphs[S1]
#define NODE objects.nodes[S0]
#define EXECUTABLE objects.executables[S0]
#define POOL objects.pools[S0]
#define INSIDE (block(S0) + pick_other(OFFSETS))
#define INSIDE_LAST (objects.blocks[SLOTS] + pick_other(OFFSETS))

/* What fills a slot, finds what is put there, and ends what is there. */
#define FIND(list, call) made_in(call, (void **)&objects.list[S0])
#define MAKE(list, call) (objects.list[S0] != 0 ? NOTHING : FIND(list, call))
#define END(list, call) ended(call, (void **)&objects.list[S0])

#define OPERATION(name, expression)                                                                \
    static int run_##name(const operation *one) {                                                  \
        (void)one;                                                                                 \
        return expression;                                                                         \
    }
OPERATION(stream_create, MAKE(streams, CALL(cuStreamCreate, &STREAM, (int)pick(FLAGS))))
OPERATION(stream_priority,
          MAKE(streams, CALL(cuStreamCreateWithPriority, &STREAM, (int)pick(FLAGS), (int)N1 - 2)))
OPERATION(stream_destroy, END(streams, CALL(cuStreamDestroy_v2, STREAM)))
OPERATION(stream_query, settled(CALL(cuStreamQuery, STREAM)))
OPERATION(stream_synchronize, CALL(cuStreamSynchronize, STREAM))
OPERATION(stream_wait, CALL(cuStreamWaitEvent, STREAM, END_EVENT, (int)pick(FEW)))
OPERATION(stream_flags, CALL(cuStreamGetFlags, STREAM, &put_out))
OPERATION(stream_begin, CALL(cuStreamBeginCapture_v2, STREAM, (int)pick(MODES)))
OPERATION(stream_end, keep_graph(CALL(cuStreamEndCapture, STREAM, &made), S1))
OPERATION(stream_capturing, CALL(cuStreamIsCapturing, STREAM, &put_out))
OPERATION(capture_mode, CALL(cuThreadExchangeStreamCaptureMode, &(int){(int)pick(MODES)}))
OPERATION(event_create, MAKE(events, CALL(cuEventCreate, &EVENT, (int)pick(FLAGS))))
OPERATION(event_destroy, END(events, CALL(cuEventDestroy_v2, EVENT)))
OPERATION(event_record, CALL(cuEventRecord, EVENT, OTHER))
OPERATION(event_query, settled(CALL(cuEventQuery, EVENT)))
OPERATION(event_synchronize, CALL(cuEventSynchronize, EVENT))
OPERATION(event_elapsed, settled(CALL(cuEventElapsedTime_v2, &milliseconds, EVENT, END_EVENT)))
OPERATION(memory_allocate, MAKE(memory, CALL(cuMemAlloc_v2, &MEMORY, pick(SIZES))))
OPERATION(memory_free, END(memory, CALL(cuMemFree_v2, MEMORY)))
OPERATION(memory_allocate_ordered,
          MEMORY != 0 ? NOTHING : forgotten(CALL(cuMemAllocAsync, &MEMORY, pick(SIZES), OTHER),
               S0, S1))
OPERATION(memory_free_ordered, END(memory, CALL(cuMemFreeAsync, MEMORY, OTHER)))
OPERATION(memory_range, CALL(cuMemGetAddressRange_v2, NULL, &size, MEMORY))
OPERATION(memory_kind, CALL(cuPointerGetAttribute, &put_out, 2, MEMORY))
OPERATION(page_lock,
          MAKE(page_locked, CALL(cuMemHostAlloc, &LOCKED, pick(SIZES) & 0xffff, (int)pick(FLAGS))))
OPERATION(page_unlock, END(page_locked, CALL(cuMemFreeHost, LOCKED)))
OPERATION(page_flags, CALL(cuMemHostGetFlags, (unsigned *)&put_out, LOCKED))
OPERATION(fill, CALL(cuMemsetD8Async, INSIDE, (unsigned char)N1, pick(LENGTHS), STREAM))
OPERATION(fill_words, CALL(cuMemsetD32Async, INSIDE, (int)N1, pick(LENGTHS) / 4, STREAM))
OPERATION(fill_now, CALL(cuMemsetD8_v2, INSIDE_LAST, (unsigned char)N1, pick(LENGTHS)))
OPERATION(copy_up, CALL(cuMemcpyHtoDAsync_v2, INSIDE, bytes, pick(LENGTHS), STREAM))
OPERATION(copy_up_now, CALL(cuMemcpyHtoD_v2, INSIDE_LAST, bytes, pick(LENGTHS)))
OPERATION(copy_down, CALL(cuMemcpyDtoHAsync_v2, room, INSIDE, pick(LENGTHS), STREAM))
OPERATION(copy_down_now, CALL(cuMemcpyDtoH_v2, room, INSIDE_LAST, pick(LENGTHS)))
OPERATION(copy, CALL(cuMemcpyDtoDAsync_v2, block(S0), block(S0) + BLOCK / 2, pick(LENGTHS), STREAM))
OPERATION(module_load,
          MAKE(modules, CALL(cuModuleLoadData, &MODULE, N1 % 4 == 0 ? "garbage" : IMAGE)))
OPERATION(module_unload, unloaded(CALL(cuModuleUnload, MODULE), S0))
OPERATION(module_function,
          FIND(functions, CALL(cuModuleGetFunction, &FOUND, MODULE, N1 % 4 == 0 ? "none" : "add")))
OPERATION(module_global,
          CALL(cuModuleGetGlobal_v2, &address, &size, MODULE, N1 % 4 == 0 ? "none" : "counter"))
OPERATION(module_count, CALL(cuModuleGetFunctionCount, &put_out, MODULE))
OPERATION(function_attribute, CALL(cuFuncGetAttribute, &put_out, (int)pick(FIGURES), FOUND))
OPERATION(function_set, CALL(cuFuncSetAttribute, FOUND, 8, (int)pick(LENGTHS)))
OPERATION(launch, launch(objects.add, S0, (unsigned)pick(GRIDS), (unsigned)pick_other(BLOCKS)))
OPERATION(launch_other,
          launch(objects.functions[S1], S0, (unsigned)pick(GRIDS), (unsigned)pick_other(BLOCKS)))
OPERATION(graph_create, MAKE(graphs, CALL(cuGraphCreate, &GRAPH, (int)pick(FEW))))
OPERATION(graph_destroy, destroyed(CALL(cuGraphDestroy, GRAPH), S0))
OPERATION(graph_empty, FIND(nodes, CALL(cuGraphAddEmptyNode, &NODE, GRAPH, &NODE, NODE != NULL)))
OPERATION(graph_fill, FIND(nodes, graph_fill(S0, S1)))
OPERATION(graph_kernel, FIND(nodes, graph_kernel(S0, S1)))
OPERATION(graph_nodes, counted(CALL(cuGraphGetNodes, GRAPH, NULL, &count)))
OPERATION(graph_instantiate,
          MAKE(executables, CALL(cuGraphInstantiateWithFlags, &EXECUTABLE, OTHER_GRAPH, pick(FEW))))
OPERATION(graph_launch, graph_launch(S0))
OPERATION(graph_upload, CALL(cuGraphUpload, EXECUTABLE, OTHER))
OPERATION(graph_update,
          CALL(cuGraphExecUpdate_v2, EXECUTABLE, OTHER_GRAPH, &(CUgraphExecUpdateResultInfo){0}))
OPERATION(executable_destroy, END(executables, CALL(cuGraphExecDestroy, EXECUTABLE)))
OPERATION(pool_create,
          MAKE(pools, CALL(cuMemPoolCreate, &POOL, &(CUmemPoolProps){.type = (int)(N1 % 3),
               .location = {1, 0}})))
OPERATION(pool_trim, CALL(cuMemPoolTrimTo, POOL, pick(SIZES)))
OPERATION(pool_attribute, CALL(cuMemPoolGetAttribute, POOL, (int)(N1 % 4), &count))
OPERATION(context_synchronize, CALL(cuCtxSynchronize))
OPERATION(context_device, CALL(cuCtxGetDevice, &put_out))
OPERATION(context_limit, CALL(cuCtxGetLimit, &count, (int)pick(LIMITS)))
OPERATION(context_none, CALL(cuCtxSetCurrent, N1 % 2 == 0 ? NULL : objects.context))
OPERATION(context_back, CALL(cuCtxSetCurrent, objects.context))

#define NAMED(name)                                                                                \
    { #name, run_##name, false }
#define MAKER(name)                                                                                \
    { #name, run_##name, true }
static const struct {
    const char *name;
    call *run;
    bool makes; /* others need what it makes, so that there are more of it */
} OPERATIONS[] = {
    MAKER(stream_create),
    NAMED(stream_priority),
    NAMED(stream_destroy),
    NAMED(stream_query),
    NAMED(stream_synchronize),
    NAMED(stream_wait),
    NAMED(stream_flags),
    MAKER(stream_begin),
    NAMED(stream_end),
    NAMED(stream_capturing),
    NAMED(capture_mode),
    MAKER(event_create),
    NAMED(event_destroy),
    MAKER(event_record),
    NAMED(event_query),
    NAMED(event_synchronize),
    NAMED(event_elapsed),
    MAKER(memory_allocate),
    NAMED(memory_free),
    NAMED(memory_allocate_ordered),
    NAMED(memory_free_ordered),
    NAMED(memory_range),
    NAMED(memory_kind),
    NAMED(page_lock),
    NAMED(page_unlock),
    NAMED(page_flags),
    NAMED(fill),
    NAMED(fill_words),
    NAMED(fill_now),
    NAMED(copy_up),
    NAMED(copy_up_now),
    NAMED(copy_down),
    NAMED(copy_down_now),
    NAMED(copy),
    MAKER(module_load),
    NAMED(module_unload),
    MAKER(module_function),
    NAMED(module_global),
    NAMED(module_count),
    NAMED(function_attribute),
    NAMED(function_set),
    MAKER(launch),
    NAMED(launch_other),
    MAKER(graph_create),
    NAMED(graph_destroy),
    NAMED(graph_empty),
    NAMED(graph_fill),
    MAKER(graph_kernel),
    NAMED(graph_nodes),
    MAKER(graph_instantiate),
    NAMED(graph_launch),
    NAMED(graph_upload),
    NAMED(graph_update),
    NAMED(executable_destroy),
    MAKER(pool_create),
    NAMED(pool_trim),
    NAMED(pool_attribute),
    NAMED(context_synchronize),
    NAMED(context_device),
    NAMED(context_limit),
    NAMED(context_none),
    NAMED(context_back),
};
enum { KINDS = sizeof OPERATIONS / sizeof *OPERATIONS };

operation operation_choose(void) {
    operation one = {.kind = (int)number_below(KINDS)};
    for (bool wanted = number_below(3) == 0; wanted && !OPERATIONS[one.kind].makes;)
        one.kind = (int)number_below(KINDS);
    for (int i = 0; i < 3; i++) {
        one.slots[i] = (int)number_below(SLOTS);
        one.numbers[i] = number_below(1 << 16);
    }
    return one;
}

const char *operation_name(const operation *one) { return OPERATIONS[one->kind].name; }

void operation_run(const operation *one, char text[TEXT]) {
    enum { UNWRITTEN = 0x5a5a5a5a };
    if (one == NULL) {
        CALL(cuThreadExchangeStreamCaptureMode, &(int){0});
        objects_enter();
        return;
    }
    put_out = UNWRITTEN;
    int result = OPERATIONS[one->kind].run(one);
    if (result == NOTHING)
        snprintf(text, TEXT, "-"); /* the slot is taken: nothing was called */
    else if (put_out == UNWRITTEN || result != 0)
        snprintf(text, TEXT, "%d", result);
    else
        snprintf(text, TEXT, "%d:%d", result, put_out);
}
