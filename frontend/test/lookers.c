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
    CHECK(lookers_most(&sixteen, 2) == 1);
    CHECK(lookers_most(&sixteen, 3) == 0 && lookers_most(&sixteen, UINT32_MAX) == 0);
    CHECK(lookers_most(&two, 1) == 1);
    CHECK(lookers_most(&many, 4) == 5);
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

int main(int argc, char **argv) {
    return run_cases((const test_case[]){{"numbers", numbers},
                                         {"places", places},
                                         {"few processors", few_processors},
                                         {"yields", who_yields_sees_it_too},
                                         {"cut off", a_look_that_is_cut_off_is_forgotten},
                                         {"none", none_is_no_look},
                                         {0}},
                     argc, argv);
}
