/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program that the backend asks for, each once or as often as it wants. They run on a thread of the runtime, in the order in which
 * the backend asked. While some are still to come, that thread listens too, so that they come through although nobody waits.
 */
#include "call/call.h"

#include <stdlib.h>

typedef struct callback {
    struct callback *next;
    uint64_t number, ticket;
    bool repeated;              /* the backend may ask again and again */
    void (*function)(void *);
    void *user_data;
} callback;

/* All under receive_lock. */
static callback *registered;            /* to be asked for */
static callback *due, **last = &due;    /* asked for, to be run */
static uint64_t numbers;
static bool thread_runs, thread_sleeps;

static _Atomic uint32_t expected;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static _Thread_local bool runs_here;
static _Atomic bool runs_somewhere;     /* spares every call a look at its thread's own memory */

bool callbacks_expected(void) { return atomic_load_explicit(&expected, memory_order_relaxed) > 0; }

bool callback_due(void) { return due != NULL; }

void ob_callback_may_call(void) { runs_here = false; }

bool callback_runs_here(void) { return atomic_load_explicit(&runs_somewhere, memory_order_relaxed) && runs_here; }

/* The callback itself stays registered. */
static callback *copy_of(const callback *repeated) {
    callback *copy = repeated != NULL ? malloc(sizeof *copy) : NULL;
    if (copy != NULL)
        *copy = *repeated;
    return copy;
}

static callback *take_registered(uint64_t number) {
    callback **at = &registered;
    while (*at != NULL && (*at)->number != number)
        at = &(*at)->next;
    callback *found = *at;
    if (found == NULL || found->repeated)
        return copy_of(found);
    *at = found->next;
    return found;
}

static callback *take_due(void) {
    callback *one = due;
    if (one != NULL)
        due = one->next;
    if (due == NULL)
        last = &due;
    return one;
}

static void run(callback *one) {
    runs_here = true;
    atomic_store_explicit(&runs_somewhere, true, memory_order_relaxed);
    one->function(one->user_data);
    atomic_store_explicit(&runs_somewhere, false, memory_order_relaxed);
    runs_here = false;
    frame done = {.kind = KIND_CALLBACK_DONE};
    send_post(&done, &one->ticket, sizeof one->ticket);
    if (!one->repeated)
        atomic_fetch_sub(&expected, 1);
    free(one);
}

static callback *await_registration(void) {
    pthread_mutex_lock(&receive_lock);
    while (due == NULL && registered == NULL && session_open()) {
        thread_sleeps = true;
        pthread_cond_wait(&wake, &receive_lock);
        thread_sleeps = false;
    }
    callback *one = take_due();
    pthread_mutex_unlock(&receive_lock);
    return one;
}

static void *serve(void *unused) {
    (void)unused;
    while (session_open()) {
        callback *one = await_registration();
        if (one != NULL)
            run(one);
        else
            receive_listen();
    }
    return NULL;
}

static void wake_thread(void) {
    if (thread_sleeps)
        pthread_cond_signal(&wake);
    receive_wake_listener();
}

uint64_t ob_callback_register(void (*function)(void *), void *user_data, bool repeated) {
    if (!session_open())
        return 0;
    callback *one = malloc(sizeof *one);
    if (one == NULL)
        return 0;
    pthread_mutex_lock(&receive_lock);
    thread_runs = thread_runs || (receive_prepare_listener() && ob_start_thread(NULL, serve, NULL));
    uint64_t number = thread_runs ? ++numbers : 0;
    if (number != 0) {
        *one = (callback){.next = registered, .number = number, .function = function, .user_data = user_data, .repeated = repeated};
        registered = one;
        atomic_fetch_add(&expected, 1);
        wake_thread();
    }
    pthread_mutex_unlock(&receive_lock);
    if (number == 0)
        free(one);
    return number;
}

/* Of those that are the same any will do. */
void ob_callback_forget(void (*function)(void *), void *user_data) {
    pthread_mutex_lock(&receive_lock);
    callback **at = &registered;
    while (*at != NULL && ((*at)->function != function || (*at)->user_data != user_data))
        at = &(*at)->next;
    callback *forgotten = *at;
    if (forgotten != NULL)
        *at = forgotten->next;
    pthread_mutex_unlock(&receive_lock);
    if (forgotten != NULL)
        atomic_fetch_sub(&expected, 1);
    free(forgotten);
}

bool callback_request(uint64_t number, uint64_t ticket) {
    pthread_mutex_lock(&receive_lock);
    callback *one = take_registered(number);
    if (one != NULL) {
        one->next = NULL;
        one->ticket = ticket;
        *last = one;
        last = &one->next;
        wake_thread();
    }
    pthread_mutex_unlock(&receive_lock);
    return one != NULL;
}
