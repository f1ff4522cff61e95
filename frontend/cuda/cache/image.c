/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/cache.h"

#include "outboard.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The file's name is the digest of its identity: from code_bytes to the end of the key. */
typedef struct header {
    char format[8];
    uint8_t digest[32];         /* of all that follows */
    uint64_t data_bytes;
    uint64_t code_bytes;
    uint64_t texts_bytes;       /* each text with the NUL at its end */
    uint32_t kind, architecture;
} header;

_Static_assert(sizeof(header) == 72, "no padding");

enum { DIGESTED = offsetof(header, data_bytes), IDENTITY = offsetof(header, code_bytes) };

static const char FORMAT[8] = "OBCACHE1";

static header *header_of(const cache_image *image) { return (header *)image->content; }

static uint64_t data_offset(const cache_image *image) {
    return sizeof(header) + header_of(image)->texts_bytes + header_of(image)->code_bytes;
}

static uint64_t texts_bytes(const cache_key *key) {
    uint64_t bytes = 0;
    for (int i = 0; i < CACHE_KEY_TEXTS; i++)
        bytes += strlen(key->texts[i]) + 1;
    return bytes;
}

static uint8_t *add(uint8_t *to, const void *from, uint64_t bytes) {
    memcpy(to, from, bytes);
    return to + bytes;
}

bool cache_image_begin(cache_image *image, const cache_key *key) {
    header h = {.code_bytes = key->code_bytes, .texts_bytes = texts_bytes(key),
                .kind = key->kind, .architecture = key->architecture};
    memcpy(h.format, FORMAT, sizeof h.format);
    uint64_t bytes = sizeof h + h.texts_bytes + h.code_bytes;
    uint8_t *content = malloc(bytes), *to = content;
    if (content == NULL)
        return false;
    to = add(to, &h, sizeof h);
    for (int i = 0; i < CACHE_KEY_TEXTS; i++)
        to = add(to, key->texts[i], strlen(key->texts[i]) + 1);
    add(to, key->code, key->code_bytes);
    *image = (cache_image){content, bytes};
    return true;
}

bool cache_image_put(cache_image *image, const void *data, uint64_t bytes) {
    uint64_t offset = data_offset(image);
    uint8_t *content = realloc(image->content, offset + bytes);
    if (content == NULL)
        return false;
    memcpy(content + offset, data, bytes);
    *image = (cache_image){content, offset + bytes};
    header_of(image)->data_bytes = bytes;
    ob_sha256(content + DIGESTED, image->bytes - DIGESTED, header_of(image)->digest);
    return true;
}

/* The lengths of the key are equal where the keys are. */
static bool belongs(const cache_image *image, const cache_image *read) {
    uint64_t offset = data_offset(image);
    return read->bytes > offset && memcmp(read->content, FORMAT, sizeof FORMAT) == 0 &&
           memcmp(read->content + IDENTITY, image->content + IDENTITY, offset - IDENTITY) == 0 &&
           header_of(read)->data_bytes == read->bytes - offset;
}

static bool is_whole(const cache_image *read) {
    uint8_t digest[32];
    ob_sha256(read->content + DIGESTED, read->bytes - DIGESTED, digest);
    return memcmp(digest, header_of(read)->digest, sizeof digest) == 0;
}

bool cache_image_take(cache_image *image, cache_image *read) {
    if (!belongs(image, read) || !is_whole(read)) {
        cache_image_end(read);
        return false;
    }
    cache_image_end(image);
    *image = *read;
    return true;
}

const uint8_t *cache_image_data(const cache_image *image, uint64_t *bytes) {
    *bytes = header_of(image)->data_bytes;
    return *bytes > 0 ? image->content + data_offset(image) : NULL;
}

void cache_image_name(const cache_image *image, char name[CACHE_NAME_BYTES]) {
    uint8_t digest[32];
    ob_sha256(image->content + IDENTITY, data_offset(image) - IDENTITY, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(name + 2 * i, 3, "%02x", digest[i]);
}

void cache_image_end(cache_image *image) {
    free(image->content);
    *image = (cache_image){0};
}
