/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for a vendor's driver, so that what is special about one is tested where there is no
 * GPU: its managed variables are memory of this process alone. Every loaded image counts as a
 * module with the variables and the kernels of conformance/c/managed.c and mirrors.c; kernels run
 * on a thread, one after the other, whatever their streams. With CUDA_STAND_IN_PAGEABLE set it says
 * that kernels can use pageable memory.
 */
#include <cuda.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
};

/* ---- who observes the device: the stand-in for CUPTI ----------------------------------------- */

/* The kinds of work, and of copies, are CUPTI's. */
typedef void observer(int kind, const char *kernel, const unsigned int shape[6], uint64_t bytes,
                      int copy_or_value);
_Atomic(observer *) stand_in_observer;

static void observe(int kind, const char *kernel, const unsigned int shape[6], uint64_t bytes,
                    int copy_or_value) {
    observer *told = stand_in_observer;
    if (told != NULL)
        told(kind, kernel, shape, bytes, copy_or_value);
}

/* ---- work ------------------------------------------------------------------------------------ */

typedef struct module module;

typedef struct kernel {
    const char *name;
    void (*run)(module *of, const uint8_t *parameters);
    int count;
    struct { uint64_t offset, bytes; } parameters[3];
} kernel;

struct CUfunction_st {
    const kernel *kernel;
    module *of;
};

typedef struct work {
    struct work *next;
    CUfunction function;
    uint8_t parameters[64];
} work;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static work *first, **last = &first;
static uint64_t asked, done;

static void *serve(void *unused) {
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == NULL)
            pthread_cond_wait(&changed, &lock);
        work *one = first;
        first = one->next;
        if (first == NULL)
            last = &first;
        pthread_mutex_unlock(&lock);
        one->function->kernel->run(one->function->of, one->parameters);
        free(one);
        pthread_mutex_lock(&lock);
        done++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void begin_serving(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
}

static uint64_t asked_now(void) {
    pthread_mutex_lock(&lock);
    uint64_t now = asked;
    pthread_mutex_unlock(&lock);
    return now;
}

static bool is_done(uint64_t point) {
    pthread_mutex_lock(&lock);
    bool so = done >= point;
    pthread_mutex_unlock(&lock);
    return so;
}

static void await(uint64_t point) {
    pthread_mutex_lock(&lock);
    while (done < point)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void await_all(void) { await(asked_now()); }

CUresult cuLaunchKernel(CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz,
                        unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                        CUstream stream, void **parameters, void **extra) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)shared, (void)stream, (void)parameters;
    if (function == NULL)
        return INVALID_HANDLE;
    pthread_once(&once, begin_serving);
    work *one = calloc(1, sizeof *one);
    one->function = function;
    if (extra != NULL)
        memcpy(one->parameters, extra[1], *(size_t *)extra[3]);
    pthread_mutex_lock(&lock);
    *last = one;
    last = &one->next;
    asked++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    observe(10, function->kernel->name, (const unsigned int[]){gx, gy, gz, bx, by, bz}, 0, 0);
    return SUCCESS;
}

/* ---- modules --------------------------------------------------------------------------------- */

enum { TABLE = 5000, LARGE = (3 << 20) + 5, PLACES = 32, KERNELS = 3 };
#define PLACE(i) (0x400000000000 + ((uint64_t)(i) << 24))

/* As a compiler might lay them out: several on a page. */
typedef struct managed_variables {
    volatile uint32_t counter, flag, answer;
    uint8_t odd;
    uint8_t letters[9];
    int32_t table[TABLE];
    uint8_t large[LARGE];
} managed_variables;

struct module {
    managed_variables *managed;
    uint32_t *plain;
    CUcontext context;
    struct CUfunction_st functions[KERNELS];
};

static module places[PLACES];

