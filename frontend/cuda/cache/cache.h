/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC's compile cache, on this machine's disk. From the ground up: an image is one result with
 * its key, as one piece of memory; a folder holds images as files; the table is NVRTC's way to it.
 */
#ifndef OUTBOARD_CUDA_CACHE_H
#define OUTBOARD_CUDA_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* ---- image.c --------------------------------------------------------------------------------- */

enum { CACHE_NAME_BYTES = 65, CACHE_KEY_TEXTS = 3 };

/* A header, the key, then the data if there is some. Zeroed: none. */
typedef struct cache_image {
    uint8_t *content;
    uint64_t bytes;
} cache_image;

/* The key of a result: two results are the same if all its parts are equal. */
typedef struct cache_key {
    const void *code;
    uint64_t code_bytes;
    const char *texts[CACHE_KEY_TEXTS];
    uint32_t kind, architecture;
} cache_key;

/* An image without data; false if memory ran out. */
bool cache_image_begin(cache_image *image, const cache_key *key);
/* Puts data in the place of what the image had; false if memory ran out. */
bool cache_image_put(cache_image *image, const void *data, uint64_t bytes);
/* Takes over what a file has, if that is whole and its key is this image's; else frees it. */
bool cache_image_take(cache_image *image, cache_image *read);
/* The data, NULL if there is none. */
const uint8_t *cache_image_data(const cache_image *image, uint64_t *bytes);
/* The name of its file. */
void cache_image_name(const cache_image *image, char name[CACHE_NAME_BYTES]);
void cache_image_end(cache_image *image);

/* ---- folder.c: where files lie, as CUDA's variables say -------------------------------------- */

typedef struct cache_folder {
    int fd;
    uint64_t most;              /* bytes of all files */
} cache_folder;

/* Makes the folder where it is missing. False if there is to be no cache, or none can be trusted.
 */
bool cache_folder_open(cache_folder *folder);
void cache_folder_close(cache_folder *folder);

/* ---- files.c --------------------------------------------------------------------------------- */

/* Adds the data that a file has for the image's key. A file that is damaged, or is not this user's
 * alone, is removed and has none. */
bool cache_files_load(const cache_folder *folder, cache_image *image);
/* Keeps the image, and of the others those that were used last. */
bool cache_files_keep(const cache_folder *folder, const cache_image *image);

/* ---- table.c --------------------------------------------------------------------------------- */

/* At most so many entries are open, and so many results not given back. */
enum { COMPILE_CACHE_SLOTS = 7, COMPILE_CACHE_OPEN = 128 };

extern void *const compile_cache_table[COMPILE_CACHE_SLOTS];

#pragma GCC visibility pop

#endif
