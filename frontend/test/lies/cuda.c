/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of CUDA, whose sizes are its own, and otherwise what it is told.
 */
#include "facts/facts.h"
#include "lies.h"

#include <stdlib.h>
#include <unistd.h>

const ob_library *const probed = &ob_cuda;

uint64_t handle_for(uint32_t kind) { return chance(10) ? strange() : ob_handle_mint(kind); }

bool honest(const char *name, uint8_t *fixed) {
    DeviceFacts facts = {.devices = 2, .totalMemory = 1 << 30};
    if (strcmp(name, "outboardDeviceFacts") != 0)
        return false;
    memset(facts.known, 0xff, sizeof facts.known);
    for (size_t i = 0; i < sizeof facts.attributes / sizeof facts.attributes[0]; i++)
        facts.attributes[i] = 64;
    memcpy(fixed, &facts, sizeof facts);
    return true;
}

/* ---- what it has ----------------------------------------------------------------------------- */

static CUcontext context;
static CUdeviceptr memory;
static CUmodule module;
static CUfunction function;
static CUstream stream;
static CUgraph graph;
static CUgraphExec executable;

static uint64_t some_bytes(void) { return chance(10) ? any(300000) : any(300); }

static void begin(void) {
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cuStreamCreate(&stream, 0);
    cuMemAlloc_v2(&memory, 1 << 20);
}

/* ---- what it does ---------------------------------------------------------------------------- */

static void look_at_devices(void) {
    char *name = malloc(32);
    int count = 0, value;
    size_t bytes;
    cuDeviceGetCount(&count);
    if (cuDeviceGetName(name, 32, 0) == CUDA_SUCCESS)
        CHECK(strlen(name) < 32);
    cuDeviceGetAttribute(&value, (int)any(120), 0);
    cuDeviceTotalMem_v2(&bytes, 0);
    if (cuDeviceGetPCIBusId(name, 13, 0) == CUDA_SUCCESS)
        CHECK(strlen(name) < 13);
    cuDriverGetVersion(&value);
    cuMemGetInfo_v2(&bytes, &bytes);
    free(name);
}

static void copy(void) {
    uint64_t bytes = some_bytes();
    void *here = calloc(1, bytes);
    cuMemcpyHtoD_v2(memory, here, bytes);
    cuMemcpyDtoH_v2(here, memory, bytes);
    cuMemcpyDtoHAsync_v2(here, memory, bytes, stream);
    cuStreamSynchronize(stream);
    cuMemsetD8_v2(memory, 1, bytes);
    free(here);
}

static void allocate(void) {
    CUdeviceptr managed = 0, base;
    size_t bytes;
    void *host = NULL;
    if (cuMemAllocManaged(&managed, 8192, 1) == CUDA_SUCCESS) {
        cuMemGetAddressRange_v2(&base, &bytes, managed);
        cuMemFree_v2(managed);
    }
    if (cuMemHostAlloc(&host, 10000, any(3)) == CUDA_SUCCESS) {
        memset(host, 1, 10000);
        cuMemHostGetDevicePointer_v2(&base, host, 0);
        cuMemFreeHost(host);
    }
}

static void load(void) {
    static const char *const names[] = {"one", "two", "three"};
    CUdeviceptr variable = 0;
    size_t bytes = 0;
    if (module == NULL)
        cuModuleLoadData(&module, ".version 8.0\n.target sm_80\n.address_size 64\n");
    cuModuleGetFunction(&function, module, names[any(3)]);
    if (cuModuleGetGlobal_v2(&variable, &bytes, module, names[any(3)]) == CUDA_SUCCESS &&
        bytes > 0 && bytes < 100000) {
        void *here = calloc(1, bytes);
        cuMemcpyHtoD_v2(variable, here, bytes);
        free(here);
    }
    if (chance(20)) {
        cuModuleUnload(module);
        module = NULL;
    }
}

static void ask_function(void) {
    const char *name = NULL;
    int value, threads;
    size_t offset, size;
    if (cuFuncGetName(&name, function) == CUDA_SUCCESS)
        CHECK(strlen(name) < 1 << 20);
    cuFuncGetAttribute(&value, (int)any(10), function);
    cuFuncSetAttribute(function, 8, 1000);
    cuFuncGetParamInfo(function, any(4), &offset, &size);
    cuOccupancyMaxPotentialBlockSize(&value, &threads, function, NULL, 0, 64);
}

/* A parameter is as long as the image says, which the program has by heart; a driver reads it from
 * the image, and this side from the backend: no program could tell that such a lie is none. */
static void launch(void) {
    static uint8_t value[32768];
    void *parameters[256];
    for (int i = 0; i < 256; i++)
        parameters[i] = value;
    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
    cuCtxSynchronize();
}

