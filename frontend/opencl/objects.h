/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL's objects as the program has them: structures in its own memory, whose first member the loader of several vendors' libraries
 * calls through (cl_khr_icd). Owners are counted here; the backend hears of an object's end.
 */
#ifndef OUTBOARD_OPENCL_OBJECTS_H
#define OUTBOARD_OPENCL_OBJECTS_H

#include "opencl.remote.h"

#include <stdatomic.h>

/* What memory objects are made with; OpenCL specification 3.0, section 5.2.1. */
enum {
    CL_MEM_READ_WRITE = 1 << 0,
    CL_MEM_USE_HOST_PTR = 1 << 3,
    CL_MEM_ALLOC_HOST_PTR = 1 << 4,
    CL_MEM_COPY_HOST_PTR = 1 << 5,
    CL_MEM_HOST_WRITE_ONLY = 1 << 7,
    CL_MEM_HOST_READ_ONLY = 1 << 8,
    CL_MEM_HOST_NO_ACCESS = 1 << 9,
    HOST_ACCESS = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
};

/* What they are asked: "Memory Object Queries" there. */
enum {
    CL_MEM_TYPE = 0x1100,
    CL_MEM_FLAGS = 0x1101,
    CL_MEM_SIZE = 0x1102,
    CL_MEM_HOST_PTR = 0x1103,
    CL_MEM_MAP_COUNT = 0x1104,
    CL_MEM_ASSOCIATED_MEMOBJECT = 0x1107,
    CL_IMAGE_BUFFER = 0x1118,
};

/* What they are: CL_MEM_OBJECT_BUFFER to CL_MEM_OBJECT_IMAGE1D_BUFFER. */
enum {
    BUFFER = 0x10F0,
    IMAGE2D = 0x10F1,
    IMAGE3D = 0x10F2,
    IMAGE2D_ARRAY = 0x10F3,
    IMAGE1D = 0x10F4,
    IMAGE1D_ARRAY = 0x10F5,
    IMAGE1D_BUFFER = 0x10F6,
};

/* What the program does with mapped memory: cl_map_flags. */
enum {
    CL_MAP_READ = 1 << 0,
    CL_MAP_WRITE = 1 << 1,
    CL_MAP_WRITE_INVALIDATE_REGION = 1 << 2,
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

/* What is known of an object and never changes. */
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
    struct object *first;       /* the object that it was made from, of which it is an owner, or NULL */
    answer *answers;
    ending *endings;            /* the last one that was registered first */
    struct object *next, *next_by_handle; /* in the table */
    _Atomic uint64_t waits_begun, waits_over; /* of a queue, for all that is in it: how many have begun, and the last of them that is over */
} object;

#define KIND_BIT(kind) (1ULL << OB_OPENCL_##kind)

/* ---- objects.c ---------------------------------------------------------------------------------------------------- */

/* The object at an address that the program gave, NULL if none of these kinds is there. */
object *object_at(const void *address, uint64_t kinds);
/* An object that the backend never made. */
void object_drop(void *address);
int object_on_end(void *address, uint64_t kinds, int invalid, void (*notify)(void *, void *), void *data);
/* Has an object belong to another one than the call that made it was given first. */
void object_belongs(object *o, object *first);
/* NULL if there is none. */
object *first_platform(void);
/* The context that an object belongs to, and the platform. */
object *context_of(object *o);
object *platform_of(object *o);
/* Whether what is enqueued goes on by itself, whatever the program does next: there is one queue, and was no event of the program's. */
bool commands_go_on(void);

/* ---- info.c ------------------------------------------------------------------------------------------------------- */

typedef int32_t (*question)(object *, int name, uint64_t size, void *value, uint64_t *size_ret);

/* Keeps an answer; an earlier one to the same question goes. */
bool object_remember(object *o, uint32_t name, const void *value, size_t size);
/* Memory that stays with an object, at first zeros; NULL without memory. */
void *object_keep(object *o, uint32_t name, size_t size);
/* A copy of an answer that is remembered, as much as there is room for; false if there is none. */
bool object_recall(object *o, uint32_t name, void *value, size_t room);
/* Hands an answer out, as all the clGet…Info do. */
int info_give(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret);
int info_give_object(object *given, size_t size, void *value, size_t *size_ret);
int info_give_owners(const object *o, size_t size, void *value, size_t *size_ret);
/* What is remembered; or the backend's answer, which is remembered if it `stays`. */
int object_info(object *o, int name, size_t size, void *value, size_t *size_ret, question ask, bool stays);
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

/* ---- function.c --------------------------------------------------------------------------------------------------- */

/* Whether a kernel has been made of a function, so that another one surely can be. */
bool function_known(object *program, const char *name);
/* A kernel of it has been made: gives it what is known. */
void function_begins(object *kernel, const char *name);
/* A kernel ends: keeps what it has learnt. */
void function_ends(object *kernel);
/* The program is built anew, or ends. */
void functions_forget(object *program);

/* ---- kernel.c ----------------------------------------------------------------------------------------------------- */

/* Whether an argument has surely not been set. */
bool kernel_lacks_arguments(cl_kernel kernel);

/* ---- landing.c ---------------------------------------------------------------------------------------------------- */

/* Rows of the program's memory. */
typedef struct box {
    unsigned char *to;
    uint64_t row, rows, slices;         /* bytes, and how many */
    uint64_t row_pitch, slice_pitch;    /* bytes from one to the next */
} box;

