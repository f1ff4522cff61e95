/* SPDX-License-Identifier: Apache-2.0
 *
 * What the hand-written parts of libcuda.so.1 share. Each file has one topic; its face to the others is here.
 * Result codes, attribute numbers and layouts: CUDA Driver API reference, 13.0.
 */
#ifndef OUTBOARD_CUDA_DRIVER_H
#define OUTBOARD_CUDA_DRIVER_H

#include "cuda.remote.h"
#include "base/glibc.h"

#include <pthread.h>
#include <stdatomic.h>

#pragma GCC visibility push(hidden)

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_ALREADY_MAPPED = 208,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_OPERATING_SYSTEM = 304,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_LOSSY_QUERY = 402,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CUDA_ERROR_UNKNOWN = 999,
};

/* The newest driver whose functions this frontend knows: symbols.tsv. */
enum { FRONTEND_VERSION = 13000 };

enum { DEVICE_LIMIT = 64 };

/* ---- device.c: what is constant about the devices that the program sees ------------------------------------------- */

/* CUdevice_attribute */
enum {
    ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    ATTRIBUTE_MAX_GRID_DIM_X = 5,
    ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    ATTRIBUTE_WARP_SIZE = 10,
    ATTRIBUTE_MAX_PITCH = 11,
    ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    ATTRIBUTE_CLOCK_RATE = 13,
    ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    ATTRIBUTE_MAPS_HOST_MEMORY = 19,
    ATTRIBUTE_PCI_BUS_ID = 33,
    ATTRIBUTE_PCI_DEVICE_ID = 34,
    ATTRIBUTE_PCI_DOMAIN_ID = 50,
    ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    ATTRIBUTE_MANAGED_MEMORY = 83,
    ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    ATTRIBUTE_SAME_HOST_POINTER = 91,
    ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    ATTRIBUTE_POOL_HANDLE_TYPES = 119,
    ATTRIBUTE_CLUSTER_LAUNCH = 120,
};

/* What a launch on a device is held to. */
typedef struct launch_limits {
    unsigned int grid[3], block[3], threads, shared_bytes;
} launch_limits;

typedef struct gpu {
    DeviceFacts facts;
    launch_limits launch;
    int ordinal;                /* the backend's; the program's is the index in the list */
} gpu;

/* 0 if cuInit has succeeded in this very process. */
CUresult driver_ready(void);
int device_count(void);
const gpu *device_at(int ordinal);           /* the program's ordinal; NULL if there is none */
int device_attribute(int ordinal, int attribute); /* 0 if the device does not know it */
enum { NOWHERE = 0, ON_DEVICE = 1, ON_HOST = 2, ON_NODE = 3, ON_NEAREST_NODE = 4 }; /* CUmemLocationType */
/* Places: only a device's has an ordinal. */
CUresult device_translate_location(const CUmemLocation *location, CUmemLocation *there);
/* The backend's ordinal, or why there is none. */
CUresult device_translate(int ordinal, int *there);
int device_ordinal_of(int there);               /* the program's ordinal, -1 if it does not see the device */
/* What images a device takes. */
typedef struct image_target {
    int architecture;           /* 10 times major plus minor of its compute capability */
    enum { TAKES_ANYTHING = 0, TAKES_BINARIES = 1, TAKES_TEXTS = 2 } takes; /* nobody knows; binaries and PTX; PTX alone */
} image_target;
image_target device_target(int ordinal);
int driver_version_known(void);                 /* without asking: the frontend's until the backend's is known */

/* ---- visible.c: CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER --------------------------------------------------------- */

/* Sorts and drops devices as the environment says; returns how many are left. */
int visible_devices(gpu *devices, int count);

/* ---- context.c: contexts, and each thread's stack of them ---------------------------------------------------------- */

void contexts_begin(int backend_devices);       /* once, by cuInit, before a handle is minted */
bool context_enter(CUcontext context, int ordinal); /* false if there are too many */
CUcontext context_primary(int ordinal);         /* NULL if there is no such device */
CUcontext context_primary_there(int there);     /* by the backend's ordinal */
bool context_is_primary(CUcontext context);
int context_device(CUcontext context);          /* the program's ordinal, -1 if the context is unknown */
uint32_t context_lane(CUcontext context);

