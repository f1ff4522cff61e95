/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures of functions, kernels and contexts that a program can change, and what follows from them: asked once. What is set to
 * the value that it was set to last is not set again.
 */
#include "module/module.h"

enum {
    ATTRIBUTE,          /* CUfunction_attribute: its value */
    SETTING,            /* CUfunction_attribute: what it was set to last */
    FUNCTION,           /* of a kernel in a context */
    ACTIVE_BLOCKS,      /* occupancy */
    SHARED_BYTES,       /* occupancy */
    LIMIT,              /* CUlimit */
};

/* CU_FUNC_ATTRIBUTE_… */
enum { MAX_DYNAMIC_SHARED_BYTES = 8, SHARED_MEMORY_CARVEOUT = 9 };

enum { KIND_SHIFT = 34, KIND_MASK = 63, PLACE_SHIFT = 48, KIND_OF_PLACE = 62, KIND_OF_CONTEXT = 61 };

static uint64_t number(const void *handle) { return (uint64_t)(uintptr_t)handle; }

/* ---- subjects ------------------------------------------------------------------------------------------------------ */

static known_table kernels_of_functions;

static topic kernel_on(CUkernel kernel, int there) {
    return (topic){number(kernel) | (uint64_t)(there + 1) << PLACE_SHIFT, number(kernel)};
}

static topic kernel_itself(CUkernel kernel) { return (topic){number(kernel), number(kernel)}; }

static topic context_limits(CUcontext context) {
    uint64_t key = number(context) | 1ull << KIND_OF_CONTEXT;
    return (topic){key, key};
}

/* A kernel may stand for its function in the current context. */
static topic function_itself(CUfunction function) {
    uint64_t key = number(function);
    if ((key >> KIND_SHIFT & KIND_MASK) == OB_CUDA_KERNEL)
        return (topic){key | (uint64_t)context_lane(context_current()) << PLACE_SHIFT | 1ull << KIND_OF_PLACE, key};
    const uint64_t *kernel = known_find(&kernels_of_functions, key);
    return (topic){key, kernel != NULL ? *kernel : 0};
}

/* ---- questions ----------------------------------------------------------------------------------------------------- */

typedef struct inquiry {
    topic about;
    question asked;
    int64_t value;
    uint32_t ticket;
} inquiry;

static bool known(inquiry *one) { return remembered(&one->about, &one->asked, &one->value, &one->ticket); }

/* Whether the answer is known, and there is a place for it; without one the backend says what that means. */
static bool known_int(inquiry *one, int *value) {
    bool found = value != NULL && known(one);
    if (found)
        *value = (int)one->value;
    return found;
}

static bool known_long(inquiry *one, uint64_t *value) {
    bool found = value != NULL && known(one);
    if (found)
        *value = (uint64_t)one->value;
    return found;
}

static CUresult answered_int(const inquiry *one, const int *value, CUresult result) {
    if (result == CUDA_SUCCESS)
        remember(&one->about, &one->asked, *value, one->ticket);
    return result;
}

static CUresult answered_long(const inquiry *one, const uint64_t *value, CUresult result) {
    if (result == CUDA_SUCCESS)
        remember(&one->about, &one->asked, (int64_t)*value, one->ticket);
    return result;
}

/* ---- functions and kernels by name --------------------------------------------------------------------------------- */

/* Answers of a backend that tells them with the handle. */
typedef struct told {
    FunctionFacts facts;
    FunctionAttributes attributes;
} told;

enum { NOT_TOLD = -1, TOLD = sizeof((FunctionAttributes *)0)->values / sizeof(int) };

static void learn(const void *function, const topic *about, const told *all) {
    question asked[TOLD];
    int64_t values[TOLD];
    int count = 0;
    for (uint32_t i = 0; i < TOLD; i++)
        if ((all->attributes.known >> i & 1) != 0) {
            asked[count] = (question){ATTRIBUTE, i, 0, 0};
            values[count++] = all->attributes.values[i];
        }
    if (count > 0)
        remember_first(about, asked, values, count);
    if (all->facts.parameters != NOT_TOLD)
        launch_facts_keep(function, &all->facts);
}

/* An older backend lacks the call: that is known here. */
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    int there = -1;
    told all = {.facts.parameters = NOT_TOLD};
    CUcontext current = context_current();
    if (kernel == NULL || name == NULL)
        return remote_cuLibraryGetKernel(kernel, library, name, 0);
    if (current != NULL && device_translate(context_device(current), &there) != CUDA_SUCCESS)
        there = -1;
    CUresult result = remote_outboardLibraryKernel(kernel, &all.facts, &all.attributes, library, name, there, 0);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return remote_cuLibraryGetKernel(kernel, library, name, 0);
    if (result == CUDA_SUCCESS) {
        topic about = kernel_on(*kernel, there);
        learn(*kernel, &about, &all);
    }
    return result;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    told all = {.facts.parameters = NOT_TOLD};
    if (function == NULL || name == NULL)
        return remote_cuModuleGetFunction(function, module, name, 0);
    CUresult result = remote_outboardModuleFunction(function, &all.facts, &all.attributes, module, name, 0);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return remote_cuModuleGetFunction(function, module, name, 0);
    if (result == CUDA_SUCCESS) {
        topic about = function_itself(*function);
        learn(*function, &about, &all);
    }
    return result;
}

/* ---- attributes ---------------------------------------------------------------------------------------------------- */

CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel kernel, int device) {
    int there;
    CUresult result = device_translate(device, &there);
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = kernel_on(kernel, there), .asked = {ATTRIBUTE, (uint32_t)attribute, 0, 0}};
    if (known_int(&one, value))
        return CUDA_SUCCESS;
    return answered_int(&one, value, remote_cuKernelGetAttribute(value, attribute, kernel, there, 0));
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = function_itself(function), .asked = {ATTRIBUTE, (uint32_t)attribute, 0, 0}};
    if (known_int(&one, value))
        return CUDA_SUCCESS;
    return answered_int(&one, value, remote_cuFuncGetAttribute(value, attribute, function, 0));
}

/* A value that nobody can refuse is not waited for. */
static uint32_t answered_if_doubtful(const void *function, int ordinal, int attribute, int value) {
    const FunctionFacts *facts = launch_facts_known(function);
    const gpu *device = device_at(ordinal);
    bool certain = (attribute == SHARED_MEMORY_CARVEOUT && value >= -1 && value <= 100) ||
                   (attribute == MAX_DYNAMIC_SHARED_BYTES && facts != NULL && device != NULL && value >= 0 &&
                    (int64_t)value + facts->sharedBytes <= (int64_t)device->launch.shared_bytes);
    return certain ? 0 : OB_ANSWER;
}

static bool is_set(inquiry *one, int value) { return known(one) && one->value == value; }

static CUresult set(const inquiry *one, int value, CUresult result) {
    if (result == CUDA_SUCCESS)
        remember_change(&one->about, &one->asked, value);
    return result;
}

CUresult cuKernelSetAttribute(int attribute, int value, CUkernel kernel, int device) {
    int there;
    CUresult result = device_translate(device, &there);
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = kernel_on(kernel, there), .asked = {SETTING, (uint32_t)attribute, 0, 0}};
    if (is_set(&one, value))
        return CUDA_SUCCESS;
    return set(&one, value, remote_cuKernelSetAttribute(attribute, value, kernel, there, answered_if_doubtful(kernel, device, attribute, value)));
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = function_itself(function), .asked = {SETTING, (uint32_t)attribute, 0, 0}};
    if (is_set(&one, value))
        return CUDA_SUCCESS;
    uint32_t flags = answered_if_doubtful(function, context_device(context_current()), attribute, value);
    return set(&one, value, remote_cuFuncSetAttribute(function, attribute, value, flags));
}

static CUresult changed(topic about, CUresult result) {
    remember_change(&about, NULL, 0);
    return result;
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, int device) {
    int there;
    CUresult result = device_translate(device, &there);
    return result != CUDA_SUCCESS ? result : changed(kernel_on(kernel, there), remote_cuKernelSetCacheConfig(kernel, config, there, 0));
}

CUresult cuFuncSetCacheConfig(CUfunction function, int config) {
    return changed(function_itself(function), remote_cuFuncSetCacheConfig(function, config, 0));
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, int config) {
    return changed(function_itself(function), remote_cuFuncSetSharedMemConfig(function, config, 0));
}

/* ---- functions of kernels ------------------------------------------------------------------------------------------ */

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    CUcontext current;
    CUresult result = context_resolve(NULL, &current);
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = kernel_itself(kernel), .asked = {FUNCTION, 0, number(current), 0}};
    if (function != NULL && known(&one)) {
        *function = (CUfunction)(uintptr_t)one.value;
        return CUDA_SUCCESS;
    }
    result = remote_cuKernelGetFunction(function, kernel, 0);
    if (result == CUDA_SUCCESS && known_keep(&kernels_of_functions, number(*function), &one.about.kernel, sizeof one.about.kernel) != NULL)
        remember(&one.about, &one.asked, (int64_t)number(*function), one.ticket);
    return result;
}

/* ---- occupancy ----------------------------------------------------------------------------------------------------- */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int block_size, uint64_t shared_bytes, int flags) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = function_itself(function), .asked = {ACTIVE_BLOCKS, (uint32_t)block_size, shared_bytes, (uint32_t)flags}};
    if (known_int(&one, blocks))
        return CUDA_SUCCESS;
    result = remote_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared_bytes, flags, 0);
    return answered_int(&one, blocks, result);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(uint64_t *bytes, CUfunction function, int blocks, int block_size) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = function_itself(function), .asked = {SHARED_BYTES, (uint32_t)block_size, (uint32_t)blocks, 0}};
    if (known_long(&one, bytes))
        return CUDA_SUCCESS;
    return answered_long(&one, bytes, remote_cuOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, block_size, 0));
}

/* ---- contexts ------------------------------------------------------------------------------------------------------ */

CUresult cuCtxGetLimit(uint64_t *value, int limit) {
    CUcontext current;
    CUresult result = context_resolve(NULL, &current);
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = context_limits(current), .asked = {LIMIT, (uint32_t)limit, 0, 0}};
    return known_long(&one, value) ? CUDA_SUCCESS : answered_long(&one, value, remote_cuCtxGetLimit(value, limit, 0));
}

CUresult cuCtxSetLimit(int limit, uint64_t value) {
    CUcontext current;
    CUresult result = context_resolve(NULL, &current);
    return result != CUDA_SUCCESS ? result : changed(context_limits(current), remote_cuCtxSetLimit(limit, value, 0));
}

/* Every function of the context may be placed differently afterwards. */
CUresult cuCtxSetCacheConfig(int config) {
    CUresult result = remote_cuCtxSetCacheConfig(config, 0);
    remember_end();
    return result;
}

/* ---- ends ---------------------------------------------------------------------------------------------------------- */

CUresult cuModuleUnload(CUmodule module) {
    managed_unload(module);
    CUresult result = remote_cuModuleUnload(module, 0);
    remember_end();
    return result;
}

/* With it go variables that were asked of its module. */
CUresult cuLibraryUnload(CUlibrary library) {
    managed_unload(library);
    CUresult result = remote_cuLibraryUnload(library, 0);
    remember_end();
    return result == CUDA_SUCCESS ? managed_sweep() : result;
}
