/* SPDX-License-Identifier: Apache-2.0
 * Text that kernels print is in the program's standard output once it has waited for them. */
#include "device.h"

#include <unistd.h>

static const char source[] = "kernel void say(int value) { printf(\"a kernel says %d\\n"
                             "\", value); }";

/* Has what follows written to a file in place of the standard output, which is returned. */
static int redirect(FILE *file) {
    fflush(stdout);
    int before = dup(1);
    dup2(fileno(file), 1);
    return before;
}

static void restore(int before) {
    fflush(stdout);
    dup2(before, 1);
    close(before);
}

static void say(const device *gpu, cl_kernel kernel, int value, cl_event *event) {
    CHECK(clSetKernelArg(kernel, 0, sizeof value, &value));
    start(gpu, kernel, 1, event);
}

static size_t differs(FILE *file, const char *expected) {
    char text[256] = "";
    rewind(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    text[bytes] = 0;
    if (strcmp(text, expected) == 0)
        return 0;
    fprintf(stderr, "printed was \"%s\"\n", text);
    return 1;
}

static size_t printed(const device *gpu) {
    cl_program program = build(gpu, source, NULL);
    cl_kernel kernel;
    cl_event event;
    FILE *file = tmpfile();
    MAKE(kernel, clCreateKernel(program, "say", MADE));
    int before = redirect(file);
    say(gpu, kernel, 1, NULL);
    CHECK(clFinish(gpu->queue));
    printf("so does the program\n");
    fflush(stdout);
    say(gpu, kernel, 2, &event);
    CHECK(clWaitForEvents(1, &event));
    restore(before);
    CHECK(clReleaseEvent(event));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    size_t wrong = differs(file, "a kernel says 1\nso does the program\na kernel says 2\n");
    fclose(file);
    return wrong;
}

int main(void) {
    device gpu = open_device();
    size_t wrong = printed(&gpu);
    close_device(&gpu);
    return verdict("prints", gpu.name, "what kernels print", wrong);
}
