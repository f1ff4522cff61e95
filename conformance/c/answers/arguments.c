/* SPDX-License-Identifier: Apache-2.0
 * The arguments of a case: valid ones, but for one of a class; and what the driver writes.
 */
#include "answers.h"

#include <unistd.h>

enum {
    PARAMETERS = 20,
    ROOM = 256 << 10,  /* behind each pointer: more than a driver writes for the counts of cases */
    CLEARED = 4 << 10, /* of it before each case */
    UNWRITTEN = 0xa5,
    LARGE_UNITS = 2 << 20
};

static _Alignas(4096) unsigned char blocks[PARAMETERS][ROOM];
static _Alignas(4096) unsigned char zeros[4096];

static bool is(const char *text, const char *other) { return strcmp(text, other) == 0; }
static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- valid ones ------------------------------------------------------------------------------ */

/* What is valid for a parameter of a name, most of all; of others 0 is. */
static const struct {
    const char *function, *parameter;
    word number;
} NUMBERS[] = {
    {"cuMemMap", "bytes", LARGE_UNITS},
    {"cuMemUnmap", "bytes", LARGE_UNITS},
    {"cuMemSetAccess", "bytes", LARGE_UNITS},
    {"cuMemAddress", "bytes", LARGE_UNITS},
    {"cuMemCreate", "bytes", LARGE_UNITS},
    {"cuMemHostRegister", "bytes", 4096},
    {"cuMemAdvise", "advice", 1},
    {"cuMemAllocManaged", "flags", 1},
    {"cuStreamAttach", "bytes", 0},
    {"cuStreamAttach", "flags", 4},
    {"cuMemRange", "bytes", 4096},
    {"cuMemRange", "size", 4},
    {"cuMemPrefetch", "bytes", 4096},
    {"cuLinkAdd", "type", 1},
    {"cuLinkAddData", "bytes", 900},
    {"cuMemGetDefaultMemPool", "type", 1},
    {"cuMemGetMemPool", "type", 1},
    {"cuMemSetMemPool", "type", 1},
    {"cuMemPoolSetAttribute", "attribute", 4},
    {"cuMemPoolExport", "type", 1},
    {"cuMemPoolImport", "type", 1},
    {"cuMemExport", "type", 1},
    {"cuMemImport", "type", 1},
    {"cuDeviceGetDevResource", "type", 1},
    {"cuCtxGetDevResource", "type", 1},
    {"cuGreenCtx", "type", 1},
    {"cuGreenCtxCreate", "flags", 1},
    {"cuGreenCtxStreamCreate", "flags", 1},
    {"cuDevSmResourceSplitByCount", "least", 8},
    {"cuStream", "value", 0},
    {"cuMemset", "value", 0},
    {"cuGraph", "count", 1},
    {"cuStreamBeginCaptureToGraph", "count", 1},
    {"cuStreamUpdate", "count", 1},
    {"cuStreamUpdate", "flags", 0},
    {"cuUserObject", "flags", 1},
    {"cuLibraryLoad", "count", 0},
    {"cuModuleLoadDataEx", "count", 0},
    {"cuLink", "count", 0},
    {"cuOccupancy", "sharedBytes", 0},
    {"cuTexRefSetFormat", "format", 0x20},
    {"cuFuncSetAttribute", "attribute", 8},
    {"cuKernelSetAttribute", "attribute", 8},
    {"cuFuncSetBlockShape", "x", 1},
    {"cuFuncSetBlockShape", "y", 1},
    {"cuFuncSetBlockShape", "z", 1},
    {"cuParamSetSize", "bytes", 12},
    {"cuParamSetv", "bytes", 4},
    {"cuTensorMapEncode", "type", 2},
    {"cuTensorMapEncode", "rank", 3},
    {"cuTensorMapEncode", "channels", 1},
    {"cuTensorMapEncode", "pixels", 1},
    {"", "attribute", 1},
    {"", "bytes", 64},
    {"", "size", 64},
    {"", "count", 1},
    {"", "width", 16},
    {"", "height", 2},
    {"", "pitch", 64},
    {"", "elementBytes", 4},
    {"", "length", 64},
    {"", "room", 64},
    {"", "gridX", 1},
    {"", "gridY", 1},
    {"", "gridZ", 1},
    {"", "blockX", 1},
    {"", "blockY", 1},
    {"", "blockZ", 1},
    {"", "blockSize", 32},
    {"", "blocks", 1},
    {"", "channels", 1},
    {"", "levels", 1},
    {"", "format", 0x20},
    {"", "version", 13000},
    {"", "value", 1},
    {"", "error", 1},
    {"", "attributeCount", 1},
};