CUresult context_usable(CUcontext context);     /* 0, or why not */
/* The context, or for NULL the current one: writes it, or says why it cannot be used. */
CUresult context_resolve(CUcontext context, CUcontext *resolved);
CUresult context_ready(void);                   /* 0 if a usable context is current */

/* What a context's flags say of waiting. */
void context_waits_as(int flags);

/* Whether more than one has ever been current in this process. */
bool contexts_are_several(void);
CUcontext context_current(void);                /* NULL if none */
CUresult context_push(CUcontext context);
void context_pop(void);
void context_show_lane(void);                   /* tells the runtime the lane of the current context */
/* Whether a thread may end what a context has: with a usable current context, or with none, when the calls are made in the owner's lane
 * until the lane is shown again. An address says itself whose it is (CUDA Driver API, "Unified Addressing"). */
CUresult context_for_ending(CUcontext owner);

void context_end(CUcontext context);            /* destructors run, ranges are forgotten */
void context_destroyed(CUcontext context);      /* nobody can use it any more */

/* ---- storage.c: values that libraries keep with a context ---------------------------------------------------------- */

typedef void storage_destructor(CUcontext context, void *key, void *value);
CUresult storage_put(CUcontext context, void *key, void *value, storage_destructor *destructor);
CUresult storage_delete(CUcontext context, void *key);
CUresult storage_get(void **value, CUcontext context, void *key);
void storage_end(CUcontext context);            /* runs the destructors */

/* ---- ranges.c: known ranges of memory ------------------------------------------------------------------------------ */

typedef struct range {
    uint64_t base, bytes;
    CUcontext context;
    uint64_t serial;            /* unique in the process */
    int ordinal;                /* of the device */
    uint32_t flags;             /* of page-locked memory, as the program gave them */
    bool allocated;             /* page-locked memory: ours to unmap */
    bool shared;                /* page-locked memory: the backend maps it too … */
    bool placed;                /* … at an address among those of the device's own memory */
    CUdeviceptr device;         /* … and kernels find it here, 0 if they cannot */
    bool of_graph;              /* freed and allocated again by launches of a graph */
    bool managed;               /* memory of the device that the program uses too */
} range;

typedef struct range_set range_set;
extern range_set device_ranges, host_ranges;

/* Page-locked memory that the backend has not, as across a network: what a device would do there the program does itself. */
bool host_keeps(uint64_t address, uint64_t bytes);
/* Kernels get such memory if their parameters have its address. */
void host_offer(const void *parameters, uint64_t bytes);

/* Adds a range, of the current context if it names none, in place of whatever it overlaps. False if memory ran out. */
bool range_add(range_set *set, range added);
bool range_find(range_set *set, uint64_t address, range *found);
bool range_overlaps(range_set *set, uint64_t base, uint64_t bytes);
/* Takes out the range that begins at an address. */
bool range_take(range_set *set, uint64_t base, range *taken);
void range_forget_context(range_set *set, CUcontext context);

/* CUmemorytype */
enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };

/* Whether one side of a copy is memory of the program alone. */
bool is_host_side(int type, CUdeviceptr address);

/* ---- copy2d.c ------------------------------------------------------------------------------------------------------ */

/* One side of CUDA_MEMCPY2D. */
typedef struct flat_side {
    uint64_t x, y;
    int type;
    const void *host;
    CUdeviceptr device;
    void *array;
    uint64_t pitch;
} flat_side;

/* CUDA_MEMCPY2D */
typedef struct flat_copy {
    flat_side source, destination;
    uint64_t width, height;
} flat_copy;

/* ---- copy3d.c ------------------------------------------------------------------------------------------------------ */

/* One side of CUDA_MEMCPY3D; both are laid out alike. */
typedef struct box_side {
    uint64_t x, y, z, level;
    int type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    CUcontext context;
    uint64_t pitch, height;
} box_side;

CUresult box_copy(const CUDA_MEMCPY3D *box, CUstream stream, uint32_t flags);

