/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of images to the backend. Parts that no device can use are left out (image_select.c).
 * Where it pays, an image goes by its content: its SHA-256 names it, and the host of the backend,
 * which may have it of an earlier client, is asked to load what it keeps under that name. Only
 * where it keeps nothing the bytes are sent, for it to keep.
 *
 * A no costs a round trip. After it only large images are asked for, whose bytes take longer than
 * that, until one is there. Small images are sent at once. Where memory is shared nothing is asked:
 * there a hash takes longer than the bytes do.
 */
#include "image/image.h"

#include <stdlib.h>

enum {
    LEAST = 64 << 10,       /* images that are asked for, where memory is not shared */
    LARGE = 4 << 20,        /* those that are asked for whatever the last answer was */
    DIGEST = 32,
};

/* ---- what is asked for ----------------------------------------------------------------------- */

static atomic_bool last_was_missing;
static atomic_bool keeps_nothing;

static uint64_t least_from_environment(void) {
    const char *asked = secure_getenv("OUTBOARD_IMAGES");
    char *end;
    if (asked == NULL || *asked == '\0')
        return ob_passes() ? UINT64_MAX : LEAST;
    unsigned long long bytes = strtoull(asked, &end, 10);
    return *end != '\0' || bytes == 0 ? UINT64_MAX : bytes;
}

static bool is_named(uint64_t bytes) {
    return !atomic_load(&keeps_nothing) && bytes >= least_from_environment();
}

static bool is_asked_for(uint64_t bytes) {
    return bytes >= LARGE || !atomic_load(&last_was_missing);
}

/* ---- one image ------------------------------------------------------------------------------- */

/* A backend that keeps no images lacks the call: that is known here, and costs no round trip. */
static CUresult send_named(image_call *call, void *to, const void *image, uint64_t bytes) {
    uint8_t digest[DIGEST];
    ob_sha256(image, bytes, digest);
    if (is_asked_for(bytes)) {
        CUresult result = call(to, digest, NULL, bytes);
        if (result == CUDA_ERROR_NOT_SUPPORTED) {
            atomic_store(&keeps_nothing, true);
            return call(to, NULL, image, bytes);
        }
        atomic_store(&last_was_missing, result == CUDA_ERROR_FILE_NOT_FOUND);
        if (result != CUDA_ERROR_FILE_NOT_FOUND)
            return result;
    }
    return call(to, digest, image, bytes);
}

CUresult image_send_whole(image_call *call, void *to, const void *image, uint64_t bytes) {
    return is_named(bytes) ? send_named(call, to, image, bytes) : call(to, NULL, image, bytes);
}

/* ---- for the devices ------------------------------------------------------------------------- */

/* With this variable the driver compiles PTX where there are binaries. */
static bool texts_are_forced(void) {
    const char *forced = getenv("CUDA_FORCE_PTX_JIT");
    return forced != NULL && *forced != '\0' && strcmp(forced, "0") != 0;
}

/* A container that a driver refuses may have held something for it all the same. */
bool image_is_refused(CUresult result) {
    static const int results[] = {CUDA_ERROR_INVALID_IMAGE, CUDA_ERROR_NO_BINARY_FOR_GPU,
                                  CUDA_ERROR_INVALID_PTX, CUDA_ERROR_UNSUPPORTED_PTX_VERSION};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (result == (CUresult)results[i])
            return true;
    return false;
}

static bool takes_binaries(const image_target targets[], int count) {
    for (int i = 0; i < count; i++)
        if (targets[i].takes == TAKES_BINARIES)
            return true;
    return false;
}

static CUresult send_for(const image_target targets[], int count, image_call *call, void *to,
                         const void *image, uint64_t bytes) {
    uint64_t fitted_bytes;
    void *fitted = texts_are_forced() ? NULL
                                      : image_fitted(image, bytes, targets, count, &fitted_bytes);
    if (fitted == NULL)
        return image_send_whole(call, to, image, bytes);
    CUresult result = image_send_whole(call, to, fitted, fitted_bytes);
    free(fitted);
    return image_is_refused(result) && takes_binaries(targets, count)
               ? image_send_whole(call, to, image, bytes)
               : result;
}

CUresult image_send_for(int ordinal, image_call *call, void *to, const void *image,
                        uint64_t bytes) {
    image_target target = device_target(ordinal);
    return send_for(&target, 1, call, to, image, bytes);
}

CUresult image_send_for_all(image_call *call, void *to, const void *image, uint64_t bytes) {
    image_target targets[DEVICE_LIMIT];
    int count = device_count();
    for (int i = 0; i < count; i++)
        targets[i] = device_target(i);
    return send_for(targets, count, call, to, image, bytes);
}
