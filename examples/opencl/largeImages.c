/* SPDX-License-Identifier: Apache-2.0
 * Images of more than a megabyte, of each type with rows: made of memory with gaps, read, written
 * and mapped in parts, a part that is mapped while another one is mapped too; parts that are not
 * there, and buffers where an image should be, or the other way round. */
#include "device.h"

enum {
    IMAGE2D = 0x10F1,
    IMAGE3D = 0x10F2,
    IMAGE2D_ARRAY = 0x10F3,
    IMAGE1D_ARRAY = 0x10F5,
    GAP = 16,
    PIXEL = 4
};

/* An image and what its pixels are to be. */
typedef struct {
    const char *name;
    uint32_t type;
    uint64_t width, rows, slices;
    cl_mem image;
    uint32_t *pixels;
} picture;

typedef struct {
    uint64_t at[3], size[3];
} part;

static uint64_t pixels_of(const picture *p) { return p->width * p->rows * p->slices; }

static uint32_t *pixel_at(const picture *p, uint64_t x, uint64_t y, uint64_t z) {
    return &p->pixels[(z * p->rows + y) * p->width + x];
}

static part whole(const picture *p) { return (part){{0}, {p->width, p->rows, p->slices}}; }

static part inner(const picture *p) {
    return (part){{7, 5, p->slices - 1}, {p->width - 20, p->rows - 9, 1}};
}

static void *memory(uint64_t bytes) {
    void *made = calloc(1, bytes);
    if (made == NULL)
        exit(1);
    return made;
}

/* Made of rows with a gap behind each. */
static void make(const device *on, picture *p) {
    const cl_image_format rgba8 = {0x10B5, 0x10DA};
    uint64_t row = p->width + GAP, slice = p->type == IMAGE1D_ARRAY ? row : row * (p->rows + 1);
    cl_image_desc shape = {
        .type = p->type, .width = p->width, .height = p->rows, .rowPitch = row * PIXEL};
    if (p->type == IMAGE1D_ARRAY)
        shape.arraySize = p->rows;
    else
        shape.depth = shape.arraySize = p->slices;
    if (p->type != IMAGE2D)
        shape.slicePitch = slice * PIXEL;
    uint32_t *from = memory(row * (p->rows + 1) * p->slices * PIXEL);
    p->pixels = memory(pixels_of(p) * PIXEL);
    for (uint64_t z = 0; z < p->slices; z++)
        for (uint64_t y = 0; y < p->rows; y++)
            for (uint64_t x = 0; x < p->width; x++)
                from[z * slice + y * row + x] = *pixel_at(p, x, y, z) =
                    (uint32_t)(x + 1000 * y + 1000000 * z);
    MAKE(p->image, clCreateImage(on->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &rgba8,
                                 &shape, from, MADE));
    free(from);
}

static size_t differs(const picture *p, const char *what, size_t wrong) {
    if (wrong != 0)
        fprintf(stderr, "%s: %s: %zu are wrong\n", p->name, what, wrong);
    return wrong;
}

static size_t is_as_it_should_be(const device *on, const picture *p, int blocking,
                                 const char *what) {
    part all = whole(p);
    uint32_t *got = memory(pixels_of(p) * PIXEL);
    CHECK(clEnqueueReadImage(on->queue, p->image, (unsigned int)blocking, all.at, all.size, 0, 0,
                             got, 0, NULL, NULL));
    CHECK(clFinish(on->queue));
    size_t wrong = 0;
    for (uint64_t i = 0; i < pixels_of(p); i++)
        wrong += got[i] != p->pixels[i];
    free(got);
    return differs(p, what, wrong);
}

/* Of memory whose rows are as long as the image's. */
static size_t write_part(const device *on, const picture *p) {
    part to = inner(p);
    uint32_t *from = memory(p->width * to.size[1] * PIXEL);
    for (uint64_t y = 0; y < to.size[1]; y++)
        for (uint64_t x = 0; x < to.size[0]; x++)
            from[y * p->width + x] = *pixel_at(p, to.at[0] + x, to.at[1] + y, to.at[2]) =
                (uint32_t)~(x * y);
    CHECK(clEnqueueWriteImage(on->queue, p->image, 1, to.at, to.size, p->width * PIXEL, 0, from, 0,
                              NULL, NULL));
    free(from);
    return is_as_it_should_be(on, p, 1, "a part that was written");
}

