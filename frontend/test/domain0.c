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

static endpoint backend;
static xen_visitors visitors;

static void *carry(void *of) {
    char why[256];
    xen_channel over;
    xen_offer *offer = of;
    carrier to = connect_to(&backend, why, sizeof why);
    if (carrier_is_there(to) &&
        xen_channel_take(&over, &xen_kernel, GUEST, offer, why, sizeof why)) {
        xen_carry(&over, to.fd);
        xen_channel_close(&over);
    }
    carrier_close(&to);
    free(offer);
    return NULL;
}

static void welcome(void) {
    pthread_t thread;
    for (;;) {
        xen_offer *offer = malloc(sizeof *offer);
        if (!xen_next_offer(&visitors, offer)) {
            free(offer);
            return;
        }
        CHECK(pthread_create(&thread, NULL, carry, offer) == 0 && pthread_detach(thread) == 0);
    }
}

static void *serve(void *unused) {
    (void)unused;
    for (;;) {
        if (!visitors.store.fired)
            CHECK(store_take_event(&visitors.store));
        xen_look(&visitors);
        welcome();
    }
    return NULL;
}

void domain0_start(const char *uri) {
    pthread_t thread;
    backend = (endpoint){.fd = -1};
    snprintf(backend.uri, sizeof backend.uri, "%s", uri);
    CHECK(xen_expect(&visitors, &xen_kernel, GUEST));
    CHECK(pthread_create(&thread, NULL, serve, NULL) == 0 && pthread_detach(thread) == 0);
}
