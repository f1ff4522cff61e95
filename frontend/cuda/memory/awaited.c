/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of the program's memory for which streams wait (cuStreamWaitValue32), where the pages of
 * that memory travel. The program writes such a word and calls nothing, so a thread looks whether
 * it has, and sends it. Nor may a page that the program touches wait for the work of devices then:
 * that is behind the wait. A callback behind the wait says that it is over, also where it failed.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LOOKS_EACH_NS = 200000 };

typedef struct awaited {
    struct awaited *next;
    uint64_t address, sent;
    size_t bytes;
    bool is_sent;
} awaited;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t some = PTHREAD_COND_INITIALIZER;
static awaited *all;
static bool watched;

/* Under the lock. Whether the program has written another value than the device has. */
static bool is_written(awaited *one) {
    uint64_t now = 0;
    if (!pages_changed(one->address, &now, one->bytes) || (one->is_sent && now == one->sent))
        return false;
    one->sent = now;
    one->is_sent = true;
    return true;
}

static void *watch(void *unused) {
    for (;;) {
        bool written = false;
        pthread_mutex_lock(&lock);
        while (all == NULL)
            pthread_cond_wait(&some, &lock);
        for (awaited *one = all; one != NULL; one = one->next)
            written = is_written(one) || written;
        pthread_mutex_unlock(&lock);
        if (written)
            pages_send();
        nanosleep(&(struct timespec){.tv_nsec = LOOKS_EACH_NS}, NULL);
    }
    return unused;
}

static awaited *note(uint64_t address, size_t bytes) {
    awaited *one = malloc(sizeof *one);
    if (one == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    watched = watched || ob_start_thread(NULL, watch, NULL);
    *one = (awaited){.next = all, .address = address, .bytes = bytes};
    all = one;
    pthread_cond_signal(&some);
    pthread_mutex_unlock(&lock);
    pages_await(1);
    return one;
}

static void passed(void *of) {
    pthread_mutex_lock(&lock);
    awaited **at = &all;
    while (*at != of)
        at = &(*at)->next;
    *at = (*at)->next;
    pthread_mutex_unlock(&lock);
    pages_await(-1);
    free(of);
}

/* ---- the functions --------------------------------------------------------------------------- */

typedef struct value_wait {
    CUstream stream;
    CUdeviceptr address;
    uint64_t value;
    int bytes, how;
} value_wait;

static CUresult post(const value_wait *w, uint32_t flags) {
    return w->bytes == 4
               ? remote_cuStreamWaitValue32_v2(w->stream, w->address, (int)w->value, w->how, flags)
               : remote_cuStreamWaitValue64_v2(w->stream, w->address, w->value, w->how, flags);
}

/* What the program has written up to now is there before the wait begins. */
static CUresult post_noted(const value_wait *w, uint32_t flags) {
    awaited *one = note(w->address, (size_t)w->bytes);
    if (one == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pages_send();
    CUresult result = post(w, flags);
    if (result != CUDA_SUCCESS) {
        passed(one);
        return result;
    }
    result = remote_outboardAddCallback(w->stream, passed, one, flags);
    if (ob_callback_refused(&ob_cuda, result, passed, one))
        passed(one);
    return result;
}

static CUresult wait_for(value_wait w, uint32_t flags) {
    bool captures = false;
    if (w.address % (uint64_t)w.bytes != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ob_passes())
        host_offer(&w.address, sizeof w.address);
    if (!pages_have(w.address))
        return post(&w, flags | cuda_doubt(w.address, (uint64_t)w.bytes));
    CUresult result = capture_find(w.stream, flags, &captures);
    if (result != CUDA_SUCCESS)
        return result;
    return captures ? post(&w, flags) : post_noted(&w, flags);
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, int value, int flags) {
    return wait_for((value_wait){stream, address, (uint32_t)value, 4, flags}, 0);
}
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, int value, int flags) {
    return cuStreamWaitValue32_v2(stream, address, value, flags);
}
CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr address, int value, int flags) {
    return wait_for((value_wait){stream, address, (uint32_t)value, 4, flags}, OB_PER_THREAD);
}
CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr address, int value, int flags) {
    return cuStreamWaitValue32_v2_ptsz(stream, address, value, flags);
}
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value, int flags) {
    return wait_for((value_wait){stream, address, value, 8, flags}, 0);
}
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, uint64_t value, int flags) {
    return cuStreamWaitValue64_v2(stream, address, value, flags);
}
CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr address, uint64_t value,
                                     int flags) {
    return wait_for((value_wait){stream, address, value, 8, flags}, OB_PER_THREAD);
}
CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr address, uint64_t value, int flags) {
    return cuStreamWaitValue64_v2_ptsz(stream, address, value, flags);
}
