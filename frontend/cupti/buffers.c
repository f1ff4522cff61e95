/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's buffers: it gives one when there is the first record for it, and gets it back when
 * it is full or asked for.
 */
#include "profile.h"

#include <pthread.h>

typedef void requested_function(uint8_t **buffer, size_t *size, size_t *most);
typedef void completed_function(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                                size_t valid);

typedef struct buffer {
    uint8_t *bytes;             /* NULL: none is out */
    size_t size, used;
    size_t most, records;       /* most 0: as many as there is room for */
} buffer;

static _Atomic(requested_function *) requested;
static _Atomic(completed_function *) completed;
static _Atomic uint64_t dropped;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static buffer out;              /* under the lock */

bool buffers_wanted(void) { return atomic_load(&requested) != NULL; }

static bool has_room(size_t bytes) {
    return out.bytes != NULL && out.size - out.used >= bytes &&
           (out.most == 0 || out.records < out.most);
}

/* Under the lock. */
static bool add(const void *record, size_t bytes) {
    if (!has_room(bytes))
        return false;
    memcpy(out.bytes + out.used, record, bytes);
    out.used += bytes;
    out.records++;
    return true;
}

/* Under the lock. */
static void request(void) {
    enum { BUFFER_REQUEST = 7 << 16 };
    requested_function *give = atomic_load(&requested);
    buffer fresh = {0};
    if (out.bytes != NULL || give == NULL)
        return;
    uint64_t start = clock_now();
    give(&fresh.bytes, &fresh.size, &fresh.most);
    if (fresh.bytes == NULL || ((uintptr_t)fresh.bytes & 7) != 0)
        return;
    out = fresh;
    if (activity_is_on(KIND_OVERHEAD)) {
        overhead_record record = overhead_of(BUFFER_REQUEST, start);
        add(&record, sizeof record);
    }
}

static void hand_out(const buffer *full) {
    completed_function *take = atomic_load(&completed);
    if (full->bytes != NULL && take != NULL)
        take(NULL, 0, full->bytes, full->size, full->used);
}

void buffers_begin(void) {
    pthread_mutex_lock(&lock);
    request();
    pthread_mutex_unlock(&lock);
}

/* The program gets a full one outside of the lock, as it may wait for a thread that records. */
void buffers_put(const void *record, size_t bytes) {
    buffer full = {0};
    pthread_mutex_lock(&lock);
    if (out.bytes != NULL && !has_room(bytes)) {
        full = out;
        out = (buffer){0};
    }
    request();
    if (!add(record, bytes))
        buffers_lost(1);
    pthread_mutex_unlock(&lock);
    hand_out(&full);
}

void buffers_lost(uint64_t records) { atomic_fetch_add(&dropped, records); }

void buffers_end(void) {
    pthread_mutex_lock(&lock);
    buffer rest = out;
    out = (buffer){0};
    pthread_mutex_unlock(&lock);
    hand_out(&rest);
}

CUptiResult cuptiActivityRegisterCallbacks(void (*give)(uint8_t **, size_t *, size_t *),
                                           void (*take)(void *, uint32_t, uint8_t *, size_t,
                                                        size_t)) {
    if (give == NULL || take == NULL)
        return INVALID_PARAMETER;
    atomic_store(&completed, take);
    atomic_store(&requested, give);
    return SUCCESS;
}

static size_t size_of(uint32_t kind) {
    switch (kind) {
    case KIND_MEMCPY: return sizeof(copy_record);
    case KIND_MEMCPY2: return sizeof(peer_record);
    case KIND_MEMSET: return sizeof(fill_record);
    case KIND_KERNEL:
    case KIND_CONCURRENT_KERNEL: return sizeof(kernel_record);
    case KIND_DRIVER:
    case KIND_RUNTIME: return sizeof(api_record);
    case KIND_EXTERNAL_CORRELATION: return sizeof(external_record);
    case KIND_GRAPH_TRACE: return sizeof(graph_record);
    case KIND_SYNCHRONIZATION: return sizeof(wait_record);
    case KIND_CUDA_EVENT: return sizeof(event_record);
    case KIND_OVERHEAD: return sizeof(overhead_record);
    case KIND_MARKER: return sizeof(marker_record);
    case KIND_MARKER_DATA: return sizeof(marker_data_record);
    default: return 0;
    }
}

/* NULL: the first one. */
CUptiResult cuptiActivityGetNextRecord(uint8_t *from, size_t valid, void **record) {
    uint8_t *next = from;
    uint32_t kind;
    if (record == NULL || from == NULL)
        return INVALID_PARAMETER;
    if (*record != NULL) {
        memcpy(&kind, *record, sizeof kind);
        if (size_of(kind) == 0)
            return INVALID_KIND;
        next = (uint8_t *)*record + size_of(kind);
    }
    if (next < from || next >= from + valid)
        return MAX_LIMIT_REACHED;
    *record = next;
    return SUCCESS;
}

/* Of all contexts, since the last time. */
CUptiResult cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *number) {
    (void)context, (void)stream;
    if (number == NULL)
        return INVALID_PARAMETER;
    *number = (size_t)atomic_exchange(&dropped, 0);
    return SUCCESS;
}
