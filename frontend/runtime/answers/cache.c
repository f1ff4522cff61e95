/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers that never change: the bytes of a call are the key, its reply is kept for the life of the process.
 */
#include "answers/answers.h"
#include "base/clock.h"

#include <stdlib.h>

enum { BUCKETS = 256, ENTRIES = 4096 };

typedef struct entry {
    struct entry *next;
    const ob_library *library;
    uint32_t number;
    uint32_t body_bytes;
    uint32_t reply_bytes;
    uint8_t bytes[]; /* body, then reply */
} entry;

static entry *table[BUCKETS];
static uint32_t entries;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

/* FNV-1a */
static uint32_t bucket(const ob_call *call) {
    uint32_t hash = 2166136261u ^ call->number;
    for (uint32_t i = 0; i < call->body_bytes; i++)
        hash = (hash ^ call->body[i]) * 16777619u;
    return hash % BUCKETS;
}

static entry *find(const ob_call *call, uint32_t at) {
    entry *one = table[at];
    while (one != NULL && (one->library != call->library || one->number != call->number || one->body_bytes != call->body_bytes ||
                           memcmp(one->bytes, call->body, call->body_bytes) != 0))
        one = one->next;
    return one;
}

static void keep(const ob_call *call, uint32_t at) {
    entry *one = malloc(sizeof *one + call->body_bytes + call->reply_bytes);
    if (one == NULL)
        return;
    one->library = call->library;
    one->number = call->number;
    one->body_bytes = call->body_bytes;
    one->reply_bytes = call->reply_bytes;
    memcpy(one->bytes, call->body, call->body_bytes);
    if (call->reply_bytes > 0)
        memcpy(one->bytes + call->body_bytes, call->reply, call->reply_bytes);
    pthread_rwlock_wrlock(&lock);
    if (entries < ENTRIES && find(call, at) == NULL) {
        one->next = table[at];
        table[at] = one;
        entries++;
        one = NULL;
    }
    pthread_rwlock_unlock(&lock);
    free(one);
}

int32_t ob_send_cached(ob_call *call) {
    if (thread_self()->payload_bytes > 0 || thread_self()->tail_bytes > 0) /* whose bytes are not in the body */
        return ob_send(call, OB_ANSWER);
    uint64_t begin = tracing ? now_ns() : 0;
    uint32_t at = bucket(call);
    pthread_rwlock_rdlock(&lock);
    entry *known = find(call, at);
    pthread_rwlock_unlock(&lock);
    if (known != NULL) {
        call->reply = known->bytes + known->body_bytes;
        call->reply_bytes = known->reply_bytes;
        call->cursor = 0;
        if (tracing)
            trace_call(call, ob_self()->number, 0, 0, 0, begin);
        return 0;
    }
    int32_t result = ob_send(call, OB_ANSWER);
    if (result == 0)
        keep(call, at);
    return result;
}

void cache_forget(void) {
    memset(table, 0, sizeof table);
    entries = 0;
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
}
