/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs before and after each call that has to do with work of a device, and brings mirrors and
 * pages in line.
 */
#include "memory/memory.h"

bool cuda_work_watched;

static _Atomic int watchers;

void work_watch(int what, bool watched) {
    int left = watched ? atomic_fetch_or(&watchers, what) | what
                       : atomic_fetch_and(&watchers, ~what) & ~what;
    __atomic_store_n(&cuda_work_watched, left != 0, __ATOMIC_RELAXED);
}

/* Of all threads, so that a signal handler seldom looks at its thread's own, for which memory may
 * have to be allocated: a thread that touches a page is not in the allocator. */
static _Atomic int calls;
static _Thread_local int own_calls;

bool work_is_asked_for_here(void) { return atomic_load(&calls) > 0 && own_calls > 0; }

static void count(int calls_more) {
    own_calls += calls_more;
    atomic_fetch_add(&calls, calls_more);
}

static bool are_watched(int what) { return !ob_forked() && (atomic_load(&watchers) & what) != 0; }

void cuda_work_begins(bool asks) {
    if (are_watched(WATCHED_FOR_MIRRORS))
        mirrors_send();
    if (asks && !ob_forked())
        pages_work_begins();
    if (asks)
        count(1);
}

void cuda_work_begun(void) {
    count(-1);
    if (!ob_forked())
        pages_work_begun();
}

int32_t cuda_work_seen(void) {
    if (are_watched(WATCHED_FOR_PAGES))
        pages_work_seen();
    return are_watched(WATCHED_FOR_MIRRORS) ? mirrors_fetch() : CUDA_SUCCESS;
}
