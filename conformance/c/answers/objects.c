/* SPDX-License-Identifier: Apache-2.0
 * What valid arguments name: a module, a graph with a node of each kind, memory of each kind, …
 * Made when they are wanted, and anew after a call that may have ended or changed them.
 */
#include "answers.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, MAPPED = 2 << 20, SIDE = 16 };

static const char IMAGE[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 5;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 managed = 6;\n"
    ".visible .entry add(.param .u64 to, .param .u32 what)\n"
    "{\n.reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd1, [to];\nld.param.u32 %r1, [what];\n"
    "ld.u32 %r2, [%rd1];\nadd.u32 %r2, %r2, %r1;\nst.u32 [%rd1], %r2;\nret;\n}\n"
    ".visible .entry wild()\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
    "mov.u64 %rd1, 16;\nmov.u32 %r1, 7;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

static const char REFERENCES[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                                 ".visible .global .texref texture;\n"
                                 ".visible .global .surfref surface;\n"
                                 ".visible .entry nothing()\n{\nret;\n}\n";

/* CUDA_KERNEL_NODE_PARAMS, CUDA_HOST_NODE_PARAMS: the header has no name for them. */
typedef struct kernel_node {
    CUfunction function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    CUkernel kernel;
    CUcontext context;
} kernel_node;
typedef struct host_node {
    void (*function)(void *);
    void *data;
} host_node;

static struct {
    CUcontext context, other, spare;
    CUmodule module, references;
    CUfunction function, wild;
    CUlibrary library;
    CUkernel kernel;
    CUstream stream, other_stream;
    CUevent event;
    CUgraph graph, child, with_memory;
    CUgraphNode kernel_node, copy_node, fill_node, child_node, record_node, wait_node, host_node,
        operations_node, allocation_node;
    CUgraphExec executable;
    CUmemoryPool pool;
    CUmemGenericAllocationHandle allocation;
    CUlinkState link;
    CUarray array;
    CUmipmappedArray mipmapped;
    CUuserObject user_object;
    CUgreenCtx green;
    CUdevResourceDesc resources;
    CUtexref texture;
    CUsurfref surface;
    CUdeviceptr memory, managed;
    void *page_locked;
    uint64_t texture_object, surface_object;
} made;
static bool frozen = true; /* until there is a driver that is ready */
static _Alignas(PAGE) unsigned char zeros[PAGE];
static char bus[32] = "0000:00:00.0";

const char *object_image(void) { return IMAGE; }
const char *object_bus(void) { return bus; }

static void nothing(void *data) { (void)data; }

/* Host memory after which nothing is. */
static void *guarded(size_t bytes) {
    unsigned char *all = mmap(NULL, bytes + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all, bytes, PROT_READ | PROT_WRITE) != 0)
        abort();
    return all;
}

/* ---- what is made once ----------------------------------------------------------------------- */

static void make_module(void) {
    CALL(cuModuleLoadData, &made.module, IMAGE);
    CALL(cuModuleGetFunction, &made.function, made.module, "add");
    CALL(cuModuleGetFunction, &made.wild, made.module, "wild");
}

static void make_references(void) {
    CALL(cuModuleLoadData, &made.references, REFERENCES);
    CALL(cuModuleGetSurfRef, &made.surface, made.references, "surface");
}

static void make_texture_reference(void) { CALL(cuTexRefCreate, &made.texture); }

static void make_library(void) {
    CALL(cuLibraryLoadData, &made.library, IMAGE, NULL, NULL, 0, NULL, NULL, 0);
    CALL(cuLibraryGetKernel, &made.kernel, made.library, "add");
}

static bool make_first(void) {
    if (CALL(cuInit, 0) != 0 || CALL(cuDevicePrimaryCtxRetain, &made.context, 0) != 0 ||
        CALL(cuCtxSetCurrent, made.context) != 0)
        return false;
    CALL(cuDeviceGetPCIBusId, bus, sizeof bus, 0);
    make_module();
    CALL(cuMemAlloc_v2, &made.memory, BLOCK);
    CALL(cuMemAllocManaged, &made.managed, BLOCK, 1);
    CALL(cuMemHostAlloc, &made.page_locked, BLOCK, 0);
    CALL(cuMemsetD8_v2, made.memory, 0, BLOCK);
    memset(made.page_locked, 0, BLOCK);
    return CALL(cuCtxSynchronize) == 0;
}

/* ---- what is made when it is wanted ---------------------------------------------------------- */

/* One of these objects, made by a function that sets it. */
#define WANTED(member, make)                                                                       \
    (made.member == 0 && !frozen ? (make(), (word)(uintptr_t)made.member)                          \
                                 : (word)(uintptr_t)made.member)

static void make_stream(void) {
    CALL(cuStreamCreate, &made.stream, 1);
    CALL(cuStreamCreate, &made.other_stream, 1);
}

static void make_event(void) {
    CALL(cuEventCreate, &made.event, 0);
    CALL(cuEventRecord, made.event, NULL);
    CALL(cuEventSynchronize, made.event);
}

static void *kernel_parameters[2];
static int kernel_adds = 1;

static void *of_kernel(void) {
    kernel_parameters[0] = &made.memory;
    kernel_parameters[1] = &kernel_adds;
    return kernel_parameters;
}

static kernel_node of_kernel_node(void) {
    CUfunction function = (CUfunction)(uintptr_t)WANTED(function, make_module);
    return (kernel_node){function, {1, 1, 1}, {1, 1, 1}, 0, of_kernel(), NULL, NULL, NULL};
}

static CUDA_MEMCPY3D of_copy(void) {
    return (CUDA_MEMCPY3D){.sourceType = 2,
                           .sourceDevice = made.memory + BLOCK / 2,
                           .sourcePitch = 64,
                           .sourceHeight = 2,
                           .destinationType = 2,
                           .destinationDevice = made.memory,
                           .destinationPitch = 64,
                           .destinationHeight = 2,
                           .width = 16,
                           .height = 2,
                           .depth = 1};
}

static CUDA_MEMSET_NODE_PARAMS of_fill(void) {
    return (CUDA_MEMSET_NODE_PARAMS){made.memory, 0, 0, 4, 4, 1};
}

static CUstreamBatchMemOpParams of_operation(void) {
    return (CUstreamBatchMemOpParams){{2, made.memory, 0, 0, 0, 0}};
}

static CUDA_BATCH_MEM_OP_NODE_PARAMS of_operations(void) {
    static CUstreamBatchMemOpParams one;
    one = of_operation();
    return (CUDA_BATCH_MEM_OP_NODE_PARAMS){made.context, 1, &one, 0};
}

static CUDA_MEM_ALLOC_NODE_PARAMS of_allocation_node(void) {
    return (CUDA_MEM_ALLOC_NODE_PARAMS){.properties = {.type = 1, .location = {1, 0}},
                                        .bytes = 4096};
}

static void make_graph(void) {
    kernel_node launch = of_kernel_node();
    host_node host = {nothing, NULL};
    CUDA_MEMCPY3D copy = of_copy();
    CUDA_MEMSET_NODE_PARAMS fill = of_fill();
    CUDA_BATCH_MEM_OP_NODE_PARAMS operations = of_operations();
    CUgraphNode only;
    CUevent event;
    CALL(cuEventCreate, &event, 0);
    CALL(cuGraphCreate, &made.child, 0);
    CALL(cuGraphAddEmptyNode, &only, made.child, NULL, 0);
    CALL(cuGraphCreate, &made.graph, 0);
    CUgraph graph = made.graph;
    CALL(cuGraphAddKernelNode_v2, &made.kernel_node, graph, NULL, 0, &launch);
    CALL(cuGraphAddMemcpyNode, &made.copy_node, graph, &made.kernel_node, 1, &copy, made.context);
    CALL(cuGraphAddMemsetNode, &made.fill_node, graph, &made.copy_node, 1, &fill, made.context);
    CALL(cuGraphAddChildGraphNode, &made.child_node, graph, NULL, 0, made.child);
    CALL(cuGraphAddEventRecordNode, &made.record_node, graph, NULL, 0, event);
    CALL(cuGraphAddEventWaitNode, &made.wait_node, graph, NULL, 0, event);
    CALL(cuGraphAddHostNode, &made.host_node, graph, NULL, 0, &host);
    CALL(cuGraphAddBatchMemOpNode, &made.operations_node, graph, NULL, 0, &operations);
    CALL(cuGraphInstantiateWithFlags, &made.executable, graph, 0);
}

static void make_graph_with_memory(void) {
    CUDA_MEM_ALLOC_NODE_PARAMS allocation = of_allocation_node();
    CALL(cuGraphCreate, &made.with_memory, 0);
    CALL(cuGraphAddMemAllocNode, &made.allocation_node, made.with_memory, NULL, 0, &allocation);
}

static void make_pool(void) {
    CUmemPoolProps properties = {.type = 1, .handleTypes = 1, .location = {1, 0}};
    CALL(cuMemPoolCreate, &made.pool, &properties);
}

static void make_allocation(void) {
    CUmemAllocationProp properties = {.type = 1, .handleTypes = 1, .location = {1, 0}};
    CALL(cuMemCreate, &made.allocation, MAPPED, &properties, 0);
}

static void make_link(void) { CALL(cuLinkCreate_v2, 0, NULL, NULL, &made.link); }

static void make_array(void) {
    CUDA_ARRAY_DESCRIPTOR description = {SIDE, SIDE, 0x20, 1};
    CALL(cuArrayCreate_v2, &made.array, &description);
}

static void make_mipmapped(void) {
    CUDA_ARRAY3D_DESCRIPTOR description = {SIDE, SIDE, 0, 0x20, 1, 0};
    CALL(cuMipmappedArrayCreate, &made.mipmapped, &description, 2);
}

static void make_texture_object(void) {
    static const unsigned char DESCRIPTION[512]; /* CUDA_TEXTURE_DESC */
    CUDA_RESOURCE_DESC resource = {
        .resource.ofArray.array = (CUarray)(uintptr_t)WANTED(array, make_array)};
    CALL(cuTexObjectCreate, &made.texture_object, &resource, DESCRIPTION, NULL);
}

static void make_surface_object(void) {
    CUDA_ARRAY3D_DESCRIPTOR description = {SIDE, SIDE, 0, 0x20, 1, 2};
    CUDA_RESOURCE_DESC resource = {0};
    CALL(cuArray3DCreate_v2, &resource.resource.ofArray.array, &description);
    CALL(cuSurfObjectCreate, &made.surface_object, &resource);
}

static void make_user_object(void) {
    CALL(cuUserObjectCreate, &made.user_object, zeros, nothing, 1, 1);
}

static void make_green(void) {
    CUdevResource whole;
    CALL(cuDeviceGetDevResource, 0, &whole, 1);
    CALL(cuDevResourceGenerateDesc, &made.resources, &whole, 1);
    CALL(cuGreenCtxCreate, &made.green, made.resources, 0, 1);
}

static CUcontext make_context(void) {
    CUcontext context = NULL, popped;
    if (CALL(cuCtxCreate_v2, &context, 0, 0) == 0)
        CALL(cuCtxPopCurrent_v2, &popped);
    return context;
}

static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }
static bool is(const char *text, const char *other) { return strcmp(text, other) == 0; }
static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static word node(const char *function, const char *parameter) {
    if (has(function, "MemAllocNode") && is(parameter, "node"))
        return WANTED(allocation_node, make_graph_with_memory);
    word kernel = WANTED(kernel_node, make_graph);
    if (is(parameter, "to") && has(function, "Dependencies"))
        return (word)(uintptr_t)(has(function, "Remove") ? made.copy_node : made.fill_node);
    static const struct {
        const char *part;
        CUgraphNode *node;
    } OTHERS[] = {{"MemcpyNode", &made.copy_node},       {"MemsetNode", &made.fill_node},
                  {"ChildGraphNode", &made.child_node},  {"EventRecordNode", &made.record_node},
                  {"EventWaitNode", &made.wait_node},    {"HostNode", &made.host_node},
                  {"BatchMemOpNode", &made.operations_node}};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (has(function, OTHERS[i].part) && is(parameter, "node"))
            return (word)(uintptr_t)*OTHERS[i].node;
    return kernel;
}

