/* SPDX-License-Identifier: Apache-2.0
 *
 * How many threads look at the same time, and what one learns that had to stop.
 */
#include "base/idle.h"
#include "check.h"

#include <stdlib.h>

static int looks;

static bool comes(const void *what) {
    looks++;
    return *(const bool *)what;
}

static const bool never = false, at_once = true;

static void numbers(void) {
    const lookers sixteen = {.processors = 16}, two = {.processors = 2}, many = {.processors = 128};
    CHECK(lookers_most(&sixteen, 0) == 4 && lookers_most(&sixteen, 1) == 4);
    CHECK(lookers_most(&sixteen, 2) == 0 && lookers_most(&sixteen, UINT32_MAX) == 0);
    CHECK(lookers_most(&two, 1) == 1);
    CHECK(lookers_most(&many, 4) == 2);
}

static void places(void) {
    lookers all = {.processors = 8};
    CHECK(lookers_join(&all, 1) == LOOKS_FREELY && lookers_join(&all, 1) == LOOKS_FREELY);
    for (int i = 2; i < 8; i++)
        CHECK(lookers_join(&all, 1) == LOOKS_AND_YIELDS);
    CHECK(lookers_join(&all, 1) == LOOKS_BRIEFLY && all.now == 8);
    for (int i = 0; i < 7; i++)
        lookers_leave(&all);
    CHECK(lookers_join(&all, 0) == LOOKS_FREELY);
    lookers_leave(&all);
    lookers_leave(&all);
    /* eight processors are too few for two programs */
    CHECK(lookers_join(&all, 2) == LOOKS_BRIEFLY);
    CHECK(all.now == 0);
}

/* Nobody yields to others where there are few processors. */
static void few_processors(void) {
    lookers all = {.processors = PLENTY - 1};
    CHECK(lookers_join(&all, 1) == LOOKS_FREELY);
    CHECK(lookers_join(&all, 1) == LOOKS_BRIEFLY);
    lookers_leave(&all);
    CHECK(all.now == 0);
}

static void who_yields_sees_it_too(void) {
    patience p = patience_of(SPIN_FRAMES_NS);
    looks = 0;
    CHECK(!patience_pays_as(&p, SPIN_FRAMES_NS, true, comes, &never));
    CHECK(looks > 0);
    CHECK(patience_pays_as(&p, SPIN_FRAMES_NS, true, comes, &at_once));
}

/* Else it would look but once in a while then. */
static void a_look_that_is_cut_off_is_forgotten(void) {
    patience p = patience_of(SPIN_FRAMES_NS);
    for (int i = 0; i < 60; i++)
        CHECK(!patience_pays_within(&p, 1, comes, &never));
    looks = 0;
    CHECK(!patience_pays(&p, comes, &never));
    CHECK(looks > 0);
}

static void none_is_no_look(void) {
    patience p = patience_of(SPIN_FRAMES_NS);
    looks = 0;
    CHECK(!patience_pays_within(&p, 0, comes, &at_once));
    CHECK(looks == 0);
    CHECK(patience_pays_within(&p, SPIN_NS, comes, &at_once));
}

static void took(foreseen *f, uint32_t ns, int times) {
    for (int i = 0; i < times; i++)
        foreseen_took(f, ns);
}

/* Three quarters of the shortest, without so much as a sleeper may be late. */
static void long_waits_are_slept_away(void) {
    foreseen f = {0};
    foreseen_for(&f, 1);
    took(&f, 1000000, FORESEEN_WAITS - 1);
    CHECK(foreseen_rest(&f) == 0);
    took(&f, 2000000, 1);
    CHECK(foreseen_rest(&f) == 750000 - REST_MARGIN_NS);
    took(&f, 800000, 1);
    CHECK(foreseen_rest(&f) == 600000 - REST_MARGIN_NS);
    foreseen_took(&f, UINT64_MAX);
    took(&f, UINT32_MAX, 3 * FORESEEN_WAITS);
    CHECK(foreseen_rest(&f) == REST_MOST_NS);
}

static void one_short_wait_is_remembered(void) {
    foreseen f = {0};
    foreseen_for(&f, 1);
    took(&f, 1000000, FORESEEN_WAITS);
    foreseen_took(&f, 10000);
    for (int i = 1; i < 2 * FORESEEN_WAITS; i++, foreseen_took(&f, 1000000))
        CHECK(foreseen_rest(&f) == 0);
    CHECK(foreseen_rest(&f) > 0);
}

static void kinds_of_waits_are_apart(void) {
    foreseen f = {0};
    foreseen_for(&f, 1);
    took(&f, 1000000, FORESEEN_WAITS);
    foreseen_for(&f, 1);
    CHECK(foreseen_rest(&f) > 0);
    foreseen_for(&f, 2);
    CHECK(foreseen_rest(&f) == 0);
}

int main(int argc, char **argv) {
    return run_cases((const test_case[]){{"numbers", numbers},
                                         {"places", places},
                                         {"few processors", few_processors},
                                         {"yields", who_yields_sees_it_too},
                                         {"cut off", a_look_that_is_cut_off_is_forgotten},
                                         {"none", none_is_no_look},
                                         {"rest", long_waits_are_slept_away},
                                         {"no rest", one_short_wait_is_remembered},
                                         {"kinds", kinds_of_waits_are_apart},
                                         {0}},
                     argc, argv);
}
