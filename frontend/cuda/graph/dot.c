/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs as text for Graphviz, in a file of the program's: CUDA Driver API, cuGraphDebugDotPrint.
 * Everything is asked of the backend call by call; the words are ours, as the vendor documents
 * none.
 */
#include "graph/graph.h"

#include <stdio.h>
#include <stdlib.h>

/* CUgraphDebugDot_flags */
enum {
    VERBOSE = 1,
    KERNELS = 1 << 2,
    COPIES = 1 << 3,
    FILLS = 1 << 4,
    HANDLES = 1 << 10,
    ALLOCATIONS = 1 << 11,
    FREES = 1 << 12,
};
enum { DEEPEST = 32 };

typedef struct dot {
    FILE *file;
    uint32_t flags;
    unsigned graphs;            /* that have been begun */
} dot;

typedef struct nodes {
    CUgraphNode *list;
    uint64_t count;
} nodes;

static bool wants(const dot *d, uint32_t flag) { return (d->flags & (VERBOSE | flag)) != 0; }

/* By CUgraphNodeType. */
static const char *type_name(int type) {
    static const char *const names[] = {"KERNEL",         "MEMCPY",       "MEMSET",
                                        "HOST",           "GRAPH",        "EMPTY",
                                        "WAIT_EVENT",     "EVENT_RECORD", "EXT_SEMAS_SIGNAL",
                                        "EXT_SEMAS_WAIT", "MEM_ALLOC",    "MEM_FREE",
                                        "BATCH_MEM_OP",   "CONDITIONAL"};
    return type >= 0 && type < (int)(sizeof names / sizeof names[0]) ? names[type] : "UNKNOWN";
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A line in a label. */
static void print_text(const dot *d, const char *text) {
    fputs("\\n", d->file);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', d->file);
        fputc(*text, d->file);
    }
}

static void print_kernel(const dot *d, CUgraphNode node) {
    kernel_node launch = {0};
    const char *name = NULL;
    if (cuGraphKernelNodeGetParams_v2(node, &launch) != CUDA_SUCCESS)
        return;
    if (cuFuncGetName(&name, launch.function != NULL ? launch.function
                                                     : (CUfunction)launch.kernel) == CUDA_SUCCESS)
        print_text(d, name);
    if (wants(d, KERNELS))
        fprintf(d->file, "\\n\\<\\<\\<(%d,%d,%d),(%d,%d,%d),%d\\>\\>\\>", launch.grid[0],
                launch.grid[1], launch.grid[2], launch.block[0], launch.block[1], launch.block[2],
                launch.shared_bytes);
}

static void print_copy(const dot *d, CUgraphNode node) {
    CUDA_MEMCPY3D copy;
    if (wants(d, COPIES) && cuGraphMemcpyNodeGetParams(node, &copy) == CUDA_SUCCESS)
        fprintf(d->file, "\\n%llu x %llu x %llu bytes", (unsigned long long)copy.width,
                (unsigned long long)copy.height, (unsigned long long)copy.depth);
}

static void print_fill(const dot *d, CUgraphNode node) {
    CUDA_MEMSET_NODE_PARAMS fill;
    if (wants(d, FILLS) && cuGraphMemsetNodeGetParams(node, &fill) == CUDA_SUCCESS)
        fprintf(d->file, "\\n0x%llx\\n%llu x %llu of %d bytes\\nvalue %u",
                (unsigned long long)fill.destination, (unsigned long long)fill.width,
                (unsigned long long)fill.height, fill.elementBytes, (unsigned)fill.value);
}

static void print_allocation(const dot *d, CUgraphNode node) {
    CUDA_MEM_ALLOC_NODE_PARAMS allocation;
    if (wants(d, ALLOCATIONS) && cuGraphMemAllocNodeGetParams(node, &allocation) == CUDA_SUCCESS)
        fprintf(d->file, "\\n0x%llx\\n%llu bytes", (unsigned long long)allocation.pointer,
                (unsigned long long)allocation.bytes);
}

static void print_free(const dot *d, CUgraphNode node) {
    CUdeviceptr freed;
    if (wants(d, FREES) && cuGraphMemFreeNodeGetParams(node, &freed) == CUDA_SUCCESS)
        fprintf(d->file, "\\n0x%llx", (unsigned long long)freed);
}

static CUresult print_graph(dot *d, CUgraph graph, unsigned depth);

