/* SPDX-License-Identifier: Apache-2.0
 *
 * Large copies, by one thread and by two: each byte once, and none beside. Copies in parts, whose
 * other side is a buffer.
 */
#include "move/move.h"
#include "check.h"

#include <sched.h>
#include <stdlib.h>

enum { BYTES = 24 << 20, PART = 1 << 20, GUARD = 64 };

static int of_case;

/* In the place of libc's: how many there are is the case's. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    (void)process;
    memset(set, 0, size);
    for (int i = 0; i < of_case; i++)
        CPU_SET((size_t)i, set);
    return 0;
}

static uint8_t *pattern(uint64_t bytes) {
    uint8_t *made = malloc(bytes);
    uint32_t state = 7;
    for (uint64_t i = 0; i < bytes; i++)
        made[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
    return made;
}

/* From and to odd addresses, in parts of which the last is odd too. */
static void copies(uint64_t bytes, bool read_at_once, bool helped) {
    uint8_t *from = pattern(bytes + GUARD), *to = calloc(1, bytes + GUARD);
    ob_large_copy l;
    ob_large_copy_begin(&l, bytes, read_at_once);
    for (uint64_t at = 0; at < bytes; at += PART)
        ob_large_copy_part(&l, to + 3 + at, from + 5 + at, bytes - at < PART ? bytes - at : PART);
    CHECK(l.helped == helped);
    ob_large_copy_end(&l);
    CHECK(memcmp(to + 3, from + 5, bytes) == 0);
    CHECK(to[2] == 0 && to[3 + bytes] == 0);
    free(from);
    free(to);
}

static void by_one(void) {
    of_case = 2;
    copies(BYTES - 17, false, false);
    copies(BYTES - 17, true, false);
}

static void by_two(void) {
    of_case = 8;
    copies(BYTES - 17, false, true);
    copies(BYTES - 17, true, true);
}

static void what_is_small_needs_one(void) {
    of_case = 8;
    copies(1, false, false);
    copies(PART + 1, false, false);
    copies(5 * PART - 1, false, false);
}

/* Nobody is asked for help before there is a part. */
static void none(void) {
    ob_large_copy l;
    of_case = 8;
    ob_large_copy_begin(&l, BYTES, false);
    CHECK(!l.helped);
    ob_large_copy_end(&l);
}

/* One after the other, as they come. */
static void many(void) {
    of_case = 8;
    for (int i = 0; i < 20; i++)
        copies(BYTES - (uint64_t)i, i % 2 == 0, true);
}

/* ---- in parts -------------------------------------------------------------------------------- */

enum { WINDOW = 3, PARTS = 7, FAILS = 5 };

typedef struct device {
    uint8_t *memory;
    uint64_t started, finished, lasts;
    uint64_t start_fails, finish_fails;     /* at which part */
} device;

static int32_t start(device *d, const ob_parts *p) {
    uint8_t *there = d->memory + p->index * PART, *here = p->places + p->index % WINDOW * PART;
    CHECK(p->index == d->started++ && p->index - d->finished < WINDOW);
    memcpy(p->from != NULL ? there : here, p->from != NULL ? here : there, p->count);
    return p->index == d->start_fails ? FAILS : 0;
}

static int32_t finish(device *d, const ob_parts *p) {
    CHECK(p->index == d->finished++ && p->index < d->started);
    d->lasts += p->last;
    return p->index == d->finish_fails ? FAILS : 0;
}

static int32_t in_parts(device *d, const uint8_t *from, uint8_t *to, uint64_t bytes) {
    uint8_t *places = malloc(WINDOW * PART);
    ob_parts p = {.bytes = bytes,
                  .part = PART,
                  .places = places,
                  .window = WINDOW,
                  .from = from,
                  .to = to};
    while (ob_parts_next(&p))
        ob_parts_done(&p, p.starts ? start(d, &p) : finish(d, &p));
    free(places);
    CHECK(d->started == d->finished);
    return p.result;
}

static void each_part_passes_once(void) {
    of_case = 2;
    for (uint64_t bytes = PARTS * PART - 9; bytes > 0; bytes = bytes > 9 ? 9 : 0) {
        uint8_t *from = pattern(bytes), *to = calloc(1, bytes);
        device up = {.memory = to, .start_fails = PARTS, .finish_fails = PARTS};
        CHECK(in_parts(&up, from, NULL, bytes) == 0 && memcmp(to, from, bytes) == 0);
        memset(to, 0, bytes);
        device down = {.memory = from, .start_fails = PARTS, .finish_fails = PARTS};
        CHECK(in_parts(&down, NULL, to, bytes) == 0 && memcmp(to, from, bytes) == 0);
        CHECK(up.lasts == 1 && down.lasts == 1 && up.started == (bytes + PART - 1) / PART);
        free(from);
        free(to);
    }
}

static void what_was_begun_is_over_after_a_failure(void) {
    uint8_t *from = pattern(PARTS * PART), *to = calloc(1, PARTS * PART);
    of_case = 2;
    for (uint64_t at = 0; at < PARTS; at++) {
        device starts = {.memory = to, .start_fails = at, .finish_fails = PARTS},
               finishes = {.memory = from, .start_fails = PARTS, .finish_fails = at};
        CHECK(in_parts(&starts, from, NULL, PARTS * PART) == FAILS);
        CHECK(starts.started == at + 1 && starts.lasts == 0);
        CHECK(in_parts(&finishes, NULL, to, PARTS * PART) == FAILS);
        CHECK(finishes.started < at + 1 + WINDOW && finishes.lasts == (at + 1 == PARTS));
    }
    free(from);
    free(to);
}

int main(int argc, char **argv) {
    return run_cases((const test_case[]){{"by one", by_one},
                                         {"by two", by_two},
                                         {"what is small needs one", what_is_small_needs_one},
                                         {"none", none},
                                         {"many", many},
                                         {"each part passes once", each_part_passes_once},
                                         {"what was begun is over after a failure",
                                          what_was_begun_is_over_after_a_failure},
                                         {0}},
                     argc, argv);
}
