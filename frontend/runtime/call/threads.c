/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's threads as the session numbers them. A number is used again when its thread has ended.
 */
#include "call/call.h"

#include <stdlib.h>

enum { FIRST_REQUEST = 4096, FIRST_TABLE = 64 };

static _Thread_local thread *self;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

/* Under receive_lock. Number 0 is nobody's. */
static thread **table;
static uint32_t table_size;

static _Atomic uint32_t live;

static void free_thread(thread *t) {
    pthread_cond_destroy(&t->wake);
    free(t->request);
    free(t->reply);
    if (t->text != NULL)
        free(t->text->text);
    free(t->text);
    free(t);
}

/* Told before the number is free, so that its next owner's frames come after. */
static void end_thread(void *value) {
    thread *t = value;
    self = NULL;
    if (session_open()) {
        frame header = {.kind = KIND_THREAD_END, .thread = t->public.number};
        send_post(&header, NULL, 0);
    }
    if (!ob_forked()) {
        pthread_mutex_lock(&receive_lock);
        table[t->public.number] = NULL;
        atomic_fetch_sub(&live, 1);
        pthread_mutex_unlock(&receive_lock);
    }
    free_thread(t);
}

static void make_key(void) { pthread_key_create(&key, end_thread); }

static bool grow_table(void) {
    uint32_t size = table_size == 0 ? FIRST_TABLE : table_size * 2;
    thread **larger = size <= THREAD_LIMIT ? realloc(table, size * sizeof *table) : NULL;
    if (larger == NULL)
        return false;
    memset(larger + table_size, 0, (size - table_size) * sizeof *table);
    table = larger;
    table_size = size;
    return true;
}

static bool take_number(thread *t) {
    pthread_mutex_lock(&receive_lock);
    uint32_t number = 1;
    while (number < table_size && table[number] != NULL)
        number++;
    bool free_slot = number < table_size || grow_table();
    if (free_slot) {
        table[number] = t;
        t->public.number = number;
        atomic_fetch_add(&live, 1);
    }
    pthread_mutex_unlock(&receive_lock);
    return free_slot;
}

static thread *new_thread(void) {
    pthread_once(&key_once, make_key);
    thread *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    pthread_cond_init(&t->wake, NULL);
    if (!thread_reserve_request(t, FIRST_REQUEST) || !take_number(t)) {
        free_thread(t);
        return NULL;
    }
    pthread_setspecific(key, t);
    return t;
}

thread *thread_self(void) {
    /* In a forked child another thread may have held the lock for ever. */
    if (self == NULL && !ob_forked())
        self = new_thread();
    return self;
}

ob_thread *ob_self(void) {
    /* Where there is no memory, or no session any more, the next ob_begin says so; this keeps the state until then. */
    static _Thread_local ob_thread nobody;
    thread *t = thread_self();
    return t != NULL ? &t->public : &nobody;
}

thread *thread_by_number(uint32_t number) { return number < table_size ? table[number] : NULL; }

uint32_t threads_now(void) { return atomic_load_explicit(&live, memory_order_relaxed); }

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

void threads_forget(void) {
    if (self != NULL)
        pthread_setspecific(key, NULL);
    self = NULL;
    table = NULL;
    table_size = 0;
    live = 0;
}