static CUresult print_child(dot *d, CUgraphNode node, unsigned depth) {
    CUgraph child;
    CUresult result = cuGraphChildGraphNodeGetGraph(node, &child);
    return result == CUDA_SUCCESS && depth < DEEPEST ? print_graph(d, child, depth + 1) : result;
}

/* The graph of a node that is one follows its node, which says its number. */
static CUresult print_node(dot *d, CUgraphNode node, unsigned graph, uint64_t index,
                           unsigned depth) {
    int type;
    CUresult result = cuGraphNodeGetType(node, &type);
    if (result != CUDA_SUCCESS)
        return result;
    fprintf(d->file, "\"graph_%u_node_%llu\" [shape=\"box\" label=\"%llu\\n%s", graph,
            (unsigned long long)index, (unsigned long long)index, type_name(type));
    if (wants(d, HANDLES))
        fprintf(d->file, "\\n%p", (void *)node);
    switch (type) {
    case NODE_KERNEL:
        print_kernel(d, node);
        break;
    case NODE_MEMCPY:
        print_copy(d, node);
        break;
    case NODE_MEMSET:
        print_fill(d, node);
        break;
    case NODE_MEM_ALLOC:
        print_allocation(d, node);
        break;
    case NODE_MEM_FREE:
        print_free(d, node);
        break;
    case NODE_GRAPH:
        fprintf(d->file, "\\ngraph_%u", d->graphs + 1);
        break;
    default:
        break;
    }
    fputs("\"];\n", d->file);
    return type == NODE_GRAPH ? print_child(d, node, depth) : CUDA_SUCCESS;
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static uint64_t index_of(const nodes *all, CUgraphNode node) {
    uint64_t at = 0;
    while (at < all->count && all->list[at] != node)
        at++;
    return at;
}

static CUresult print_edges(const dot *d, CUgraph graph, unsigned number, const nodes *all) {
    uint64_t count = 0;
    CUresult result = cuGraphGetEdges_v2(graph, NULL, NULL, NULL, &count);
    if (result != CUDA_SUCCESS || count == 0)
        return result;
    CUgraphNode *ends = calloc(2 * count, sizeof *ends);
    CUgraphEdgeData *edges = calloc(count, sizeof *edges);
    result = ends != NULL && edges != NULL
                 ? cuGraphGetEdges_v2(graph, ends, ends + count, edges, &count)
                 : CUDA_ERROR_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        fprintf(d->file, "\"graph_%u_node_%llu\" -> \"graph_%u_node_%llu\";\n", number,
                (unsigned long long)index_of(all, ends[i]), number,
                (unsigned long long)index_of(all, ends[count + i]));
    free(ends);
    free(edges);
    return result;
}

static CUresult list_nodes(CUgraph graph, nodes *all) {
    CUresult result = cuGraphGetNodes(graph, NULL, &all->count);
    if (result != CUDA_SUCCESS || all->count == 0)
        return result;
    all->list = calloc(all->count, sizeof *all->list);
    return all->list != NULL ? cuGraphGetNodes(graph, all->list, &all->count)
                             : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult print_graph(dot *d, CUgraph graph, unsigned depth) {
    unsigned number = ++d->graphs;
    nodes all = {0};
    CUresult result = list_nodes(graph, &all);
    fprintf(d->file, "subgraph cluster_%u {\nlabel=\"graph_%u\";\n", number, number);
    for (uint64_t i = 0; i < all.count && result == CUDA_SUCCESS; i++)
        result = print_node(d, all.list[i], number, i, depth);
    if (result == CUDA_SUCCESS)
        result = print_edges(d, graph, number, &all);
    fputs("}\n", d->file);
    free(all.list);
    return result;
}

/* A file that could not be written to its end is taken away. */
static CUresult print_file(const char *path, CUgraph graph, uint32_t flags) {
    dot d = {.file = fopen(path, "we"), .flags = flags};
    if (d.file == NULL)
        return CUDA_ERROR_OPERATING_SYSTEM;
    fputs("digraph dot {\n", d.file);
    CUresult result = print_graph(&d, graph, 0);
    fputs("}\n", d.file);
    bool written = !ferror(d.file);
    if (fclose(d.file) != 0 || !written)
        result = CUDA_ERROR_OPERATING_SYSTEM;
    if (result != CUDA_SUCCESS)
        remove(path);
    return result;
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags) {
    uint64_t count;
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (path == NULL || cuGraphGetNodes(graph, NULL, &count) != CUDA_SUCCESS)
        return CUDA_ERROR_INVALID_VALUE;
    return print_file(path, graph, flags);
}
