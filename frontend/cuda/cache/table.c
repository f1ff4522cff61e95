/* SPDX-License-Identifier: Apache-2.0
 *
 * The table through which NVRTC 13 keeps what it compiles: PTX (kind 2) and machine code (kind 1),
 * each in an entry that it opens, asks, perhaps fills, and closes. The facts about the slots were
 * seen from outside, with an NVRTC of CUDA 13.0; they are noted at the slots. Any thread may call
 * them.
 */
#include "cache/cache.h"

#include "facts/facts.h"

#include <stdlib.h>

typedef struct entry {
    uint64_t handle;            /* 0: free */
    cache_image image;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry entries[COMPILE_CACHE_OPEN];
static void *given[COMPILE_CACHE_OPEN];
static uint64_t last_handle;

/* ---- entries, under the lock ----------------------------------------------------------------- */

static entry *find(uint64_t handle) {
    for (int i = 0; i < COMPILE_CACHE_OPEN; i++)
        if (entries[i].handle == handle)
            return &entries[i];
    return NULL;
}

static CUresult add(cache_image *image, uint64_t *handle) {
    entry *free_one = find(0);
    if (free_one == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *free_one = (entry){++last_handle, *image};
    *handle = last_handle;
    return CUDA_SUCCESS;
}

/* Takes the image out, so that the lock is not held while the disk is at work. */
static bool borrow(uint64_t handle, cache_image *image) {
    pthread_mutex_lock(&lock);
    entry *found = handle != 0 ? find(handle) : NULL;
    bool there = found != NULL && found->image.content != NULL;
    if (there) {
        *image = found->image;
        found->image = (cache_image){0};
    }
    pthread_mutex_unlock(&lock);
    return there;
}

/* An entry that was closed meanwhile wants it no more. */
static void give_back(uint64_t handle, cache_image *image) {
    pthread_mutex_lock(&lock);
    entry *found = find(handle);
    if (found != NULL)
        found->image = *image;
    pthread_mutex_unlock(&lock);
    if (found == NULL)
        cache_image_end(image);
}

/* ---- results that NVRTC reads until it gives them back --------------------------------------- */

static bool swap(void *from, void *to) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < COMPILE_CACHE_OPEN && !found; i++) {
        found = given[i] == from;
        if (found)
            given[i] = to;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static CUresult give(const cache_image *image, void **data, uint32_t *bytes) {
    uint64_t length;
    const uint8_t *from = cache_image_data(image, &length);
    if (from == NULL || length > UINT32_MAX)
        return CUDA_ERROR_NOT_FOUND;
    void *copy = malloc(length);
    if (copy == NULL || !swap(NULL, copy)) {
        free(copy);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(copy, from, length);
    *data = copy;
    *bytes = (uint32_t)length;
    return CUDA_SUCCESS;
}

/* ---- the slots ------------------------------------------------------------------------------- */

/* Where there is no cache, the answer is the driver's with CUDA_CACHE_DISABLE=1. */
static CUresult check_room(uint64_t bytes) {
    cache_folder folder;
    if (!cache_folder_open(&folder))
        return CUDA_ERROR_NOT_INITIALIZED;
    cache_folder_close(&folder);
    return bytes < folder.most ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

static CUresult begin(const cache_key *key, uint64_t *handle) {
    cache_image image;
    if (!cache_image_begin(&image, key))
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    CUresult result = add(&image, handle);
    pthread_mutex_unlock(&lock);
    if (result != CUDA_SUCCESS)
        cache_image_end(&image);
    return result;
}

/* Slot 1. The code is what the front end made of the source; the texts are the options, "HOST64",
 * and date and time of NVRTC's own build. One code serves several options and architectures. */
static CUresult open_entry(uint64_t *handle, uint32_t kind, const void *code, uint64_t bytes,
                           const char *options, const char *host, const char *build,
                           uint32_t architecture) {
    bool named = options != NULL && host != NULL && build != NULL;
    if (handle == NULL || code == NULL || bytes == 0 || !named)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check_room(bytes);
    if (result != CUDA_SUCCESS)
        return result;
    cache_key key = {code, bytes, {options, host, build}, kind, architecture};
    return begin(&key, handle);
}

/* Slot 2. */
static CUresult close_entry(uint64_t handle) {
    pthread_mutex_lock(&lock);
    entry *found = handle != 0 ? find(handle) : NULL;
    cache_image image = {0};
    if (found != NULL) {
        image = found->image;
        *found = (entry){0};
    }
    pthread_mutex_unlock(&lock);
    cache_image_end(&image);
    return found != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static void load(cache_image *image) {
    cache_folder folder;
    if (!cache_folder_open(&folder))
        return;
    (void)cache_files_load(&folder, image);
    cache_folder_close(&folder);
}

/* Slot 3: the index was always 0; a miss is CUDA_ERROR_NOT_FOUND. */
static CUresult ask(uint64_t handle, uint32_t index, void **data, uint32_t *bytes) {
    cache_image image;
    if (index != 0 || data == NULL || bytes == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!borrow(handle, &image))
        return CUDA_ERROR_INVALID_HANDLE;
    load(&image);
    CUresult result = give(&image, data, bytes);
    give_back(handle, &image);
    return result;
}

static CUresult store(cache_image *image, const void *data, uint64_t bytes) {
    cache_folder folder;
    if (!cache_image_put(image, data, bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!cache_folder_open(&folder))
        return CUDA_ERROR_NOT_INITIALIZED;
    bool kept = cache_files_keep(&folder, image);
    cache_folder_close(&folder);
    return kept ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

/* Slot 4. */
static CUresult keep(uint64_t handle, uint32_t index, const void *data, uint64_t bytes) {
    cache_image image;
    if (index != 0 || data == NULL || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!borrow(handle, &image))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = store(&image, data, bytes);
    give_back(handle, &image);
    return result;
}

/* Slot 5: nobody was seen to need it. */
static CUresult unknown(void) {
    static bool said;
    return ob_refuse(&ob_cuda, "slot 5 of NVRTC's compile cache", &said);
}

/* Slot 6: NVRTC has copied what slot 3 gave. */
static CUresult release(void *data) {
    if (data == NULL || !swap(data, NULL))
        return CUDA_ERROR_INVALID_VALUE;
    free(data);
    return CUDA_SUCCESS;
}

void *const compile_cache_table[COMPILE_CACHE_SLOTS] = {
    (void *)(uintptr_t)sizeof compile_cache_table,
    (void *)open_entry,
    (void *)close_entry,
    (void *)ask,
    (void *)keep,
    (void *)unknown,
    (void *)release,
};