static word valid_number(const char *function, const char *parameter) {
    if (is(parameter, "object"))
        return object_texture(function);
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        if (starts(function, NUMBERS[i].function) && is(parameter, NUMBERS[i].parameter))
            return NUMBERS[i].number;
    return 0;
}

static const struct {
    const char *function, *parameter, *text;
} TEXTS[] = {
    {"cuModuleGetGlobal", "name", "counter"},
    {"cuLibraryGetGlobal", "name", "counter"},
    {"cuLibraryGetManaged", "name", "managed"},
    {"cuModuleGetTexRef", "name", "texture"},
    {"cuModuleGetSurfRef", "name", "surface"},
    {"cuGetProcAddress", "symbol", "cuMemAlloc"},
    {"cuGraphDebugDotPrint", "path", "/dev/null"},
};

static const char *valid_text(const char *function, const char *parameter) {
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        if (starts(function, TEXTS[i].function) && is(parameter, TEXTS[i].parameter))
            return TEXTS[i].text;
    if (is(function, "cuDeviceGetByPCIBusId"))
        return object_bus();
    return is(parameter, "file") || is(parameter, "path") ? image_file : "add";
}

static void nothing(void *data) { (void)data; }
static size_t no_shared_bytes(int size) {
    (void)size;
    return 0;
}

static word valid_function(const char *parameter) {
    return is(parameter, "sharedBytesOf") ? (word)(uintptr_t)no_shared_bytes
                                          : (word)(uintptr_t)nothing;
}

/* Pointers that a program may leave out, and does in most cases. */
static bool is_left_out(const char *function, const char *parameter) {
    static const struct {
        const char *function, *parameter;
    } LEFT_OUT[] = {{"cuLaunch", "extra"},        {"cuTexObject", "view"},
                    {"cuCtxCreate", "affinities"}, {"cuCtxCreate", "parameters"},
                    {"cuStreamUpdate", "edges"},   {"cuStreamBegin", "edges"},
                    {"cuGraphAdd", "edges"},       {"cuGraphRemove", "edges"}};
    for (size_t i = 0; i < sizeof LEFT_OUT / sizeof *LEFT_OUT; i++)
        if (starts(function, LEFT_OUT[i].function) && is(parameter, LEFT_OUT[i].parameter))
            return true;
    return false;
}

/* "const CUgraphNode *" leads to one of them. */
static bool put_handle(const function_parameter *about, const char *function, void *block) {
    static const char *const TYPES[] = {"const CUgraphNode *", "CUgraphNode *"};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (is(about->type, TYPES[i])) {
            word node = object_of("CUgraphNode", function, about->name);
            memcpy(block, &node, sizeof node);
            return true;
        }
    return false;
}

static word valid_pointer(const function_parameter *about, const char *function, void *block) {
    memset(block, about->role == OUTPUT ? UNWRITTEN : 0, CLEARED);
    if (is_left_out(function, about->name))
        return 0;
    if (about->role == OUTPUT && !starts(about->type, "void"))
        return (word)(uintptr_t)block;
    if (put_handle(about, function, block))
        return (word)(uintptr_t)block;
    if (is(about->name, "count") && about->role == POINTER)
        memcpy(block, &(word){8}, sizeof(word));
    return (word)(uintptr_t)object_host(about->type, function, about->name, block);
}

static word valid(const function_of_library *function, int parameter) {
    const function_parameter *about = &function->parameters[parameter];
    void *block = blocks[parameter];
    switch (about->role) {
    case HANDLE: return object_of(about->type, function->name, about->name);
    case ADDRESS: return object_address(function->name, about->name);
    case NUMBER: return valid_number(function->name, about->name);
    case FLOAT: return 0;
    case TEXT: return (word)(uintptr_t)valid_text(function->name, about->name);
    case FUNCTION: return valid_function(about->name);
    case STRUCTURE:
        memset(block, 0, CLEARED);
        object_host(about->type, function->name, about->name, block);
        return (word)(uintptr_t)block;
    default: return valid_pointer(about, function->name, block);
    }
}

/* ---- those of a class ------------------------------------------------------------------------ */

static word filled(int parameter, int with) {
    memset(blocks[parameter], with, CLEARED);
    return (word)(uintptr_t)blocks[parameter];
}

