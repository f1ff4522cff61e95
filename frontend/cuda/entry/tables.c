/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of functions that the vendor's own runtime and libraries ask for by identifier. The slots
 * are known from the outside only: from published projects and from runs of unmodified programs. A
 * slot that nobody was seen to need refuses. Slot 0 of a table is its size in bytes, but for the
 * context-local storage.
 */
#include "entry/entry.h"

#include "cache/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE(bytes) ((void *)(uintptr_t)(bytes))

static CUresult refuse(void) { return CUDA_ERROR_NOT_SUPPORTED; }
static CUresult nothing(void) { return CUDA_SUCCESS; }

/* ---- the runtime's own: 6BD5FB6C ------------------------------------------------------------- */

static CUresult load_wrapper(CUmodule *module, const void *wrapper) {
    return cuModuleLoadData(module, wrapper);
}

static CUresult primary_context(CUcontext *context, int device) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (context == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    CUcontext primary = context_primary(device);
    if (primary == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    *context = primary;
    return CUDA_SUCCESS;
}

/* The last three carry host variables, which nobody registers any more. */
static CUresult load_wrapper_with(CUmodule *module, const void *wrapper, const void *a,
                                  const void *b, uint32_t c) {
    return a != NULL || b != NULL || c != 0 ? CUDA_ERROR_NOT_SUPPORTED
                                            : cuModuleLoadData(module, wrapper);
}

static CUresult load_container(const void *container, CUmodule *module, const void *a,
                               const void *b, uint32_t c) {
    return load_wrapper_with(module, container, a, b, c);
}

static void forget_wrapper(const void *wrapper) { (void)wrapper; }

static void *const runtime_table[13] = {
    SIZE(sizeof runtime_table),
    (void *)load_wrapper,
    (void *)primary_context,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)load_wrapper_with,
    (void *)forget_wrapper,
    (void *)load_container,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)nothing,
};

/* ---- hooks of tools, A094798C: a runtime calls slot 1 at the begin and the end of each function
 * whose flag of slot 2 is not 0, and asks slots 4 and 3 before for the numbers of context and
 * stream (seen with cudart 11.8, 12.4 and 13.0) ---------------- */

enum { SECOND_FLAGS = 14 };

static CUresult hook_called(uint32_t function, void *record) {
    ob_observed_runtime(function, record);
    return CUDA_SUCCESS;
}

static CUresult callback_flags(void **flags, size_t *count) {
    *flags = ob_observed_functions();
    *count = OB_RUNTIME_FUNCTIONS;
    return CUDA_SUCCESS;
}

static CUresult second_flags(void **flags, size_t *count) {
    static uint8_t off[4096];
    *flags = off;
    *count = SECOND_FLAGS;
    return CUDA_SUCCESS;
}

static CUresult hook_context(CUcontext context, uint64_t *number) {
    if (number != NULL)
        *number = context != NULL ? (uint64_t)context_device(context) + 1 : 0;
    return CUDA_SUCCESS;
}

static CUresult hook_stream(CUcontext context, CUstream stream, uint64_t *number) {
    (void)context;
    if (number != NULL)
        *number = (uint64_t)(uintptr_t)stream;
    return CUDA_SUCCESS;
}

static void *const hooks_table[7] = {
    SIZE(sizeof hooks_table), (void *)hook_called, (void *)callback_flags, (void *)hook_stream,
    (void *)hook_context,     (void *)nothing,     (void *)second_flags,
};

/* ---- a thread's state for tools, 42D85A81: cuBLAS asks it for the current context ------------ */

