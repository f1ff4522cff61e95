/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices that the program sees, and each thread's stack of contexts.
 */
#ifndef OUTBOARD_CUDA_DEVICE_H
#define OUTBOARD_CUDA_DEVICE_H

#include "facts/facts.h"

#pragma GCC visibility push(hidden)

/* The newest driver whose functions this frontend knows: symbols.tsv. */
enum { FRONTEND_VERSION = 13000 };

enum { DEVICE_LIMIT = 64 };

/* ---- device.c: what is constant about the devices that the program sees ---------------------- */

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
    ATTRIBUTE_DIRECT_MANAGED_ACCESS = 101,
    ATTRIBUTE_REGISTERS_READ_ONLY = 113,
    ATTRIBUTE_POOL_HANDLE_TYPES = 119,
    ATTRIBUTE_CLUSTER_LAUNCH = 120,
};

/* The limits of a launch on a device. */
typedef struct launch_limits {
    unsigned int grid[3], block[3], threads, shared_bytes;
} launch_limits;

/* CUmemAllocationHandleType: the only one there is. */
enum { FILE_DESCRIPTOR = 1 };

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
/* Whether there is managed memory; and whether the program shares it with the device, so that no
 * page travels: the device reaches memory of the program at the program's addresses, and has none
 * of its own that would be faster. */
bool device_has_managed(int ordinal);
bool device_shares_managed(int ordinal);
/* CUmemLocationType */
enum { NOWHERE = 0, ON_DEVICE = 1, ON_HOST = 2, ON_NODE = 3, ON_NEAREST_NODE = 4 };
/* The backend's ordinal, or why there is none. */
CUresult device_translate(int ordinal, int *backend_ordinal);
/* the program's ordinal, -1 if it does not see the device */
int device_ordinal_of(int backend_ordinal);
/* The images that a device takes. */
typedef struct image_target {
    int architecture;           /* 10 times major plus minor of its compute capability */
    /* nobody knows; binaries and PTX; PTX alone */
    enum { TAKES_ANYTHING = 0, TAKES_BINARIES = 1, TAKES_TEXTS = 2 } takes;
} image_target;
image_target device_target(int ordinal);
/* without asking: the frontend's until the backend's is known */
int driver_version_known(void);

/* ---- visible.c: CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER ----------------------------------- */

/* Sorts and drops devices as the environment says; returns how many are left. */
int visible_devices(gpu *devices, int count);

/* ---- context.c: contexts, and each thread's stack of them ------------------------------------ */

void contexts_begin(int backend_devices);       /* once, by cuInit, before a handle is minted */
bool context_enter(CUcontext context, int ordinal); /* false if there are too many */
CUcontext context_primary(int ordinal);         /* NULL if there is no such device */
CUcontext context_primary_of_backend(int backend_ordinal);
bool context_is_primary(CUcontext context);
/* the program's ordinal, -1 if the context is unknown */
int context_device(CUcontext context);
uint32_t context_lane(CUcontext context);

CUresult context_usable(CUcontext context);     /* 0, or why not */
/* The context, or for NULL the current one: writes it, or says why it cannot be used. */
CUresult context_resolve(CUcontext context, CUcontext *resolved);
CUresult context_ready(void);                   /* 0 if a usable context is current */

/* Made by cuCtxCreate, whose program has addresses of 32 bits: functions of that time want such a
 * one. */
void context_note_older(CUcontext context);
bool context_is_older(CUcontext context);

/* Notes the way of waiting in a context's flags. */
void context_waits_as(int flags);

/* Whether more than one has ever been current in this process. */
bool contexts_are_several(void);
/* NULL if there is none, or none any more; there are CONTEXT_LIMIT at most */
CUcontext context_at(uint32_t index);
enum { CONTEXT_LIMIT = 1 << 10 };               /* the backend's limit of lanes */
CUcontext context_current(void);                /* NULL if none */
/* That, or where none is current the one in whose lane calls are made; NULL if none */
CUcontext context_in_use(void);
CUresult context_push(CUcontext context);
void context_pop(void);
/* tells the runtime the lane of the current context */
void context_show_lane(void);
/* Whether a thread may end what a context has: with a usable current context, or with none, when
 * the calls are made in the owner's lane until the lane is shown again. An address says itself
 * whose it is (CUDA Driver API, "Unified Addressing"). */
CUresult context_for_ending(CUcontext owner);

void context_destroyed(CUcontext context);      /* nobody can use it any more */

/* ---- storage.c: values that libraries keep with a context ------------------------------------ */

typedef void storage_destructor(CUcontext context, void *key, void *value);
CUresult storage_put(CUcontext context, void *key, void *value, storage_destructor *destructor);
CUresult storage_delete(CUcontext context, void *key);
CUresult storage_get(void **value, CUcontext context, void *key);
void storage_end(CUcontext context);            /* runs the destructors */

/* ---- debugger.c ------------------------------------------------------------------------------ */

/* Says once, if a debugger or another tool waits for a driver that it could attach to, that it
 * waits in vain. */
void debugger_say(void);

#pragma GCC visibility pop

#endif