static word graph(const char *parameter) {
    word whole = WANTED(graph, make_graph);
    return is(parameter, "child") ? (word)(uintptr_t)made.child : whole;
}

static word context(const char *function, const char *parameter) {
    if (has(function, "cuCtxDestroy")) {
        if (!frozen)
            made.spare = make_context();
        return (word)(uintptr_t)made.spare;
    }
    return (word)(uintptr_t)(is(parameter, "peer") ? object_other_context() : made.context);
}

static word link_state(const char *function) {
    word link = WANTED(link, make_link);
    if (!frozen && has(function, "Complete"))
        CALL(cuLinkAddData_v2, made.link, 1, (void *)(uintptr_t)IMAGE, sizeof IMAGE, "image", 0,
             NULL, NULL);
    return link;
}

static word found(const char *type, const char *function, const char *parameter) {
    if (is(type, "CUcontext"))
        return context(function, parameter);
    if (is(type, "CUmodule"))
        return has(function, "Ref") ? WANTED(references, make_references)
                                    : WANTED(module, make_module);
    if (is(type, "CUfunction"))
        return WANTED(function, make_module);
    if (is(type, "CUlibrary"))
        return WANTED(library, make_library);
    if (is(type, "CUkernel"))
        return WANTED(kernel, make_library);
    if (is(type, "CUstream"))
        return WANTED(stream, make_stream);
    if (is(type, "CUevent"))
        return WANTED(event, make_event);
    if (is(type, "CUgraph"))
        return graph(parameter);
    if (is(type, "CUgraphNode"))
        return node(function, parameter);
    if (is(type, "CUgraphExec"))
        return WANTED(executable, make_graph);
    if (is(type, "CUmemoryPool"))
        return WANTED(pool, make_pool);
    if (is(type, "CUmemGenericAllocationHandle"))
        return WANTED(allocation, make_allocation);
    if (is(type, "CUlinkState"))
        return link_state(function);
    if (is(type, "CUarray"))
        return WANTED(array, make_array);
    if (is(type, "CUmipmappedArray"))
        return WANTED(mipmapped, make_mipmapped);
    if (is(type, "CUuserObject"))
        return WANTED(user_object, make_user_object);
    if (is(type, "CUgreenCtx"))
        return WANTED(green, make_green);
    if (is(type, "CUdevResourceDesc"))
        return WANTED(resources, make_green);
    if (is(type, "CUtexref"))
        return WANTED(texture, make_texture_reference);
    return WANTED(surface, make_references);
}

