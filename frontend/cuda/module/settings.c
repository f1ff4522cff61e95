/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures of functions, kernels and contexts that a program can change, and what follows from them:
 * asked once. Setting a value again that was set last sends nothing.
 */
#include "module/module.h"

/* Questions that are none of the calls of generated code. */
enum {
    SETTING = 1 << 16,  /* CUfunction_attribute: its last setting */
    FUNCTION,           /* of a kernel in a context */
    NAMED,              /* a function of a module */
};

/* CU_FUNC_ATTRIBUTE_… */
enum { SHARED_MEMORY_CARVEOUT = 9 };

enum {
    KIND_SHIFT = 34,
    KIND_MASK = 63,
    PLACE_SHIFT = 48,
    KIND_OF_PLACE = 62,
    KIND_OF_CONTEXT = 61
};

static uint64_t number(const void *handle) { return (uint64_t)(uintptr_t)handle; }

/* ---- subjects -------------------------------------------------------------------------------- */

static known_table kernels_of_functions;

static topic kernel_on(CUkernel kernel, int backend_ordinal) {
    return (topic){number(kernel) | (uint64_t)(backend_ordinal + 1) << PLACE_SHIFT, number(kernel)};
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
        return (topic){key | (uint64_t)context_lane(context_current()) << PLACE_SHIFT |
                           1ull << KIND_OF_PLACE,
                       key};
    const uint64_t *kernel = known_find(&kernels_of_functions, key);
    return (topic){key, kernel != NULL ? *kernel : 0};
}

/* ---- questions ------------------------------------------------------------------------------- */

typedef cuda_inquiry inquiry;

static bool known(inquiry *one) {
    return remembered(&one->about, &one->asked, &one->value, &one->ticket);
}

/* ---- functions and kernels by name ----------------------------------------------------------- */

/* Answers of a backend that tells them with the handle. */
typedef struct told {
    FunctionFacts facts;
    FunctionAttributes attributes;
} told;

enum { NOT_TOLD = -1, TOLD = sizeof((FunctionAttributes *)0)->values / sizeof(int) };

static void learn(const void *function, const topic *about, uint64_t call, const told *all) {
    question asked[TOLD];
    int64_t values[TOLD];
    int count = 0;
    for (uint32_t i = 0; i < TOLD; i++)
        if ((all->attributes.known >> i & 1) != 0) {
            asked[count] = (question){call, {i}};
            values[count++] = all->attributes.values[i];
        }
    if (count > 0)
        remember_first(about, asked, values, count);
    if (all->facts.parameters != NOT_TOLD)
        launch_facts_keep(function, &all->facts);
}

/* An older backend lacks the call: that is known here. */
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    int backend_ordinal = -1;
    told all = {.facts.parameters = NOT_TOLD};
    CUcontext current = context_current();
    if (kernel == NULL || name == NULL)
        return remote_cuLibraryGetKernel(kernel, library, name, 0);
    if (current != NULL &&
        device_translate(context_device(current), &backend_ordinal) != CUDA_SUCCESS)
        backend_ordinal = -1;
    CUresult result = remote_outboardLibraryKernel(kernel, &all.facts, &all.attributes, library,
                                                   name, backend_ordinal, 0);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return remote_cuLibraryGetKernel(kernel, library, name, 0);
    if (result == CUDA_SUCCESS) {
        topic about = kernel_on(*kernel, backend_ordinal);
        learn(*kernel, &about, OB_CUDA_CALL_cuKernelGetAttribute, &all);
    }
    return result;
}

/* 24 bytes of the digest stand for the name: no two names have them in common. */
static inquiry function_named(CUmodule module, const char *name) {
    uint8_t digest[32];
    inquiry one = {.about = {number(module), number(module)}, .asked = {NAMED, {0}}};
    ob_sha256(name, strlen(name), digest);
    memcpy(one.asked.values, digest, sizeof one.asked.values);
    return one;
}