#define MANAGED(name)                                                                              \
    {#name, offsetof(managed_variables, name), sizeof(((managed_variables *)0)->name)}
static const struct { const char *name; uint64_t offset, bytes;
} variables[] = {
    MANAGED(counter), MANAGED(flag),  MANAGED(answer),
    MANAGED(letters), MANAGED(table), MANAGED(large),
};

static uint32_t number(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static void add(module *of, const uint8_t *parameters) {
    (void)of;
    int32_t *to;
    memcpy(&to, parameters, sizeof to);
    for (uint32_t i = 0; i < number(parameters + 8); i++)
        to[i] += (int32_t)number(parameters + 12);
}

static void raise_counter(module *of, const uint8_t *parameters) {
    of->managed->counter += number(parameters);
    of->managed->table[TABLE - 1] = (int32_t)of->managed->counter;
}

static void await_flag(module *of, const uint8_t *parameters) {
    (void)parameters;
    while (of->managed->flag == 0)
        ;
    of->managed->answer = of->managed->flag + 1;
}

static const kernel kernels[KERNELS] = {
    {"add", add, 3, {{0, 8}, {8, 4}, {12, 4}}},
    {"raise", raise_counter, 1, {{0, 4}}},
    {"await", await_flag, 0, {{0, 0}}},
};

static void *map(uint64_t at, size_t bytes) {
    return mmap((void *)(uintptr_t)at, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

static __thread CUcontext current;

static module *load(void) {
    int i = 0;
    while (i < PLACES && places[i].managed != NULL)
        i++;
    if (i == PLACES)
        return NULL;
    module *made = &places[i];
    managed_variables *managed = map(PLACE(i), sizeof *managed);
    *made = (module){.managed = managed, .plain = map(PLACE(PLACES + i), 4096), .context = current};
    managed->counter = 5;
    *made->plain = 3;
    for (int k = 0; k < 3; k++)
        managed->table[k] = k + 1;
    for (int k = 0; k < KERNELS; k++)
        made->functions[k] = (struct CUfunction_st){&kernels[k], made};
    return made;
}

static void unload(module *ended) {
    await_all();
    munmap(ended->managed, sizeof *ended->managed);
    munmap(ended->plain, 4096);
    ended->managed = NULL;
}

static void unload_all_of(CUcontext context) {
    for (int i = 0; i < PLACES; i++)
        if (places[i].managed != NULL && places[i].context == context)
            unload(&places[i]);
}

CUresult cuModuleLoadData(CUmodule *made, const void *image) {
    (void)image;
    *made = (CUmodule)load();
    return *made != NULL ? SUCCESS : OUT_OF_MEMORY;
}

CUresult cuModuleUnload(CUmodule ended) {
    unload((module *)ended);
    return SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *found, CUmodule of, const char *name) {
    for (int k = 0; k < KERNELS; k++)
        if (strcmp(kernels[k].name, name) == 0) {
            *found = &((module *)of)->functions[k];
            return SUCCESS;
        }
    return NOT_FOUND;
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
    *name = function->kernel->name;
    return SUCCESS;
}

static CUresult find_managed(CUdeviceptr *pointer, uint64_t *bytes, const module *of,
                             const char *name) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (strcmp(variables[i].name, name) == 0) {
            *pointer = (CUdeviceptr)(uintptr_t)of->managed + variables[i].offset;
            *bytes = variables[i].bytes;
            return SUCCESS;
        }
    return NOT_FOUND;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, uint64_t *bytes, CUmodule of,
                              const char *name) {
    if (strcmp(name, "plain") != 0)
        return find_managed(pointer, bytes, (module *)of, name);
    *pointer = (CUdeviceptr)(uintptr_t)((module *)of)->plain;
    *bytes = sizeof(uint32_t);
    return SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, uint64_t index, uint64_t *offset,
                            uint64_t *bytes) {
    if (index >= (uint64_t)function->kernel->count)
        return INVALID_VALUE;
    *offset = function->kernel->parameters[index].offset;
    *bytes = function->kernel->parameters[index].bytes;
    return SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
    (void)function;
    *value = attribute == 0 ? 1024 : 0;
    return SUCCESS;
}

/* A library is its module, and a kernel its function. */
CUresult cuLibraryLoadData(CUlibrary *made, const void *code, int *jit, void **jit_values,
                           unsigned int jits, int *options, void **values, unsigned int count) {
    (void)jit, (void)jit_values, (void)jits, (void)options, (void)values, (void)count;
    return cuModuleLoadData((CUmodule *)made, code);
}

CUresult cuLibraryUnload(CUlibrary ended) { return cuModuleUnload((CUmodule)ended); }

CUresult cuLibraryGetModule(CUmodule *found, CUlibrary of) {
    *found = (CUmodule)of;
    return SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *found, CUlibrary of, const char *name) {
    return cuModuleGetFunction((CUfunction *)found, (CUmodule)of, name);
}

CUresult cuKernelGetFunction(CUfunction *found, CUkernel of) {
    *found = (CUfunction)of;
    return SUCCESS;
}

CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel of, int device) {
    (void)device;
    return cuFuncGetAttribute(value, attribute, (CUfunction)of);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, uint64_t *bytes, CUlibrary of, const char *name) {
    return cuModuleGetGlobal_v2(pointer, bytes, (CUmodule)of, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, uint64_t *bytes, CUlibrary of,
                             const char *name) {
    return find_managed(pointer, bytes, (module *)of, name);
}

CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr pointer) {
    enum { IS_MANAGED = 8 };
    for (int i = 0; i < PLACES; i++) {
        uint64_t offset = pointer - (uint64_t)(uintptr_t)places[i].managed;
        if (places[i].managed != NULL && offset < sizeof(managed_variables) &&
            attribute == IS_MANAGED) {
            *(int *)data = 1;
            return SUCCESS;
        }
    }
    return INVALID_VALUE;
}

/* ---- texture and surface references ---------------------------------------------------------- */

struct CUarray_st {
    CUDA_ARRAY_DESCRIPTOR shape;
};

/* The last settings of each texture reference. */
struct CUtexref_st {
    int format, channels, modes[3], filter, anisotropy, flags;
    float bias, clamp[2], color[4];
    CUdeviceptr address;
    CUarray array;
};

struct CUsurfref_st {
    CUarray array;
};

static struct CUtexref_st image, other;
static struct CUsurfref_st surface;

CUresult cuArrayCreate_v2(CUarray *made, const CUDA_ARRAY_DESCRIPTOR *shape) {
    *made = malloc(sizeof **made);
    (*made)->shape = *shape;
    return SUCCESS;
}

CUresult cuArrayDestroy(CUarray ended) {
    free(ended);
    return SUCCESS;
}

CUresult cuModuleGetTexRef(CUtexref *found, CUmodule of, const char *name) {
    (void)of;
    *found = strcmp(name, "image") == 0 ? &image : strcmp(name, "other") == 0 ? &other : NULL;
    return *found != NULL ? SUCCESS : NOT_FOUND;
}

CUresult cuTexRefCreate(CUtexref *made) {
    *made = calloc(1, sizeof **made);
    return SUCCESS;
}

CUresult cuTexRefDestroy(CUtexref ended) {
    free(ended);
    return SUCCESS;
}

/* The member that a function sets is the one that another one tells. */
#define SET(function, type, member) \
    CUresult function(CUtexref of, type value) { return of->member = value, SUCCESS; }
#define GET(function, type, member) \
    CUresult function(type *value, CUtexref of) { return *value = of->member, SUCCESS; }

SET(cuTexRefSetFilterMode, int, filter)
GET(cuTexRefGetFilterMode, int, filter)
SET(cuTexRefSetMaxAnisotropy, int, anisotropy)
GET(cuTexRefGetMaxAnisotropy, int, anisotropy)
SET(cuTexRefSetFlags, int, flags)
GET(cuTexRefGetFlags, int, flags)
SET(cuTexRefSetMipmapLevelBias, float, bias)
GET(cuTexRefGetMipmapLevelBias, float, bias)
GET(cuTexRefGetAddress_v2, CUdeviceptr, address)
GET(cuTexRefGetArray, CUarray, array)

CUresult cuTexRefSetFormat(CUtexref of, int format, int channels) {
    return of->format = format, of->channels = channels, SUCCESS;
}
CUresult cuTexRefGetFormat(int *format, int *channels, CUtexref of) {
    return *format = of->format, *channels = of->channels, SUCCESS;
}
CUresult cuTexRefSetAddressMode(CUtexref of, int dimension, int mode) {
    return of->modes[dimension] = mode, SUCCESS;
}
CUresult cuTexRefGetAddressMode(int *mode, CUtexref of, int dimension) {
    return *mode = of->modes[dimension], SUCCESS;
}
CUresult cuTexRefSetMipmapLevelClamp(CUtexref of, float low, float high) {
    return of->clamp[0] = low, of->clamp[1] = high, SUCCESS;
}
CUresult cuTexRefGetMipmapLevelClamp(float *low, float *high, CUtexref of) {
    return *low = of->clamp[0], *high = of->clamp[1], SUCCESS;
}
CUresult cuTexRefSetBorderColor(CUtexref of, const float *color) {
    return memcpy(of->color, color, sizeof of->color), SUCCESS;
}
CUresult cuTexRefGetBorderColor(float *color, CUtexref of) {
    return memcpy(color, of->color, sizeof of->color), SUCCESS;
}
CUresult cuTexRefSetArray(CUtexref of, CUarray array, int flags) {
    return flags == 1 ? of->array = array, SUCCESS : INVALID_VALUE;
}

CUresult cuTexRefSetAddress_v2(uint64_t *offset, CUtexref of, CUdeviceptr pointer, uint64_t bytes) {
    *offset = 0;
    of->address = pointer;
    return bytes > 0 ? SUCCESS : INVALID_VALUE;
}

CUresult cuTexRefSetAddress2D_v3(CUtexref of, const CUDA_ARRAY_DESCRIPTOR *shape,
                                 CUdeviceptr pointer, uint64_t pitch) {
    of->address = pointer;
    return shape->width == 64 && shape->height == 8 && pitch == 256 ? SUCCESS : INVALID_VALUE;
}

CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref of) {
    (void)function;
    return unit == -1 && of == &image ? SUCCESS : INVALID_VALUE;
}

CUresult cuModuleGetSurfRef(CUsurfref *found, CUmodule of, const char *name) {
    (void)of;
    *found = strcmp(name, "image") == 0 ? &surface : NULL;
    return *found != NULL ? SUCCESS : NOT_FOUND;
}

CUresult cuSurfRefSetArray(CUsurfref of, CUarray array, int flags) {
    return flags == 0 ? of->array = array, SUCCESS : INVALID_VALUE;
}
CUresult cuSurfRefGetArray(CUarray *array, CUsurfref of) { return *array = of->array, SUCCESS; }

/* ---- memory ---------------------------------------------------------------------------------- */

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, uint64_t bytes) {
    static uint64_t next = PLACE(2 * PLACES);
    size_t whole = (bytes + 0xfff) & ~(size_t)0xfff;
    void *memory = map(next, whole);
    next += whole;
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    return memory != MAP_FAILED ? SUCCESS : OUT_OF_MEMORY;
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
    (void)flags;
    return cuMemAlloc_v2(pointer, bytes);
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
    (void)pointer;
    await_all();
    return SUCCESS;
}

CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned int flags) {
    (void)memory, (void)bytes, (void)flags;
    return SUCCESS;
}

CUresult cuMemHostUnregister(void *memory) {
    (void)memory;
    return SUCCESS;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pointer, void *memory, unsigned int flags) {
    (void)flags;
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    return SUCCESS;
}

enum { TO_DEVICE = 1, TO_HOST = 2, IN_DEVICE = 8 };

static CUresult copy(CUdeviceptr to, CUdeviceptr from, uint64_t bytes, int kind) {
    await_all();
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    observe(1, NULL, NULL, bytes, kind);
    return SUCCESS;
}

#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, uint64_t bytes) {
    return copy(to, ADDRESS(from), bytes, TO_DEVICE);
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, uint64_t bytes) {
    return copy(ADDRESS(to), from, bytes, TO_HOST);
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, uint64_t bytes) {
    return copy(to, from, bytes, IN_DEVICE);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, uint64_t bytes, CUstream stream) {
    (void)stream;
    return copy(to, ADDRESS(from), bytes, TO_DEVICE);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream) {
    (void)stream;
    return copy(ADDRESS(to), from, bytes, TO_HOST);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, uint64_t bytes, CUstream stream) {
    (void)stream;
    return copy(to, from, bytes, IN_DEVICE);
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, uint64_t count) {
    await_all();
    memset((void *)(uintptr_t)to, value, count);
    observe(2, NULL, NULL, count, value);
    return SUCCESS;
}

