/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory objects. The program's memory is read when an object is made of it; an object that is to
 * use it (CL_MEM_USE_HOST_PTR) has a copy, as the specification allows, and is mapped where that
 * memory is.
 */
#include "memory/memory.h"

enum {
    ACCESS = 1 << 0 | 1 << 1 | 1 << 2,
};

/* The flags for the backend; CL_INVALID_VALUE if the program's memory should be used and not be
 * used, CL_INVALID_HOST_PTR if there should be memory and is none, or the other way round. */
static int backend_flags(uint64_t flags, const void *host, uint64_t *to) {
    bool wants = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    if ((flags & CL_MEM_USE_HOST_PTR) != 0 &&
        (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0)
        return CL_INVALID_VALUE;
    if (wants != (host != NULL))
        return CL_INVALID_HOST_PTR;
    *to = flags;
    if ((flags & CL_MEM_USE_HOST_PTR) != 0)
        *to = (flags & ~(uint64_t)CL_MEM_USE_HOST_PTR) | CL_MEM_COPY_HOST_PTR;
    return CL_SUCCESS;
}

/* Remembered beside the answers that the specification has names for: the program's memory that an
 * object is to use. What a backend says of such is written to nowhere. */
#define PLACE 0xF0000006u

unsigned char *memory_place(object *memory) {
    unsigned char *host = NULL;
    object_recall(memory, PLACE, &host, sizeof host);
    return host;
}

static void remember_as(cl_mem made, uint64_t flags, const void *host) {
    object_remember((object *)made, PLACE, &host, sizeof host);
    object_remember((object *)made, CL_MEM_FLAGS, &flags, sizeof flags);
    object_remember((object *)made, CL_MEM_HOST_PTR, &host, sizeof host);
    /* The memory may begin before it in the backend, whose library then takes it for something
     * else. */
    uint32_t shared = host != NULL && svm_has(host, 1);
    object_remember((object *)made, CL_MEM_USES_SVM_POINTER, &shared, sizeof shared);
}

/* The program's later questions get the flags and the address as it gave them; mapping needs to
 * know what the program may do. */
static void remember_host(cl_mem made, uint64_t flags, const void *host) {
    if (made == NULL || (flags & (CL_MEM_USE_HOST_PTR | HOST_ACCESS)) == 0)
        return;
    remember_as(made, flags, (flags & CL_MEM_USE_HOST_PTR) != 0 ? host : NULL);
}

/* Without a place of the program's it has none here. */
static void remember_type(cl_mem made, uint32_t type) {
    const void *none = NULL;
    if (made == NULL)
        return;
    object_remember((object *)made, CL_MEM_TYPE, &type, sizeof type);
    if (!object_recall((object *)made, CL_MEM_HOST_PTR, &none, sizeof none))
        object_remember((object *)made, CL_MEM_HOST_PTR, &none, sizeof none);
}

static void remember_buffer(cl_mem made, uint64_t size) {
    remember_type(made, BUFFER);
    if (made != NULL)
        object_remember((object *)made, CL_MEM_SIZE, &size, sizeof size);
}

static int make_buffer(cl_context context, uint64_t flags, uint64_t size, const void *host,
                       cl_mem *made) {
    uint64_t there, number;
    int result = backend_flags(flags, host, &there);
    if (result != CL_SUCCESS)
        return result;
    if ((flags & CL_MEM_USE_HOST_PTR) != 0 && svm_has(host, 1))
        return svm_has(host, size) ? remote_outboardSvmBuffer(context, flags, size,
                                                              (uint64_t)(uintptr_t)host, made, 0)
                                   : CL_INVALID_BUFFER_SIZE;
    if (shared_make(context, flags, size, host, made))
        return CL_SUCCESS;
    number = host == NULL ? 0 : stage(host, size);
    return number != 0
               ? remote_outboardCreateStagedBuffer(context, NULL, 0, there, size, number, made, 0)
               : remote_clCreateBuffer(context, there, size, host, made, 0);
}

cl_mem clCreateBuffer(cl_context context, uint64_t flags, uint64_t size, const void *host,
                      int *errcode_ret) {
    cl_mem made = NULL;
    int result = make_buffer(context, flags, size, host, &made);
    remember_buffer(made, size);
    remember_host(made, flags, host);
    set_result(errcode_ret, result);
    return made;
}

cl_mem clCreateBufferWithProperties(cl_context context, const uint64_t *properties, uint64_t flags,
                                    uint64_t size, const void *host, int *errcode_ret) {
    cl_mem made = NULL;
    uint64_t there, number;
    int result = backend_flags(flags, host, &there), count = list_length(properties);
    if (result == CL_SUCCESS) {
        number = host == NULL ? 0 : stage(host, size);
        result = number != 0 ? remote_outboardCreateStagedBuffer(context, properties, count, there,
                                                                 size, number, &made, 0)
                             : remote_clCreateBufferWithProperties(context, properties, count,
                                                                   there, size, host, &made, 0);
    }
    remember_buffer(made, size);
    remember_host(made, flags, host);
    set_result(errcode_ret, result);
    return made;
}

/* Flags that are not given come from the buffer; OpenCL specification 3.0, section 5.2.1. */
static uint64_t inherited(uint64_t flags, cl_mem buffer) {
    uint64_t whole = 0, from = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof whole, &whole, NULL);
    if ((flags & ACCESS) == 0)
        from |= ACCESS;
    if ((flags & HOST_ACCESS) == 0)
        from |= HOST_ACCESS;
    return flags | (whole & from);
}