word object_of(const char *type, const char *function, const char *parameter) {
    word object = found(type, function, parameter);
    return object == 0 ? (word)(uintptr_t)zeros : object;
}

word object_texture(const char *function) {
    return starts(function, "cuSurf") ? WANTED(surface_object, make_surface_object)
                                      : WANTED(texture_object, make_texture_object);
}

CUcontext object_context(void) { return made.context; }
CUcontext object_other_context(void) {
    if (made.other == NULL && !frozen)
        made.other = make_context();
    return made.other;
}
CUstream object_stream(void) { return (CUstream)(uintptr_t)WANTED(stream, make_stream); }
CUstream object_other_stream(void) {
    return (CUstream)(uintptr_t)WANTED(other_stream, make_stream);
}
CUdeviceptr object_memory(void) { return made.memory; }
CUfunction object_wild_kernel(void) { return made.wild; }

/* ---- memory ---------------------------------------------------------------------------------- */

static CUdeviceptr reserve(void) {
    CUdeviceptr pointer = 0;
    CALL(cuMemAddressReserve, &pointer, MAPPED, 0, 0, 0);
    return pointer;
}

static CUdeviceptr map(void) {
    CUdeviceptr pointer = reserve();
    CUmemAccessDesc access = {{1, 0}, 3};
    CALL(cuMemMap, pointer, MAPPED, 0,
         (CUmemGenericAllocationHandle)(uintptr_t)WANTED(allocation, make_allocation), 0);
    CALL(cuMemSetAccess, pointer, MAPPED, &access, 1);
    return pointer;
}