CUresult cuMemsetD32_v2(CUdeviceptr to, int value, uint64_t count) {
    await_all();
    for (uint64_t i = 0; i < count; i++)
        ((int32_t *)(uintptr_t)to)[i] = value;
    observe(2, NULL, NULL, count * sizeof value, value);
    return SUCCESS;
}

/* ---- streams and events ---------------------------------------------------------------------- */

CUresult cuStreamCreate(CUstream *made, int flags) {
    static char streams[64], *next = streams;
    (void)flags;
    *made = (CUstream)next++;
    return SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
    (void)stream;
    return SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status) {
    (void)stream;
    *status = 0;
    return SUCCESS;
}

static CUresult query(uint64_t point) { return is_done(point) ? SUCCESS : NOT_READY; }

CUresult cuStreamSynchronize(CUstream stream) {
    (void)stream;
    await_all();
    return SUCCESS;
}

/* All streams are one. */
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, int flags) {
    (void)stream, (void)event, (void)flags;
    return SUCCESS;
}

CUresult cuStreamQuery(CUstream stream) {
    (void)stream;
    return query(asked_now());
}

CUresult cuEventCreate(CUevent *made, int flags) {
    (void)flags;
    *made = calloc(1, sizeof(uint64_t));
    return SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
    free(event);
    return SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)stream;
    *(uint64_t *)event = asked_now();
    return SUCCESS;
}