static uint32_t *map(const device *on, const picture *p, const part *what, uint64_t flags,
                     uint64_t *row) {
    uint64_t slice = 1;
    uint32_t *made;
    MAKE(made, clEnqueueMapImage(on->queue, p->image, 1, flags, what->at, what->size, row, &slice,
                                 0, NULL, NULL, MADE));
    wrong_codes += p->type == IMAGE2D ? slice != 0 : slice == 0;
    *row /= PIXEL;
    if (p->type == IMAGE1D_ARRAY)
        *row = slice / PIXEL;
    return made;
}

static size_t map_part(const device *on, const picture *p) {
    part one = inner(p), other = {{0, 0, 0}, {p->width, 1, 1}};
    uint64_t row, unused;
    size_t wrong = 0;
    uint32_t *there = map(on, p, &one, CL_MAP_READ | CL_MAP_WRITE, &row),
             *beside = map(on, p, &other, CL_MAP_READ, &unused);
    for (uint64_t x = 0; x < p->width; x++)
        wrong += beside[x] != *pixel_at(p, x, 0, 0);
    for (uint64_t y = 0; y < one.size[1]; y++)
        for (uint64_t x = 0; x < one.size[0]; x++)
            wrong += there[y * row + x] != *pixel_at(p, one.at[0] + x, one.at[1] + y, one.at[2]);
    for (uint64_t y = 0; y < one.size[1]; y++)
        there[y * row + y % one.size[0]] = *pixel_at(p, one.at[0] + y % one.size[0], one.at[1] + y,
                                                     one.at[2]) = (uint32_t)(77 + y);
    CHECK(clEnqueueUnmapMemObject(on->queue, p->image, beside, 0, NULL, NULL));
    CHECK(clEnqueueUnmapMemObject(on->queue, p->image, there, 0, NULL, NULL));
    return differs(p, "a part that is mapped", wrong) +
           is_as_it_should_be(on, p, 0, "a part that was mapped");
}

static void fail(const device *on, const picture *p) {
    part outside = whole(p);
    uint64_t row, slice;
    cl_mem flat = buffer(on, pixels_of(p) * PIXEL);
    outside.at[0] = 1;
    EXPECT_NONE(-30, clEnqueueMapImage(on->queue, p->image, 1, CL_MAP_READ, outside.at,
                                       outside.size, &row, &slice, 0, NULL, NULL, MADE));
    EXPECT_NONE(-38, clEnqueueMapImage(on->queue, flat, 1, CL_MAP_READ, outside.at, outside.size,
                                       &row, &slice, 0, NULL, NULL, MADE));
    EXPECT_NONE(-38,
                clEnqueueMapBuffer(on->queue, p->image, 1, CL_MAP_READ, 0, 4, 0, NULL, NULL, MADE));
    CHECK(clReleaseMemObject(flat));
    outside.at[0] = p->width;
    outside.size[0] = 1;
    EXPECT_NONE(-30, clEnqueueMapImage(on->queue, p->image, 1, CL_MAP_READ, outside.at,
                                       outside.size, &row, &slice, 0, NULL, NULL, MADE));
}

static size_t run(const device *on, picture *p) {
    make(on, p);
    size_t wrong =
        is_as_it_should_be(on, p, 1, "what it was made of") + write_part(on, p) + map_part(on, p);
    fail(on, p);
    CHECK(clReleaseMemObject(p->image));
    free(p->pixels);
    return wrong;
}

int main(void) {
    picture pictures[] = {
        {.name = "two dimensions", .type = IMAGE2D, .width = 810, .rows = 500, .slices = 1},
        {.name = "three dimensions", .type = IMAGE3D, .width = 310, .rows = 250, .slices = 4},
        {.name = "an array of two", .type = IMAGE2D_ARRAY, .width = 310, .rows = 250, .slices = 5},
        {.name = "an array of one", .type = IMAGE1D_ARRAY, .width = 1010, .rows = 400, .slices = 1},
    };
    device on = open_device();
    int images = 0;
    size_t wrong = 0;
    CHECK(clGetDeviceInfo(on.id, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    for (size_t i = 0; images && i < sizeof pictures / sizeof *pictures; i++)
        wrong += run(&on, &pictures[i]);
    close_device(&on);
    return verdict("largeImages", on.name, "images in parts", wrong);
}