static CUresult tool_current(CUcontext *context) {
    if (context == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *context = context_current();
    return CUDA_SUCCESS;
}

static void *const thread_table[3] = {SIZE(sizeof thread_table), (void *)nothing,
                                      (void *)tool_current};

/* ---- context-local storage, C693336E --------------------------------------------------------- */

/* Null and minus one are the current context. */
static CUresult resolve(CUcontext asked, CUcontext *context) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    *context = asked == NULL || (intptr_t)asked == -1 ? context_current() : asked;
    return *context != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult put(CUcontext asked, void *key, void *value, storage_destructor *destructor) {
    CUcontext context;
    CUresult result = resolve(asked, &context);
    return result == CUDA_SUCCESS ? storage_put(context, key, value, destructor) : result;
}

static CUresult delete(CUcontext asked, void *key) {
    CUcontext context;
    CUresult result = resolve(asked, &context);
    return result == CUDA_SUCCESS ? storage_delete(context, key) : result;
}

static CUresult get(void **value, CUcontext asked, void *key) {
    CUcontext context;
    CUresult result = resolve(asked, &context);
    return result == CUDA_SUCCESS ? storage_get(value, context, key) : result;
}

static void *const storage_table[4] = {(void *)put, (void *)delete, (void *)get, NULL};

/* ---- checks of contexts, 263E8860 ------------------------------------------------------------ */

static CUresult check_context(CUcontext context, uint32_t *flag, void **unused) {
    (void)context, (void)unused;
    *flag = 0;
    return CUDA_SUCCESS;
}

static void *const checks_table[15] = {
    SIZE(sizeof checks_table),
    (void *)refuse,
    (void *)check_context,
    (void *)nothing,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
};

/* ---- proof that runtime and driver belong together, D4082055 --------------------------------- */

static CUresult prove(uint32_t version, uint64_t seconds, uint64_t proof[2]);

static void *const integrity_table[3] = {SIZE(sizeof integrity_table), (void *)prove,
                                         (void *)nothing};

typedef struct subject {
    uint32_t driver_version, version, process, thread;
    uint64_t runtime_table, integrity_table, function, seconds;
} subject;

typedef struct device_subject {
    uint8_t uuid[16];
    int32_t domain, bus, device;
} device_subject;

_Static_assert(sizeof(subject) == 48 && sizeof(device_subject) == 28, "no padding");

static device_subject describe(int ordinal) {
    device_subject one = {
        .domain = device_attribute(ordinal, ATTRIBUTE_PCI_DOMAIN_ID),
        .bus = device_attribute(ordinal, ATTRIBUTE_PCI_BUS_ID),
        .device = device_attribute(ordinal, ATTRIBUTE_PCI_DEVICE_ID),
    };
    memcpy(one.uuid, device_at(ordinal)->facts.uuid, sizeof one.uuid);
    return one;
}

static CUresult prove_devices(const subject *about, uint64_t proof[2]) {
    static const uint8_t key[16] = {0x14, 0x6a, 0xdd, 0xae, 0x53, 0xa9, 0xa7, 0x52,
                                    0xaa, 0x08, 0x41, 0x36, 0x0b, 0xf5, 0x5a, 0x9f};
    size_t bytes = sizeof *about + (size_t)device_count() * sizeof(device_subject);
    uint8_t *message = malloc(bytes);
    if (message == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(message, about, sizeof *about);
    for (int i = 0; i < device_count(); i++) {
        device_subject one = describe(i);
        memcpy(message + sizeof *about + (size_t)i * sizeof one, &one, sizeof one);
    }
    hmac_md2(key, message, bytes, (uint8_t *)proof);
    free(message);
    return CUDA_SUCCESS;
}

/* Asked three times: two constants, then a code over this process and its devices. */
static CUresult prove(uint32_t version, uint64_t seconds, uint64_t proof[2]) {
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (version % 10 <= 1) {
        proof[0] = version % 10 == 0 ? 0x3341181c03cb675cu : 0x1841181c03cb675cu;
        proof[1] = 0x8ed383aa1f4cd1e8u;
        return CUDA_SUCCESS;
    }
    return prove_devices(
        &(subject){
            .driver_version = (uint32_t)driver_version_known(),
            .version = version,
            .process = (uint32_t)getpid(),
            .thread = (uint32_t)(uintptr_t)pthread_self(),
            .runtime_table = (uint64_t)(uintptr_t)runtime_table,
            .integrity_table = (uint64_t)(uintptr_t)integrity_table,
            .function = (uint64_t)(uintptr_t)prove,
            .seconds = seconds,
        },
        proof);
}

/* ---- contexts for tools, 21318C60: cuBLAS and cuBLASLt name contexts and streams by them (seen on
 * an H100)  */

static CUresult tool_device(CUcontext context, int *device) {
    return cuCtxGetDevice_v2(device, context);
}

static CUresult context_number(CUcontext context, uint64_t *id) {
    if (id == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *id = (uint64_t)(uintptr_t)context;
    return CUDA_SUCCESS;
}

/* The stream that a handle means in the context: a null one is the legacy default stream. */
static CUresult tool_stream(CUcontext context, CUstream handle, CUstream *stream) {
    static const uintptr_t legacy = 1;
    (void)context;
    if (stream == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *stream = handle != NULL ? handle : (CUstream)legacy;
    return CUDA_SUCCESS;
}

/* Any number that no other stream has. */
static CUresult stream_number(CUcontext context, CUstream stream, uint64_t *id) {
    (void)context;
    if (id == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *id = (uint64_t)(uintptr_t)stream;
    return CUDA_SUCCESS;
}

#define REFUSE_10                                                                                  \
    (void *)refuse, (void *)refuse, (void *)refuse, (void *)refuse, (void *)refuse,                \
        (void *)refuse, (void *)refuse, (void *)refuse, (void *)refuse, (void *)refuse
#define REFUSE_4 (void *)refuse, (void *)refuse, (void *)refuse, (void *)refuse

static void *const context_table[95] = {
    /* 0 to 4 */
    SIZE(sizeof context_table),
    (void *)refuse,
    (void *)refuse,
    (void *)tool_device,
    (void *)context_number,
    /* 5 to 38 */
    REFUSE_4,
    REFUSE_10,
    REFUSE_10,
    REFUSE_10,
    /* 39 */
    (void *)stream_number,
    /* 40 to 50 */
    REFUSE_10,
    (void *)refuse,
    /* 51 */
    (void *)tool_stream,
    /* 52 to 94 */
    REFUSE_10,
    REFUSE_10,
    REFUSE_10,
    REFUSE_10,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
};

/* ---- modules for tools, 6E163FBE ------------------------------------------------------------- */

typedef void function_visitor(void *user, CUfunction function, void *unused);

static int visit(CUmodule module, int count, function_visitor *visitor, void *user) {
    CUfunction *functions = calloc((size_t)count, sizeof *functions);
    if (functions == NULL || cuModuleEnumerateFunctions(functions, count, module) != CUDA_SUCCESS)
        count = 0;
    for (int i = 0; i < count; i++)
        visitor(user, functions[i], NULL);
    free(functions);
    return count;
}

/* Returns the number of functions. */
static int visit_functions(CUcontext context, CUmodule module, function_visitor *visitor,
                           void *user) {
    int count = 0;
    (void)context;
    if (cuModuleGetFunctionCount(&count, module) != CUDA_SUCCESS || count <= 0)
        return 0;
    return visit(module, count, visitor, user);
}

static void *const module_table[57] = {
    SIZE(sizeof module_table),
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)visit_functions,
    REFUSE_10,
    REFUSE_10,
    REFUSE_10,
    REFUSE_10,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
};

/* ---- 1734DC26: cuBLASLt 13 asks slot 4 for something when it multiplies matrices of 16-bit
 * numbers, does without where that refuses, and does not look whether it got the table at all (seen
 * on an H200; 17 slots with driver 580) ---------------- */

static void *const matrix_table[17] = {
    SIZE(sizeof matrix_table),
    REFUSE_10,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
    (void *)refuse,
};

/* ---- by identifier --------------------------------------------------------------------------- */

static const struct {
    uint8_t id[16];
    const void *table;
} tables[] = {
    {{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d,
      0xf9},
     runtime_table},
    {{0xa0, 0x94, 0x79, 0x8c, 0x2e, 0x74, 0x2e, 0x74, 0x93, 0xf2, 0x08, 0x00, 0x20, 0x0c, 0x0a,
      0x66},
     hooks_table},
    {{0x42, 0xd8, 0x5a, 0x81, 0x23, 0xf6, 0xcb, 0x47, 0x82, 0x98, 0xf6, 0xe7, 0x8a, 0x3a, 0xec,
      0xdc},
     thread_table},
    {{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95,
      0x93},
     storage_table},
    {{0x26, 0x3e, 0x88, 0x60, 0x7c, 0xd2, 0x61, 0x43, 0x92, 0xf6, 0xbb, 0xd5, 0x00, 0x6d, 0xfa,
      0x7e},
     checks_table},
    {{0xd4, 0x08, 0x20, 0x55, 0xbd, 0xe6, 0x70, 0x4b, 0x8d, 0x34, 0xba, 0x12, 0x3c, 0x66, 0xe1,
      0xf2},
     integrity_table},
    {{0x21, 0x31, 0x8c, 0x60, 0x97, 0x14, 0x32, 0x48, 0x8c, 0xa6, 0x41, 0xff, 0x73, 0x24, 0xc8,
      0xf2},
     context_table},
    {{0x6e, 0x16, 0x3f, 0xbe, 0xb9, 0x58, 0x44, 0x4d, 0x83, 0x5c, 0xe1, 0x82, 0xaf, 0xf1, 0x99,
      0x1e},
     module_table},
    {{0x17, 0x34, 0xdc, 0x26, 0x80, 0x0d, 0x47, 0x45, 0x87, 0x26, 0xc0, 0xf1, 0xe7, 0xdd, 0x8b,
      0xca},
     matrix_table},
    {{0xda, 0x91, 0x51, 0xd3, 0x3a, 0xe6, 0xcc, 0x41, 0xa5, 0xc0, 0x4f, 0x26, 0xd5, 0x33, 0xe3,
      0x28},
     compile_cache_table},
};

const void *export_table(const uint8_t id[16]) {
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (memcmp(tables[i].id, id, 16) == 0)
            return tables[i].table;
    return NULL;
}
