/* SPDX-License-Identifier: Apache-2.0
 *
 * Staging buffers: memory of the backend that copies in graphs use in the place of memory that only
 * the program has. Some are kept for the next copies, as their pages are locked.
 */
#include "graph/graph.h"

#include <pthread.h>
#include <stdlib.h>

enum { SPARE_BYTES = 64 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static staging *spare;
static uint64_t spare_bytes;

void staging_put_back(staging *s) {
    pthread_mutex_lock(&lock);
    s->next = spare;
    spare = s;
    spare_bytes += s->bytes;
    pthread_mutex_unlock(&lock);
}

/* The smallest that fits and is not far too large. */
static staging *take_fitting(uint64_t bytes) {
    staging **best = NULL;
    for (staging **at = &spare; *at != NULL; at = &(*at)->next)
        if ((*at)->bytes >= bytes && (*at)->bytes / 2 <= bytes &&
            (best == NULL || (*at)->bytes < (*best)->bytes))
            best = at;
    staging *taken = best != NULL ? *best : NULL;
    if (taken != NULL) {
        *best = taken->next;
        spare_bytes -= taken->bytes;
    }
    return taken;
}

/* All of them, if they are too many to be kept. */
static staging *take_surplus(void) {
    staging *taken = spare_bytes > SPARE_BYTES ? spare : NULL;
    if (taken != NULL) {
        spare = NULL;
        spare_bytes = 0;
    }
    return taken;
}

static void end_staging_buffers(staging *s) {
    while (s != NULL) {
        staging *next = s->next;
        remote_outboardStagingEnd(s->address, OB_ORDERED);
        free(s);
        s = next;
    }
}

static CUresult make_staging(uint64_t bytes, staging **made) {
    staging *s = malloc(sizeof *s);
    if (s == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *s = (staging){.bytes = bytes};
    CUresult result = remote_outboardStagingMake(&s->address, bytes, 0);
    if (result != CUDA_SUCCESS) {
        free(s);
        return result;
    }
    *made = s;
    return CUDA_SUCCESS;
}

CUresult staging_take(uint64_t bytes, staging **taken) {
    pthread_mutex_lock(&lock);
    *taken = take_fitting(bytes);
    staging *surplus = *taken == NULL ? take_surplus() : NULL;
    pthread_mutex_unlock(&lock);
    end_staging_buffers(surplus);
    return *taken != NULL ? CUDA_SUCCESS : make_staging(bytes, taken);
}
