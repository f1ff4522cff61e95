/* SPDX-License-Identifier: Apache-2.0
 * Objects for calls. A call that ends an object, or changes what one is, is given one of its own.
 */
#include "questions.h"

enum { BYTES = 4096, ANY_DEVICE = 8, READ_WRITE = 1, BUFFER = 0x10F0, IMAGE = 0x10F1 };
enum { RGBA = 0x10B5, UNSIGNED_8 = 0x10DA, WIDTH = 16 };

static const char *const SOURCE = "kernel void add(global int *to, int what) { to[0] += what; }";

static struct {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer, other_buffer, image, other_image;
    cl_sampler sampler;
    cl_program program, compiled;
    cl_kernel kernel;
    cl_event event;
} made;

static bool is(const char *text, const char *other) { return strcmp(text, other) == 0; }
static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }

static cl_mem image(void) {
    cl_image_format format = {RGBA, UNSIGNED_8};
    cl_image_desc shape = {.type = IMAGE, .width = WIDTH, .height = WIDTH};
    return CALL(clCreateImage, made.context, READ_WRITE, &format, &shape, NULL, NULL);
}

static cl_mem buffer(void) {
    return CALL(clCreateBuffer, made.context, READ_WRITE, BYTES, NULL, NULL);
}

static cl_program program(void) {
    return CALL(clCreateProgramWithSource, made.context, 1, (const char **)&SOURCE, NULL, NULL);
}

static cl_program built(void) {
    cl_program one = program();
    CALL(clBuildProgram, one, 1, &made.device, "", NULL, NULL);
    return one;
}

static cl_program compiled(void) {
    cl_program one = program();
    CALL(clCompileProgram, one, 1, &made.device, "", 0, NULL, NULL, NULL, NULL);
    return one;
}

static cl_kernel kernel(void) {
    cl_kernel one = CALL(clCreateKernel, made.program, "add", NULL);
    CALL(clSetKernelArg, one, 0, sizeof made.buffer, &made.buffer);
    CALL(clSetKernelArg, one, 1, sizeof(int), &(int){1});
    return one;
}

static cl_event over(void) {
    cl_event one = NULL;
    CALL(clEnqueueMarkerWithWaitList, made.queue, 0, NULL, &one);
    CALL(clFinish, made.queue);
    return one;
}

static cl_command_queue queue(void) {
    return CALL(clCreateCommandQueue, made.context, made.device, 0, NULL);
}

bool objects_make(void) {
    if (CALL(clGetPlatformIDs, 1, &made.platform, NULL) != 0 ||
        CALL(clGetDeviceIDs, made.platform, ANY_DEVICE | 6, 1, &made.device, NULL) != 0)
        return false;
    made.context = CALL(clCreateContext, NULL, 1, &made.device, NULL, NULL, NULL);
    made.queue = queue();
    made.buffer = buffer();
    made.other_buffer = buffer();
    made.image = image();
    made.other_image = image();
    made.sampler = CALL(clCreateSampler, made.context, 0, 0x1130, 0x1140, NULL);
    made.program = built();
    made.compiled = compiled();
    made.kernel = kernel();
    made.event = over();
    return made.event != NULL && made.kernel != NULL && made.sampler != NULL && made.image != NULL;
}

/* ---- by type --------------------------------------------------------------------------------- */

static bool uses_up(const char *function) {
    return has(function, "Release") || has(function, "DestructorCallback");
}

static cl_mem memory_for(const char *function, const char *parameter) {
    bool shows = has(function, "Image") && !is(parameter, "buffer");
    if (has(function, "BufferToImage"))
        shows = is(parameter, "destination");
    if (has(function, "ImageToBuffer"))
        shows = is(parameter, "source");
    if (uses_up(function))
        return buffer();
    if (shows)
        return is(parameter, "destination") ? made.other_image : made.image;
    return is(parameter, "destination") ? made.other_buffer : made.buffer;
}

static cl_program program_for(const char *function) {
    if (has(function, "BuildProgram") || has(function, "CompileProgram") ||
        has(function, "Specialization") || uses_up(function))
        return program();
    return made.program;
}

static cl_event event_for(const char *function) {
    if (has(function, "SetUserEventStatus"))
        return CALL(clCreateUserEvent, made.context, NULL);
    return uses_up(function) ? over() : made.event;
}

static cl_context context_for(const char *function) {
    return uses_up(function) ? CALL(clCreateContext, NULL, 1, &made.device, NULL, NULL, NULL)
                             : made.context;
}

static cl_sampler sampler_for(const char *function) {
    return uses_up(function) ? CALL(clCreateSampler, made.context, 0, 0x1130, 0x1140, NULL)
                             : made.sampler;
}

word object_of(const char *type, const char *function, const char *parameter) {
    if (is(type, "cl_platform_id"))
        return (word)made.platform;
    if (is(type, "cl_device_id"))
        return (word)made.device;
    if (is(type, "cl_context"))
        return (word)context_for(function);
    if (is(type, "cl_command_queue"))
        return (word)(uses_up(function) ? queue() : made.queue);
    if (is(type, "cl_mem"))
        return (word)memory_for(function, parameter);
    if (is(type, "cl_sampler"))
        return (word)sampler_for(function);
    if (is(type, "cl_program"))
        return (word)program_for(function);
    if (is(type, "cl_kernel"))
        return (word)(has(function, "Release") || has(function, "SetKernel") ? kernel()
                                                                             : made.kernel);
    return is(type, "cl_event") ? (word)event_for(function) : 0;
}

bool object_list(const char *type, const char *function, word *first) {
    if (is(type, "const cl_device_id *"))
        *first = (word)made.device;
    else if (is(type, "const cl_event *") && is(function, "clWaitForEvents"))
        *first = (word)made.event;
    else if (is(type, "const cl_program *"))
        *first = (word)made.compiled;
    else if (is(type, "const cl_mem *"))
        *first = (word)made.buffer;
    else if (is(type, "const cl_command_queue *"))
        *first = (word)made.queue;
    else if (is(type, "const char **"))
        *first = (word)SOURCE;
    else
        return false;
    return true;
}

int object_innocent(void) { return CALL(clFinish, made.queue); }
