/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for the vendor's library: each function writes down what it was given, in the test's
 * memory, and fills what it gives back with a pattern. Structures are the driver's, by its
 * documentation, and not taken from the binding: the compiler places the members.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t word;

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    INVALID_HANDLE = 400,
    NOT_LOADED = 913,
    CALLS = 512,
    WORDS = 24,
    ROOM = 256
};

/* ---- what was called ------------------------------------------------------------------------- */

typedef struct record {
    char name[48];
    word count, words[WORDS];
    word bytes;
    uint8_t data[ROOM];
} record;

record outboard_records[CALLS];
word outboard_count;

/* Where the next page-locked memory lies, beside its own address. */
word outboard_elsewhere;

static record *begin(const char *name, const word *words, size_t count) {
    record *r = &outboard_records[outboard_count++ % CALLS];
    memset(r, 0, sizeof *r);
    strncpy(r->name, name, sizeof r->name - 1);
    r->count = count;
    memcpy(r->words, words, count * sizeof *words);
    return r;
}

#define CALLED(...)                                                                                \
    record *r = begin(__func__, (const word[]){__VA_ARGS__},                                       \
                      sizeof(const word[]){__VA_ARGS__} / sizeof(word));                           \
    (void)r

static void add(record *r, word value) { r->words[r->count++] = value; }
static void keep(record *r, const void *from, size_t bytes) {
    memcpy(r->data + r->bytes, from, bytes);
    r->bytes += bytes;
}

/* ---- what is known of functions -------------------------------------------------------------- */

/* A kernel of a library, and its function; parameters with a gap. */
enum { KERNEL = 0x7001, FUNCTION = 0x7002, ENUMERATED = 0x7003, PARAMETERS = 3 };
static const size_t offsets[PARAMETERS] = {0, 8, 16}, sizes[PARAMETERS] = {4, 8, 20};

static int enumerated_is_loaded;

int cuFuncLoad(word function) {
    CALLED(function);
    enumerated_is_loaded |= function == ENUMERATED;
    return SUCCESS;
}

static int is_loaded(word function) { return function != ENUMERATED || enumerated_is_loaded; }

int cuFuncGetAttribute(int *value, int attribute, word function) {
    if (function == KERNEL)
        return INVALID_HANDLE;
    if (!is_loaded(function))
        return NOT_LOADED;
    *value = 0x5a5a0000 + attribute;
    return SUCCESS;
}

int cuKernelGetFunction(word *function, word kernel) {
    *function = FUNCTION;
    return kernel == KERNEL ? SUCCESS : INVALID_HANDLE;
}

int cuFuncGetParamInfo(word function, size_t index, size_t *offset, size_t *size) {
    if (!is_loaded(function))
        return NOT_LOADED;
    if (function == KERNEL || index >= PARAMETERS)
        return INVALID_VALUE;
    *offset = offsets[index];
    *size = sizes[index];
    return SUCCESS;
}

int cuFuncGetName(const char **name, word function) {
    CALLED(function);
    *name = "a_function";
    return SUCCESS;
}

/* ---- images ---------------------------------------------------------------------------------- */

int cuModuleLoadData(word *module, word image) {
    CALLED(image);
    *module = 0x1102030405060701;
    return SUCCESS;
}

int cuLibraryLoadData(word *library, word code, word options, word values, unsigned count,
                      word library_options, word library_values, unsigned library_count) {
    CALLED(code, options, values, count, library_options, library_values, library_count);
    *library = 0x1102030405060702;
    return SUCCESS;
}

int cuModuleGetGlobal_v2(word *pointer, size_t *bytes, word module, const char *name) {
    CALLED(module);
    keep(r, name, strlen(name));
    *pointer = 0x1102030405060703;
    *bytes = 0x1102030405060704;
    return SUCCESS;
}

int cuLibraryGetGlobal(word *pointer, size_t *bytes, word library, const char *name) {
    CALLED(library);
    keep(r, name, strlen(name));
    *pointer = 0x1102030405060705;
    *bytes = 0x1102030405060706;
    return SUCCESS;
}

int cuLibraryGetManaged(word *pointer, size_t *bytes, word library, const char *name) {
    CALLED(library);
    keep(r, name, strlen(name));
    *pointer = 0x1102030405060707;
    *bytes = 0x1102030405060708;
    return SUCCESS;
}

