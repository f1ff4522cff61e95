/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches: immediate errors are checked here, the parameters are packed as the function's layout
 * says, and the rest is posted.
 */
#include "module/module.h"

#include <pthread.h>
#include <stdlib.h>

/* CU_LAUNCH_PARAM_… of "extra" */
enum { BUFFER_POINTER = 1, BUFFER_SIZE = 2 };

enum { SHARED_WITHOUT_ASKING = 48 << 10 };

typedef struct launch {
    CUfunction function;
    unsigned int grid[3], block[3], shared_bytes;
    CUstream stream;
    void **parameters, **extra;
    bool cooperative;
    uint32_t flags;
    const CUlaunchConfig *config;       /* NULL where there are no attributes */
} launch;

/* ---- facts about functions ------------------------------------------------------------------- */

static known_table facts_of_functions;

enum { LAYOUT = sizeof((FunctionFacts *)0)->layout / sizeof(int) / 2 };

/* Most functions have few parameters: the rest of the layout is not kept. */
static size_t used_bytes(const FunctionFacts *facts) {
    size_t described = facts->parameters < 0        ? 0
                       : facts->parameters < LAYOUT ? (size_t)facts->parameters
                                                    : LAYOUT;
    return offsetof(FunctionFacts, layout) + described * 2 * sizeof facts->layout[0];
}

const FunctionFacts *launch_facts_known(const void *function) {
    return known_find(&facts_of_functions, (uint64_t)(uintptr_t)function);
}

const FunctionFacts *launch_facts_keep(const void *function, const FunctionFacts *facts) {
    return known_keep(&facts_of_functions, (uint64_t)(uintptr_t)function, facts, used_bytes(facts));
}

/* What a launch needs room for: a thread's stack may be small. */
typedef struct launch_room {
    FunctionFacts answer;
    uint8_t parameters[PARAMETER_LIMIT];
} launch_room;

static ob_own_memory rooms = {.bytes = sizeof(launch_room)};