CUresult cuEventQuery(CUevent event) { return query(*(uint64_t *)event); }

CUresult cuEventSynchronize(CUevent event) {
    await(*(uint64_t *)event);
    return SUCCESS;
}

/* ---- device and contexts --------------------------------------------------------------------- */

static bool initialised;
static int retained;
static char contexts[16];

CUresult cuInit(int flags) {
    (void)flags;
    initialised = true;
    return SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
    *version = 13000;
    return SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    *count = 1;
    return SUCCESS;
}

CUresult cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, int device) {
    (void)device;
    strncpy(name, "Stand-in", (size_t)length);
    return SUCCESS;
}

CUresult cuDeviceGetUuid_v2(void *uuid, int device) {
    (void)device;
    memset(uuid, 7, 16);
    return SUCCESS;
}

CUresult cuDeviceTotalMem_v2(uint64_t *bytes, int device) {
    (void)device;
    *bytes = 1 << 30;
    return SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    switch (attribute) {
    case 5: case 6: case 7:
        *value = 65535;
        break;
    case 75:
        *value = 9;
        break;
    case 88:
        *value = getenv("CUDA_STAND_IN_PAGEABLE") != NULL;
        break;
    case 76: case 96: case 100: case 101:
        *value = 0;
        break;
    case 19: case 41: case 83: case 89: case 91:
        *value = 1;
        break;
    default:
        *value = 1024;
    }
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, int device) {
    (void)device;
    retained++;
    *context = (CUcontext)contexts;
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(int device) {
    (void)device;
    unload_all_of((CUcontext)contexts);
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(int device) {
    if (--retained == 0)
        return cuDevicePrimaryCtxReset_v2(device);
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(int device, int *flags, int *active) {
    (void)device;
    *flags = 0;
    *active = retained > 0;
    return SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext *made, int flags, int device) {
    static char *next = contexts;
    (void)flags, (void)device;
    current = *made = (CUcontext)++next;
    return SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext ended) {
    unload_all_of(ended);
    return SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    if (!initialised)
        return NOT_INITIALIZED;
    current = context;
    return SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    *context = current;
    return SUCCESS;
}

CUresult cuCtxGetDevice(int *device) {
    *device = 0;
    return current != NULL ? SUCCESS : INVALID_CONTEXT;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    *least = *greatest = 0;
    return SUCCESS;
}

CUresult cuCtxSynchronize(void) {
    if (!initialised)
        return NOT_INITIALIZED;
    await_all();
    return SUCCESS;
}

/* ---- graphs, which are only built ------------------------------------------------------------ */

enum { GRAPH = 4, CONDITIONAL = 13, BODIES = 8 };

struct CUgraph_st {
    size_t nodes;
    struct CUgraph_st *bodies[BODIES];  /* of its last condition */
    struct CUgraph_st *child;           /* the last one that has moved here */
};

CUresult cuGraphCreate(CUgraph *graph, int flags) {
    *graph = calloc(1, sizeof **graph);
    return flags != 0 ? INVALID_VALUE : *graph == NULL ? OUT_OF_MEMORY : SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
    for (int i = 0; i < BODIES; i++)
        free(graph->bodies[i]);
    if (graph->child != NULL)
        cuGraphDestroy(graph->child);
    free(graph);
    return SUCCESS;
}

CUresult cuGraphConditionalHandleCreate(uint64_t *condition, CUgraph graph, CUcontext context,
                                        int value, int flags) {
    *condition = (uint64_t)(uintptr_t)graph + 1;
    return context != NULL && value == 3 && flags == 1 ? SUCCESS : INVALID_VALUE;
}

static CUgraphNode add_node(CUgraph graph) {
    return (CUgraphNode)(void *)((char *)graph + ++graph->nodes);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                             size_t count) {
    (void)dependencies;
    *node = add_node(graph);
    return count == 0 ? SUCCESS : INVALID_VALUE;
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    *count = graph->nodes;
    return nodes == NULL ? SUCCESS : INVALID_VALUE;
}

/* CUgraphNodeParams of a condition. */
typedef struct conditional {
    int type, reserved[3];
    uint64_t condition;
    int kind;
    unsigned int size;
    CUgraph *bodies;
    CUcontext context;
    uint64_t reserved1[25], reserved2;
} conditional;

/* CUgraphNodeParams of a graph. */
typedef struct child {
    int type, reserved[3];
    CUgraph graph;
    int ownership, rest[55];
} child;

static CUresult move(CUgraphNode *node, CUgraph graph, const child *wanted) {
    bool known = wanted->graph != NULL && wanted->graph != graph && wanted->ownership == 1;
    for (int i = 0; i < 55; i++)
        known = known && wanted->rest[i] == 0;
    if (!known)
        return INVALID_VALUE;
    graph->child = wanted->graph;
    *node = add_node(graph);
    return SUCCESS;
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                        size_t count, void *parameters) {
    conditional *wanted = parameters;
    if (wanted->type == GRAPH)
        return move(node, graph, parameters);
    bool known = wanted->type == CONDITIONAL &&
                 wanted->condition == (uint64_t)(uintptr_t)graph + 1 && wanted->context != NULL;
    if (!known || wanted->kind != 2 || wanted->size > BODIES || wanted->reserved1[0] != 0 ||
        count != 1 || dependencies[0] == NULL)
        return INVALID_VALUE;
    for (unsigned int i = 0; i < wanted->size; i++)
        graph->bodies[i] = calloc(1, sizeof *graph);
    wanted->bodies = graph->bodies;
    *node = add_node(graph);
    return SUCCESS;
}