int cuPointerGetAttribute(int *value, int attribute, word pointer) {
    CALLED((word)attribute, pointer);
    *value = 1;
    return SUCCESS;
}

int cuCtxGetDevice(int *device) {
    CALLED(0);
    *device = 0x12345678;
    return SUCCESS;
}

static word current = 0x1102030405060709;

int cuCtxGetCurrent(word *context) {
    CALLED(0);
    *context = current;
    return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    CALLED((word)attribute, (word)device);
    *value = attribute == 7 ? 0 : 0x6b6b0000 + attribute;
    return attribute == 7 ? INVALID_VALUE : SUCCESS;
}

/* ---- devices --------------------------------------------------------------------------------- */

int cuInit(unsigned flags) {
    CALLED(flags);
    return SUCCESS;
}

int cuDeviceGetName(char *name, int bytes, int device) {
    CALLED((word)bytes, (word)device);
    memset(name, 'n', 255);
    name[255] = 0;
    return SUCCESS;
}

int cuDeviceGetUuid_v2(uint8_t uuid[16], int device) {
    CALLED((word)device);
    for (uint8_t i = 0; i < 16; i++)
        uuid[i] = (uint8_t)(0xa0 + i);
    return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    CALLED((word)device);
    *bytes = 0x110203040506070a;
    return SUCCESS;
}

int cuDriverGetVersion(int *version) {
    CALLED(0);
    *version = 13000;
    return SUCCESS;
}

