/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs: their sources travel as one; the program's functions run when the call that they are
 * given to is done.
 */
#include "program/program.h"

#include <stdlib.h>

enum {
    CL_PROGRAM_REFERENCE_COUNT = 0x1160,
    CL_PROGRAM_CONTEXT = 0x1161,
    CL_PROGRAM_NUM_DEVICES = 0x1162,
    CL_PROGRAM_DEVICES = 0x1163,
    CL_PROGRAM_SOURCE = 0x1164,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
};

/* ---- making ---------------------------------------------------------------------------------- */

static size_t text_length(const char *text, const size_t *lengths, unsigned int i) {
    return lengths == NULL || lengths[i] == 0 ? strlen(text) : lengths[i];
}

static char *join(unsigned int count, const char *const *texts, const size_t *lengths,
                  size_t *bytes) {
    *bytes = 0;
    for (unsigned int i = 0; i < count; i++)
        *bytes += text_length(texts[i], lengths, i);
    char *whole = malloc(*bytes + 1), *to = whole;
    for (unsigned int i = 0; whole != NULL && i < count; i++) {
        size_t length = text_length(texts[i], lengths, i);
        memcpy(to, texts[i], length);
        to += length;
    }
    return whole;
}

static bool all_there(unsigned int count, const void *const *texts) {
    for (unsigned int i = 0; i < count; i++)
        if (texts[i] == NULL)
            return false;
    return true;
}

cl_program clCreateProgramWithSource(cl_context context, unsigned int count, const char **texts,
                                     const size_t *lengths, int *errcode_ret) {
    cl_program made = NULL;
    size_t bytes;
    int result = CL_INVALID_VALUE;
    if (count > 0 && texts != NULL && all_there(count, (const void *const *)texts)) {
        char *whole = join(count, texts, lengths, &bytes);
        result = whole == NULL ? CL_OUT_OF_HOST_MEMORY
                               : remote_clCreateProgramWithSource(context, whole, bytes, &made, 0);
        free(whole);
    }
    set_result(errcode_ret, result);
    return made;
}

