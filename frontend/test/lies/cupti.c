/* SPDX-License-Identifier: Apache-2.0
 *
 * A profiler, which believes the lengths, names and counts of the records that it reads.
 */
#include "cupti.remote.h"
#include "lies.h"

#include <stdlib.h>

const ob_library *const probed = &ob_cupti;

uint64_t handle_for(uint32_t kind) {
    (void)kind;
    return strange();
}

bool honest(const char *name, uint8_t *fixed) {
    (void)fixed;
    return strcmp(name, "outboardActivityEnable") == 0;
}

enum { MEMCPY = 1, MEMSET = 2, KERNEL = 10, GRAPH = 51 };
enum { NAME = 0, BUFFER = 4096, NAME_AT = 104 };

static int records, names;

static void requested(uint8_t **buffer, size_t *size, size_t *most) {
    *buffer = malloc(BUFFER);
    *size = BUFFER;
    *most = 0;
}

static void completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    void *record = NULL;
    (void)context, (void)stream;
    CHECK(valid <= size && size == BUFFER);
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == 0) {
        const char *name;
        records++;
        if (*(const uint32_t *)record != KERNEL)
            continue;
        memcpy(&name, (const uint8_t *)record + NAME_AT, sizeof name);
        names += strlen(name) < 32 << 10;
    }
    free(buffer);
}

static void profile(void) {
    size_t dropped;
    cuptiActivityRegisterCallbacks(requested, completed);
    cuptiActivityEnable(MEMCPY);
    cuptiActivityEnable(MEMSET);
    cuptiActivityEnable(KERNEL);
    cuptiActivityEnable(GRAPH);
    cuptiActivityFlushAll(1);
    cuptiActivityGetNumDroppedRecords(NULL, 0, &dropped);
}

/* Numbers that records have are the backend's, whatever it says. */
static void ask_numbers(void) {
    uint32_t number;
    uint64_t node;
    cuptiGetStreamId((void *)(uintptr_t)strange(), (void *)(uintptr_t)strange(), &number);
    cuptiGetGraphId((void *)(uintptr_t)strange(), &number);
    cuptiGetGraphExecId((void *)(uintptr_t)strange(), &number);
    cuptiGetGraphNodeId((void *)(uintptr_t)strange(), &node);
}

void flow(void) {
    profile();
    ask_numbers();
}

/* ---- lies that have been found --------------------------------------------------------------- */

/* The records of a block that the backend says, of which the first words are told. */
static void block(uint64_t bytes, uint64_t first, uint64_t second, uint64_t third) {
    records = names = 0;
    begin_lies();
    tell_next("outboardActivityFlush", (const uint64_t[4]){bytes});
    tell_next("outboardActivityTake", (const uint64_t[4]){0, first, second, third});
    profile();
}

static uint64_t head(uint32_t kind, uint32_t bytes) { return (uint64_t)bytes << 32 | kind; }

static void a_record_that_is_longer_than_its_block(void) {
    block(112, head(KERNEL, 120), 1, 0);
    CHECK(records == 0);
}

static void a_record_without_length(void) {
    block(112, head(KERNEL, 0), 1, 0);
    CHECK(records == 0);
}

static void a_record_that_is_too_short_for_its_kind(void) {
    block(64, head(KERNEL, 64), 1, 0);
    CHECK(records == 0);
}

static void a_graph_that_is_too_short(void) {
    block(56, head(GRAPH, 48), 1, 0);
    CHECK(records == 0);
}

static void a_graph_of_nothing(void) {
    block(56, head(GRAPH, 56), UINT64_C(1) << 40, 0);
    CHECK(records == 1);
}

static void a_kernel_without_a_name(void) {
    block(112, head(KERNEL, 112), UINT64_C(1) << 40, 0);
    CHECK(records == 1 && names == 1);
}

static void a_time_that_is_no_time(void) {
    block(112, head(KERNEL, 112), UINT64_C(1) << 40, INT64_MAX);
    CHECK(records == 1);
}

static void a_name_that_is_longer_than_its_record(void) {
    block(112, head(NAME, 112), 1, UINT32_MAX);
    CHECK(records == 0);
}

static void a_name_without_a_place(void) {
    block(112, head(NAME, 112), UINT64_MAX, 8);
    CHECK(records == 0);
}

static void a_block_that_is_larger_than_any(void) {
    begin_lies();
    tell_next("outboardActivityFlush", (const uint64_t[4]){UINT64_MAX});
    profile();
}

const test_case found[] = {
    {"a record that is longer than its block", a_record_that_is_longer_than_its_block},
    {"a record without length", a_record_without_length},
    {"a record that is too short for its kind", a_record_that_is_too_short_for_its_kind},
    {"a graph that is too short", a_graph_that_is_too_short},
    {"a graph of nothing", a_graph_of_nothing},
    {"a kernel without a name", a_kernel_without_a_name},
    {"a time that is no time", a_time_that_is_no_time},
    {"a name that is longer than its record", a_name_that_is_longer_than_its_record},
    {"a name without a place", a_name_without_a_place},
    {"a block that is larger than any", a_block_that_is_larger_than_any},
    {0}};
