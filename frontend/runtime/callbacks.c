/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program that the backend calls. They run on a thread of the runtime, in the order in which the backend
 * asked; while there is nothing to run, that thread listens, so that a callback comes through although nobody waits.
 */
#include "internal.h"

#include <signal.h>
#include <stdlib.h>

typedef struct registration {
    struct registration *next;
    uint64_t number;
    void (*function)(void *);
    void *user_data;
} registration;

typedef struct request {
    struct request *next;
    uint64_t number, ticket;
} request;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static registration *registrations;
static request *first, **last = &first;
static uint64_t numbers;
static bool running;

/* A host function runs once: its registration goes with it. */
static registration *take_registration(uint64_t number) {
    registration **at = &registrations;
    while (*at != NULL && (*at)->number != number)
        at = &(*at)->next;
    registration *found = *at;
    if (found != NULL)
        *at = found->next;
    return found;
}

static request *take_request(void) {
    pthread_mutex_lock(&lock);
    request *one = first;
    if (one != NULL) {
        first = one->next;
        if (first == NULL)
            last = &first;
    }
    pthread_mutex_unlock(&lock);
    return one;
}

static void run(request *one) {
    pthread_mutex_lock(&lock);
    registration *found = take_registration(one->number);
    pthread_mutex_unlock(&lock);
    if (found != NULL)
        found->function(found->user_data);
    free(found);
    frame done = {.kind = KIND_CALLBACK_DONE};
    uint64_t body[1] = {one->ticket};
    send_post(&done, body, sizeof body);
}

static void *serve(void *unused) {
    (void)unused;
    while (atomic_load(&the_session.state) == SESSION_OPEN) {
        request *one = take_request();
        if (one != NULL)
            run(one);
        else
            receive_listen();
        free(one);
    }
    return NULL;
}

static void start(void) {
    sigset_t all, before;
    pthread_t id;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    running = pthread_create(&id, NULL, serve, NULL) == 0;
    if (running)
        pthread_detach(id);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

uint64_t ob_callback_register(void (*function)(void *), void *user_data) {
    registration *one = malloc(sizeof *one);
    if (one == NULL)
        return 0;
    pthread_mutex_lock(&lock);
    *one = (registration){.next = registrations, .number = ++numbers, .function = function, .user_data = user_data};
    registrations = one;
    uint64_t number = one->number;
    if (!running)
        start();
    pthread_mutex_unlock(&lock);
    return number;
}

void callback_run(uint64_t number, uint64_t ticket) {
    request *one = malloc(sizeof *one);
    if (one == NULL) {
        session_lost("out of memory");
        return;
    }
    *one = (request){.number = number, .ticket = ticket};
    pthread_mutex_lock(&lock);
    *last = one;
    last = &one->next;
    pthread_mutex_unlock(&lock);
}
