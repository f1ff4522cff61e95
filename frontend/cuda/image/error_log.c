/* SPDX-License-Identifier: Apache-2.0
 *
 * What the backend's compiler says about an image that it refuses (CU_JIT_ERROR_LOG_BUFFER). A link
 * keeps what was said of it. A module is loaded in one call, which has no place for a text: where
 * it fails and the program has asked why, the image is linked alone, for the text.
 */
#include "image/image.h"

#include <elf.h>

/* CUjitInputType */
enum { BINARY = 0, TEXT = 1, CONTAINER = 2 };

void image_log_fill(const image_log *log, CUlinkState link) {
    if (log->room == 0 || log->text == NULL ||
        remote_outboardLinkLog(link, log->text, log->room, 0) != CUDA_SUCCESS)
        return;
    log->text[log->room - 1] = '\0';
    uintptr_t bytes = strlen(log->text);
    if (log->bytes != NULL)
        *log->bytes = (void *)bytes;
}

void image_log_begin(const image_log *log, CUlinkState link) {
    if (log->room > 0 && log->text != NULL)
        remote_outboardLinkLog(link, NULL, 0, 0);
}

static int type_of(const void *image, uint64_t bytes) {
    static const uint32_t magic = 0xBA55ED50;
    if (bytes >= SELFMAG && memcmp(image, ELFMAG, SELFMAG) == 0)
        return BINARY;
    return bytes >= sizeof magic && memcmp(image, &magic, sizeof magic) == 0 ? CONTAINER : TEXT;
}

void image_explain(const image_log *log, CUresult result, const void *image) {
    const void *begin;
    CUlinkState link = NULL;
    uint64_t made;
    uint64_t bytes = log->room > 0 && image_is_refused(result) ? image_length(image, &begin) : 0;
    if (bytes == 0 || remote_outboardLinkCreate(&link, 0) != CUDA_SUCCESS)
        return;
    image_log_begin(log, link);
    if (remote_outboardLinkAddData(link, type_of(begin, bytes), begin, bytes, "image", 0) ==
        CUDA_SUCCESS)
        remote_outboardLinkComplete(link, &made, 0);
    image_log_fill(log, link);
    remote_cuLinkDestroy(link, 0);
}