CUresult launch_facts(CUfunction function, const FunctionFacts **facts) {
    uint64_t handle = (uint64_t)(uintptr_t)function;
    *facts = launch_facts_known(function);
    if (*facts != NULL)
        return CUDA_SUCCESS;
    if (!ob_handle_plausible(handle, 1u << OB_CUDA_FUNCTION | 1u << OB_CUDA_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    launch_room *room = ob_own(&rooms);
    if (room == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = remote_outboardFunctionFacts(&room->answer, function, 0);
    if (result != CUDA_SUCCESS)
        return result;
    *facts = launch_facts_keep(function, &room->answer);
    return *facts != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool fits(const unsigned int sizes[3], const unsigned int limits[3]) {
    for (int i = 0; i < 3; i++)
        if (sizes[i] == 0 || sizes[i] > limits[i])
            return false;
    return true;
}

/* Without a setting of the function's own, a block has 48 KiB with what the function declares (CUDA
 * C++ Programming Guide, "Shared Memory"); only beyond that somebody is asked. */
static bool has_shared(const launch *l, const FunctionFacts *facts) {
    int most;
    return l->shared_bytes + (uint64_t)facts->sharedBytes <= SHARED_WITHOUT_ASKING ||
           cuFuncGetAttribute(&most, MAX_DYNAMIC_SHARED_BYTES, l->function) != CUDA_SUCCESS ||
           (int64_t)l->shared_bytes <= most;
}

static CUresult check(const launch *l, const FunctionFacts *facts, const gpu *device) {
    if (device == NULL)
        return CUDA_ERROR_INVALID_CONTEXT;
    const launch_limits *most = &device->launch;
    if (!fits(l->grid, most->grid) || !fits(l->block, most->block))
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    if (threads > most->threads || l->shared_bytes > most->shared_bytes || !has_shared(l, facts))
        return CUDA_ERROR_INVALID_VALUE;
    return facts->maxThreads > 0 && threads > (uint64_t)facts->maxThreads
               ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
               : CUDA_SUCCESS;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool has_layout(const FunctionFacts *facts) {
    return facts->parameters <= LAYOUT && facts->parameterBytes >= 0 &&
           facts->parameterBytes <= PARAMETER_LIMIT;
}

bool launch_place_of(const FunctionFacts *facts, int parameter, launch_place *place) {
    if (!has_layout(facts))
        return false;
    const int *layout = &facts->layout[2 * parameter];
    *place = (launch_place){(uint32_t)layout[0], (uint32_t)layout[1]};
    uint32_t whole = (uint32_t)facts->parameterBytes;
    return place->offset <= whole && place->size <= whole - place->offset;
}

static CUresult pack(const FunctionFacts *facts, void **parameters, uint8_t *buffer,
                     launch_bytes *to) {
    if (!has_layout(facts))
        return CUDA_ERROR_NOT_SUPPORTED;
    memset(buffer, 0, (size_t)facts->parameterBytes);
    for (int i = 0; i < facts->parameters; i++) {
        launch_place place;
        if (parameters[i] == NULL || !launch_place_of(facts, i, &place))
            return CUDA_ERROR_INVALID_VALUE;
        memcpy(buffer + place.offset, parameters[i], place.size);
    }
    *to = (launch_bytes){buffer, (uint64_t)facts->parameterBytes};
    return CUDA_SUCCESS;
}

static CUresult unwrap(void **extra, launch_bytes *to) {
    for (void **at = extra; *at != NULL; at += 2) {
        if ((uintptr_t)*at == BUFFER_POINTER)
            to->bytes = at[1];
        else if ((uintptr_t)*at == BUFFER_SIZE && at[1] != NULL)
            to->size = *(const size_t *)at[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    return to->size <= PARAMETER_LIMIT && (to->bytes != NULL || to->size == 0)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static CUresult gather(const launch *l, const FunctionFacts *facts, uint8_t *buffer,
                       launch_bytes *to) {
    if (l->parameters != NULL && l->extra != NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (l->extra != NULL)
        return unwrap(l->extra, to);
    if (facts->parameters == 0)
        return CUDA_SUCCESS;
    return l->parameters != NULL ? pack(facts, l->parameters, buffer, to)
                                 : CUDA_ERROR_INVALID_VALUE;
}

/* A kernel has to find the program's memory that its parameters point to. */
static CUresult gather_and_offer(const launch *l, const FunctionFacts *facts, uint8_t *buffer,
                                 launch_bytes *to) {
    CUresult result = gather(l, facts, buffer, to);
    if (result == CUDA_SUCCESS && !ob_passes())
        host_offer(to->bytes, to->size);
    return result;
}

CUresult launch_pack(CUfunction function, void **parameters, void **extra, launch_bytes *to) {
    const FunctionFacts *facts;
    launch_room *room = ob_own(&rooms);
    CUresult result = room != NULL ? launch_facts(function, &facts) : CUDA_ERROR_OUT_OF_MEMORY;
    *to = (launch_bytes){NULL, 0};
    return result == CUDA_SUCCESS
               ? gather_and_offer(&(launch){.parameters = parameters, .extra = extra}, facts,
                                  room->parameters, to)
               : result;
}

/* ---- sending --------------------------------------------------------------------------------- */

static bool blocking;

static void find_blocking(void) {
    const char *asked = getenv("CUDA_LAUNCH_BLOCKING");
    blocking = asked != NULL && strcmp(asked, "1") == 0;
}

/* Every launch then waits for its kernel: CUDA C++ Programming Guide, "CUDA Environment Variables".
 */
static CUresult wait_if_asked(const launch *l) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_blocking);
    return blocking ? remote_cuStreamSynchronize(l->stream, l->flags) : CUDA_SUCCESS;
}

static CUresult send(const launch *l, const launch_bytes *p) {
    if (l->config != NULL)
        return remote_outboardLaunchKernelEx(l->config, l->function, p->bytes, (int)p->size,
                                             l->flags);
    int32_t (*call)(CUfunction, int, int, int, int, int, int, int, CUstream, const void *, int,
                    uint32_t) = l->cooperative ? remote_cuLaunchCooperativeKernel
                                               : remote_cuLaunchKernel;
    return call(l->function, (int)l->grid[0], (int)l->grid[1], (int)l->grid[2], (int)l->block[0],
                (int)l->block[1], (int)l->block[2], (int)l->shared_bytes, l->stream, p->bytes,
                (int)p->size, l->flags);
}

static CUresult post(const launch *l, const launch_bytes *p) {
    CUresult result = send(l, p);
    return result == CUDA_SUCCESS ? wait_if_asked(l) : result;
}

static CUresult start(const launch *l) {
    launch_bytes parameters = {NULL, 0};
    launch_room *room = ob_own(&rooms);
    const FunctionFacts *facts;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS)
        result = launch_facts(l->function, &facts);
    if (result == CUDA_SUCCESS)
        result = check(l, facts, device_at(context_device(context_in_use())));
    if (result == CUDA_SUCCESS)
        result = room != NULL ? gather_and_offer(l, facts, room->parameters, &parameters)
                              : CUDA_ERROR_OUT_OF_MEMORY;
    return result == CUDA_SUCCESS ? post(l, &parameters) : result;
}

/* ---- the functions --------------------------------------------------------------------------- */

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **parameters, void **extra) {
    return start(&(launch){function,
                           {grid_x, grid_y, grid_z},
                           {block_x, block_y, block_z},
                           shared_bytes,
                           stream,
                           parameters,
                           extra,
                           false,
                           0,
                           NULL});
}

CUresult cuLaunchKernel_ptsz(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                             unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                             unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                             void **parameters, void **extra) {
    return start(&(launch){function,
                           {grid_x, grid_y, grid_z},
                           {block_x, block_y, block_z},
                           shared_bytes,
                           stream,
                           parameters,
                           extra,
                           false,
                           OB_PER_THREAD,
                           NULL});
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **parameters) {
    return start(&(launch){function,
                           {grid_x, grid_y, grid_z},
                           {block_x, block_y, block_z},
                           shared_bytes,
                           stream,
                           parameters,
                           NULL,
                           true,
                           0,
                           NULL});
}

CUresult cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned int grid_x,
                                        unsigned int grid_y, unsigned int grid_z,
                                        unsigned int block_x, unsigned int block_y,
                                        unsigned int block_z, unsigned int shared_bytes,
                                        CUstream stream, void **parameters) {
    return start(&(launch){function,
                           {grid_x, grid_y, grid_z},
                           {block_x, block_y, block_z},
                           shared_bytes,
                           stream,
                           parameters,
                           NULL,
                           true,
                           OB_PER_THREAD,
                           NULL});
}

CUresult launch_configured(const CUlaunchConfig *config, CUfunction function, void **parameters,
                           void **extra, uint32_t flags) {
    return start(&(launch){
        .function = function,
        .grid = {(unsigned int)config->gridX, (unsigned int)config->gridY,
                 (unsigned int)config->gridZ},
        .block = {(unsigned int)config->blockX, (unsigned int)config->blockY,
                  (unsigned int)config->blockZ},
        .shared_bytes = (unsigned int)config->sharedBytes,
        .stream = config->stream,
        .parameters = parameters,
        .extra = extra,
        .flags = flags,
        .config = config->attributeCount > 0 ? config : NULL,
    });
}