static int with_binaries(cl_context context, unsigned int count, const cl_device_id *devices,
                         const size_t *lengths, const unsigned char *const *binaries, int *status,
                         cl_program *made) {
    uint64_t bytes = 0;
    if (count == 0 || devices == NULL || lengths == NULL || binaries == NULL ||
        !all_there(count, (const void *const *)binaries))
        return CL_INVALID_VALUE;
    for (unsigned int i = 0; i < count; i++)
        bytes += lengths[i];
    unsigned char *whole = malloc(bytes + 1), *to = whole;
    if (whole == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    for (unsigned int i = 0; i < count; i++) {
        memcpy(to, binaries[i], lengths[i]);
        to += lengths[i];
    }
    int result = remote_clCreateProgramWithBinary(context, (int)count, devices, lengths, whole,
                                                  bytes, status, made, 0);
    free(whole);
    return result;
}

cl_program clCreateProgramWithBinary(cl_context context, unsigned int count,
                                     const cl_device_id *devices, const size_t *lengths,
                                     const unsigned char **binaries, int *status,
                                     int *errcode_ret) {
    cl_program made = NULL;
    set_result(errcode_ret, with_binaries(context, count, devices, lengths,
                                          (const unsigned char *const *)binaries, status, &made));
    return made;
}

int clSetProgramReleaseCallback(cl_program program, void (*notify)(cl_program, void *),
                                void *data) {
    int result = notify == NULL ? CL_INVALID_VALUE : remote_clSetProgramReleaseCallback(program, 0);
    if (result != CL_SUCCESS)
        return result;
    return object_on_end(program, KIND_BIT(PROGRAM), CL_INVALID_PROGRAM,
                         (void (*)(void *, void *))notify, data);
}

/* ---- building -------------------------------------------------------------------------------- */

/* A new build may have other functions. */
static void begin_build(cl_program program) {
    object *o = object_at(program, KIND_BIT(PROGRAM));
    if (o != NULL)
        functions_forget(o);
}

int clBuildProgram(cl_program program, unsigned int count, const cl_device_id *devices,
                   const char *options, void (*notify)(cl_program, void *), void *data) {
    if (notify == NULL && data != NULL)
        return CL_INVALID_VALUE;
    begin_build(program);
    int result = remote_clBuildProgram(program, (int)count, devices, options, NULL, NULL, 0);
    if (notify != NULL)
        notify(program, data);
    return result;
}

static char *header_names(unsigned int count, const char *const *names, size_t *bytes) {
    *bytes = 0;
    for (unsigned int i = 0; i < count; i++)
        *bytes += strlen(names[i]) + 1;
    char *whole = malloc(*bytes + 1), *to = whole;
    for (unsigned int i = 0; whole != NULL && i < count; i++)
        to = stpcpy(to, names[i]) + 1;
    return whole;
}

int clCompileProgram(cl_program program, unsigned int count, const cl_device_id *devices,
                     const char *options, unsigned int headers, const cl_program *header_programs,
                     const char **names, void (*notify)(cl_program, void *), void *data) {
    bool listed = header_programs != NULL && names != NULL &&
                  all_there(headers, (const void *const *)names);
    size_t bytes;
    if ((notify == NULL && data != NULL) ||
        (headers == 0 ? header_programs != NULL || names != NULL : !listed))
        return CL_INVALID_VALUE;
    char *whole = header_names(headers, names, &bytes);
    if (whole == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    begin_build(program);
    int result = remote_clCompileProgram(program, (int)count, devices, options, (int)headers,
                                         header_programs, whole, bytes, 0);
    free(whole);
    if (notify != NULL)
        notify(program, data);
    return result;
}

cl_program clLinkProgram(cl_context context, unsigned int count, const cl_device_id *devices,
                         const char *options, unsigned int inputs, const cl_program *programs,
                         void (*notify)(cl_program, void *), void *data, int *errcode_ret) {
    cl_program made = NULL;
    int result = notify == NULL && data != NULL
                     ? CL_INVALID_VALUE
                     : remote_clLinkProgram(context, (int)count, devices, options, (int)inputs,
                                            programs, NULL, NULL, &made, 0);
    if (notify != NULL && made != NULL)
        notify(made, data);
    set_result(errcode_ret, result);
    return made;
}

int clUnloadCompiler(void) { return CL_SUCCESS; }

/* ---- questions ------------------------------------------------------------------------------- */

static int32_t ask(void *o, int name, uint64_t size, void *value, uint64_t *size_ret) {
    return remote_clGetProgramInfo((cl_program)(void *)o, name, size, value, size_ret, 0);
}

/* Those of the call that made it, or of its context; of parts of a device it may be the whole. */
static int32_t ask_devices(void *o, int name, uint64_t size, void *value, uint64_t *size_ret) {
    cl_program program = (cl_program)(void *)o;
    uint32_t count = 0;
    int result = clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL);
    (void)name;
    if (result == CL_SUCCESS && value != NULL && size < count * sizeof(cl_device_id))
        result = CL_INVALID_VALUE;
    if (result == CL_SUCCESS && value != NULL)
        result = remote_outboardProgramDevices(program, (int)count, value, 0);
    if (result == CL_SUCCESS && size_ret != NULL)
        *size_ret = count * sizeof(cl_device_id);
    return result;
}

/* The binaries' lengths as the program knows them; it has made room for so much, and no more. */
typedef struct lengths {
    answer *told;
    const uint64_t *of;
    uint64_t count, bytes;      /* how many, and their sum */
} lengths;

/* A program that has not asked for them has not made room either. */
static int lengths_of(object *o, lengths *to) {
    *to = (lengths){.told = answer_copy(o, CL_PROGRAM_BINARY_SIZES)};
    if (to->told == NULL) {
        int result = info_learn(o, CL_PROGRAM_BINARY_SIZES, ask);
        to->told = result == CL_SUCCESS ? answer_copy(o, CL_PROGRAM_BINARY_SIZES) : NULL;
        if (to->told == NULL)
            return result != CL_SUCCESS ? result : CL_OUT_OF_HOST_MEMORY;
    }
    to->of = (const uint64_t *)(const void *)to->told->value;
    to->count = to->told->size / sizeof *to->of;
    for (uint64_t i = 0; i < to->count; i++) {
        if (to->of[i] > OB_REPLY_MOST - to->bytes)
            return CL_OUT_OF_HOST_MEMORY;
        to->bytes += to->of[i];
    }
    return CL_SUCCESS;
}

static void hand_out(unsigned char *const *to, const unsigned char *from, const lengths *l) {
    for (uint64_t i = 0; i < l->count; i++) {
        if (to[i] != NULL)
            memcpy(to[i], from, l->of[i]);
        from += l->of[i];
    }
}

static int fetch_binaries(object *o, const lengths *l, void *value) {
    unsigned char *whole = malloc(l->bytes + 1);
    if (whole == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    int result = remote_outboardProgramBinaries((cl_program)(void *)o, (int)l->count, l->of, whole,
                                                l->bytes, 0);
    if (result == CL_SUCCESS)
        hand_out(value, whole, l);
    free(whole);
    return result;
}

/* The answer is where the program wants the binaries. */
static int binaries(object *o, size_t size, void *value, size_t *size_ret) {
    lengths l;
    int result = lengths_of(o, &l);
    if (result == CL_SUCCESS && value != NULL && size < l.count * sizeof(void *))
        result = CL_INVALID_VALUE;
    if (result == CL_SUCCESS && value != NULL)
        result = fetch_binaries(o, &l, value);
    if (result == CL_SUCCESS && size_ret != NULL)
        *size_ret = l.count * sizeof(void *);
    free(l.told);
    return result;
}

/* They change with each build, and so they are asked for each time; what the program was told last
 * is what it makes room for. */
static int binary_sizes(object *o, size_t size, void *value, size_t *size_ret) {
    int result = info_learn(o, CL_PROGRAM_BINARY_SIZES, ask);
    return result == CL_SUCCESS
               ? object_info(o, CL_PROGRAM_BINARY_SIZES, size, value, size_ret, ask, true)
               : result;
}

int clGetProgramInfo(cl_program program, int name, uint64_t size, void *value, uint64_t *size_ret) {
    object *o = object_at(program, KIND_BIT(PROGRAM));
    if (o == NULL)
        return CL_INVALID_PROGRAM;
    switch (name) {
    case CL_PROGRAM_CONTEXT: return info_give_object(context_of(o), size, value, size_ret);
    case CL_PROGRAM_REFERENCE_COUNT: return info_give_owners(o, size, value, size_ret);
    case CL_PROGRAM_DEVICES: return object_info(o, name, size, value, size_ret, ask_devices, true);
    case CL_PROGRAM_BINARY_SIZES: return binary_sizes(o, size, value, size_ret);
    case CL_PROGRAM_BINARIES: return binaries(o, size, value, size_ret);
    default:
        return object_info(o, name, size, value, size_ret, ask,
                           name == CL_PROGRAM_SOURCE || name == CL_PROGRAM_NUM_DEVICES);
    }
}
