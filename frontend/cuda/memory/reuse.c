/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of pools that a stream frees and allocates again: a stream that has freed memory may use
 * it for what it allocates next, as both are in its order (CUDA Driver API, "Stream Ordered Memory
 * Allocator"). So neither travels, and a wait behind the free finds nothing new to wait for. Little
 * is kept, in small pieces, and before a call that is to find it free it is freed (entries.tsv).
 */
#include "memory/memory.h"

#include <pthread.h>

enum { BLOCKS = 64, LARGEST = 1 << 20, MOST = 8 << 20 };

typedef enum state { NOTHING, IN_USE, KEPT } state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pool_block blocks[BLOCKS];
static state states[BLOCKS];
static uint64_t kept_bytes;
static unsigned next_place;

/* One thread gives back at a time, until all is on its way: another one that is to find it free, as
 * its stream ends, waits for that. */
static pthread_mutex_t giving_lock = PTHREAD_MUTEX_INITIALIZER;
static bool giving;

/* The default streams are several, and captures have nodes instead of memory. */
static bool is_usual(CUstream stream) {
    return !unusual_is(UNUSUAL_CAPTURES) &&
           ob_handle_plausible((uint64_t)(uintptr_t)stream, 1ULL << OB_CUDA_STREAM);
}

/* Under the lock: one that is free or in use; -1 where all are kept. */
static int place_for_new(void) {
    for (int looks = 0; looks < BLOCKS; looks++) {
        int place = (int)(next_place++ % BLOCKS);
        if (states[place] != KEPT)
            return place;
    }
    return -1;
}

void reuse_note(const pool_block *made) {
    if (made->bytes == 0 || made->bytes > LARGEST || !is_usual(made->stream))
        return;
    pthread_mutex_lock(&lock);
    int place = place_for_new();
    if (place >= 0) {
        blocks[place] = *made;
        states[place] = IN_USE;
    }
    pthread_mutex_unlock(&lock);
}

/* Under the lock. */
static int find(uint64_t serial) {
    int place = 0;
    while (place < BLOCKS && (states[place] != IN_USE || blocks[place].serial != serial))
        place++;
    return place < BLOCKS ? place : -1;
}

/* Under the lock. */
static void tell(void) {
    if (kept_bytes > 0 || giving)
        unusual_begins(UNUSUAL_KEPT);
    else
        unusual_ends(UNUSUAL_KEPT);
}

/* Under the lock. */
static void change(int place, state to) {
    kept_bytes += to == KEPT ? blocks[place].bytes : 0;
    kept_bytes -= states[place] == KEPT ? blocks[place].bytes : 0;
    states[place] = to;
    tell();
}

bool reuse_keep(uint64_t serial, CUstream stream) {
    bool usual = is_usual(stream);
    pthread_mutex_lock(&lock);
    unusual_give_back_with(reuse_give_back);
    int place = find(serial);
    bool keeps = place >= 0 && usual && kept_bytes + blocks[place].bytes <= MOST;
    if (keeps)
        blocks[place].stream = stream;
    if (place >= 0)
        change(place, keeps ? KEPT : NOTHING);
    pthread_mutex_unlock(&lock);
    return keeps;
}

static bool is_alike(const pool_block *kept, const pool_block *wanted) {
    return kept->bytes == wanted->bytes && kept->stream == wanted->stream &&
           kept->named == wanted->named && kept->pool == wanted->pool;
}

bool reuse_take(pool_block *wanted) {
    if (!unusual_is(UNUSUAL_KEPT) || !is_usual(wanted->stream))
        return false;
    int place = 0;
    pthread_mutex_lock(&lock);
    while (place < BLOCKS && (states[place] != KEPT || !is_alike(&blocks[place], wanted)))
        place++;
    if (place < BLOCKS) {
        wanted->pointer = blocks[place].pointer;
        change(place, NOTHING);
    }
    pthread_mutex_unlock(&lock);
    return place < BLOCKS;
}

/* One that is kept, of a stream unless that is NULL, which then is no more; false if there is
 * none. */
static bool take_any(CUstream stream, pool_block *one) {
    int place = 0;
    pthread_mutex_lock(&lock);
    while (place < BLOCKS &&
           (states[place] != KEPT || (stream != NULL && blocks[place].stream != stream)))
        place++;
    if (place < BLOCKS) {
        *one = blocks[place];
        change(place, NOTHING);
    }
    pthread_mutex_unlock(&lock);
    return place < BLOCKS;
}

static void free_one(const pool_block *one) {
    if (remote_cuMemFreeAsync(one->pointer, one->stream, 0) != CUDA_SUCCESS)
        remote_cuMemFree_v2(one->pointer, OB_ORDERED);
}

/* A wait that the program has made since its free found nothing to wait for, and would have made
 * the memory the device's: where nothing is to be waited for but the free, this waits again. */
static void free_all_of(CUstream stream, pool_block *one) {
    bool idle = remote_cuStreamQuery(stream, 0) == CUDA_SUCCESS;
    do
        free_one(one);
    while (take_any(stream, one));
    if (idle)
        remote_cuStreamSynchronize(stream, 0);
}

static void set_giving(bool now) {
    pthread_mutex_lock(&lock);
    giving = now;
    tell();
    pthread_mutex_unlock(&lock);
}

void reuse_give_back(void) {
    pool_block one;
    pthread_mutex_lock(&giving_lock);
    set_giving(true);
    while (take_any(NULL, &one)) {
        if (context_for_ending(one.context) == CUDA_SUCCESS)
            free_all_of(one.stream, &one);
        context_show_lane();
    }
    set_giving(false);
    pthread_mutex_unlock(&giving_lock);
}
