/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory objects, and the ways of their bytes: transfers, mappings, memory that both sides have,
 * shared virtual memory.
 */
#ifndef OUTBOARD_OPENCL_MEMORY_H
#define OUTBOARD_OPENCL_MEMORY_H

#include "event/event.h"

/* The program's use of mapped memory: cl_map_flags. */
enum {
    CL_MAP_READ = 1 << 0,
    CL_MAP_WRITE = 1 << 1,
    CL_MAP_WRITE_INVALIDATE_REGION = 1 << 2,
};

/* ---- area.c ---------------------------------------------------------------------------------- */

enum { AREA_LEAST = 128 << 10 };    /* bytes of a transfer; fewer go with the call */

/* Memory that the backend has too, once it has taken it with a call; NULL if that cannot be. */
void *pass_memory(uint64_t bytes, int (*take)(void *), void *with);

/* Whether the bytes of a transfer that waits pass through memory that the backend has too: the next
 * one of these is the thread's then. */
bool area_takes(uint64_t bytes);
int area_read(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, void *to,
              int waits, const cl_event *list, cl_event *event);
int area_write(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size,
               const void *from, int waits, const cl_event *list, cl_event *event);

/* ---- shared.c -------------------------------------------------------------------------------- */

/* Makes a buffer in memory that the backend has too, where its devices use such memory; false if it
 * is to be made otherwise. */
bool shared_make(cl_context context, uint64_t flags, uint64_t size, const void *host, cl_mem *made);
/* The same for an image, without gaps; where it lies, NULL if it is to be made otherwise. */
unsigned char *shared_make_image(cl_context context, uint64_t flags, const cl_image_format *format,
                                 const cl_image_desc *shape, uint64_t size, cl_mem *made);
/* Where a part of such an object lies in this process, NULL if it is none or has no such part. */
unsigned char *shared_at(cl_mem memory, uint64_t offset, uint64_t size);
/* The other way. */
uint64_t shared_offset(cl_mem memory, const void *at);
/* Rows of a buffer as they lie in this process; false if it is not such a buffer, or they are not
 * inside. A row_pitch of 0: no gaps. */
bool shared_box(box *b, cl_mem buffer, const uint64_t *at, const uint64_t *region,
                uint64_t row_pitch, uint64_t slice_pitch);
/* The same for an image. */
bool shared_image_box(box *b, cl_mem image, const uint64_t *at, const uint64_t *region);

/* A part of such an object. */
typedef struct part {
    cl_mem memory;
    box there;
    /* of an image, as the program has them; NULL for a buffer */
    const uint64_t *origin, *region;
} part;

/* Copies without the device, and waits for them. */
int shared_read(cl_command_queue queue, const part *from, const box *to, int waits,
                const cl_event *list);
int shared_write(cl_command_queue queue, const part *to, const box *from, int waits,
                 const cl_event *list);

/* ---- transfer.c ------------------------------------------------------------------------------ */

/* A box in memory, as the calls for rectangles describe it; a row_pitch of 0 means without gaps.
 * False if it is none. */
bool rectangle(box *b, void *data, const uint64_t *at, const uint64_t *region, uint64_t row_pitch,
               uint64_t slice_pitch);
/* Rows of a box of an image in the program's memory; pitches of 0 mean without gaps. */
int image_box(box *b, cl_mem image, void *data, const uint64_t *region, uint64_t row_pitch,
              uint64_t slice_pitch);

/* A box of an image whose pixels lie at a place of this process with the image's own pitches. */
int image_part(box *b, cl_mem image, void *base, const uint64_t *at, const uint64_t *region);

/* `result` is that of the command's call; its event is as if it had not been where the read fails.
 */
int land(int result, uint64_t number, bool wait, const box *to, cl_event *event);

/* The event that a write waits for: the program's or its own. */
typedef struct awaited {
    bool waits;
    cl_event own, *event;
} awaited;

/* Brings what is large to the backend, ahead of the call that names its number; 0 if it is to go
 * with that call. */
uint64_t stage(const void *data, uint64_t bytes);

void begin_wait(awaited *w, int blocking, cl_event *event);
int after_write(int result, awaited *w);

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Of which type it is; 0 for what is no memory object. */
uint32_t memory_type(cl_mem memory);
/* The program's memory that an object is to use, or NULL. */
unsigned char *memory_place(object *memory);
/* The program's promise, when it made the memory, about its own access: flags of HOST_ACCESS. */
uint64_t host_access(object *memory);
/* How long a buffer is; 0 for what is none. */
uint64_t buffer_bytes(cl_mem memory);

/* ---- map.c ----------------------------------------------------------------------------------- */

/* Nothing is to be moved: the command takes its place among the others all the same. */
int order(cl_command_queue queue, bool blocking, int waits, const cl_event *wait_list,
          cl_event *event);
/* Sets the command type that the program sees. */
int command_type(cl_event event, uint32_t type);

/* ---- svm.c ----------------------------------------------------------------------------------- */

/* Whether all of a range is shared virtual memory. */
bool svm_has(const void *address, uint64_t bytes);

#endif
