/* SPDX-License-Identifier: Apache-2.0
 *
 * Copying between memory of the program and memory that the backend has too. The program does not
 * soon read the large parts that it gets, so they are written past the caches: that spares reading
 * bytes that are overwritten, a third of the traffic. The backend reads its bytes at once, from the
 * caches, and so does a device. One processor cannot fill a modern memory bus: where some are to
 * spare, a second thread takes half of each part while a large copy lasts.
 */
#include "move/move.h"
#include "base/idle.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

enum {
    PAST_CACHES_LEAST = 4 << 20,    /* of a copy: smaller ones may be looked at soon */
    HELPED_LEAST = 16 << 20,        /* of a copy: a thread is started in some twenty microseconds */
    LOOK_NS = 100000,               /* longer than a part takes on its way */
    NAP_NS = 50000,
    LINE = 64,
};

#if defined(__x86_64__)
static void stream_line(uint8_t *to, const uint8_t *from) {
    for (int i = 0; i < LINE; i += 16)
        _mm_stream_si128((__m128i *)(void *)(to + i),
                         _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
}

static void copy_past_caches(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    uint64_t head = -(uintptr_t)to % LINE;
    head = head < bytes ? head : bytes;
    uint64_t lines = (bytes - head) / LINE * LINE;
    memcpy(to, from, head);
    for (uint64_t at = head; at < head + lines; at += LINE)
        stream_line(to + at, from + at);
    _mm_sfence();
    memcpy(to + head + lines, from + head + lines, bytes - head - lines);
}
#else
static void copy_past_caches(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    memcpy(to, from, bytes);
}
#endif

static void copy(const ob_large_copy *l, uint8_t *to, const uint8_t *from, uint64_t bytes) {
    if (l->past_caches)
        copy_past_caches(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* ---- the second thread ----------------------------------------------------------------------- */

static bool is_asked(const void *what) {
    const ob_large_copy *l = what;
    return atomic_load_explicit(&l->asked, memory_order_acquire) !=
           atomic_load_explicit(&l->done, memory_order_relaxed);
}

static bool is_done(const ob_large_copy *l) {
    return atomic_load_explicit(&l->done, memory_order_acquire) ==
           atomic_load_explicit(&l->asked, memory_order_relaxed);
}

static void await_part(const ob_large_copy *l) {
    while (!look_for(is_asked, l, LOOK_NS))
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

/* A part of no bytes is the last. */
static void *help(void *argument) {
    ob_large_copy *l = argument;
    for (bool more = true; more;) {
        await_part(l);
        more = l->bytes > 0;
        if (more)
            copy(l, l->to, l->from, l->bytes);
        atomic_fetch_add_explicit(&l->done, 1, memory_order_release);
    }
    return NULL;
}

static void ask(ob_large_copy *l, uint8_t *to, const uint8_t *from, uint64_t bytes) {
    l->to = to;
    l->from = from;
    l->bytes = bytes;
    atomic_fetch_add_explicit(&l->asked, 1, memory_order_release);
}

void ob_large_copy_begin(ob_large_copy *l, uint64_t bytes, bool read_at_once) {
    *l = (ob_large_copy){.past_caches = !read_at_once && bytes >= PAST_CACHES_LEAST,
                         .wants_help = bytes >= HELPED_LEAST && processors_to_spare()};
}

/* With the first part: a device may take its time until there is one, and the helper looks for
 * parts rather than sleeps. */
static void find_help(ob_large_copy *l) {
    if (!l->wants_help)
        return;
    l->wants_help = false;
    l->helped = ob_start_thread(&l->helper, help, l);
}

void ob_large_copy_part(ob_large_copy *l, void *to, const void *from, uint64_t bytes) {
    find_help(l);
    uint64_t half = l->helped ? bytes / 2 & ~(uint64_t)(LINE - 1) : bytes;
    if (l->helped)
        ask(l, (uint8_t *)to + half, (const uint8_t *)from + half, bytes - half);
    copy(l, to, from, half);
    while (!is_done(l))
        relax();
}

void ob_large_copy_end(ob_large_copy *l) {
    if (!l->helped)
        return;
    ask(l, NULL, NULL, 0);
    pthread_join(l->helper, NULL);
}
