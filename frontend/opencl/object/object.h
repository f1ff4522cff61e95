/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's objects as the program has them: structures in its own memory, whose first member the
 * loader of several vendors' libraries calls through (cl_khr_icd). Owners are counted here; the
 * backend hears of an object's end. Answers about an object stay with it.
 */
#ifndef OUTBOARD_OPENCL_OBJECT_H
#define OUTBOARD_OPENCL_OBJECT_H

#include "opencl.remote.h"

#include <stdatomic.h>

/* The flags that memory objects are made with; OpenCL specification 3.0, section 5.2.1. */
enum {
    CL_MEM_READ_WRITE = 1 << 0,
    CL_MEM_WRITE_ONLY = 1 << 1,
    CL_MEM_READ_ONLY = 1 << 2,
    CL_MEM_USE_HOST_PTR = 1 << 3,
    CL_MEM_ALLOC_HOST_PTR = 1 << 4,
    CL_MEM_COPY_HOST_PTR = 1 << 5,
    CL_MEM_HOST_WRITE_ONLY = 1 << 7,
    CL_MEM_HOST_READ_ONLY = 1 << 8,
    CL_MEM_HOST_NO_ACCESS = 1 << 9,
    HOST_ACCESS = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
};

/* The questions about them: "Memory Object Queries" there. */
enum {
    CL_MEM_TYPE = 0x1100,
    CL_MEM_FLAGS = 0x1101,
    CL_MEM_SIZE = 0x1102,
    CL_MEM_HOST_PTR = 0x1103,
    CL_MEM_MAP_COUNT = 0x1104,
    CL_MEM_ASSOCIATED_MEMOBJECT = 0x1107,
    CL_MEM_USES_SVM_POINTER = 0x1109,
    CL_IMAGE_ELEMENT_SIZE = 0x1111,
    CL_IMAGE_ROW_PITCH = 0x1112,
    CL_IMAGE_SLICE_PITCH = 0x1113,
    CL_IMAGE_BUFFER = 0x1118,
};

/* Their types: CL_MEM_OBJECT_BUFFER to CL_MEM_OBJECT_IMAGE1D_BUFFER. */
enum {
    BUFFER = 0x10F0,
    IMAGE2D = 0x10F1,
    IMAGE3D = 0x10F2,
    IMAGE2D_ARRAY = 0x10F3,
    IMAGE1D = 0x10F4,
    IMAGE1D_ARRAY = 0x10F5,
    IMAGE1D_BUFFER = 0x10F6,
};

/* Results that the frontend returns by itself; OpenCL specification 3.0, appendix F. */
enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_FOUND = -1,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST = -14,
    CL_INVALID_VALUE = -30,
    CL_INVALID_PLATFORM = -32,
    CL_INVALID_DEVICE = -33,
    CL_INVALID_CONTEXT = -34,
    CL_INVALID_COMMAND_QUEUE = -36,
    CL_INVALID_HOST_PTR = -37,
    CL_INVALID_MEM_OBJECT = -38,
    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR = -39,
    CL_INVALID_SAMPLER = -41,
    CL_INVALID_PROGRAM = -44,
    CL_INVALID_KERNEL = -48,
    CL_INVALID_KERNEL_ARGS = -52,
    CL_INVALID_EVENT = -58,
    CL_INVALID_OPERATION = -59,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_INVALID_PROPERTY = -64,
    CL_INVALID_IMAGE_DESCRIPTOR = -65,
    CL_PLATFORM_NOT_FOUND_KHR = -1001,
    CL_INVALID_COMMAND_BUFFER_KHR = -1138,
};

/* An answer about an object that never changes. */
typedef struct answer {
    struct answer *next;
    uint32_t name;
    size_t size;
    _Alignas(uint64_t) unsigned char value[];
} answer;

/* A function of the program that is told of an object's end. */
typedef struct ending {
    struct ending *next;
    void (*notify)(void *, void *);
    void *data;
} ending;

typedef struct object {
    const void *dispatch;       /* the table of functions, by which the loader finds them */
    uint64_t handle;
    uint32_t kind;
    bool lasting;               /* never ends: platforms, and devices that are no parts */
    _Atomic uint32_t owners;
    /* the object that it was made from, of which it is an owner, or NULL */
    struct object *first;
    answer *answers;
    ending *endings;            /* the last one that was registered first */
    struct object *next, *next_by_handle; /* in the table */
    /* of a queue, for all that is in it: how many have begun, and the last of them that is over */
    _Atomic uint64_t waits_begun, waits_over;
} object;

#define KIND_BIT(kind) (1ULL << OB_OPENCL_##kind)

/* ---- objects.c ------------------------------------------------------------------------------- */

/* Functions of the folders above that objects need. */
typedef struct object_duties {
    const void *dispatch;               /* the loader's table of functions */
    void (*ends)(object *);             /* an object is about to end */
    int (*arrive)(int result);          /* the program learns that something is over */
} object_duties;

/* Once, before the first object is made. */
void objects_have(const object_duties *duties);
/* The object at an address that the program gave, NULL if none of these kinds is there. */
object *object_at(const void *address, uint64_t kinds);
/* An object that the backend never made. */
void object_drop(void *address);
int object_on_end(void *address, uint64_t kinds, int invalid, void (*notify)(void *, void *),
                  void *data);
/* The program learns that something is over: earlier reads come to their place. Returns the result,
 * or an error of that. */
int objects_arrive(int result);
/* Has an object belong to another one than the call that made it was given first. */
void object_belongs(object *o, object *first);
/* NULL if there is none. */
object *first_platform(void);
/* The context that an object belongs to, and the platform. */
object *context_of(object *o);
object *platform_of(object *o);
/* Whether what is enqueued goes on by itself, whatever the program does next: there is one queue,
 * and was no event of the program's. */
bool commands_go_on(void);

/* ---- info.c ---------------------------------------------------------------------------------- */

typedef opencl_ask *question;

/* Keeps an answer; an earlier one to the same question goes. */
bool object_remember(object *o, uint32_t name, const void *value, size_t size);
/* Memory that stays with an object, at first zeros; NULL without memory. */
void *object_keep(object *o, uint32_t name, size_t size);
/* A copy of an answer that is remembered, as much as there is room for; false if there is none. */
bool object_recall(object *o, uint32_t name, void *value, size_t room);
/* A copy of all of it, the caller's to free; NULL if there is none, or no memory. */
answer *answer_copy(object *o, uint32_t name);
/* Hands an answer out, as all the clGet…Info do. */
int info_give(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret);
int info_give_object(object *given, size_t size, void *value, size_t *size_ret);
int info_give_owners(const object *o, size_t size, void *value, size_t *size_ret);
/* The remembered answer; or the backend's, which is remembered if it `stays`. */
int object_info(object *o, int name, size_t size, void *value, size_t *size_ret, question ask,
                bool stays);
/* Remembers the backend's answer, in the place of an earlier one. */
int info_learn(object *o, int name, question ask);
/* Entries of a list that ends with 0, the 0 included; 0 for none. */
int list_length(const uint64_t *list);
/* Whether such a list has the name at a place in an earlier one too. */
bool named_before(const uint64_t *list, const uint64_t *at);

static inline void set_result(int *errcode_ret, int result) {
    if (errcode_ret != NULL)
        *errcode_ret = result;
}

/* Gives an object what another one has learnt, in the place of what it knows itself. */
void answers_copy(object *to, const answer *from);
void answers_free(answer *answers);

#endif