/* ---- array.c ------------------------------------------------------------------------------------------------------- */

/* A copy between an array and memory of the program. */
CUresult array_copy(const CUDA_MEMCPY3D *box, const box_side *from, const box_side *to, CUstream stream, uint32_t flags);

/* ---- memory.c ------------------------------------------------------------------------------------------------------ */

/* Reserves and remembers a range that the backend has handed out; without room the caller gives it back. */
CUresult memory_remember(CUdeviceptr address, uint64_t bytes);
/* The same for memory of a graph, which is remembered for ever. */
CUresult memory_remember_of_graph(CUdeviceptr address, uint64_t bytes);
/* Whether there has been such memory. */
bool memory_is_in_graphs(void);
/* Takes a range out, and puts it back where the backend does not free it. */
bool memory_forget(CUdeviceptr address, range *forgotten);
void memory_put_back(range forgotten);

/* ---- shared.c: memory that the backend maps at the same address ---------------------------------------------------- */

/* Memory at one address for program and backend. */
typedef struct shared_piece {
    void *memory;
    uint64_t bytes;
    bool reserved;              /* lies among the addresses of the device's own memory */
} shared_piece;

/* The memory is NULL where that is not possible; an error is one of an earlier call. The flags are those of cuMemHostRegister;
 * *device is where kernels find it, or 0. */
CUresult shared_map(uint64_t bytes, uint32_t flags, shared_piece *piece, CUdeviceptr *device);
CUresult shared_unmap(const shared_piece *piece);
uint64_t shared_size(uint64_t bytes);           /* in whole pages */
void *shared_map_alone(uint64_t bytes);         /* memory of the program alone, where the backend has room for such too; or MAP_FAILED */

/* Has the backend map what the program has mapped of a file; memory->shared says whether it could. An error is one of an
 * earlier call. */
CUresult shared_register(int fd, uint64_t offset, range *memory);

CUresult shared_map_managed(uint64_t bytes, shared_piece *piece);
/* Takes memory in whole pages that the device has alone until now. */
CUresult shared_adopt(CUdeviceptr address, uint64_t bytes, shared_piece *piece);
CUresult shared_unmap_managed(const shared_piece *piece);

/* ---- registered.c -------------------------------------------------------------------------------------------------- */

/* Shares memory that the program registers, if it is a shared mapping of a file that can be opened. An error is one of an
 * earlier call. */
CUresult registered_share(range *memory);
CUresult registered_end(const range *memory);

/* ---- older.c ------------------------------------------------------------------------------------------------------- */

/* Says once, if the program has loaded a runtime that is older than any that was tried. */
void older_runtime_say(void);

/* ---- unshared.c ---------------------------------------------------------------------------------------------------- */

/* Says once why memory that the program and kernels use together is refused, and what to use instead. Returns the error. */
CUresult unshared_refuse(atomic_flag *said, const char *what, const char *instead);

/* ---- managed.c ----------------------------------------------------------------------------------------------------- */

/* Whether a device reaches memory of the program at the program's addresses. */
bool managed_possible(int ordinal);
/* Whether all of a range is managed memory: for copies it is the device's, wherever the program says that it is its own. */
bool managed_contains(uint64_t address, uint64_t bytes);
CUresult managed_free(CUdeviceptr pointer);
/* How a program uses a variable: VariableSharing.java. */
#define NOT_SHARED 0
#define MIRRORED_VARIABLE UINT64_MAX            /* anything else are bytes, in whole pages, to be mapped */

/* A variable as the backend has found it. */
typedef struct variable {
    CUdeviceptr address;
    uint64_t bytes, sharing;
} variable;

/* Gives the program a variable of a module or a library if it is to use it, which *adopted then says. */
CUresult managed_adopt(const variable *found, const void *owner, bool *adopted);
void managed_unload(const void *owner);         /* frees the variables of one that ends */
CUresult managed_sweep(void);                   /* frees those that the backend has no more; an error is one of an earlier call */
void managed_end(CUcontext context);            /* frees what was made in a context */

/* ---- mirror.c: pages of the program at the address of a variable --------------------------------------------------- */