static void link_images(void) {
    CUlinkState link = NULL;
    void *image = NULL;
    size_t bytes = 0;
    if (cuLinkCreate_v2(0, NULL, NULL, &link) != CUDA_SUCCESS)
        return;
    cuLinkAddData_v2(link, 1, ".version 8.0", 13, "name", 0, NULL, NULL);
    if (cuLinkComplete(link, &image, &bytes) == CUDA_SUCCESS) {
        uint8_t *own = malloc(bytes);
        memcpy(own, image, bytes);
        free(own);
    }
    cuLinkDestroy(link);
}

static void nothing(void *data) { (void)data; }

static void make_graph(void) {
    static uint8_t value[32768], here[4096];
    CUgraphNode node = NULL, *nodes = malloc(4 * sizeof *nodes);
    void *parameters[256];
    size_t count = 4;
    for (int i = 0; i < 256; i++)
        parameters[i] = value;
    uint64_t kernel[9] = {(uint64_t)(uintptr_t)function, 1ULL << 32 | 1, 1ULL << 32 | 1, 1, 1};
    kernel[5] = (uint64_t)(uintptr_t)parameters;
    CUDA_MEMCPY3D box = {.sourceType = 1,
                         .sourceHost = (uintptr_t)here,
                         .sourcePitch = 64,
                         .sourceHeight = 4,
                         .destinationType = 2,
                         .destinationDevice = memory,
                         .destinationPitch = 64,
                         .destinationHeight = 4,
                         .width = 64,
                         .height = 4,
                         .depth = 1};
    void *host[2] = {(void *)(uintptr_t)nothing, NULL};
    if (graph == NULL)
        cuGraphCreate(&graph, 0);
    cuGraphAddKernelNode_v2(&node, graph, NULL, 0, kernel);
    if (cuGraphKernelNodeGetParams_v2(node, kernel) == CUDA_SUCCESS && kernel[5] != 0) {
        const uint8_t *const *places = (const uint8_t *const *)(uintptr_t)kernel[5];
        CHECK(places[0] == NULL || *places[0] <= UINT8_MAX);
    }
    cuGraphAddHostNode(&node, graph, NULL, 0, host);
    if (cuGraphAddMemcpyNode(&node, graph, NULL, 0, &box, context) == CUDA_SUCCESS)
        cuGraphMemcpyNodeSetParams(node, &box);
    if (cuGraphGetNodes(graph, nodes, &count) == CUDA_SUCCESS)
        for (size_t i = 0; i < count; i++) {
            int type;
            cuGraphNodeGetType(nodes[i], &type);
        }
    free(nodes);
}

static void use_graph(void) {
    CUgraph clone = NULL, child = NULL;
    cuGraphClone(&clone, graph);
    if (cuGraphGetRootNodes(graph, NULL, &(size_t){0}) == CUDA_SUCCESS)
        cuGraphDebugDotPrint(clone, "graph.dot", 1);
    cuGraphChildGraphNodeGetGraph((CUgraphNode)(void *)clone, &child);
    if (executable == NULL)
        cuGraphInstantiateWithFlags(&executable, graph, 0);
    cuGraphLaunch(executable, stream);
    if (chance(30)) {
        cuGraphExecDestroy(executable);
        cuGraphDestroy(graph);
        executable = NULL;
        graph = NULL;
    }
}

static void capture(void) {
    const CUgraphNode *dependencies = NULL;
    const CUgraphEdgeData *edges = NULL;
    unsigned long long id;
    size_t count = 0;
    int status;
    CUgraph made = NULL;
    cuStreamBeginCapture_v2(stream, 0);
    if (cuStreamGetCaptureInfo_v3(stream, &status, &id, &made, &dependencies, &edges, &count) ==
            CUDA_SUCCESS &&
        dependencies != NULL) {
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += (uint64_t)(uintptr_t)dependencies[i];
        CHECK(sum != 1 || count < SIZE_MAX);
    }
    cuMemcpyDtoHAsync_v2(malloc(100), memory, 100, stream);
    cuStreamEndCapture(stream, &made);
}

static void use_library(void) {
    CUlibrary library = NULL;
    CUkernel kernel = NULL;
    CUdeviceptr variable;
    const char *name;
    size_t bytes;
    if (cuLibraryLoadData(&library, ".version 8.0", NULL, NULL, 0, NULL, NULL, 0) != CUDA_SUCCESS)
        return;
    cuLibraryGetKernel(&kernel, library, "one");
    cuKernelGetName(&name, kernel);
    cuKernelGetFunction(&function, kernel);
    cuLibraryGetGlobal(&variable, &bytes, library, "one");
    cuLibraryGetManaged(&variable, &bytes, library, "two");
    cuLibraryUnload(library);
}