int cuDeviceGetCount(int *count) {
    CALLED(0);
    *count = 3;
    return SUCCESS;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* "extra": names and values up to a zero; of the size, what is behind its address. */
static void keep_extra(record *r, void *const *extra) {
    add(r, extra != NULL);
    if (extra == NULL)
        return;
    add(r, (word)extra[0]);
    add(r, (word)extra[1]);
    add(r, (word)extra[2]);
    add(r, *(const size_t *)extra[3]);
    add(r, (word)extra[4]);
}

int cuLaunchKernel(word function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, word stream, word parameters, void *const *extra) {
    CALLED(function, gx, gy, gz, bx, by, bz, shared, stream, parameters);
    keep_extra(r, extra);
    return SUCCESS;
}

int cuLaunchKernelEx(word config, word function, word parameters, void *const *extra) {
    CALLED(config, function, parameters);
    keep_extra(r, extra);
    return SUCCESS;
}

int cuLaunchCooperativeKernel(word function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned shared, word stream,
                              void *const *parameters) {
    CALLED(function, gx, gy, gz, bx, by, bz, shared, stream, parameters != NULL);
    for (int i = 0; parameters != NULL && i < PARAMETERS; i++)
        keep(r, parameters[i], sizes[i]);
    return SUCCESS;
}

/* ---- copies ---------------------------------------------------------------------------------- */

typedef struct memcpy2d {
    size_t src_x, src_y;
    unsigned src_type;
    word src_host, src_device, src_array;
    size_t src_pitch, dst_x, dst_y;
    unsigned dst_type;
    word dst_host, dst_device, dst_array;
    size_t dst_pitch, width, height;
} memcpy2d;

int cuMemcpy2DAsync_v2(const memcpy2d *c, word stream) {
    CALLED(c->src_x, c->src_y, c->src_type, c->src_host, c->src_device, c->src_array, c->src_pitch,
           c->dst_x, c->dst_y, c->dst_type, c->dst_host, c->dst_device, c->dst_array, c->dst_pitch,
           c->width, c->height, stream);
    return SUCCESS;
}

typedef struct side {
    size_t x, y, z, level;
    unsigned type;
    word host, device, array, reserved;
    size_t pitch, rows;
} side;

typedef struct memcpy3d {
    side src, dst;
    size_t width, height, depth;
} memcpy3d;

int cuMemcpy3DAsync_v2(const memcpy3d *c, word stream) {
    CALLED(stream, c->width, c->height, c->depth);
    keep(r, c, sizeof *c);
    for (const side *s = &c->src; s <= &c->dst; s++) {
        word all = s->level | s->device | s->reserved;
        const word parts[] = {s->x, s->y, s->z, s->type, s->host, s->array, s->pitch, s->rows, all};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            add(r, parts[i]);
    }
    return SUCCESS;
}

int cuMemcpyHtoDAsync_v2(word destination, word source, size_t bytes, word stream) {
    CALLED(destination, source, bytes, stream);
    return SUCCESS;
}

int cuMemcpyDtoHAsync_v2(word destination, word source, size_t bytes, word stream) {
    CALLED(destination, source, bytes, stream);
    return SUCCESS;
}

int cuStreamSynchronize(word stream) {
    CALLED(stream);
    return SUCCESS;
}

/* ---- host memory ----------------------------------------------------------------------------- */

int cuMemAllocManaged(word *pointer, size_t bytes, unsigned flags) {
    static _Alignas(65536) uint8_t memory[3 * 65536];
    CALLED(bytes, flags);
    *pointer = (word)(uintptr_t)memory + outboard_elsewhere;
    return SUCCESS;
}

int cuMemFree_v2(word pointer) {
    CALLED(pointer);
    return SUCCESS;
}

int cuCtxSetCurrent(word context) {
    CALLED(context);
    current = context;
    return SUCCESS;
}

int cuCtxDestroy_v2(word context) {
    CALLED(context);
    return SUCCESS;
}

int cuDevicePrimaryCtxReset_v2(int device) {
    CALLED((word)device);
    return SUCCESS;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    CALLED((word)device);
    return SUCCESS;
}

int cuStreamCreate(word *stream, unsigned flags) {
    CALLED(flags);
    *stream = 0x2122232425262728;
    return SUCCESS;
}

int cuStreamDestroy_v2(word stream) {
    CALLED(stream);
    return SUCCESS;
}

int cuCtxSynchronize(void) {
    CALLED(0);
    return SUCCESS;
}

int cuMemHostRegister_v2(word address, size_t bytes, unsigned flags) {
    CALLED(address, bytes, flags);
    return SUCCESS;
}

int cuMemHostUnregister(word address) {
    CALLED(address);
    return SUCCESS;
}

int cuMemHostGetDevicePointer_v2(word *device, word address, unsigned flags) {
    CALLED(address, flags);
    *device = address + outboard_elsewhere;
    return SUCCESS;
}

int cuMemRelease(word allocation) {
    CALLED(allocation);
    return SUCCESS;
}

/* ---- links ----------------------------------------------------------------------------------- */

static uint8_t image[] = "a linked image";

static char *link_log;

/* With room for an error log, as CU_JIT_ERROR_LOG_BUFFER and its size say. */
int cuLinkCreate_v2(unsigned options, const int *names, const word *values, word *link) {
    CALLED(options, (word)names[0], (word)names[1], values[1]);
    link_log = (char *)values[0];
    *link = 0x110203040506070b;
    return SUCCESS;
}

int cuLinkAddData_v2(word link, int type, const void *data, size_t bytes, const char *name,
                     unsigned options, word names, word values) {
    CALLED(link, (word)type, bytes, options, names, values);
    keep(r, data, bytes);
    keep(r, name, strlen(name));
    return SUCCESS;
}

int cuLinkComplete(word link, void **at, size_t *bytes) {
    CALLED(link);
    strcpy(link_log, "said by the linker");
    *at = image;
    *bytes = sizeof image;
    return SUCCESS;
}

int cuLinkDestroy(word link) {
    CALLED(link);
    return SUCCESS;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

typedef struct kernel_node {
    word function;
    unsigned gx, gy, gz, bx, by, bz, shared;
    void **parameters;
    void *const *extra;
    word kernel, context;
} kernel_node;

static void keep_node(record *r, const kernel_node *n) {
    const word parts[] = {
        n->function,         n->gx,     n->gy,     n->gz, n->bx, n->by, n->bz, n->shared,
        (word)n->parameters, n->kernel, n->context};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add(r, parts[i]);
    keep_extra(r, n->extra);
}

int cuGraphAddKernelNode_v2(word *node, word graph, word dependencies, size_t count,
                            const kernel_node *n) {
    CALLED(graph, dependencies, count);
    keep_node(r, n);
    *node = 0x110203040506070c;
    return SUCCESS;
}

int cuGraphKernelNodeSetParams_v2(word node, const kernel_node *n) {
    CALLED(node);
    keep_node(r, n);
    return SUCCESS;
}

int cuGraphExecKernelNodeSetParams_v2(word executable, word node, const kernel_node *n) {
    CALLED(executable, node);
    keep_node(r, n);
    return SUCCESS;
}

/* A node whose parameters lie anywhere, and whose function is a kernel; another one whose
 * parameters are packed. */
enum { NODE_OF_KERNEL = 0x8001, NODE_PACKED = 0x8002 };

int cuGraphKernelNodeGetParams_v2(word node, kernel_node *n) {
    static uint32_t first = 0x01020304;
    static uint64_t second = 0x1112131415161718;
    static uint8_t third[20] = "nineteen characters";
    static void *pointers[] = {&first, &second, third};
    static uint8_t packed[] = {9, 8, 7, 6, 5};
    static size_t bytes = sizeof packed;
    static void *extra[] = {(void *)1, packed, (void *)2, &bytes, (void *)0};
    CALLED(node);
    *n = (kernel_node){.gx = 21,
                       .gy = 22,
                       .gz = 23,
                       .bx = 24,
                       .by = 25,
                       .bz = 26,
                       .shared = 27,
                       .context = 0x110203040506070d};
    if (node == NODE_OF_KERNEL) {
        n->kernel = KERNEL;
        n->parameters = pointers;
    } else {
        n->function = FUNCTION;
        n->extra = extra;
    }
    return SUCCESS;
}

/* Of a condition, the only kind that is added so. */
typedef struct any_node {
    int type, reserved[3];
    word condition;
    int kind;
    unsigned size;
    word *bodies;
    word context;
    uint8_t rest[256 - 48];
} any_node;

int cuGraphAddNode(word *node, word graph, word dependencies, size_t count, any_node *n) {
    static word bodies[] = {0x21, 0x22, 0x23};
    CALLED(graph, dependencies, count, (word)n->type, n->condition, (word)n->kind, n->size,
           (word)n->bodies, n->context);
    keep(r, n->reserved, sizeof n->reserved);
    keep(r, n->rest, sizeof n->rest);
    n->bodies = bodies;
    *node = 0x110203040506070e;
    return SUCCESS;
}

int cuGraphMemAllocNodeGetParams(word node, uint8_t parameters[120]) {
    CALLED(node);
    for (int i = 0; i < 120; i++)
        parameters[i] = (uint8_t)(0x40 + i);
    return SUCCESS;
}

typedef struct host_node {
    word function, user_data;
} host_node;

int cuGraphAddHostNode(word *node, word graph, word dependencies, size_t count,
                       const host_node *n) {
    CALLED(graph, dependencies, count, n->function, n->user_data);
    *node = 0x110203040506070f;
    return SUCCESS;
}

int cuGraphHostNodeSetParams(word node, const host_node *n) {
    CALLED(node, n->function, n->user_data);
    return SUCCESS;
}

int cuGraphExecHostNodeSetParams(word executable, word node, const host_node *n) {
    CALLED(executable, node, n->function, n->user_data);
    return SUCCESS;
}

int cuGraphExecUpdate_v2(word executable, word graph, uint8_t information[24]) {
    CALLED(executable, graph);
    for (uint8_t i = 0; i < 24; i++)
        information[i] = (uint8_t)(0xb0 + i);
    return 910;
}

int cuLaunchHostFunc(word stream, word function, word user_data) {
    CALLED(stream, function, user_data);
    return SUCCESS;
}

int cuStreamAddCallback(word stream, word function, word user_data, unsigned flags) {
    CALLED(stream, function, user_data, flags);
    return SUCCESS;
}

int cuStreamGetCaptureInfo_v3(word stream, int *status, word *id, word *graph,
                              const word **dependencies, const uint8_t **edges, size_t *count) {
    static const word nodes[] = {0x31, 0x32, 0x33};
    static const uint8_t data[3][8] = {{1, 2, 3, 4, 5, 6, 7, 8},
                                       {11, 12, 13, 14, 15, 16, 17, 18},
                                       {21, 22, 23, 24, 25, 26, 27, 28}};
    CALLED(stream);
    *status = 1;
    *id = 0x1102030405060710;
    *graph = 0x1102030405060711;
    *dependencies = nodes;
    *edges = data[0];
    *count = 3;
    return SUCCESS;
}