/* The address is reserved; the pages hold what the variable holds. */
CUresult mirror_begin(CUdeviceptr address, uint64_t bytes);
void mirror_end(CUdeviceptr address);           /* if there is one */
bool mirror_is_gone(CUdeviceptr address);       /* what has been fetched since has not had it */
/* From now on kernels may use page-locked memory of the program, in whole pages, that the backend does not share. */
void mirror_host(uint64_t address, uint64_t bytes);
void mirror_host_end(uint64_t address);         /* if they could */

/* ---- changes.c ----------------------------------------------------------------------------------------------------- */

/* A variable in words of 8 bytes, of whose first and last some bytes may not be its own. */
typedef struct word_pair {
    uint64_t *here;             /* what the program has, which may change any time … */
    uint64_t *agreed;           /* … and what both sides had last */
    uint64_t count;
    uint8_t first, last;        /* the variable's bytes of these words, bit n for byte n */
} word_pair;

typedef struct word_span {
    uint64_t first, count;
} word_span;

/* What the program has changed of some words: data and mask, of the first that is changed to the last. */
word_span changes_find(const word_pair *w, uint64_t from, uint64_t count, uint64_t data[], uint8_t mask[]);
/* The other side has these changes now. */
void changes_agree(const word_pair *w, uint64_t from, uint64_t count, const uint64_t data[], const uint8_t mask[]);
/* Takes what the other side has, without what the program has changed. */
void changes_merge(const word_pair *w, uint64_t from, uint64_t count, const uint64_t fresh[]);

/* ---- transfer.c: copies between program and device ----------------------------------------------------------------- */

/* Whether the backend shares all of a range of the program's memory. */
bool transfer_names(const void *pointer, uint64_t bytes);

CUresult transfer_up(CUdeviceptr to, const void *from, uint64_t bytes, CUstream stream, uint32_t flags);
CUresult transfer_down(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream, uint32_t flags);
/* They may return before the copy is done: where the memory is shared. */
CUresult transfer_up_later(CUdeviceptr to, const void *from, uint64_t bytes, CUstream stream, uint32_t flags);
CUresult transfer_down_later(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream, uint32_t flags);
/* Waits for what the stream may still write to memory that is about to be read here. */
CUresult transfer_settle(const void *from, CUstream stream, uint32_t flags);

/* ---- host_function.c ----------------------------------------------------------------------------------------------- */

/* Waits for a stream if functions of the program have been posted that have not run yet: they may write host memory. */
CUresult host_functions_settle(CUstream stream, uint32_t flags);
/* A graph has one. */
void host_functions_captured(void);

/* ---- launch.c ------------------------------------------------------------------------------------------------------ */

/* Most bytes of parameters: CUDA C++ Programming Guide, "Function Parameters". */
enum { PARAMETER_LIMIT = 32764 };

/* Parameters as they travel. */
typedef struct launch_bytes {
    const void *bytes;
    uint64_t size;
} launch_bytes;

CUresult launch_facts(CUfunction function, const FunctionFacts **facts);
/* Of a function or kernel that has been asked about before, else NULL. */
const FunctionFacts *launch_facts_known(const void *function);
const FunctionFacts *launch_facts_keep(const void *function, const FunctionFacts *facts); /* NULL if memory ran out */
/* Packs parameters as the function's layout says; the buffer has room for the most there can be. */
CUresult launch_pack(CUfunction function, void **parameters, void **extra, uint8_t *buffer, launch_bytes *to);

/* Launches with a configuration whose attributes have been checked. */
CUresult launch_configured(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra, uint32_t flags);

/* ---- order.c: calls of several contexts ---------------------------------------------------------------------------- */

/* A stream has been made, or an event recorded, in the current lane. */
void order_note(const void *handle);
/* OB_ORDERED for a call about one that may be another lane's. */
uint32_t order_flags(const void *handle);

/* ---- graph.c ------------------------------------------------------------------------------------------------------- */

