/* SPDX-License-Identifier: Apache-2.0
 *
 * Linking. Options advise the backend's compiler, or ask for logs: that of errors is written when
 * something fails. The image is fetched when it is complete.
 */
#include "module/module.h"

#include <pthread.h>
#include <stdlib.h>

/* Images live as long as their links. */
typedef struct image {
    struct image *next;
    CUlinkState link;
    uint8_t bytes[];
} image;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static image *images;

/* Where a program reads why a link fails; it keeps that memory until the link ends. */
typedef struct link_log {
    struct link_log *next;
    CUlinkState link;
    image_log log;
} link_log;

static link_log *logs;

static void keep_log(CUlinkState link, const image_log *log) {
    link_log *one = log->room > 0 && log->text != NULL ? malloc(sizeof *one) : NULL;
    if (one == NULL)
        return;
    *one = (link_log){.link = link, .log = *log};
    pthread_mutex_lock(&lock);
    one->next = logs;
    logs = one;
    pthread_mutex_unlock(&lock);
    image_log_begin(log, link);
}

static CUresult explained(CUlinkState link, CUresult result) {
    image_log log = {.room = 0};
    if (result == CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    for (const link_log *one = logs; one != NULL; one = one->next)
        if (one->link == link)
            log = one->log;
    pthread_mutex_unlock(&lock);
    image_log_fill(&log, link);
    return result;
}

static void forget_log(CUlinkState link) {
    pthread_mutex_lock(&lock);
    for (link_log **at = &logs; *at != NULL; at = &(*at)->next) {
        if ((*at)->link == link) {
            link_log *one = *at;
            *at = one->next;
            free(one);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void keep(image *one) {
    pthread_mutex_lock(&lock);
    one->next = images;
    images = one;
    pthread_mutex_unlock(&lock);
}

static void forget(CUlinkState link) {
    pthread_mutex_lock(&lock);
    for (image **at = &images; *at != NULL;) {
        image *one = *at;
        if (one->link == link) {
            *at = one->next;
            free(one);
        } else {
            at = &one->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

CUresult cuLinkCreate_v2(unsigned int count, int *options, void **values, CUlinkState *link) {
    CUlinkState made = NULL;
    image_log log;
    CUresult result = context_ready();
    if (result == CUDA_SUCCESS && link == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = image_options(count, options, values, &log);
    if (result == CUDA_SUCCESS)
        result = remote_outboardLinkCreate(&made, 0);
    if (result != CUDA_SUCCESS)
        return result;
    keep_log(made, &log);
    *link = made;
    return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned int count, int *options, void **values, CUlinkState *link) {
    return cuLinkCreate_v2(count, options, values, link);
}

typedef struct input {
    CUlinkState link;
    int type;
    const char *name;
} input;

static CUresult call_for_input(void *to, const uint8_t *digest, const void *data, uint64_t bytes) {
    const input *in = to;
    return digest != NULL
               ? remote_outboardLinkContent(in->link, in->type, digest, data, bytes, in->name, 0)
               : remote_outboardLinkAddData(in->link, in->type, data, bytes, in->name, 0);
}

/* CUjitInputType */
enum { CUBIN = 0, PTX = 1, OBJECT = 3, LIBRARY = 4, NVVM = 5, INPUT_TYPES = 6 };

static bool begins_with(const void *data, size_t bytes, const char *mark) {
    return bytes >= strlen(mark) && memcmp(data, mark, strlen(mark)) == 0;
}

/* Device code that was compiled is an ELF file, in an object of the host, or in an archive of such.
 * The driver reads it at once, and has no compiler for NVVM. */
static CUresult readable(int type, const void *data, size_t bytes) {
    bool compiled = begins_with(data, bytes, "\x7f" "ELF") ||
                    (type == LIBRARY && begins_with(data, bytes, "!<arch>\n"));
    switch (type) {
    case CUBIN: return compiled ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
    case OBJECT:
    case LIBRARY: return compiled ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
    case NVVM: return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
    default: return type >= 0 && type < INPUT_TYPES ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
    }
}

/* A text ends where it does, however long it is said to be. */
static size_t text_bytes(const char *text, size_t bytes) {
    size_t length = strnlen(text, bytes);
    return length < bytes ? length + 1 : bytes;
}

/* Nothing is left out: a linker may use what a device cannot. */
CUresult cuLinkAddData_v2(CUlinkState link, int type, void *data, size_t bytes, const char *name,
                          unsigned int count, int *options, void **values) {
    image_log unused;
    CUresult result = data == NULL || bytes == 0 ? CUDA_ERROR_INVALID_VALUE
                                                 : image_options(count, options, values, &unused);
    if (result == CUDA_SUCCESS)
        result = readable(type, data, bytes);
    if (result != CUDA_SUCCESS)
        return result;
    if (type == PTX)
        bytes = text_bytes(data, bytes);
    return explained(
        link, image_send_whole(call_for_input, &(input){link, type, name}, data, bytes));
}

CUresult cuLinkAddData(CUlinkState link, int type, void *data, size_t bytes, const char *name,
                       unsigned int count, int *options, void **values) {
    return cuLinkAddData_v2(link, type, data, bytes, name, count, options, values);
}

CUresult cuLinkAddFile_v2(CUlinkState link, int type, const char *path, unsigned int count,
                          int *options, void **values) {
    uint64_t bytes = 0;
    void *data = NULL;
    CUresult result = path == NULL ? CUDA_ERROR_INVALID_VALUE : image_read(path, &data, &bytes);
    if (result != CUDA_SUCCESS)
        return result;
    result = cuLinkAddData_v2(link, type, data, bytes, path, count, options, values);
    free(data);
    return result;
}

CUresult cuLinkAddFile(CUlinkState link, int type, const char *path, unsigned int count,
                       int *options, void **values) {
    return cuLinkAddFile_v2(link, type, path, count, options, values);
}

enum { IMAGE_LIMIT = 1 << 30 };

static CUresult fetch(CUlinkState link, uint64_t bytes, void **to) {
    image *one = bytes <= IMAGE_LIMIT ? malloc(sizeof *one + bytes) : NULL;
    if (one == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    one->link = link;
    CUresult result = remote_outboardLinkImage(link, one->bytes, 0, bytes, 0);
    if (result != CUDA_SUCCESS) {
        free(one);
        return result;
    }
    keep(one);
    *to = one->bytes;
    return CUDA_SUCCESS;
}

CUresult cuLinkComplete(CUlinkState link, void **to, size_t *size) {
    uint64_t bytes = 0;
    CUresult result = to == NULL ? CUDA_ERROR_INVALID_VALUE
                                 : remote_outboardLinkComplete(link, &bytes, 0);
    if (to != NULL)
        explained(link, result);
    if (result == CUDA_SUCCESS)
        result = fetch(link, bytes, to);
    if (result == CUDA_SUCCESS && size != NULL)
        *size = bytes;
    return result;
}

CUresult cuLinkDestroy(CUlinkState link) {
    CUresult result = remote_cuLinkDestroy(link, 0);
    if (result != CUDA_SUCCESS)
        return result;
    forget(link);
    forget_log(link);
    return CUDA_SUCCESS;
}
