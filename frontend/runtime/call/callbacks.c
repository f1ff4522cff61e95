/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program that the backend asks for, each once or as often as it wants. They run
 * on a thread of the runtime, in the order in which the backend asked. Where they have no ring of
 * their own (function_ring.c) and some are still to come, that thread listens too, so that they
 * come through although nobody waits.
 */
#include "call/call.h"

#include <stdlib.h>

typedef struct callback {
    struct callback *next;
    uint64_t number, ticket;
    int32_t status;             /* that the driver gives the function */
    bool repeated;              /* the backend may ask again and again */
    void (*function)(void *);
    void *user_data;
} callback;

struct callbacks {
    /* Under the receive lock. */
    callback *registered;       /* to be asked for */
    callback *due, **last;      /* asked for, to be run */
    uint64_t numbers;
    bool thread_runs, thread_sleeps;
    bool ready;                 /* it is known whether … */
    bool apart;                 /* … they have a ring of their own */
    pthread_cond_t is_ready;

    _Atomic uint32_t expected;
    pthread_cond_t wake;
};

static _Thread_local bool runs_here;
static _Thread_local int32_t status_here;
static _Atomic bool runs_somewhere;     /* spares every call a look at its thread's own memory */

bool callbacks_make(session *s) {
    struct callbacks *own = s->callbacks = session_part(sizeof *own);
    if (own == NULL)
        return false;
    own->last = &own->due;
    pthread_cond_init(&own->wake, NULL);
    pthread_cond_init(&own->is_ready, NULL);
    return true;
}

bool callbacks_expected(const session *s) {
    return atomic_load_explicit(&s->callbacks->expected, memory_order_relaxed) > 0;
}

bool callback_due(const session *s) { return s->callbacks->due != NULL; }

void ob_callback_may_call(void) { runs_here = false; }

int32_t ob_callback_status(void) { return status_here; }

bool ob_callback_runs(void) { return atomic_load(&runs_somewhere); }

static _Atomic(void (*)(void)) then;

void ob_callback_end_with(void (*do_this)(void)) { atomic_store(&then, do_this); }

bool callback_runs_here(void) {
    return atomic_load_explicit(&runs_somewhere, memory_order_relaxed) && runs_here;
}

bool ob_callback_runs_here(void) { return callback_runs_here(); }

/* The callback itself stays registered. */
static callback *copy_of(const callback *repeated) {
    callback *copy = repeated != NULL ? malloc(sizeof *copy) : NULL;
    if (copy != NULL)
        *copy = *repeated;
    return copy;
}

static callback *take_registered(struct callbacks *own, uint64_t number) {
    callback **at = &own->registered;
    while (*at != NULL && (*at)->number != number)
        at = &(*at)->next;
    callback *found = *at;
    if (found == NULL || found->repeated)
        return copy_of(found);
    *at = found->next;
    return found;
}

static callback *take_due(struct callbacks *own) {
    callback *one = own->due;
    if (one != NULL)
        own->due = one->next;
    if (own->due == NULL)
        own->last = &own->due;
    return one;
}

/* The device waits for it. */
static void tell(session *s, uint64_t ticket) {
    frame done = {.kind = KIND_CALLBACK_DONE};
    if (s->callbacks->apart)
        function_ring_done(s, ticket);
    else
        send_urgently(s, &done, &ticket, sizeof ticket);
}

static void run(session *s, callback *one) {
    runs_here = true;
    status_here = one->status;
    atomic_store(&runs_somewhere, true);
    one->function(one->user_data);
    atomic_store(&runs_somewhere, false);
    runs_here = false;
    void (*do_this)(void) = atomic_load(&then);
    if (do_this != NULL)
        do_this();
    tell(s, one->ticket);
    if (!one->repeated)
        atomic_fetch_sub(&s->callbacks->expected, 1);
    free(one);
}

static callback *await_registration(session *s) {
    struct callbacks *own = s->callbacks;
    pthread_mutex_lock(receive_lock(s));
    while (own->due == NULL && own->registered == NULL && session_open(s)) {
        own->thread_sleeps = true;
        pthread_cond_wait(&own->wake, receive_lock(s));
        own->thread_sleeps = false;
    }
    callback *one = take_due(own);
    pthread_mutex_unlock(receive_lock(s));
    return one;
}

static callback *await_asked(session *s) {
    asked_function asked;
    if (!function_ring_take(s, &asked))
        return NULL;
    if (!callback_request(s, asked.number, asked.ticket, asked.status))
        session_lost(s, "it asked for a callback that nobody registered");
    pthread_mutex_lock(receive_lock(s));
    callback *one = take_due(s->callbacks);
    pthread_mutex_unlock(receive_lock(s));
    return one;
}

