/* SPDX-License-Identifier: Apache-2.0
 *
 * Images of device code: how long one is, what of it travels, and how it is loaded.
 */
#ifndef OUTBOARD_CUDA_IMAGE_H
#define OUTBOARD_CUDA_IMAGE_H

#include "device/device.h"

#pragma GCC visibility push(hidden)

/* ---- image.c --------------------------------------------------------------------------------- */

/* Where a program wants to read why an image is refused. */
typedef struct image_log {
    char *text;
    uint64_t room;
    void **bytes;               /* how long the text is; NULL: nobody asks */
} image_log;

/* Options for the backend's compiler: they are looked at, and the logs that they ask for are empty
 * at first. */
CUresult image_options(unsigned int count, const int *options, void **values, image_log *log);
/* Reads a file; the bytes are to be freed. */
CUresult image_read(const char *name, void **content, uint64_t *bytes);

/* ---- length.c: how long an image in memory is ------------------------------------------------ */

/* Where the bytes of an image begin and how many there are; 0 if it is nothing that can be loaded.
 */
uint64_t image_length(const void *image, const void **begin);

/* ---- error_log.c: why an image is refused ---------------------------------------------------- */

/* The log of a link will be asked for, so that nobody else is told. */
void image_log_begin(const image_log *log, CUlinkState link);
/* Writes it. */
void image_log_fill(const image_log *log, CUlinkState link);
/* Writes why an image could not be loaded, if the result is about the image. */
void image_explain(const image_log *log, CUresult result, const void *image);

/* ---- image_select.c: what of an image the devices can use ------------------------------------ */

/* A copy of a container without the entries that none of the devices can use, to be freed; NULL if
 * all of it is to be sent: where nothing can be left out, where a device finds nothing, and where
 * it is damaged or no container. */
void *image_fitted(const void *image, uint64_t bytes, const image_target targets[], int count,
                   uint64_t *fitted_bytes);

/* ---- image_send.c: the way of images to the backend ------------------------------------------ */

/* Sends an image, with a digest by its content; without an image the backend takes what it keeps
 * under the digest. */
typedef CUresult image_call(void *to, const uint8_t *digest, const void *image, uint64_t bytes);

/* Whether a result is about the image, and not about the device or the connection. */
bool image_is_refused(CUresult result);

CUresult image_send_whole(image_call *call, void *to, const void *image, uint64_t bytes);
/* Without what a device, or all devices that the program sees, cannot use. */
CUresult image_send_for(int ordinal, image_call *call, void *to, const void *image, uint64_t bytes);
CUresult image_send_for_all(image_call *call, void *to, const void *image, uint64_t bytes);

#pragma GCC visibility pop

#endif
