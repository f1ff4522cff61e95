/* SPDX-License-Identifier: Apache-2.0
 * The arguments of a call: valid ones, but for one of a class.
 */
#include "questions.h"

enum { ROOM = 256 << 10, UNWRITTEN = 0x5a5a5a5a };

static _Alignas(4096) unsigned char blocks[PARAMETERS][ROOM];

static bool is(const char *text, const char *other) { return strcmp(text, other) == 0; }
static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Parts of names, as the specification and the prototypes that are written by hand have them. */
static bool ends(const char *text, const char *with) {
    size_t length = strlen(text), part = strlen(with);
    return length >= part && strcasecmp(text + length - part, with) == 0;
}

/* ---- valid ones ------------------------------------------------------------------------------ */

static const struct {
    const char *function, *parameter;
    word number;
} NUMBERS[] = {
    {"clGetPlatformInfo", "name", 0x0902},
    {"clGetDeviceInfo", "name", 0x102B},
    {"clGetContextInfo", "name", 0x1080},
    {"clGetCommandQueueInfo", "name", 0x1090},
    {"clGetMemObjectInfo", "name", 0x1100},
    {"clGetPipeInfo", "name", 0x1120},
    {"clGetImageInfo", "name", 0x1110},
    {"clGetSamplerInfo", "name", 0x1150},
    {"clGetProgramInfo", "name", 0x1160},
    {"clGetProgramBuildInfo", "name", 0x1181},
    {"clGetKernelInfo", "name", 0x1190},
    {"clGetKernelArgInfo", "name", 0x1196},
    {"clGetKernelWorkGroupInfo", "name", 0x11B0},
    {"clGetKernelSubGroupInfo", "name", 0x2033},
    {"clGetEventInfo", "name", 0x11D0},
    {"clGetEventProfilingInfo", "name", 0x1280},
    {"clSetKernelExecInfo", "name", 0x11B6},
    {"clGetSupportedImageFormats", "imageType", 0x10F1},
    {"clCreateSampler", "addressingMode", 0x1130},
    {"clCreateSampler", "filterMode", 0x1140},
    {"clCreateSubBuffer", "type", 0x1220},
    {"clSetEventCallback", "status", 0},
    {"clSetKernelArg", "index", 1},
    {"clSetKernelArg", "size", 4},
    {"clSetKernelArgSVMPointer", "index", 0},
    {"clEnqueueFillBuffer", "patternSize", 4},
    {"clEnqueueMap", "flags", 1},
    {"clEnqueueSVMMap", "flags", 1},
    {"", "flags", 0},
    {"", "deviceType", 0xffffffff},
    {"clCreateContextFromType", "type", 0xffffffff},
    {"", "headers", 0},
    {"", "waits", 0},
    {"", "count", 1},
    {"", "inputs", 1},
    {"", "numEntries", 1},
    {"", "numDevices", 1},
    {"", "numQueues", 1},
    {"", "numKernels", 1},
    {"", "blocking", 1},
    {"", "dimensions", 1},
    {"", "packetSize", 16},
    {"", "maxPackets", 16},
    {"", "width", 4},
    {"", "height", 4},
    {"", "depth", 2},
    {"", "size", 64},
};

static word valid_number(const char *function, const char *parameter) {
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        if (starts(function, NUMBERS[i].function) && is(parameter, NUMBERS[i].parameter))
            return NUMBERS[i].number;
    return 0;
}

/* Pointers that programs leave out, in most cases. */
static bool is_left_out(const char *function, const function_parameter *about) {
    static const char *const NAMES[] = {"hostPtr",   "host_ptr", "waitList",  "wait_list",
                                        "properties", "localSize", "globalOffset", "lengths",
                                        "header_programs", "names", "user_data", "free_function"};
    if (about->role == FUNCTION)
        return true;
    if (is(about->name, "data") && strstr(about->type, "void") != NULL &&
        strstr(function, "Enqueue") == NULL)
        return true;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (is(about->name, NAMES[i]))
            return true;
    return false;
}

/* Lists of three sizes: a place, or how much of each dimension. */
static void fill_sizes(const char *name, word *sizes) {
    bool much = ends(name, "region") || ends(name, "globalSize");
    sizes[0] = much ? 4 : 0;
    sizes[1] = sizes[2] = much ? 1 : 0;
}