static void get_ready(session *s) {
    struct callbacks *own = s->callbacks;
    bool apart = function_ring_open(s);
    pthread_mutex_lock(receive_lock(s));
    own->apart = apart;
    own->ready = true;
    pthread_cond_broadcast(&own->is_ready);
    pthread_mutex_unlock(receive_lock(s));
}

static void *serve(void *of) {
    session *s = of;
    session_take(s);
    get_ready(s);
    bool apart = s->callbacks->apart;
    while (session_open(s)) {
        callback *one = apart ? await_asked(s) : await_registration(s);
        if (one != NULL)
            run(s, one);
        else if (!apart)
            receive_listen(s);
    }
    return NULL;
}

/* Under the lock. None is asked for before it is known how; a thread that were cancelled here would
 * keep the lock. */
static void await_ready(struct callbacks *own, session *s) {
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    while (own->thread_runs && !own->ready)
        pthread_cond_wait(&own->is_ready, receive_lock(s));
    pthread_setcancelstate(cancellation, NULL);
}

static void wake_thread(session *s) {
    if (s->callbacks->thread_sleeps)
        pthread_cond_signal(&s->callbacks->wake);
    receive_wake_listener(s);
}

uint64_t ob_callback_register(void (*function)(void *), void *user_data, bool repeated) {
    session *s = session_here();
    struct callbacks *own = s->callbacks;
    if (!session_open(s))
        return 0;
    callback *one = malloc(sizeof *one);
    if (one == NULL)
        return 0;
    pthread_mutex_lock(receive_lock(s));
    own->thread_runs = own->thread_runs ||
                       (receive_prepare_listener(s) && ob_start_thread(NULL, serve, s));
    await_ready(own, s);
    uint64_t number = own->thread_runs ? ++own->numbers : 0;
    if (number != 0) {
        *one = (callback){.next = own->registered,
                          .number = number,
                          .function = function,
                          .user_data = user_data,
                          .repeated = repeated};
        own->registered = one;
        atomic_fetch_add(&own->expected, 1);
        wake_thread(s);
    }
    pthread_mutex_unlock(receive_lock(s));
    if (number == 0)
        free(one);
    return number;
}

/* Under the lock: takes the first such one out of a list. */
static callback *take_one(callback **at, void (*function)(void *), const void *user_data) {
    while (*at != NULL && ((*at)->function != function || (*at)->user_data != user_data))
        at = &(*at)->next;
    callback *taken = *at;
    if (taken != NULL)
        *at = taken->next;
    return taken;
}

/* Under the lock: those that a backend has asked for and that have not begun. No backend that
 * follows the rules asks for one that it is over with. */
static callback *take_all_due(struct callbacks *own, void (*function)(void *),
                              const void *user_data) {
    callback *all = NULL, *one;
    while ((one = take_one(&own->due, function, user_data)) != NULL) {
        one->next = all;
        all = one;
    }
    own->last = &own->due;
    while (*own->last != NULL)
        own->last = &(*own->last)->next;
    return all;
}

/* Of those that are the same any will do. */
bool ob_callback_forget(void (*function)(void *), void *user_data) {
    session *s = session_here();
    struct callbacks *own = s->callbacks;
    pthread_mutex_lock(receive_lock(s));
    callback *registered = take_one(&own->registered, function, user_data),
             *all = take_all_due(own, function, user_data);
    pthread_mutex_unlock(receive_lock(s));
    bool forgotten = registered != NULL || all != NULL;
    if (registered != NULL) {
        registered->next = all;
        all = registered;
    }
    for (callback *one; (one = all) != NULL;) {
        all = one->next;
        /* Of repeated ones those that are due are copies. */
        if (one == registered || !one->repeated)
            atomic_fetch_sub(&own->expected, 1);
        free(one);
    }
    return forgotten;
}

bool ob_callback_refused(const ob_library *library, int32_t result, void (*function)(void *),
                         void *user_data) {
    return result != 0 && result != library->unavailable &&
           ob_callback_forget(function, user_data);
}

bool callback_request(session *s, uint64_t number, uint64_t ticket, int32_t status) {
    struct callbacks *own = s->callbacks;
    pthread_mutex_lock(receive_lock(s));
    callback *one = take_registered(own, number);
    if (one != NULL) {
        one->next = NULL;
        one->ticket = ticket;
        one->status = status;
        *own->last = one;
        own->last = &one->next;
        wake_thread(s);
    }
    pthread_mutex_unlock(receive_lock(s));
    return one != NULL;
}