static word number_of_class(const function_parameter *about, enum class class, word valid) {
    static const word STREAM_LEGACY = 1, STREAM_OF_THREAD = 2;
    switch (class) {
    case STRAY: return about->role == ADDRESS ? 0x10 : 0x1234567890;
    case LEGACY: return STREAM_LEGACY;
    case THREADS_OWN: return STREAM_OF_THREAD;
    case IS_ODD: return about->role == NUMBER && about->bytes < 8 ? 3 : valid + 1;
    case BEYOND: return about->role == ADDRESS ? valid + BLOCK
                 : about->bytes < 8            ? 0x10000
                                               : (word)1 << 20;
    case HUGE_VALUE: return (word)1 << 60;
    case MOST: return about->bytes < 8 ? ((word)1 << about->bytes * 8) - 1 : ~(word)0;
    default: return 0;
    }
}

static word other_kind(const char *type) {
    return object_of(is(type, "CUevent") ? "CUstream" : "CUevent", "", "");
}

static word of_class(const test_case *one, word valid) {
    const function_parameter *about = &FUNCTIONS[one->function].parameters[one->parameter];
    switch (one->class) {
    case ZEROS: return about->role == HANDLE ? (word)(uintptr_t)zeros : filled(one->parameter, 0);
    case ONES: return filled(one->parameter, 0xff);
    case OTHER_KIND: return other_kind(about->type);
    case ENDED: return about->role == HANDLE ? object_ended(about->type) : object_freed();
    case HOST: return (word)(uintptr_t)object_pageable();
    case MANAGED: return object_managed();
    case PAGE_LOCKED: return (word)(uintptr_t)object_page_locked();
    case EMPTY: return (word)(uintptr_t)"";
    case UNKNOWN: return (word)(uintptr_t)UNKNOWN_NAME;
    case NUMBERED: return one->number;
    default: return number_of_class(about, one->class, valid);
    }
}

void arguments_make(const test_case *one, word *arguments) {
    unlink(UNKNOWN_NAME); /* an earlier case may have made it */
    const function_of_library *function = &FUNCTIONS[one->function];
    for (int i = 0; i < function->count; i++)
        arguments[i] = valid(function, i);
    if (one->parameter >= 0)
        arguments[one->parameter] = of_class(one, arguments[one->parameter]);
    if (one->state == BESIDE_CAPTURE || one->state == OTHER_THREADS_CAPTURE)
        for (int i = 0; i < function->count; i++)
            if (is(function->parameters[i].type, "CUstream"))
                arguments[i] = (word)(uintptr_t)object_other_stream();
}

/* ---- what was written ------------------------------------------------------------------------ */

static bool is_written(const unsigned char *block, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (block[i] != UNWRITTEN)
            return true;
    return false;
}

/* A number as it is; where it lies says whether it can be an address. */
static void write_number(word number, size_t bytes, bool pointer, char *text, size_t room) {
    if (bytes == 4 && !pointer)
        snprintf(text, room, "%d", (int)number);
    else if (pointer)
        snprintf(text, room, "%s", number == 0 ? "null" : "ptr");
    else if (number >> 32 != 0 && number >> 32 < 0xffff)
        snprintf(text, room, "ptr");
    else
        snprintf(text, room, "%llu", (unsigned long long)number);
}

static bool is_pointer(const char *type) {
    static const char *const WORDS[] = {"int *",      "unsigned int *",       "uint64_t *",
                                        "size_t *",   "unsigned long long *", "void *",
                                        "unsigned char *"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (is(type, WORDS[i]))
            return false;
    return true;
}

static void write_output(const function_parameter *about, const unsigned char *block, char *text,
                         size_t room) {
    word number = 0;
    if (is(about->type, "float *")) {
        snprintf(text, room, "float");
    } else if (is(about->type, "char *")) {
        snprintf(text, room, "text");
    } else if (about->bytes == 1 && is_written(block + 8, 8)) {
        snprintf(text, room, "bytes");
    } else if (about->bytes > 8) {
        snprintf(text, room, "structure");
    } else {
        size_t bytes = about->bytes == 1 ? is_written(block + 4, 4) ? 8 : 4 : about->bytes;
        memcpy(&number, block, bytes);
        write_number(number, bytes, is_pointer(about->type), text, room);
    }
}

void arguments_written(const test_case *one, const word *arguments, char *text, size_t room) {
    const function_of_library *function = &FUNCTIONS[one->function];
    *text = '\0';
    for (int i = 0; i < function->count; i++) {
        const function_parameter *about = &function->parameters[i];
        if (about->role != OUTPUT || arguments[i] != (word)(uintptr_t)blocks[i] ||
            !is_written(blocks[i], about->bytes == 1 ? 4 : about->bytes))
            continue;
        char value[32];
        write_output(about, blocks[i], value, sizeof value);
        size_t used = strlen(text);
        snprintf(text + used, room - used, " %s:%s", about->name, value);
    }
}