static CUdeviceptr allocate(void) {
    CUdeviceptr pointer = 0;
    CALL(cuMemAlloc_v2, &pointer, PAGE);
    return pointer;
}

static CUdeviceptr allocate_in_order(void) {
    CUdeviceptr pointer = 0;
    CALL(cuMemAllocFromPoolAsync, &pointer, PAGE,
         (CUmemoryPool)(uintptr_t)WANTED(pool, make_pool), object_stream());
    return pointer;
}

CUdeviceptr object_address(const char *function, const char *parameter) {
    static const char *const MANAGED_ONES[] = {"cuMemAdvise", "cuMemPrefetch", "cuMemRange",
                                               "cuStreamAttach"};
    for (size_t i = 0; i < sizeof MANAGED_ONES / sizeof *MANAGED_ONES; i++)
        if (starts(function, MANAGED_ONES[i]))
            return made.managed;
    if (is(parameter, "wished"))
        return 0;
    if (!frozen && starts(function, "cuMemFree"))
        return has(function, "Async") ? allocate_in_order() : allocate();
    if (!frozen && is(function, "cuMemPoolExportPointer"))
        return allocate_in_order();
    if (!frozen && (is(function, "cuMemAddressFree") || is(function, "cuMemMap")))
        return reserve();
    if (!frozen && (is(function, "cuMemUnmap") || is(function, "cuMemSetAccess") ||
                    is(function, "cuMemGetAccess") || is(function, "cuMemRetainAllocationHandle")))
        return map();
    return is(parameter, "source") ? made.memory + BLOCK / 2 : made.memory;
}

