/* SPDX-License-Identifier: Apache-2.0
 *
 * The subscriber: one function of the program that is called at the points that it has chosen.
 */
#include "profile.h"

#include <stdlib.h>

enum { POINTS = 1024 };

typedef void subscriber_function(void *user, uint32_t domain, uint32_t function, const void *data);

static _Atomic(subscriber_function *) subscriber;
static void *_Atomic its_data;
static _Atomic bool chosen[DOMAINS][POINTS];
static _Atomic uint32_t counts[DOMAINS];        /* of those that are chosen */
static char handle;                             /* its address is the subscriber's handle */

bool callbacks_any(void) {
    return atomic_load(&subscriber) != NULL &&
           (atomic_load(&counts[DOMAIN_DRIVER]) > 0 || atomic_load(&counts[DOMAIN_RUNTIME]) > 0);
}

bool callbacks_wanted(enum domain domain, uint32_t function) {
    return atomic_load_explicit(&counts[domain], memory_order_relaxed) > 0 && function < POINTS &&
           atomic_load_explicit(&chosen[domain][function], memory_order_relaxed);
}

void callbacks_call(enum domain domain, uint32_t function, const callback_data *data) {
    subscriber_function *called = atomic_load(&subscriber);
    if (called != NULL)
        called(atomic_load(&its_data), domain, function, data);
}

static void choose(uint32_t domain, uint32_t function, bool on) {
    if (atomic_exchange(&chosen[domain][function], on) == on)
        return;
    if (on)
        atomic_fetch_add(&counts[domain], 1);
    else
        atomic_fetch_sub(&counts[domain], 1);
}

void callbacks_end(void) {
    for (uint32_t domain = 0; domain < DOMAINS; domain++)
        for (uint32_t function = 0; function < POINTS; function++)
            choose(domain, function, false);
    atomic_store(&subscriber, NULL);
}

/* ---- the functions --------------------------------------------------------------------------- */

CUptiResult cuptiSubscribe(void **to,
                           void (*callback)(void *user, uint32_t domain, uint32_t function,
                                            const void *data),
                           void *user) {
    subscriber_function *none = NULL;
    if (to == NULL || callback == NULL)
        return INVALID_PARAMETER;
    if (atomic_load(&subscriber) != NULL)
        return MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    atomic_store(&its_data, user);
    if (!atomic_compare_exchange_strong(&subscriber, &none, callback))
        return MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    *to = &handle;
    return SUCCESS;
}

static bool is_subscribed(const void *asked) {
    return asked == &handle && atomic_load(&subscriber) != NULL;
}

CUptiResult cuptiUnsubscribe(void *asked) {
    if (!is_subscribed(asked))
        return INVALID_PARAMETER;
    callbacks_end();
    return activity_changed();
}

CUptiResult cuptiEnableCallback(uint32_t enable, void *asked, uint32_t domain, uint32_t function) {
    if (!is_subscribed(asked) || domain == 0 || domain >= DOMAINS || function >= POINTS)
        return INVALID_PARAMETER;
    choose(domain, function, enable != 0);
    return activity_changed();
}

CUptiResult cuptiEnableDomain(uint32_t enable, void *asked, uint32_t domain) {
    if (!is_subscribed(asked) || domain == 0 || domain >= DOMAINS)
        return INVALID_PARAMETER;
    for (uint32_t function = 1; function < POINTS; function++)
        choose(domain, function, enable != 0);
    return activity_changed();
}

CUptiResult cuptiEnableAllDomains(uint32_t enable, void *asked) {
    CUptiResult result = is_subscribed(asked) ? SUCCESS : INVALID_PARAMETER;
    for (uint32_t domain = 1; result == SUCCESS && domain < DOMAINS; domain++)
        result = cuptiEnableDomain(enable, asked, domain);
    return result;
}

CUptiResult cuptiGetCallbackState(uint32_t *enable, void *asked, uint32_t domain,
                                  uint32_t function) {
    if (enable == NULL || !is_subscribed(asked) || domain == 0 || domain >= DOMAINS ||
        function >= POINTS)
        return INVALID_PARAMETER;
    *enable = atomic_load(&chosen[domain][function]);
    return SUCCESS;
}

CUptiResult cuptiGetCallbackName(uint32_t domain, uint32_t function, const char **name) {
    const char *const *names = domain == DOMAIN_DRIVER ? driver_names : runtime_names;
    uint32_t count = domain == DOMAIN_DRIVER ? driver_name_count : runtime_name_count;
    bool known = (domain == DOMAIN_DRIVER || domain == DOMAIN_RUNTIME) && function < count;
    if (name == NULL || !known || names[function] == NULL)
        return INVALID_PARAMETER;
    *name = names[function];
    return SUCCESS;
}
