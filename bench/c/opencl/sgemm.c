/* SPDX-License-Identifier: Apache-2.0
 * How fast CLBlast multiplies matrices of 1024 by 1024, in GFLOPS (median): one number. Built
 * against any OpenCL; run directly and through Outboard.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "../check.h"
#include "../measure.h"

#include <clblast_c.h>

enum { SIDE = 1024, TIMES = 15, WARM = 3 };

static cl_mem matrix(cl_context context) {
    size_t bytes = sizeof(float) * SIDE * SIDE;
    float *values = malloc(bytes);
    int result;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        values[i] = (float)(i % 7);
    cl_mem made =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, values, &result);
    check(result, "clCreateBuffer");
    free(values);
    return made;
}

static int64_t nanoseconds(cl_command_queue queue, cl_mem a, cl_mem b, cl_mem c) {
    int64_t begin = clock_ns();
    check((int)CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, SIDE,
                            SIDE, SIDE, 1, a, 0, SIDE, b, 0, SIDE, 0, c, 0, SIDE, &queue, NULL),
          "CLBlastSgemm");
    check(clFinish(queue), "clFinish");
    return clock_ns() - begin;
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    int64_t took[TIMES];
    int result;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &result);
    check(result, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &result);
    check(result, "clCreateCommandQueue");
    cl_mem a = matrix(context), b = matrix(context), c = matrix(context);
    for (int i = -WARM; i < TIMES; i++)
        took[i < 0 ? 0 : i] = nanoseconds(queue, a, b, c);
    qsort(took, TIMES, sizeof *took, by_value);
    printf("%.1f\n", 2.0 * SIDE * SIDE * SIDE / (double)took[TIMES / 2]);
    return 0;
}
