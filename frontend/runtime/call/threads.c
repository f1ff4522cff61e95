/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's threads as a session numbers them. A number is used again when its thread has
 * ended.
 */
#include "call/call.h"

#include <stdlib.h>

enum { FIRST_REQUEST = 4096, FIRST_TABLE = 64 };

struct threads {
    pthread_key_t key;          /* each thread's own number here */

    /* Under the receive lock. Number 0 is nobody's. */
    thread **table;
    uint32_t size;

    _Atomic uint32_t live;
};

static _Thread_local thread *self;      /* the one that was asked for last */

static void free_thread(thread *t) {
    pthread_cond_destroy(&t->wake);
    free(t->request);
    free(t->reply);
    free(t->copied);
    if (t->text != NULL)
        free(t->text->text);
    free(t->text);
    free(t);
}

/* Told before the number is free, so that its next owner's frames come after: they begin in the
 * first ring, too. What this thread has sent comes before, in whatever ring. */
static void end_thread(void *value) {
    thread *t = value;
    session *s = t->session;
    self = NULL;
    if (session_open(s)) {
        frame header = {.kind = KIND_THREAD_END,
                        .thread = t->public.number,
                        .acknowledged = t->ring != NULL ? t->sent : 0};
        send_post(s, &header, NULL, 0);
    }
    if (!ob_forked()) {
        own_ring_leave(t);
        pthread_mutex_lock(receive_lock(s));
        s->threads->table[t->public.number] = NULL;
        atomic_fetch_sub(&s->threads->live, 1);
        pthread_mutex_unlock(receive_lock(s));
    }
    free_thread(t);
}

bool threads_make(session *s) {
    s->threads = session_part(sizeof *s->threads);
    return s->threads != NULL && pthread_key_create(&s->threads->key, end_thread) == 0;
}

static bool grow_table(struct threads *all) {
    uint32_t size = all->size == 0 ? FIRST_TABLE : all->size * 2;
    thread **larger = size <= THREAD_LIMIT ? realloc(all->table, size * sizeof *larger) : NULL;
    if (larger == NULL)
        return false;
    memset(larger + all->size, 0, (size - all->size) * sizeof *larger);
    all->table = larger;
    all->size = size;
    return true;
}

static bool take_number(thread *t) {
    struct threads *all = t->session->threads;
    pthread_mutex_lock(receive_lock(t->session));
    uint32_t number = 1;
    while (number < all->size && all->table[number] != NULL)
        number++;
    bool free_slot = number < all->size || grow_table(all);
    if (free_slot) {
        all->table[number] = t;
        t->public.number = number;
        atomic_fetch_add(&all->live, 1);
    }
    pthread_mutex_unlock(receive_lock(t->session));
    return free_slot;
}

static thread *new_thread(session *s) {
    thread *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->session = s;
    t->met = own_ring_meetings(s);
    t->patience = patience_of(SPIN_SHARED_NS);
    pthread_cond_init(&t->wake, NULL);
    if (!thread_reserve_request(t, FIRST_REQUEST) || !take_number(t)) {
        free_thread(t);
        return NULL;
    }
    pthread_setspecific(s->threads->key, t);
    return t;
}

thread *thread_of(session *s) {
    if (self != NULL && self->session == s)
        return self;
    /* In a forked child another thread may have held the lock for ever. */
    if (ob_forked())
        return NULL;
    self = pthread_getspecific(s->threads->key);
    if (self == NULL)
        self = new_thread(s);
    return self;
}

thread *thread_self(void) { return thread_of(session_here()); }

const thread *thread_last(void) { return self; }

ob_thread *ob_self(void) {
    /* Where there is no memory, or no session any more, the next ob_begin says so; this keeps the
     * state until then. */
    static _Thread_local ob_thread nobody;
    thread *t = thread_self();
    return t != NULL ? &t->public : &nobody;
}

thread *thread_by_number(const session *s, uint32_t number) {
    return number < s->threads->size ? s->threads->table[number] : NULL;
}

uint32_t threads_now(const session *s) {
    return atomic_load_explicit(&s->threads->live, memory_order_relaxed);
}

bool thread_reserve_request(thread *t, uint32_t bytes) {
    if (bytes <= t->request_capacity)
        return true;
    uint32_t capacity = t->request_capacity == 0 ? FIRST_REQUEST : t->request_capacity;
    while (capacity < bytes)
        capacity *= 2;
    uint8_t *larger = realloc(t->request, capacity);
    if (larger == NULL)
        return false;
    t->request = larger;
    t->request_capacity = capacity;
    return true;
}

void threads_forget(session *s) {
    pthread_key_delete(s->threads->key);
    self = NULL;
}