static void fill(const function_of_library *function, const function_parameter *about,
                 unsigned char *block) {
    word first;
    memset(block, 0, 4096);
    if (object_list(about->type, function->name, &first))
        memcpy(block, &first, sizeof first);
    else if (about->role == INPUT && about->bytes == sizeof first)
        fill_sizes(about->name, (word *)block);
    else if (is(about->type, "const cl_image_format *"))
        memcpy(block, &(cl_image_format){0x10B5, 0x10DA}, sizeof(cl_image_format));
    else if (is(about->type, "const cl_image_desc *"))
        memcpy(block, &(cl_image_desc){.type = 0x10F1, .width = 4, .height = 4},
               sizeof(cl_image_desc));
    else if (is(about->type, "const cl_buffer_region *"))
        memcpy(block, &(cl_buffer_region){0, 1024}, sizeof(cl_buffer_region));
    else if (is(about->name, "errcode_ret"))
        memcpy(block, &(int){UNWRITTEN}, sizeof(int));
}

static word valid(const function_of_library *function, int index) {
    const function_parameter *about = &function->parameters[index];
    switch (about->role) {
    case HANDLE: return object_of(about->type, function->name, about->name);
    case NUMBER: return valid_number(function->name, about->name);
    case TEXT:
        return (word)(is(about->name, "options") ? ""
                      : is(function->name, "clCreateKernel") ? "add"
                                                             : "clGetHostTimer");
    default: break;
    }
    if (is_left_out(function->name, about))
        return 0;
    fill(function, about, blocks[index]);
    return (word)blocks[index];
}

void arguments_make(const function_of_library *function, word *arguments) {
    for (int i = 0; i < function->count; i++)
        arguments[i] = valid(function, i);
}

/* ---- of a class ------------------------------------------------------------------------------ */

/* How many elements a list has, which the program alone knows. */
static bool is_count(const char *name) {
    static const char *const NAMES[] = {"count", "waits", "inputs", "headers", "numQueues",
                                        "numDevices", "numEntries", "numKernels", "points"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (is(name, NAMES[i]))
            return true;
    return false;
}

/* Questions about all that an object knows. */
static bool is_name(const function_of_library *function, const char *name) {
    return is(name, "name") && starts(function->name, "clGet");
}

static const char *of_numbers(const function_of_library *function, const function_parameter *about,
                              int class, word *value) {
    static char text[32];
    enum { NAMES = 96 };
    static const struct {
        const char *name;
        word value;
    } CLASSES[] = {{"zero", 0}, {"one", 1}, {"three", 3}, {"beyond", 1 << 16}, {"most", ~(word)0}};
    int classes = is_count(about->name) ? 3 : 5;
    if (class < classes) {
        *value = CLASSES[class].value;
        return CLASSES[class].name;
    }
    if (!is_name(function, about->name) || class >= classes + NAMES)
        return NULL;
    *value = (valid_number(function->name, "name") & ~(word)0xf) + (word)(class - classes);
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)*value);
    return text;
}

const char *argument_of_class(const function_of_library *function, int parameter, int class,
                              word *value) {
    const function_parameter *about = &function->parameters[parameter];
    if (about->role == NUMBER)
        return of_numbers(function, about, class, value);
    if (class == 0) {
        *value = 0;
        return "null";
    }
    /* An object of another kind may end the program. */
    if (class > 1 || about->role == HANDLE)
        return NULL;
    if (about->role == TEXT) {
        *value = (word) "no such name";
        return "unknown";
    }
    if (about->role != INPUT)
        return NULL;
    memset(blocks[parameter], 0, 4096);
    *value = (word)blocks[parameter];
    return "zeros";
}

/* ---- what is put out ------------------------------------------------------------------------- */

static const int *place_of(const function_of_library *function, const word *arguments,
                           const char *name) {
    for (int i = 0; i < function->count; i++)
        if (is(function->parameters[i].name, name))
            return (const int *)arguments[i];
    return NULL;
}

int argument_result(const function_of_library *function, const word *arguments) {
    const int *result = place_of(function, arguments, "errcode_ret");
    return result == NULL ? 0 : *result;
}

long argument_size(const function_of_library *function, const word *arguments) {
    const int *size = place_of(function, arguments, "sizeRet");
    return size == NULL ? -1 : (long)*(const uint64_t *)size;
}