static CUresult find_function(CUfunction *function, CUmodule module, const char *name) {
    told all = {.facts.parameters = NOT_TOLD};
    CUresult result =
        remote_outboardModuleFunction(function, &all.facts, &all.attributes, module, name, 0);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        return remote_cuModuleGetFunction(function, module, name, 0);
    if (result == CUDA_SUCCESS) {
        topic about = function_itself(*function);
        learn(*function, &about, OB_CUDA_CALL_cuFuncGetAttribute, &all);
    }
    return result;
}

/* Programs of CuPy look a function up before each launch. */
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    CUcontext current;
    if (function == NULL || module == NULL || name == NULL ||
        context_resolve(NULL, &current) != CUDA_SUCCESS)
        return remote_cuModuleGetFunction(function, module, name, 0);
    inquiry one = function_named(module, name);
    if (known(&one)) {
        *function = (CUfunction)(uintptr_t)one.value;
        return CUDA_SUCCESS;
    }
    CUresult result = find_function(function, module, name);
    if (result == CUDA_SUCCESS)
        remember(&one.about, &one.asked, (int64_t)number(*function), one.ticket);
    return result;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* A value that nobody can refuse is not waited for. */
static uint32_t answered_if_doubtful(const void *function, int ordinal, int attribute, int value) {
    const FunctionFacts *facts = launch_facts_known(function);
    const gpu *device = device_at(ordinal);
    bool certain =
        (attribute == SHARED_MEMORY_CARVEOUT && value >= -1 && value <= 100) ||
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
    int backend_ordinal;
    CUresult result = device_translate(device, &backend_ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = kernel_on(kernel, backend_ordinal),
                   .asked = {SETTING, {(uint64_t)attribute}}};
    if (is_set(&one, value))
        return CUDA_SUCCESS;
    return set(&one, value,
               remote_cuKernelSetAttribute(attribute, value, kernel, backend_ordinal,
                                           answered_if_doubtful(kernel, device, attribute, value)));
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = function_itself(function), .asked = {SETTING, {(uint64_t)attribute}}};
    if (is_set(&one, value))
        return CUDA_SUCCESS;
    uint32_t flags =
        answered_if_doubtful(function, context_device(context_current()), attribute, value);
    return set(&one, value, remote_cuFuncSetAttribute(function, attribute, value, flags));
}

/* ---- functions of kernels -------------------------------------------------------------------- */

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    CUcontext current;
    CUresult result = context_resolve(NULL, &current);
    if (result != CUDA_SUCCESS)
        return result;
    inquiry one = {.about = kernel_itself(kernel), .asked = {FUNCTION, {number(current)}}};
    if (function != NULL && known(&one)) {
        *function = (CUfunction)(uintptr_t)one.value;
        return CUDA_SUCCESS;
    }
    result = remote_cuKernelGetFunction(function, kernel, 0);
    if (result == CUDA_SUCCESS && known_keep(&kernels_of_functions, number(*function),
                                             &one.about.group, sizeof one.about.group) != NULL)
        remember(&one.about, &one.asked, (int64_t)number(*function), one.ticket);
    return result;
}

/* ---- for generated symbols ------------------------------------------------------------------- */

bool cuda_remembered(cuda_inquiry *one) { return known(one); }

void cuda_remember(const cuda_inquiry *one, int64_t value) {
    remember(&one->about, &one->asked, value, one->ticket);
}

void cuda_changed(cuda_topic about) {
    if (about.key == 0)
        remember_end();
    else
        remember_change(&about, NULL, 0);
}

cuda_topic cuda_topic_function(const void *subject, int device) {
    (void)device;
    return function_itself((CUfunction)(uintptr_t)subject);
}

cuda_topic cuda_topic_kernel(const void *subject, int device) {
    return kernel_on((CUkernel)(uintptr_t)subject, device);
}

cuda_topic cuda_topic_limits(const void *subject, int device) {
    (void)subject;
    (void)device;
    return context_limits(context_current());
}

/* Every function of the context may be placed differently afterwards. */
cuda_topic cuda_topic_everything(const void *subject, int device) {
    (void)subject;
    (void)device;
    return (topic){0, 0};
}

/* ---- ends ------------------------------------------------------------------------------------ */

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