cl_mem clCreateSubBuffer(cl_mem buffer, uint64_t flags, int type, const cl_buffer_region *region,
                         int *errcode_ret) {
    cl_mem made = NULL;
    set_result(errcode_ret, remote_clCreateSubBuffer(buffer, flags, type, region, &made, 0));
    if (made == NULL)
        return NULL;
    uint64_t known = 0;
    unsigned char *host = memory_place((object *)buffer);
    remember_buffer(made, region->size);
    if (object_recall((object *)buffer, CL_MEM_FLAGS, &known, sizeof known) ||
        (flags & HOST_ACCESS) != 0)
        remember_as(made, inherited(flags, buffer), host == NULL ? NULL : host + region->origin);
    return made;
}

uint32_t memory_type(cl_mem memory) {
    uint32_t type = 0;
    clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, NULL);
    return type;
}

uint64_t host_access(object *memory) {
    uint64_t flags = 0;
    object_recall(memory, CL_MEM_FLAGS, &flags, sizeof flags);
    return flags & HOST_ACCESS;
}

uint64_t buffer_bytes(cl_mem memory) {
    uint64_t bytes = 0;
    if (memory_type(memory) == BUFFER)
        clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return bytes;
}

int clSetMemObjectDestructorCallback(cl_mem memory, void (*notify)(cl_mem, void *), void *data) {
    return object_on_end(memory, KIND_BIT(MEMORY), CL_INVALID_MEM_OBJECT,
                         (void (*)(void *, void *))notify, data);
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Channels of an order, CL_R to CL_ABGR; 0 for what is none. */
static uint64_t channels(int order) {
    static const uint8_t counts[] = {1, 1, 2, 2, 3, 4, 4, 4, 1, 1, 1, 2, 3, 1, 2, 3, 3, 4, 4, 4};
    return order >= 0x10B0 && order < 0x10B0 + (int)sizeof counts ? counts[order - 0x10B0] : 0;
}

/* Bytes of a pixel: those that put several channels in one word say how many themselves. */
static uint64_t pixel_bytes(const cl_image_format *format) {
    static const uint8_t bytes[] = {1, 2, 1, 2, 0, 0, 0, 1, 2, 4, 1, 2, 4, 2, 4};
    switch (format->channelType) {
    case 0x10D4: case 0x10D5: return 2;     /* UNORM_SHORT_565, _555 */
    case 0x10D6: case 0x10E0: return 4;     /* UNORM_INT_101010, _2 */
    case 0x10DF: return 4;                  /* UNORM_INT24 */
    default: break;
    }
    int type = format->channelType - 0x10D0;
    return type >= 0 && type < (int)sizeof bytes ? bytes[type] * channels(format->channelOrder) : 0;
}

static uint64_t or_one(uint64_t value) { return value == 0 ? 1 : value; }

/* The program's memory that an image is made of. */
static box host_box(const cl_image_format *format, const cl_image_desc *shape, const void *host) {
    uint64_t row = shape->width * pixel_bytes(format);
    uint64_t rows = shape->type == IMAGE1D || shape->type == IMAGE1D_BUFFER ||
                            shape->type == IMAGE1D_ARRAY
                        ? 1
                        : or_one(shape->height);
    uint64_t slices = shape->type == IMAGE3D ? or_one(shape->depth)
                      : shape->type == IMAGE2D_ARRAY || shape->type == IMAGE1D_ARRAY
                          ? or_one(shape->arraySize)
                          : 1;
    uint64_t row_pitch = shape->rowPitch != 0 ? shape->rowPitch : row;
    uint64_t slice_pitch = shape->slicePitch != 0 ? shape->slicePitch : row_pitch * rows;
    return (box){(void *)(uintptr_t)host, row, rows, slices, row_pitch, slice_pitch};
}

/* Its last row and slice have no gap behind them. */
static uint64_t host_bytes(const box *b) {
    return b->slice_pitch * (b->slices - 1) + b->row_pitch * (b->rows - 1) + b->row;
}

/* Whether the description is surely right as far as memory goes: the device reports the errors of
 * all others. */
static bool plain(const cl_image_desc *shape, const box *b, uint64_t pixel) {
    bool dense = b->row > 0 && b->row_pitch >= b->row && b->row_pitch % pixel == 0 &&
                 b->slice_pitch >= b->row_pitch * b->rows && b->slice_pitch % b->row_pitch == 0;
    return dense && shape->memory == NULL && shape->mipLevels == 0 && shape->samples == 0 &&
           shape->type != IMAGE1D_BUFFER &&
           (b->to != NULL || (shape->rowPitch == 0 && shape->slicePitch == 0));
}

static bool make_shared_image(cl_context context, uint64_t flags, const cl_image_format *format,
                              const cl_image_desc *shape, const box *from, cl_mem *made) {
    uint64_t pixel = pixel_bytes(format);
    if (pixel == 0 || !plain(shape, from, pixel))
        return false;
    cl_image_desc dense = *shape;
    dense.rowPitch = dense.slicePitch = 0;
    box to = host_box(format, &dense, NULL);
    to.to = shared_make_image(context, flags, format, &dense, box_bytes(&to), made);
    if (to.to != NULL && from->to != NULL)
        box_copy(&to, from);
    return to.to != NULL;
}

static int make_image(cl_context context, const uint64_t *properties, bool with_properties,
                      uint64_t flags, const cl_image_format *format, const cl_image_desc *shape,
                      const void *host, cl_mem *made) {
    uint64_t there;
    int result = backend_flags(flags, host, &there);
    if (format == NULL)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (shape == NULL)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (result != CL_SUCCESS)
        return result;
    cl_image_desc travels = *shape;
    uint64_t of = opencl_handle(shape->memory, KIND_BIT(MEMORY));
    if (of == UINT64_MAX)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    travels.memory = (cl_mem)(uintptr_t)of;
    box from = host_box(format, shape, host);
    if (!with_properties && make_shared_image(context, flags, format, shape, &from, made))
        return CL_SUCCESS;
    uint64_t bytes = host == NULL ? 0 : host_bytes(&from), number = stage(host, bytes);
    if (number != 0)
        return remote_outboardCreateStagedImage(context, properties, list_length(properties), there,
                                                format, &travels, bytes, number, made, 0);
    return with_properties
               ? remote_clCreateImageWithProperties(context, properties, list_length(properties),
                                                    there, format, &travels, host, bytes, made, 0)
               : remote_clCreateImage(context, there, format, &travels, host, bytes, made, 0);
}

static void remember_number(cl_mem made, uint32_t name, uint64_t number) {
    object_remember((object *)made, name, &number, sizeof number);
}

/* The program's memory has the places that the program says, whatever a backend does. */
static void remember_pixels(cl_mem made, uint64_t flags, const cl_image_format *format,
                            const cl_image_desc *shape, const void *host) {
    bool flat = shape->type != IMAGE3D && shape->type != IMAGE2D_ARRAY &&
                shape->type != IMAGE1D_ARRAY;
    if (pixel_bytes(format) != 0)
        remember_number(made, CL_IMAGE_ELEMENT_SIZE, pixel_bytes(format));
    if ((flags & CL_MEM_USE_HOST_PTR) == 0)
        return;
    box at = host_box(format, shape, host);
    remember_number(made, CL_IMAGE_ROW_PITCH, at.row_pitch);
    remember_number(made, CL_IMAGE_SLICE_PITCH, flat ? 0 : at.slice_pitch);
}

static cl_mem image(cl_context context, const uint64_t *properties, bool with_properties,
                    uint64_t flags, const cl_image_format *format, const cl_image_desc *shape,
                    const void *host, int *errcode_ret) {
    cl_mem made = NULL;
    set_result(errcode_ret,
               make_image(context, properties, with_properties, flags, format, shape, host, &made));
    remember_type(made, shape == NULL ? 0 : (uint32_t)shape->type);
    remember_host(made, flags, host);
    if (made != NULL)
        remember_pixels(made, flags, format, shape, host);
    if (made != NULL && shape->memory != NULL) {
        object_remember((object *)made, CL_MEM_ASSOCIATED_MEMOBJECT, &shape->memory,
                        sizeof shape->memory);
        object_remember((object *)made, CL_IMAGE_BUFFER, &shape->memory, sizeof shape->memory);
    }
    return made;
}

cl_mem clCreateImage(cl_context context, uint64_t flags, const cl_image_format *format,
                     const cl_image_desc *shape, const void *host, int *errcode_ret) {
    return image(context, NULL, false, flags, format, shape, host, errcode_ret);
}

cl_mem clCreateImageWithProperties(cl_context context, const uint64_t *properties, uint64_t flags,
                                   const cl_image_format *format, const cl_image_desc *shape,
                                   const void *host, int *errcode_ret) {
    return image(context, properties, true, flags, format, shape, host, errcode_ret);
}

cl_mem clCreateImage2D(cl_context context, uint64_t flags, const cl_image_format *format,
                       size_t width, size_t height, size_t row_pitch, void *host,
                       int *errcode_ret) {
    cl_image_desc shape = {
        .type = IMAGE2D, .width = width, .height = height, .rowPitch = row_pitch};
    return image(context, NULL, false, flags, format, &shape, host, errcode_ret);
}

cl_mem clCreateImage3D(cl_context context, uint64_t flags, const cl_image_format *format,
                       size_t width, size_t height, size_t depth, size_t row_pitch,
                       size_t slice_pitch, void *host, int *errcode_ret) {
    cl_image_desc shape = {.type = IMAGE3D,
                           .width = width,
                           .height = height,
                           .depth = depth,
                           .rowPitch = row_pitch,
                           .slicePitch = slice_pitch};
    return image(context, NULL, false, flags, format, &shape, host, errcode_ret);
}
