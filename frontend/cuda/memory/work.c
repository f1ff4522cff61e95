/* SPDX-License-Identifier: Apache-2.0
 *
 * What is done before a call that has to do with work of a device, and after it: mirrors and pages are brought in line.
 */
#include "memory/memory.h"

bool cuda_work_watched;

static _Atomic int watchers;

void work_watch(int what, bool watched) {
    int left = watched ? atomic_fetch_or(&watchers, what) | what : atomic_fetch_and(&watchers, ~what) & ~what;
    __atomic_store_n(&cuda_work_watched, left != 0, __ATOMIC_RELAXED);
}

/* A signal handler must find it without memory being allocated for it. */
static _Thread_local int calls __attribute__((tls_model("initial-exec")));

bool work_is_asked_for_here(void) { return calls > 0; }

static bool are_watched(int what) { return !ob_forked() && (atomic_load(&watchers) & what) != 0; }

void cuda_work_begins(bool asks) {
    if (are_watched(WATCHED_FOR_MIRRORS))
        mirrors_send();
    if (asks && !ob_forked())
        pages_work_begins();
    calls += asks;
}

void cuda_work_begun(void) {
    calls--;
    if (!ob_forked())
        pages_work_begun();
}

int32_t cuda_work_seen(void) {
    if (are_watched(WATCHED_FOR_PAGES))
        pages_work_seen();
    return are_watched(WATCHED_FOR_MIRRORS) ? mirrors_fetch() : CUDA_SUCCESS;
}