static void use_arrays(void) {
    CUarray array = NULL;
    CUDA_ARRAY_DESCRIPTOR shape = {.width = 16, .height = 4, .format = 1, .channels = 1};
    void *here = calloc(1, 64);
    cuArrayCreate_v2(&array, &shape);
    cuMemcpyAtoH_v2(here, array, 0, 64);
    cuMemcpyHtoA_v2(array, 0, here, 64);
    cuArrayGetDescriptor_v2(&shape, array);
    cuArrayDestroy(array);
    free(here);
}

static void share(void) {
    CUmemoryPool pool = NULL;
    int fd = -1;
    cuDeviceGetDefaultMemPool(&pool, 0);
    if (cuMemPoolExportToShareableHandle(&fd, pool, 1, 0) == CUDA_SUCCESS && fd > 2)
        close(fd);
}

/* ---- lies that have been found --------------------------------------------------------------- */

static void begin_with_lies(void) {
    begin_lies();
    begin();
    CHECK(context != NULL);
}

/* The image's length and the header before it had a sum of 8. */
static void an_image_whose_length_wraps(void) {
    CUlinkState link;
    void *image;
    size_t bytes = 0;
    begin_with_lies();
    CHECK(cuLinkCreate_v2(0, NULL, NULL, &link) == CUDA_SUCCESS);
    tell_next("outboardLinkComplete", (const uint64_t[4]){UINT64_MAX - 15});
    CHECK(cuLinkComplete(link, &image, &bytes) == CUDA_ERROR_OUT_OF_MEMORY && bytes == 0);
}

/* There is room for the two nodes that a copy has. */
static void a_graph_of_more_nodes(void) {
    static uint8_t here[4096];
    CUgraphNode node;
    CUDA_MEMCPY3D box = {.sourceType = 1,
                         .sourceHost = (uintptr_t)here,
                         .destinationType = 2,
                         .destinationDevice = 0x200000000000,
                         .width = 64,
                         .height = 1,
                         .depth = 1};
    begin_with_lies();
    CHECK(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
    CHECK(cuGraphAddMemcpyNode(&node, graph, NULL, 0, &box, context) == CUDA_SUCCESS);
    tell_next("cuGraphGetNodes", (const uint64_t[4]){1000});
    CHECK(cuGraphMemcpyNodeSetParams(node, &box) == ob_cuda.unavailable);
}

/* ---- answers that are longer than a frame ---------------------------------------------------- */

static void an_image_of_three_megabytes(void) {
    CUlinkState link;
    void *image;
    size_t bytes = 0;
    begin_with_lies();
    CHECK(cuLinkCreate_v2(0, NULL, NULL, &link) == CUDA_SUCCESS);
    tell_next("outboardLinkComplete", (const uint64_t[4]){3 << 20});
    tell_next("outboardLinkImage", (const uint64_t[4]){7});
    CHECK(cuLinkComplete(link, &image, &bytes) == CUDA_SUCCESS && bytes == 3 << 20);
    CHECK(*(const uint64_t *)image == 7 && ((const uint8_t *)image)[bytes - 1] == 0);
    CHECK(cuLinkDestroy(link) == CUDA_SUCCESS);
}

static void nodes_of_two_megabytes(void) {
    enum { NODES = 1 << 18 };
    CUgraphNode *nodes = malloc(NODES * sizeof *nodes);
    size_t count = NODES;
    begin_with_lies();
    CHECK(cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
    tell_next("cuGraphGetNodes", (const uint64_t[4]){NODES, 77});
    CHECK(cuGraphGetNodes(graph, nodes, &count) == CUDA_SUCCESS && count == NODES);
    CHECK(nodes[0] == (CUgraphNode)77 && nodes[NODES - 1] == NULL);
    free(nodes);
}

static void a_name_of_a_megabyte(void) {
    const char *name = NULL;
    begin_with_lies();
    tell_next("outboardFunctionName", (const uint64_t[4]){'z'});
    CHECK(cuFuncGetName(&name, (CUfunction)(uintptr_t)ob_handle_mint(OB_CUDA_FUNCTION)) ==
          CUDA_SUCCESS);
    CHECK(strcmp(name, "z") == 0);
}

const test_case found[] = {
    {"an image of three megabytes", an_image_of_three_megabytes},
    {"nodes of two megabytes", nodes_of_two_megabytes},
    {"a name of a megabyte", a_name_of_a_megabyte},
    {"an image whose length wraps", an_image_whose_length_wraps},
    {"a graph of more nodes", a_graph_of_more_nodes},
    {0}};

void flow(void) {
    static void (*const parts[])(void) = {look_at_devices, copy,      allocate,    load,
                                          ask_function,    launch,    link_images, make_graph,
                                          use_graph,       capture,   use_library, use_arrays,
                                          share};
    if (context == NULL)
        begin();
    parts[any(sizeof parts / sizeof parts[0])]();
}
