/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the bytes that are kept from the moment they were sent until the other side has them.
 */
#include "check.h"
#include "link/kept.h"

#include <stdlib.h>
#include <string.h>

static uint8_t byte_at(uint64_t place) { return (uint8_t)(place * 31 + place / 251); }

static kept all;
static uint64_t sent;

static void add(size_t bytes) {
    uint8_t *data = malloc(bytes + 1);
    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_at(sent + i);
    kept_add(&all, (struct iovec[]){{data, bytes / 3}, {NULL, 0}, {data + bytes / 3, bytes}},
             bytes);
    sent += bytes;
    free(data);
}

/* Begins again from there: bytes added behind it are unsent. */
static void expect_from(uint64_t has) {
    struct iovec parts[2];
    CHECK(kept_begin_again(&all, has));
    CHECK(all.unsent == sent - has);
    for (uint64_t at = has; all.unsent > 0;) {
        int count = kept_unsent(&all, parts);
        CHECK(count == 1 || (count == 2 && parts[0].iov_len + parts[1].iov_len == all.unsent));
        for (size_t i = 0; i < parts[0].iov_len; i++, at++)
            CHECK(((uint8_t *)parts[0].iov_base)[i] == byte_at(at));
        all.unsent -= parts[0].iov_len;
    }
}

static void start(void) { CHECK(kept_make(&all)); }

static void bytes_are_there_until_they_are_acknowledged(void) {
    start();
    add(1000);
    add(24);
    CHECK(kept_room(&all) == KEPT_BYTES - 1024);
    CHECK(kept_acknowledge(&all, 600));
    CHECK(kept_room(&all) == KEPT_BYTES - 424);
    expect_from(600);
    expect_from(601);
    expect_from(1024);
    CHECK(kept_room(&all) == KEPT_BYTES);
}

static void what_is_empty_begins_at_the_front(void) {
    start();
    add(1000);
    CHECK(kept_acknowledge(&all, 1000) && all.begin == 0);
}

static void it_goes_round(void) {
    start();
    srand(7);
    for (int i = 0; i < 60; i++) {
        add((size_t)rand() % kept_room(&all) + 1);
        expect_from(sent - (uint64_t)rand() % (sent - all.acknowledged));
    }
}

static void what_was_never_sent_cannot_be_had(void) {
    start();
    add(100);
    CHECK(!kept_acknowledge(&all, 101));
    CHECK(!kept_begin_again(&all, 101));
    CHECK(kept_begin_again(&all, 40));
    /* Sixty are to be sent again: the other side cannot have them yet. */
    CHECK(!kept_acknowledge(&all, 41));
}

static void what_is_gone_cannot_be_sent_again(void) {
    start();
    add(100);
    CHECK(kept_acknowledge(&all, 50) && kept_acknowledge(&all, 20));
    CHECK(!kept_begin_again(&all, 49));
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"bytes are there until they are acknowledged",
             bytes_are_there_until_they_are_acknowledged},
            {"what is empty begins at the front", what_is_empty_begins_at_the_front},
            {"it goes round", it_goes_round},
            {"what was never sent cannot be had", what_was_never_sent_cannot_be_had},
            {"what is gone cannot be sent again", what_is_gone_cannot_be_sent_again},
            {0},
        },
        argc, argv);
}
