/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches with a configuration structure and a list of attributes, and the questions about block
 * sizes.
 */
#include "module/module.h"

#include <stdlib.h>

/* CUlaunchAttributeID: those that a device without the feature cannot even ignore */
enum { COOPERATIVE = 2, CLUSTER_DIMENSION = 4, PREFERRED_CLUSTER_DIMENSION = 11, ATTRIBUTES = 19 };

_Static_assert(sizeof(CUlaunchAttribute) == 72 && sizeof(CUlaunchConfig) == 56,
               "the vendor's layout");

static bool is_one_block(const void *cluster) {
    unsigned int blocks[3];
    memcpy(blocks, cluster, sizeof blocks);
    return blocks[0] <= 1 && blocks[1] <= 1 && blocks[2] <= 1;
}

static bool is_set(const void *value) {
    int word;
    memcpy(&word, value, sizeof word);
    return word != 0;
}

/* Posted launches report late: an attribute that the device does not have at all is an error at
 * once. */
static CUresult check_attribute(const CUlaunchAttribute *one, int ordinal) {
    switch (one->id) {
    case COOPERATIVE:
        return !is_set(&one->value) || device_attribute(ordinal, ATTRIBUTE_COOPERATIVE_LAUNCH) != 0
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_NOT_SUPPORTED;
    case CLUSTER_DIMENSION: case PREFERRED_CLUSTER_DIMENSION:
        return is_one_block(&one->value) || device_attribute(ordinal, ATTRIBUTE_CLUSTER_LAUNCH) != 0
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_NOT_SUPPORTED;
    default:
        return one->id >= 0 && one->id < ATTRIBUTES ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult check(const CUlaunchConfig *config) {
    CUcontext current;
    if (config == NULL || (config->attributes == NULL && config->attributeCount != 0))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = context_resolve(NULL, &current);
    for (int i = 0; result == CUDA_SUCCESS && i < config->attributeCount; i++)
        result = check_attribute(&config->attributes[i], context_device(current));
    return result;
}

/* A cooperative launch that is too large is an error at once. */
static uint32_t answered(const CUlaunchConfig *config) {
    uint32_t flags = 0;
    for (int i = 0; i < config->attributeCount; i++)
        if (config->attributes[i].id == COOPERATIVE && is_set(&config->attributes[i].value))
            flags = OB_ANSWER;
    return flags;
}

static CUresult start(const CUlaunchConfig *config, CUfunction function, void **parameters,
                      void **extra, uint32_t flags) {
    CUresult result = check(config);
    if (result == CUDA_SUCCESS)
        flags |= answered(config);
    return result == CUDA_SUCCESS ? launch_configured(config, function, parameters, extra, flags)
                                  : result;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                          void **extra) {
    return start(config, function, parameters, extra, 0);
}

CUresult cuLaunchKernelEx_ptsz(const CUlaunchConfig *config, CUfunction function, void **parameters,
                               void **extra) {
    return start(config, function, parameters, extra, OB_PER_THREAD);
}

/* ---- the block size that fills the device ---------------------------------------------------- */

enum { FUNCTION_MAX_THREADS = 0, WARP = 32, MOST_THREADS = 1 << 14 };

typedef size_t shared_of(int);

typedef struct search {
    CUfunction function;
    shared_of *shared_bytes_of;
    size_t shared_bytes;
    int limit;
    unsigned int flags;
    int threads, blocks;        /* the best so far, on a multiprocessor */
} search;

static CUresult try_size(search *s, int threads) {
    int blocks;
    size_t shared = s->shared_bytes_of != NULL ? s->shared_bytes_of(threads) : s->shared_bytes;
    CUresult result = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, s->function, threads, shared, (int)s->flags);
    if (result == CUDA_SUCCESS && (int64_t)blocks * threads > (int64_t)s->blocks * s->threads) {
        s->threads = threads;
        s->blocks = blocks;
    }
    return result;
}

/* Whole warps, from the largest block down: the first of equal ones stays. */
static CUresult find_size(search *s) {
    int most;
    CUresult result = cuFuncGetAttribute(&most, FUNCTION_MAX_THREADS, s->function);
    if (result == CUDA_SUCCESS && most > MOST_THREADS)
        return CUDA_ERROR_INVALID_VALUE;
    if (s->limit > 0 && result == CUDA_SUCCESS && s->limit < most)
        most = s->limit;
    if (result == CUDA_SUCCESS && most % WARP != 0)
        result = try_size(s, most);
    for (int threads = most / WARP * WARP; result == CUDA_SUCCESS && threads > 0; threads -= WARP)
        result = try_size(s, threads);
    return result;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
                                                   CUfunction function, shared_of *shared_bytes_of,
                                                   size_t shared_bytes, int limit,
                                                   unsigned int flags) {
    search s = {.function = function,
                .shared_bytes_of = shared_bytes_of,
                .shared_bytes = shared_bytes,
                .limit = limit,
                .flags = flags};
    CUcontext current;
    CUresult result = context_resolve(NULL, &current);
    if (result == CUDA_SUCCESS && (grid_size == NULL || block_size == NULL || limit < 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = find_size(&s);
    if (result != CUDA_SUCCESS)
        return result;
    *block_size = s.threads;
    *grid_size = (int)((unsigned int)s.blocks *
                       (unsigned int)device_attribute(context_device(current),
                                                      ATTRIBUTE_MULTIPROCESSOR_COUNT));
    return CUDA_SUCCESS;
}

/* Gone from the vendor's driver too: CUDA Driver API, "Profiler Control [DEPRECATED]". */
CUresult cuProfilerInitialize(const char *configuration, const char *output, int mode) {
    (void)configuration, (void)output, (void)mode;
    return CUDA_ERROR_NOT_SUPPORTED;
}