CUdeviceptr object_managed(void) { return made.managed; }
void *object_page_locked(void) { return made.page_locked; }

void *object_pageable(void) {
    static void *pageable;
    if (pageable == NULL)
        pageable = guarded(BLOCK);
    return pageable;
}

CUdeviceptr object_freed(void) {
    static CUdeviceptr freed = 0x7f0000000000;
    if (!frozen) {
        freed = allocate();
        CALL(cuMemFree_v2, freed);
    }
    return freed;
}

static void *register_host(void) {
    void *pointer = guarded(PAGE);
    CALL(cuMemHostRegister_v2, pointer, PAGE, 0);
    return pointer;
}

static void *allocate_host(void) {
    void *pointer = NULL;
    CALL(cuMemAllocHost_v2, &pointer, PAGE);
    return pointer;
}

/* Where the argument in the making has its block, which holds zeros. */
static void *room;

static void *put(const void *from, size_t bytes) { return memcpy(room, from, bytes); }

/* CUgraphNodeParams of a kernel node. */
static void *of_any_node(void) {
    struct {
        int type, reserved[3];
        kernel_node launch;
    } node = {0, {0}, of_kernel_node()};
    return put(&node, sizeof node);
}

static void *of_rectangle(void) {
    CUDA_MEMCPY2D copy = {.sourceType = 2,
                          .sourceDevice = made.memory + BLOCK / 2,
                          .sourcePitch = 64,
                          .destinationType = 2,
                          .destinationDevice = made.memory,
                          .destinationPitch = 64,
                          .width = 16,
                          .height = 2};
    return put(&copy, sizeof copy);
}