/* CUgraphNodeType */
enum {
    NODE_KERNEL = 0,
    NODE_MEMCPY = 1,
    NODE_MEMSET = 2,
    NODE_HOST = 3,
    NODE_GRAPH = 4,
    NODE_EMPTY = 5,
    NODE_WAIT_EVENT = 6,
    NODE_EVENT_RECORD = 7,
    NODE_MEM_ALLOC = 10,
    NODE_MEM_FREE = 11,
    NODE_BATCH = 12,
    NODE_CONDITIONAL = 13,
};

/* CUDA_KERNEL_NODE_PARAMS: the first version ends before the kernel. */
typedef struct kernel_node {
    CUfunction function;
    int grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    CUkernel kernel;
    CUcontext context;
} kernel_node;

/* ---- graph_copy.c: copies as nodes of graphs -------------------------------------------------------------------------- */

enum end { SOURCE = 0, DESTINATION = 1 };

void graph_copy_put(CUDA_MEMCPY3D *copy, enum end which, const box_side *side);
/* Whether a side is memory that only the program has; what it is then. */
bool graph_copy_is_ours(const CUDA_MEMCPY3D *copy, enum end which, box_side *side);
/* Names a side as the backend finds it. */
CUresult graph_copy_place(CUDA_MEMCPY3D *copy, enum end which);
/* A copy in a stream that captures, between the program's own memory and a device. */
CUresult graph_copy_capture(const CUDA_MEMCPY3D *copy, CUstream stream, uint32_t flags);

/* ---- relay.c: such copies of memory that only the program has --------------------------------------------------------- */

CUresult relay_add(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, uint64_t count, const CUDA_MEMCPY3D *copy,
                   CUcontext context);
/* Whether a node is one; what was asked for, if it is. */
bool relay_find(CUgraphNode node, CUDA_MEMCPY3D *copy);
CUresult relay_change(CUgraphNode node, const CUDA_MEMCPY3D *copy);
CUresult relay_change_executable(CUgraphExec executable, CUgraphNode node, const CUDA_MEMCPY3D *copy, CUcontext context);
void relay_node_ended(CUgraphNode node);
CUresult relay_cloned(CUgraph graph, CUgraph clone);
CUresult relay_embedded(CUgraphNode node, CUgraph in, CUgraph child);
CUresult relay_inside(CUgraph graph);           /* it is a part of another one: it gets none */
CUresult relay_executable(CUgraphExec executable, CUgraph graph); /* what it has now */
CUresult relay_executable_child(CUgraphExec executable, CUgraphNode node, CUgraph child);
void relay_executable_ended(CUgraphExec executable);
/* Whether its copies read memory that only the program has … */
bool relay_brings(CUgraphExec executable);
/* … which is brought before it is launched. */
CUresult relay_launch(CUgraphExec executable, CUstream stream, uint32_t flags);

/* ---- capture.c ----------------------------------------------------------------------------------------------------- */

/* Whether a stream captures, or why that cannot be told; asks only while captures have begun that have not ended. */
CUresult capture_find(CUstream stream, uint32_t flags, bool *captures);
/* Where the next node of a stream goes; valid until the thread asks again. */
typedef struct capture_point {
    CUgraph graph;
    const CUgraphNode *dependencies;
    const CUgraphEdgeData *edges;   /* NULL if they are all plain */
    uint64_t count;
} capture_point;
CUresult capture_locate(CUstream stream, uint32_t flags, capture_point *at);
/* As a node of its graph, behind what is there. */
CUresult graph_add_copy(CUgraphNode *node, const capture_point *at, const CUDA_MEMCPY3D *copy);
/* 0, or the error of what cannot be captured. */
CUresult capture_forbids(CUstream stream, uint32_t flags);

/* ---- known.c: facts about handles, kept for the life of the process ------------------------------------------------ */

typedef struct known_entry known_entry;
typedef struct known_table {
    _Atomic(known_entry *) heads[1 << 12];
} known_table;

const void *known_find(const known_table *table, uint64_t handle); /* NULL if there is none */
/* Keeps a copy; returns it (or the one that another thread kept first), NULL if memory ran out. */
const void *known_keep(known_table *table, uint64_t handle, const void *fact, size_t bytes);

