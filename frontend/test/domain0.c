/* SPDX-License-Identifier: Apache-2.0 */
#include "domain0.h"
#include "check.h"
#include "domains.h"

#include "../xen/carry.h"
#include "link/link.h"
#include "xen/xen.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    endpoint backend;
    xen_visitors visitors;
} domain0;

typedef struct {
    const domain0 *by;
    xen_offer offer;
} visit;

/* The one that takes offers, and the folder of the process, which is that one's: a look holds it,
 * so that an earlier one never takes what is offered to a later one. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const domain0 *current;

static void *carry(void *of) {
    char why[256];
    xen_channel over;
    visit *one = of;
    carrier to = connect_to(&one->by->backend, why, sizeof why);
    if (carrier_is_there(to) &&
        xen_channel_take(&over, &xen_kernel, GUEST, &one->offer, why, sizeof why)) {
        xen_carry(&over, to.fd);
        xen_channel_close(&over);
    }
    carrier_close(&to);
    free(one);
    return NULL;
}

static void welcome(domain0 *self) {
    pthread_t thread;
    for (;;) {
        visit *one = malloc(sizeof *one);
        one->by = self;
        if (!xen_next_offer(&self->visitors, &one->offer)) {
            free(one);
            return;
        }
        CHECK(pthread_create(&thread, NULL, carry, one) == 0 && pthread_detach(thread) == 0);
    }
}

static bool look(domain0 *self) {
    pthread_mutex_lock(&turn);
    bool is_current = self == current;
    if (is_current) {
        xen_look(&self->visitors);
        welcome(self);
    }
    pthread_mutex_unlock(&turn);
    return is_current;
}

static void *serve(void *of) {
    domain0 *self = of;
    do {
        if (!self->visitors.store.fired)
            CHECK(store_take_event(&self->visitors.store));
    } while (look(self));
    return NULL;
}

void domain0_start(const char *uri) {
    pthread_t thread;
    domain0 *self = calloc(1, sizeof *self);
    self->backend.fd = -1;
    snprintf(self->backend.uri, sizeof self->backend.uri, "%s", uri);
    pthread_mutex_lock(&turn);
    enter_folder();
    CHECK(xen_expect(&self->visitors, &xen_kernel, GUEST));
    current = self;
    pthread_mutex_unlock(&turn);
    CHECK(pthread_create(&thread, NULL, serve, self) == 0 && pthread_detach(thread) == 0);
}