static void *without_type(const char *function, const char *parameter) {
    static const unsigned char TABLE[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                            0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
    kernel_node launch = of_kernel_node();
    host_node host = {nothing, NULL};
    if (is(parameter, "image") || is(parameter, "code") || is(function, "cuLinkAddData") ||
        is(function, "cuLinkAddData_v2"))
        return (void *)(uintptr_t)IMAGE;
    if (is(parameter, "launch"))
        return put(&launch, sizeof launch);
    if (is(parameter, "host") && has(function, "HostNode"))
        return put(&host, sizeof host);
    if (is(parameter, "copy"))
        return of_rectangle();
    if (is(parameter, "parameters") && has(function, "cuGraph"))
        return of_any_node();
    if (is(parameter, "id"))
        return put(TABLE, sizeof TABLE);
    if (is(parameter, "source") || is(parameter, "destination"))
        return object_pageable();
    if (starts(function, "cuMemHostGet"))
        return made.page_locked;
    if (starts(function, "cuMemHostRegister"))
        return guarded(PAGE);
    if (starts(function, "cuMemHostUnregister"))
        return frozen ? made.page_locked : register_host();
    if (starts(function, "cuMemFreeHost"))
        return frozen ? made.page_locked : allocate_host();
    return NULL;
}

#define PUT(value) put(&(__typeof__(value)[]){value}, sizeof(value))

static void *structure(const char *type) {
    if (has(type, "CUDA_MEMCPY3D_v1")) {
        CUDA_MEMCPY3D_v1 copy = {.sourceType = 1,
                                 .sourceHost = (word)(uintptr_t)object_pageable(),
                                 .sourcePitch = 64,
                                 .sourceHeight = 2,
                                 .destinationType = 1,
                                 .destinationHost = (word)(uintptr_t)object_pageable() + BLOCK / 2,
                                 .destinationPitch = 64,
                                 .destinationHeight = 2,
                                 .width = 16,
                                 .height = 2,
                                 .depth = 1};
        return put(&copy, sizeof copy);
    }
    if (has(type, "CUDA_MEMCPY2D_v1")) {
        CUDA_MEMCPY2D_v1 copy = {.sourceType = 1,
                                 .sourceHost = (word)(uintptr_t)object_pageable(),
                                 .sourcePitch = 64,
                                 .destinationType = 1,
                                 .destinationHost = (word)(uintptr_t)object_pageable() + BLOCK / 2,
                                 .destinationPitch = 64,
                                 .width = 16,
                                 .height = 2};
        return put(&copy, sizeof copy);
    }
    if (has(type, "CUDA_MEMCPY3D"))
        return PUT(of_copy());
    if (has(type, "CUDA_MEMSET_NODE_PARAMS"))
        return PUT(of_fill());
    if (has(type, "CUDA_BATCH_MEM_OP_NODE_PARAMS"))
        return PUT(of_operations());
    if (has(type, "CUstreamBatchMemOpParams"))
        return PUT(of_operation());
    if (has(type, "CUDA_MEM_ALLOC_NODE_PARAMS"))
        return PUT(of_allocation_node());
    if (has(type, "CUDA_ARRAY_DESCRIPTOR_v1"))
        return PUT(((CUDA_ARRAY_DESCRIPTOR_v1){SIDE, SIDE, 0x20, 1}));
    if (has(type, "CUDA_ARRAY_DESCRIPTOR"))
        return PUT(((CUDA_ARRAY_DESCRIPTOR){SIDE, SIDE, 0x20, 1}));
    if (has(type, "CUDA_ARRAY3D_DESCRIPTOR_v1"))
        return PUT(((CUDA_ARRAY3D_DESCRIPTOR_v1){SIDE, SIDE, 0, 0x20, 1, 0}));
    if (has(type, "CUDA_ARRAY3D_DESCRIPTOR"))
        return PUT(((CUDA_ARRAY3D_DESCRIPTOR){SIDE, SIDE, 0, 0x20, 1, 0}));
    if (has(type, "CUDA_RESOURCE_DESC"))
        return PUT(((CUDA_RESOURCE_DESC){
            .resource.ofArray.array = (CUarray)(uintptr_t)WANTED(array, make_array)}));
    if (has(type, "CUmemPoolProps"))
        return PUT(((CUmemPoolProps){.type = 1, .location = {1, 0}}));
    if (has(type, "CUmemAllocationProp"))
        return PUT(((CUmemAllocationProp){.type = 1, .location = {1, 0}}));
    if (has(type, "CUmemAccessDesc"))
        return PUT(((CUmemAccessDesc){{1, 0}, 3}));
    if (has(type, "CUmemLocation"))
        return PUT(((CUmemLocation){1, 0}));
    if (has(type, "CUlaunchConfig"))
        return PUT(((CUlaunchConfig){1, 1, 1, 1, 1, 1, 0, object_stream(), NULL, 0}));
    if (has(type, "CUdevResource ")) {
        CUdevResource whole = {0};
        if (!frozen)
            CALL(cuDeviceGetDevResource, 0, &whole, 1);
        return put(&whole, sizeof whole);
    }
    return NULL;
}

/* Lists of one element. */
static void *list(const char *type, const char *parameter) {
    static int value[64];
    if (is(type, "void **") && is(parameter, "data"))
        return put(&(void *){value}, sizeof(void *));
    if (is(parameter, "sizes"))
        return put(&(word){4}, sizeof(word));
    if (is(type, "int *") && is(parameter, "attributes"))
        return put(&(int){1}, sizeof(int));
    if (is(type, "void *") && is(parameter, "attributes"))
        return put(&(int){1}, sizeof(int)); /* CUmemcpyAttributes: in the stream's order */
    if (is(parameter, "dimensions"))
        return put(&(word[]){SIDE, SIDE, SIDE}, 3 * sizeof(word));
    if (is(parameter, "strides"))
        return put(&(word[]){SIDE * 4, SIDE * SIDE * 4}, 2 * sizeof(word));
    if (is(parameter, "box") || is(parameter, "elementStrides"))
        return put(&(int[]){is(parameter, "box") ? 4 : 1, 1, 1}, 3 * sizeof(int));
    if (is(parameter, "destinations"))
        return put(&made.memory, sizeof made.memory);
    if (is(parameter, "sources"))
        return put(&(CUdeviceptr){made.memory + BLOCK / 2}, sizeof made.memory);
    return NULL;
}

void *object_host(const char *type, const char *function, const char *parameter, void *block) {
    room = block;
    if (is(type, "void **") && is(parameter, "parameters"))
        return of_kernel();
    if (list(type, parameter) != NULL)
        return block;
    void *found = has(type, "**")     ? NULL
                  : has(type, "void") ? without_type(function, parameter)
                                      : structure(type);
    return found == NULL ? block : found;
}

/* ---- what has ended -------------------------------------------------------------------------- */

static void end_node(void) { CALL(cuGraphDestroyNode, made.host_node); }
static void end_context(void) { CALL(cuCtxDestroy_v2, made.spare); }
static void make_spare(void) { made.spare = make_context(); }

#define ENDING(name, type, make, end)                                                              \
    {                                                                                              \
        name, offsetof(__typeof__(made), type), make, end                                          \
    }
#define ENDS(member, end)                                                                          \
    static void end_##member(void) { CALL(end, made.member); }
ENDS(references, cuModuleUnload)
ENDS(module, cuModuleUnload)
ENDS(library, cuLibraryUnload)
ENDS(stream, cuStreamDestroy_v2)
ENDS(event, cuEventDestroy_v2)
ENDS(with_memory, cuGraphDestroy)
ENDS(executable, cuGraphExecDestroy)
ENDS(pool, cuMemPoolDestroy)
ENDS(allocation, cuMemRelease)
ENDS(link, cuLinkDestroy)
ENDS(array, cuArrayDestroy)
ENDS(mipmapped, cuMipmappedArrayDestroy)
ENDS(green, cuGreenCtxDestroy)
ENDS(texture, cuTexRefDestroy)
static void end_user_object(void) { CALL(cuUserObjectRelease, made.user_object, 1); }

word object_ended(const char *type) {
    static const struct {
        const char *type;
        size_t at;
        void (*make)(void), (*end)(void);
    } ENDINGS[] = {
        ENDING("CUcontext", spare, make_spare, end_context),
        ENDING("CUgraphNode", host_node, make_graph, end_node),
        ENDING("CUmodule", module, make_module, end_module),
        ENDING("CUfunction", function, make_module, end_module),
        ENDING("CUsurfref", surface, make_references, end_references),
        ENDING("CUlibrary", library, make_library, end_library),
        ENDING("CUkernel", kernel, make_library, end_library),
        ENDING("CUstream", stream, make_stream, end_stream),
        ENDING("CUevent", event, make_event, end_event),
        ENDING("CUgraph", with_memory, make_graph_with_memory, end_with_memory),
        ENDING("CUgraphExec", executable, make_graph, end_executable),
        ENDING("CUmemoryPool", pool, make_pool, end_pool),
        ENDING("CUmemGenericAllocationHandle", allocation, make_allocation, end_allocation),
        ENDING("CUlinkState", link, make_link, end_link),
        ENDING("CUarray", array, make_array, end_array),
        ENDING("CUmipmappedArray", mipmapped, make_mipmapped, end_mipmapped),
        ENDING("CUuserObject", user_object, make_user_object, end_user_object),
        ENDING("CUgreenCtx", green, make_green, end_green),
        ENDING("CUtexref", texture, make_texture_reference, end_texture),
    };
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++)
        if (is(type, ENDINGS[i].type)) {
            __typeof__(made) before = made;
            word object;
            ENDINGS[i].make();
            memcpy(&object, (char *)&made + ENDINGS[i].at, sizeof object);
            ENDINGS[i].end();
            made = before;
            return object;
        }
    return 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void objects_freeze(bool now) { frozen = now; }

bool objects_make(void) {
    frozen = false;
    return make_first();
}

static void make_rest(void) {
    static const char *const TYPES[] = {
        "CUlibrary",   "CUstream",     "CUevent",
        "CUgraph",     "CUmemoryPool", "CUmemGenericAllocationHandle",
        "CUlinkState", "CUarray",      "CUmipmappedArray",
        "CUuserObject", "CUgreenCtx",  "CUtexref",
        "CUsurfref",
    };
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        object_of(TYPES[i], "", "");
    object_of("CUgraphNode", "MemAllocNode", "");
    object_other_context();
}

bool objects_make_all(void) {
    bool well = objects_make();
    make_rest();
    return well && CALL(cuCtxSynchronize) == 0;
}

bool objects_renew(void) {
    memset(&made, 0, sizeof made);
    for (CUcontext popped = NULL; CALL(cuCtxPopCurrent_v2, &popped) == 0 && popped != NULL;)
        popped = NULL;
    CALL(cuDevicePrimaryCtxRelease_v2, 0);
    CALL(cuDevicePrimaryCtxReset_v2, 0);
    return make_first();
}

void objects_forget_used(const char *function) {
    if (frozen)
        return;
    if (starts(function, "cuGraph") || starts(function, "cuUserObject")) {
        made.graph = made.child = made.with_memory = NULL;
        made.kernel_node = made.allocation_node = NULL;
        made.executable = NULL;
        made.user_object = NULL;
    }
    if (has(function, "Link"))
        made.link = NULL;
    if (has(function, "MemMap") || has(function, "MemRelease") || has(function, "MemUnmap"))
        made.allocation = NULL;
    if (!has(function, "Destroy") && !has(function, "Unload") && !has(function, "Set"))
        return;
    if (has(function, "Stream"))
        made.stream = made.other_stream = NULL;
    if (has(function, "Event"))
        made.event = NULL;
    if (has(function, "Pool"))
        made.pool = NULL;
    if (has(function, "Array"))
        made.array = NULL, made.mipmapped = NULL;
    if (has(function, "Module") || has(function, "Func"))
        made.module = NULL, made.function = NULL;
    if (has(function, "Library") || has(function, "Kernel"))
        made.library = NULL, made.kernel = NULL;
    if (has(function, "GreenCtx"))
        made.green = NULL, made.resources = NULL;
    if (has(function, "Ref"))
        made.references = NULL, made.texture = NULL, made.surface = NULL;
    if (has(function, "Object"))
        made.texture_object = made.surface_object = 0;
}
