/* SPDX-License-Identifier: Apache-2.0 */
#include "link/kept.h"

#include <stdlib.h>
#include <string.h>

bool kept_make(kept *k) {
    *k = (kept){.memory = malloc(KEPT_BYTES)};
    return k->memory != NULL;
}

static void put(kept *k, const uint8_t *from, size_t bytes) {
    size_t at = (k->begin + k->bytes) % KEPT_BYTES,
           first = KEPT_BYTES - at < bytes ? KEPT_BYTES - at : bytes;
    memcpy(k->memory + at, from, first);
    memcpy(k->memory, from + first, bytes - first);
    k->bytes += bytes;
}

void kept_add(kept *k, const struct iovec *parts, size_t bytes) {
    for (size_t part; bytes > 0; bytes -= part, parts++) {
        part = parts->iov_len < bytes ? parts->iov_len : bytes;
        if (part > 0)
            put(k, parts->iov_base, part);
    }
}

void kept_begin(kept *k, uint64_t all, const struct iovec *parts, size_t bytes) {
    k->acknowledged = all - bytes;
    kept_add(k, parts, bytes);
}

/* An empty buffer begins at the front again, so that a program that waits for each answer uses the
 * same few pages. */
bool kept_acknowledge(kept *k, uint64_t bytes) {
    if (bytes <= k->acknowledged)
        return true;
    uint64_t gone = bytes - k->acknowledged;
    if (gone > k->bytes - k->unsent)
        return false;
    k->acknowledged = bytes;
    k->bytes -= gone;
    k->begin = k->bytes > 0 ? (k->begin + gone) % KEPT_BYTES : 0;
    return true;
}

bool kept_begin_again(kept *k, uint64_t bytes) {
    k->unsent = 0;
    if (bytes < k->acknowledged || !kept_acknowledge(k, bytes))
        return false;
    k->unsent = k->bytes;
    return true;
}

int kept_unsent(const kept *k, struct iovec parts[2]) {
    size_t at = (k->begin + k->bytes - k->unsent) % KEPT_BYTES,
           first = KEPT_BYTES - at < k->unsent ? KEPT_BYTES - at : k->unsent;
    parts[0] = (struct iovec){k->memory + at, first};
    parts[1] = (struct iovec){k->memory, k->unsent - first};
    return k->unsent > first ? 2 : 1;
}
