/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading modules and libraries, from memory and from files.
 */
#include "image/image.h"

#include <stdio.h>
#include <stdlib.h>

/* CUjit_option: those that are answered; the others advise the compiler, which the backend has. */
enum {
    JIT_WALL_TIME = 2,
    JIT_INFO_LOG = 3,
    JIT_INFO_LOG_BYTES = 4,
    JIT_ERROR_LOG = 5,
    JIT_ERROR_LOG_BYTES = 6,
    JIT_OPTIONS = 35
};

/* The log of what went well stays empty. */
static CUresult answer_option(int option, void **value) {
    float no_time = 0;
    if (option < 0 || option >= JIT_OPTIONS)
        return CUDA_ERROR_INVALID_VALUE;
    if (option == JIT_INFO_LOG_BYTES || option == JIT_ERROR_LOG_BYTES)
        *value = NULL;
    else if (option == JIT_WALL_TIME)
        memcpy(value, &no_time, sizeof no_time);
    return CUDA_SUCCESS;
}

static uint64_t log_room(int log_bytes, unsigned int count, const int *options, void **values) {
    for (unsigned int i = 0; i < count; i++)
        if (options[i] == log_bytes)
            return (uint64_t)(uintptr_t)values[i];
    return 0;
}

static image_log empty_log(int log, int log_bytes, unsigned int count, const int *options,
                           void **values) {
    image_log found = {.room = log_room(log_bytes, count, options, values)};
    for (unsigned int i = 0; i < count; i++) {
        if (options[i] == log)
            found.text = values[i];
        if (options[i] == log_bytes)
            found.bytes = &values[i];
    }
    if (found.text != NULL && found.room > 0)
        *found.text = '\0';
    return found;
}

CUresult image_options(unsigned int count, const int *options, void **values, image_log *log) {
    CUresult result = CUDA_SUCCESS;
    *log = (image_log){.room = 0};
    /* No list that is longer than there are options is read. */
    if (count > JIT_OPTIONS || (count > 0 && (options == NULL || values == NULL)))
        return CUDA_ERROR_INVALID_VALUE;
    empty_log(JIT_INFO_LOG, JIT_INFO_LOG_BYTES, count, options, values);
    *log = empty_log(JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES, count, options, values);
    for (unsigned int i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = answer_option(options[i], &values[i]);
    return result;
}

/* ---- from memory ----------------------------------------------------------------------------- */

static CUresult call_for_module(void *to, const uint8_t *digest, const void *image,
                                uint64_t bytes) {
    CUmodule *module = to;
    return digest != NULL ? remote_outboardModuleContent(module, digest, image, bytes, 0)
                          : remote_cuModuleLoadData(module, image, bytes, 0);
}

static CUresult load_module(CUmodule *module, const void *bytes, uint64_t length) {
    CUmodule loaded = NULL;
    CUresult result =
        image_send_for(context_device(context_current()), call_for_module, &loaded, bytes, length);
    if (result == CUDA_SUCCESS)
        *module = loaded;
    return result;
}

static CUresult call_for_library(void *to, const uint8_t *digest, const void *image,
                                 uint64_t bytes) {
    CUlibrary *library = to;
    return digest != NULL ? remote_outboardLibraryContent(library, digest, image, bytes, 0)
                          : remote_cuLibraryLoadData(library, image, bytes, 0);
}

static CUresult load_library(CUlibrary *library, const void *bytes, uint64_t length) {
    CUlibrary loaded = NULL;
    CUresult result = image_send_for_all(call_for_library, &loaded, bytes, length);
    if (result == CUDA_SUCCESS)
        *library = loaded;
    return result;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    const void *begin;
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (module == NULL || image == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t length = image_length(image, &begin);
    return length != 0 ? load_module(module, begin, length) : CUDA_ERROR_INVALID_IMAGE;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, int *options,
                            void **values) {
    image_log log;
    CUresult result = image_options(count, options, values, &log);
    if (result != CUDA_SUCCESS)
        return result;
    result = cuModuleLoadData(module, image);
    image_explain(&log, result, image);
    return result;
}

/* A library's own options say how long the program keeps the image; it has been sent when this
 * returns. Their values may be NULL, as cuBLAS passes them. */
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jit_options,
                           void **jit_values, unsigned int jit_count, int *options, void **values,
                           unsigned int count) {
    const void *begin;
    image_log log;
    (void)values;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS &&
        (library == NULL || code == NULL || (count > 0 && options == NULL)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = image_options(jit_count, jit_options, jit_values, &log);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t length = image_length(code, &begin);
    if (length == 0)
        return CUDA_ERROR_INVALID_IMAGE;
    result = load_library(library, begin, length);
    image_explain(&log, result, code);
    return result;
}

/* ---- from files ------------------------------------------------------------------------------ */

static void *read_open(FILE *file, uint64_t *bytes) {
    if (fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long size = ftell(file);
    rewind(file);
    char *content = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (content == NULL || fread(content, 1, (size_t)size, file) != (size_t)size) {
        free(content);
        return NULL;
    }
    content[size] = '\0'; /* ends PTX text */
    *bytes = (uint64_t)size + 1;
    return content;
}

CUresult image_read(const char *name, void **content, uint64_t *bytes) {
    FILE *file = name != NULL ? fopen(name, "rbe") : NULL;
    if (name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (file == NULL)
        return CUDA_ERROR_FILE_NOT_FOUND;
    *content = read_open(file, bytes);
    fclose(file);
    return *content != NULL ? CUDA_SUCCESS : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuModuleLoad(CUmodule *module, const char *name) {
    void *content;
    uint64_t bytes;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && module == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = image_read(name, &content, &bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = load_module(module, content, bytes);
    free(content);
    return result;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *name, int *jit_options,
                               void **jit_values, unsigned int jit_count, int *options,
                               void **values, unsigned int count) {
    void *content;
    uint64_t bytes;
    image_log log;
    (void)values;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS && (library == NULL || (count > 0 && options == NULL)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = image_options(jit_count, jit_options, jit_values, &log);
    if (result == CUDA_SUCCESS)
        result = image_read(name, &content, &bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = load_library(library, content, bytes);
    image_explain(&log, result, content);
    free(content);
    return result;
}

/* Loaded when they are first used, unless the program's environment says otherwise. */
CUresult cuModuleGetLoadingMode(int *mode) {
    enum { EAGER = 1, LAZY = 2 };
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (mode == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    const char *asked = getenv("CUDA_MODULE_LOADING");
    *mode = asked != NULL && strcmp(asked, "EAGER") == 0 ? EAGER : LAZY;
    return CUDA_SUCCESS;
}