/* ---- remembered.c: answers that hold until something is changed ------------------------------------------------------ */

/* What answers are about. What changes together has the same kernel; 0 for none. Where it is the key itself, the answers end
 * with a change of that alone. */
typedef struct topic {
    uint64_t key, kernel;
} topic;

/* Compared byte by byte. */
typedef struct question {
    uint32_t kind, number;
    uint64_t size, flags;
} question;

/* The ticket is for remember(), which keeps nothing if there has been a change since. */
bool remembered(const topic *about, const question *asked, int64_t *value, uint32_t *ticket);
void remember(const topic *about, const question *asked, int64_t value, uint32_t ticket);
/* Answers that came unasked: they are kept if nothing has been asked or changed of this yet. */
void remember_first(const topic *about, const question asked[], const int64_t values[], int count);
/* Something has been changed: `made`, if not NULL, to the value. */
void remember_change(const topic *about, const question *made, int64_t value);
/* A context, a module or a library is about to end, or has. */
void remember_end(void);

/* ---- pool.c -------------------------------------------------------------------------------------------------------- */

/* A copy, to be freed, with the backend's ordinals. */
CUresult access_translate(const CUmemAccessDesc *access, size_t count, CUmemAccessDesc **there);

/* ---- descriptors.c: memory as descriptors -------------------------------------------------------------------------- */

/* CUmemAllocationHandleType: the only one there is. */
enum { FILE_DESCRIPTOR = 1 };

/* By which the backend knows what a descriptor is of. */
typedef struct share_ticket {
    uint8_t bytes[64];
} share_ticket;

/* 0 if there are handles of such a type, which can be any number, or why not. */
CUresult descriptor_type(int type);
/* A descriptor for a ticket, which ends if there can be none. */
CUresult descriptor_hand_out(const share_ticket *content, void *handle);
/* The ticket of a descriptor, which may be anything. */
CUresult descriptor_read(const void *handle, share_ticket *content);
/* Tells the backend which descriptors nobody has any more. */
void descriptors_sweep(void);

/* ---- image.c ------------------------------------------------------------------------------------------------------- */

/* Options for the backend's compiler: they are looked at, and the logs that they ask for are empty. */
CUresult image_options(unsigned int count, const int *options, void **values);
/* Reads a file; the bytes are to be freed. */
CUresult image_read(const char *name, void **content, uint64_t *bytes);

/* ---- length.c: how long an image in memory is ---------------------------------------------------------------------- */

/* Where the bytes of an image begin and how many there are; 0 if it is nothing that can be loaded. */
uint64_t image_length(const void *image, const void **begin);

/* ---- fit.c: what of an image the devices can use ------------------------------------------------------------------- */

/* A copy of a container without the entries that none of the devices can use, to be freed; NULL if all of it is to be sent:
 * where nothing can be left out, where a device finds nothing, and where it is damaged or no container. */
void *image_fitted(const void *image, uint64_t bytes, const image_target targets[], int count, uint64_t *fitted_bytes);

/* ---- content.c: the way of images to the backend ------------------------------------------------------------------- */

/* Sends an image, with a digest by its content; without an image the backend takes what it keeps under the digest. */
typedef CUresult image_call(void *to, const uint8_t *digest, const void *image, uint64_t bytes);

CUresult image_send_whole(image_call *call, void *to, const void *image, uint64_t bytes);
/* Without what a device, or all devices that the program sees, cannot use. */
CUresult image_send_for(int ordinal, image_call *call, void *to, const void *image, uint64_t bytes);
CUresult image_send_for_all(image_call *call, void *to, const void *image, uint64_t bytes);

/* ---- integrity.c --------------------------------------------------------------------------------------------------- */

/* HMAC-MD2 (RFC 2104 over RFC 1319); the key is one block long. */
void hmac_md2(const uint8_t key[16], const uint8_t *message, size_t bytes, uint8_t digest[16]);

/* ---- tables.c ------------------------------------------------------------------------------------------------------ */

const void *export_table(const uint8_t id[16]); /* NULL if there is none */

#pragma GCC visibility pop

#endif