static inline box flat_box(void *to, uint64_t bytes) { return (box){to, bytes, 1, 1, bytes, bytes}; }
static inline uint64_t box_bytes(const box *b) { return b->row * b->rows * b->slices; }
/* Between boxes of one shape. */
void box_copy(const box *to, const box *from);
/* The same bytes without gaps; NULL without memory. The caller's to free, unless it is the box itself. */
const void *box_packed(const box *b);

/* A number for the next read. */
uint64_t landing_number(void);
/* Waits for a read and puts what it has read in its place. */
int landing_fetch(uint64_t number, const box *to);
/* As soon as the program learns that the read is over, its data are in their place. */
int landing_expect(uint64_t number, const box *to);
/* What is expected at that address is not wanted any more: whether there was something. */
bool landing_forget(const void *to);
/* Puts in its place what has been read by now: the program has just learnt of something that is over, by this result. Returns it,
 * or what is to be said where the backend was lost before all had come. */
int landings_arrive(int result);

/* ---- area.c ------------------------------------------------------------------------------------------------------- */

enum { AREA_LEAST = 128 << 10 };    /* bytes of a transfer; fewer go with the call */

/* Memory that the backend has too, once it has taken it with a call; NULL if that cannot be. */
void *pass_memory(uint64_t bytes, int (*take)(void *), void *with);

/* Whether the bytes of a transfer that waits pass through memory that the backend has too: the next one of these is the thread's then. */
bool area_takes(uint64_t bytes);
int area_read(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, void *to, int waits, const cl_event *list, cl_event *event);
int area_write(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, const void *from, int waits, const cl_event *list,
               cl_event *event);

/* ---- shared.c ----------------------------------------------------------------------------------------------------- */

/* Makes a buffer in memory that the backend has too, where its devices use such memory; false if it is to be made otherwise. */
bool shared_make(cl_context context, uint64_t flags, uint64_t size, const void *host, cl_mem *made);
/* The same for an image, without gaps; where it lies, NULL if it is to be made otherwise. */
unsigned char *shared_make_image(cl_context context, uint64_t flags, const cl_image_format *format, const cl_image_desc *shape, uint64_t size,
                                 cl_mem *made);
/* Where a part of such an object lies in this process, NULL if it is none or has no such part. */
unsigned char *shared_at(cl_mem memory, uint64_t offset, uint64_t size);
/* The other way. */
uint64_t shared_offset(cl_mem memory, const void *at);
/* Rows of a buffer as they lie in this process; false if it is not such a buffer, or they are not inside. A row_pitch of 0: no gaps. */
bool shared_box(box *b, cl_mem buffer, const uint64_t *at, const uint64_t *region, uint64_t row_pitch, uint64_t slice_pitch);
/* The same for an image. */
bool shared_image_box(box *b, cl_mem image, const uint64_t *at, const uint64_t *region);

/* A part of such an object. */
typedef struct part {
    cl_mem memory;
    box there;
    const uint64_t *origin, *region;    /* of an image, as the program has them; NULL for a buffer */
} part;

/* What the device does not copy: it is waited for. */
int shared_read(cl_command_queue queue, const part *from, const box *to, int waits, const cl_event *list);
int shared_write(cl_command_queue queue, const part *to, const box *from, int waits, const cl_event *list);

/* ---- transfer.c --------------------------------------------------------------------------------------------------- */

/* A box in memory, as the calls for rectangles describe it; a row_pitch of 0 means without gaps. False if it is none. */
bool rectangle(box *b, void *data, const uint64_t *at, const uint64_t *region, uint64_t row_pitch, uint64_t slice_pitch);
/* Rows of a box of an image in the program's memory; pitches of 0 mean without gaps. */
int image_box(box *b, cl_mem image, void *data, const uint64_t *region, uint64_t row_pitch, uint64_t slice_pitch);

/* A box of an image whose pixels lie at a place of this process with the image's own pitches. */
int image_part(box *b, cl_mem image, void *base, const uint64_t *at, const uint64_t *region);

/* `result` is that of the command's call; its event is as if it had not been where the read fails. */
int land(int result, uint64_t number, bool wait, const box *to, cl_event *event);

/* What a write that waits needs: an event, the program's or its own. */
typedef struct awaited {
    bool waits;
    cl_event own, *event;
} awaited;

/* Brings what is large to the backend, ahead of the call that names its number; 0 if it is to go with that call. */
uint64_t stage(const void *data, uint64_t bytes);

void begin_wait(awaited *w, int blocking, cl_event *event);
int after_write(int result, awaited *w);

/* ---- memory.c ----------------------------------------------------------------------------------------------------- */

/* Of which type it is; 0 for what is no memory object. */
uint32_t memory_type(cl_mem memory);
/* What the program said when the memory was made that it would do there: flags of HOST_ACCESS. */
uint64_t host_access(object *memory);
/* How long a buffer is; 0 for what is none. */
uint64_t buffer_bytes(cl_mem memory);

/* ---- map.c -------------------------------------------------------------------------------------------------------- */

/* Nothing is to be moved: the command takes its place among the others all the same. */
int order(cl_command_queue queue, bool blocking, int waits, const cl_event *wait_list, cl_event *event);
/* What the program is told that a command was. */
int command_type(cl_event event, uint32_t type);

/* ---- svm.c -------------------------------------------------------------------------------------------------------- */

/* Whether all of a range is shared virtual memory. */
bool svm_has(const void *address, uint64_t bytes);

/* ---- dispatch.c --------------------------------------------------------------------------------------------------- */

extern const void *const opencl_dispatch[];

#endif
