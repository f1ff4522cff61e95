/* SPDX-License-Identifier: Apache-2.0
 * Images: made, read, written, copied, filled, mapped, and sampled by a kernel. */
#include "device.h"

enum { WIDTH = 32, HEIGHT = 16, PIXEL = 4, ROW = WIDTH * PIXEL, BYTES = ROW * HEIGHT };

static const char source[] =
    "kernel void mirror(read_only image2d_t from, write_only image2d_t to, sampler_t nearest) {"
    "  int x = get_global_id(0), y = get_global_id(1), w = get_image_width(from);"
    "  write_imageui(to, (int2)(x, y), read_imageui(from, nearest, (int2)(w - 1 - x, y)));"
    "}";

static const cl_image_format rgba8 = {0x10B5, 0x10DA};
static const cl_image_desc shape = {.type = 0x10F1, .width = WIDTH, .height = HEIGHT};
static const uint64_t origin[3], whole[] = {WIDTH, HEIGHT, 1};
static unsigned char data[BYTES], back[BYTES], expected[BYTES];

static size_t differ(const char *what, size_t bytes) {
    if (memcmp(expected, back, bytes) == 0)
        return 0;
    fprintf(stderr, "%s differs\n", what);
    return 1;
}

static size_t moved(const device *gpu, cl_mem image, cl_mem other) {
    const uint64_t part[] = {4, 3, 1}, at[] = {5, 6, 0};
    const unsigned color[] = {1, 2, 3, 4};
    size_t wrong = 0, row, element;
    unsigned char *mapped;
    memcpy(expected, data, BYTES);
    CHECK(clEnqueueReadImage(gpu->queue, image, 1, origin, whole, 0, 0, back, 0, NULL, NULL));
    wrong += differ("what it was made of", BYTES);
    CHECK(clGetImageInfo(image, 0x1111, sizeof element, &element, NULL));
    wrong += element != PIXEL;
    CHECK(clEnqueueCopyImage(gpu->queue, image, other, origin, origin, whole, 0, NULL, NULL));
    CHECK(clEnqueueFillImage(gpu->queue, other, color, at, part, 0, NULL, NULL));
    for (uint64_t y = at[1]; y < at[1] + part[1]; y++)
        for (uint64_t x = at[0]; x < at[0] + part[0]; x++)
            memcpy(expected + y * ROW + x * PIXEL, (unsigned char[]){1, 2, 3, 4}, PIXEL);
    CHECK(clEnqueueReadImage(gpu->queue, other, 0, origin, whole, ROW, 0, back, 0, NULL, NULL));
    CHECK(clFinish(gpu->queue));
    wrong += differ("a copy with a part that was filled", BYTES);
    CHECK(clEnqueueWriteImage(gpu->queue, other, 1, at, part, ROW, 0, data, 0, NULL, NULL));
    for (uint64_t y = 0; y < part[1]; y++)
        memcpy(expected + (y + at[1]) * ROW + at[0] * PIXEL, data + y * ROW, part[0] * PIXEL);
    MAKE(mapped, clEnqueueMapImage(gpu->queue, other, 1, CL_MAP_READ | CL_MAP_WRITE, origin, whole,
                                   &row, NULL, 0, NULL, NULL, MADE));
    for (int y = 0; y < HEIGHT; y++)
        memcpy(back + y * ROW, mapped + (size_t)y * row, ROW);
    wrong += differ("what is mapped", BYTES);
    memset(mapped, 9, ROW);
    memset(expected, 9, ROW);
    CHECK(clEnqueueUnmapMemObject(gpu->queue, other, mapped, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(gpu->queue, other, 1, origin, whole, 0, 0, back, 0, NULL, NULL));
    return wrong + differ("what was written to a mapping", BYTES);
}

static size_t with_buffers(const device *gpu, cl_mem image) {
    cl_mem flat = buffer(gpu, BYTES);
    CHECK(clEnqueueCopyImageToBuffer(gpu->queue, image, flat, origin, whole, 0, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(gpu->queue, flat, 1, 0, BYTES, back, 0, NULL, NULL));
    CHECK(clReleaseMemObject(flat));
    memcpy(expected, data, BYTES);
    return differ("an image in a buffer", BYTES);
}

static size_t sampled(const device *gpu, cl_mem image, cl_mem other) {
    cl_program program = build(gpu, source, NULL);
    cl_kernel kernel;
    cl_sampler nearest;
    MAKE(kernel, clCreateKernel(program, "mirror", MADE));
    MAKE(nearest, clCreateSampler(gpu->context, 0, 0x1131, 0x1140, MADE));
    CHECK(clSetKernelArg(kernel, 0, sizeof image, &image));
    CHECK(clSetKernelArg(kernel, 1, sizeof other, &other));
    CHECK(clSetKernelArg(kernel, 2, sizeof nearest, &nearest));
    CHECK(clEnqueueNDRangeKernel(gpu->queue, kernel, 2, NULL, whole, NULL, 0, NULL, NULL));
    CHECK(clEnqueueReadImage(gpu->queue, other, 1, origin, whole, 0, 0, back, 0, NULL, NULL));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            memcpy(expected + y * ROW + x * PIXEL, data + y * ROW + (WIDTH - 1 - x) * PIXEL, PIXEL);
    CHECK(clReleaseSampler(nearest));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    return differ("a mirrored image", BYTES);
}

int main(void) {
    device gpu = open_device();
    int formats, images = 0;
    CHECK(clGetDeviceInfo(gpu.id, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    if (!images)
        return verdict("images", gpu.name, "the device has none", 0);
    for (int i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(i * 7 + i / 256);
    CHECK(clGetSupportedImageFormats(gpu.context, CL_MEM_READ_WRITE, 0x10F1, 0, NULL, &formats));
    cl_mem image, other;
    MAKE(image, clCreateImage(gpu.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &rgba8, &shape,
                              data, MADE));
    MAKE(other,
         clCreateImage2D(gpu.context, CL_MEM_READ_WRITE, &rgba8, WIDTH, HEIGHT, 0, NULL, MADE));
    size_t wrong = (formats < 1) + moved(&gpu, image, other) + with_buffers(&gpu, image) +
                   sampled(&gpu, image, other);
    CHECK(clReleaseMemObject(image));
    CHECK(clReleaseMemObject(other));
    close_device(&gpu);
    return verdict("images", gpu.name, "images moved and sampled", wrong);
}
