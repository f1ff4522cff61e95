/* SPDX-License-Identifier: Apache-2.0
 *
 * Large copies, by one thread and by two: each byte once, and none beside.
 */
#include "move/move.h"
#include "check.h"

#include <sched.h>
#include <stdlib.h>

enum { BYTES = 24 << 20, PART = 1 << 20, GUARD = 64 };

static int processors;

/* In the place of libc's: how many there are is the case's. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    (void)process;
    memset(set, 0, size);
    for (int i = 0; i < processors; i++)
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
    processors = 2;
    copies(BYTES - 17, false, false);
    copies(BYTES - 17, true, false);
}

static void by_two(void) {
    processors = 8;
    copies(BYTES - 17, false, true);
    copies(BYTES - 17, true, true);
}

static void what_is_small_needs_one(void) {
    processors = 8;
    copies(1, false, false);
    copies(PART + 1, false, false);
    copies(5 * PART - 1, false, false);
}

/* Nobody is asked for help before there is a part. */
static void none(void) {
    ob_large_copy l;
    processors = 8;
    ob_large_copy_begin(&l, BYTES, false);
    CHECK(!l.helped);
    ob_large_copy_end(&l);
}

/* One after the other, as they come. */
static void many(void) {
    processors = 8;
    for (int i = 0; i < 20; i++)
        copies(BYTES - (uint64_t)i, i % 2 == 0, true);
}

int main(int argc, char **argv) {
    return run_cases((const test_case[]){{"by one", by_one},
                                         {"by two", by_two},
                                         {"what is small needs one", what_is_small_needs_one},
                                         {"none", none},
                                         {"many", many},
                                         {0}},
                     argc, argv);
}
