/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of executable graphs that are posted: those that differ from one that the driver has
 * accepted in nothing that it checks. A program that runs a loop as graphs (XLA does) changes a few
 * nodes before each launch, and would wait for each change.
 */
#include "graph/graph.h"

#include <pthread.h>

/* of nodes; two that share one forget each other, and are answered */
enum { PLACES = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static node_change places[PLACES];

/* FNV-1a. */
static uint64_t digest(const void *shape, size_t bytes) {
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const uint8_t *)shape)[i]) * 0x100000001b3ULL;
    return hash;
}

node_change change_of(CUgraphExec executable, CUgraphNode node, const void *shape, size_t bytes) {
    return (node_change){node, executable, digest(shape, bytes)};
}

static node_change *place_of(const node_change *change) {
    return &places[(uint64_t)(uintptr_t)change->node % PLACES];
}

/* Calls in lanes of several contexts would overtake each other. */
uint32_t change_flags(const node_change *change) {
    pthread_mutex_lock(&lock);
    bool accepted = memcmp(place_of(change), change, sizeof *change) == 0;
    pthread_mutex_unlock(&lock);
    return accepted && !contexts_are_several() ? 0 : OB_ANSWER;
}

CUresult change_made(const node_change *change, uint32_t flags, CUresult result) {
    if (result != CUDA_SUCCESS || flags == 0)
        return result;
    pthread_mutex_lock(&lock);
    *place_of(change) = *change;
    pthread_mutex_unlock(&lock);
    return result;
}
