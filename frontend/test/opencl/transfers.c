/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and writes of OpenCL, and what is expected of reads that nobody waits for, with a backend
 * of this file: reads land under their numbers, and are over when the case says so.
 */
#include "memory/memory.h"
#include "../check.h"

#include <stdlib.h>

enum { NOT_READY = 1, UNAVAILABLE = -5, NOT_SUPPORTED = -59, MIB = 1 << 20, READS = 64 };

const ob_library ob_opencl = {.unavailable = UNAVAILABLE, .not_supported = NOT_SUPPORTED};

/* ---- the backend ----------------------------------------------------------------------------- */

static struct read {
    uint64_t number, bytes;
    bool over, fetched;
} reads[READS];
static int count, waits, questions;
static bool go_on = true, lost, little_unsupported;
static int whole_writes, staged_writes;
static uint64_t staged_bytes;
static cl_event waited;

static struct read *find(uint64_t number) {
    for (int i = 0; i < count; i++)
        if (reads[i].number == number && !reads[i].fetched)
            return &reads[i];
    return NULL;
}

/* The bytes that a read brings, by its number and place. */
static unsigned char byte_of(uint64_t number, uint64_t at) {
    return (unsigned char)(number * 31 + at * 7);
}

static int begin(uint64_t number, uint64_t bytes) {
    CHECK(count < READS && find(number) == NULL);
    reads[count++] = (struct read){.number = number, .bytes = bytes};
    return CL_SUCCESS;
}

int32_t remote_outboardLand(uint64_t landing, int wait, uint64_t offset, void *data, uint64_t bytes,
                            uint64_t total, uint32_t flags) {
    struct read *one = find(landing);
    CHECK(one != NULL && offset == 0 && bytes == total && flags == 0);
    CHECK(bytes == one->bytes || (bytes == 0 && data == NULL));
    questions++;
    if (lost)
        return UNAVAILABLE;
    if (!wait && !one->over)
        return NOT_READY;
    waits += wait != 0;
    for (uint64_t i = 0; i < bytes; i++)
        ((unsigned char *)data)[i] = byte_of(landing, i);
    one->fetched = true;
    return CL_SUCCESS;
}

int32_t remote_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, int blocking,
                                   uint64_t offset, uint64_t size, uint64_t landing, int waits_for,
                                   const cl_event *list, cl_event *event, uint32_t flags) {
    (void)queue, (void)buffer, (void)offset, (void)waits_for, (void)list, (void)event, (void)flags;
    CHECK(!blocking);
    return begin(landing, size);
}

int32_t remote_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, int blocking,
                                       const uint64_t *at, const uint64_t *host,
                                       const uint64_t *region, uint64_t row, uint64_t slice,
                                       uint64_t host_row, uint64_t host_slice, uint64_t landing,
                                       int waits_for, const cl_event *list, cl_event *event,
                                       uint32_t flags) {
    (void)queue, (void)buffer, (void)at, (void)row, (void)slice, (void)waits_for, (void)list,
        (void)event, (void)flags;
    CHECK(!blocking && host[0] == 0 && host[1] == 0 && host[2] == 0 && host_row == 0 &&
          host_slice == 0);
    return begin(landing, region[0] * region[1] * region[2]);
}

int32_t remote_outboardRead(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size,
                            void *data, int waits_for, const cl_event *list, uint32_t flags) {
    (void)queue, (void)buffer, (void)offset, (void)waits_for, (void)list, (void)flags;
    memset(data, 0x5a, size);
    return little_unsupported ? NOT_SUPPORTED : CL_SUCCESS;
}

int32_t remote_outboardStage(uint64_t number, uint64_t offset, const void *data, uint64_t bytes,
                             uint64_t total, uint32_t flags) {
    CHECK(number != 0 && offset == 0 && data != NULL && bytes == total && flags == 0);
    staged_bytes = bytes;
    return CL_SUCCESS;
}

int32_t remote_outboardWriteStaged(cl_command_queue queue, cl_mem buffer, uint64_t offset,
                                   uint64_t size, uint64_t number, int waits_for,
                                   const cl_event *list, cl_event *event, uint32_t flags) {
    (void)queue, (void)buffer, (void)offset, (void)waits_for, (void)list, (void)event, (void)flags;
    CHECK(number != 0 && size == staged_bytes);
    staged_writes++;
    return CL_SUCCESS;
}

int32_t remote_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, int blocking,
                                    uint64_t offset, uint64_t size, const void *data, int waits_for,
                                    const cl_event *list, cl_event *event, uint32_t flags) {
    (void)queue, (void)buffer, (void)offset, (void)size, (void)data, (void)waits_for, (void)list,
        (void)flags;
    CHECK(!blocking);
    if (event != NULL)
        *event = (cl_event)&waited;
    whole_writes++;
    return CL_SUCCESS;
}

/* ---- several connections --------------------------------------------------------------------- */

static bool several, cuts;
static uint64_t transfers, dropped;
static unsigned char *moving;   /* the program's memory of the transfer at work */

bool ob_bulk(bool up, void *memory, uint64_t bytes, const ob_bulk_calls *calls, void *with,
             int32_t *result) {
    (void)up;
    CHECK(calls->library == &ob_opencl);
    if (!several || bytes < OB_BULK_LEAST)
        return false;
    moving = memory;
    *result = calls->move(with, ++transfers);
    if (cuts) {
        memset(memory, 0, bytes);
        *result = calls->move(with, ++transfers);
    }
    if (*result != 0)
        calls->drop(with, transfers);
    return true;
}

int32_t remote_outboardBulkDrop(uint64_t transfer, uint32_t flags) {
    CHECK(transfer == transfers && flags == 0);
    dropped++;
    return CL_SUCCESS;
}

int32_t remote_outboardBulkLand(uint64_t landing, int wait, uint64_t bytes, uint64_t transfer,
                                uint32_t flags) {
    struct read *one = find(landing);
    CHECK(transfer == transfers && one != NULL);
    int32_t result = remote_outboardLand(landing, wait, 0, moving, bytes, bytes, flags);
    one->fetched = false;
    return result;
}

int32_t remote_outboardEndLanding(uint64_t landing, uint32_t flags) {
    struct read *one = find(landing);
    CHECK(one != NULL && flags == 0);
    one->fetched = true;
    return CL_SUCCESS;
}

int32_t remote_outboardBulkStage(uint64_t number, uint64_t bytes, uint64_t transfer,
                                 uint32_t flags) {
    CHECK(transfer == transfers);
    return remote_outboardStage(number, 0, moving, bytes, bytes, flags);
}

/* ---- the rest of the frontend ---------------------------------------------------------------- */

bool commands_go_on(void) { return go_on; }
bool area_takes(uint64_t bytes) { return bytes == UINT64_MAX; }
unsigned char *shared_at(cl_mem memory, uint64_t offset, uint64_t size) {
    (void)memory, (void)offset, (void)size;
    return NULL;
}
object *object_at(const void *at, uint64_t kinds) {
    (void)at, (void)kinds;
    return NULL;
}
object *context_of(object *o) { return o; }
uint64_t host_access(object *o) { return o != NULL; }
uint64_t buffer_bytes(cl_mem memory) { return memory != NULL; }

int clWaitForEvents(int events, const cl_event *list) {
    CHECK(events == 1);
    waited = list[0];
    return CL_SUCCESS;
}

int clReleaseEvent(cl_event event) {
    CHECK(event == waited);
    waited = NULL;
    return CL_SUCCESS;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static int read_buffer(bool blocking, void *to, uint64_t bytes) {
    return clEnqueueReadBuffer(NULL, NULL, blocking, 0, bytes, to, 0, NULL, NULL);
}

static bool holds(const unsigned char *at, uint64_t number, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++)
        if (at[i] != byte_of(number, i))
            return false;
    return true;
}

static void a_read_that_waits_has_its_bytes(void) {
    unsigned char to[100];
    little_unsupported = true;
    CHECK(read_buffer(true, to, sizeof to) == CL_SUCCESS);
    CHECK(waits == 1 && holds(to, reads[0].number, sizeof to));
    little_unsupported = false;
    CHECK(read_buffer(true, to, sizeof to) == CL_SUCCESS);
    CHECK(count == 1 && to[0] == 0x5a && to[99] == 0x5a);
}

static void reads_come_when_the_program_learns(void) {
    unsigned char to[4][64] = {{0}};
    for (int i = 0; i < 4; i++)
        CHECK(read_buffer(false, to[i], 64) == CL_SUCCESS);
    CHECK(questions == 0);
    reads[0].over = reads[2].over = true;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS);
    CHECK(holds(to[0], reads[0].number, 64) && to[1][1] == 0 && holds(to[2], reads[2].number, 64) &&
          to[3][1] == 0);
    reads[3].over = true;
    CHECK(landings_arrive(-7) == -7);
    reads[1].over = true;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && holds(to[1], reads[1].number, 64));
    int asked = questions;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && questions == asked);
    /* The list still takes more. */
    CHECK(read_buffer(false, to[0], 64) == CL_SUCCESS);
    reads[4].over = true;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && holds(to[0], reads[4].number, 64));
}

static void a_backend_that_is_lost_is_said(void) {
    unsigned char to[8];
    CHECK(read_buffer(false, to, sizeof to) == CL_SUCCESS);
    lost = true;
    CHECK(landings_arrive(CL_SUCCESS) == UNAVAILABLE);
    CHECK(landings_arrive(-7) == -7);
    CHECK(landings_arrive(CL_SUCCESS) == UNAVAILABLE);
}

static void what_is_forgotten_leaves_the_backend(void) {
    unsigned char to[8] = {0};
    CHECK(read_buffer(false, to, sizeof to) == CL_SUCCESS);
    CHECK(landing_forget(to) && !landing_forget(to) && !landing_forget(to + 1));
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && !reads[0].fetched);
    reads[0].over = true;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && reads[0].fetched && to[1] == 0);
    int asked = questions;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && questions == asked);
}

static void rows_go_to_their_places(void) {
    const size_t from[3] = {0}, at[3] = {3, 1, 1}, region[3] = {5, 2, 2};
    enum { ROW = 10, SLICE = 40 };
    unsigned char to[3 * SLICE] = {0};
    CHECK(clEnqueueReadBufferRect(NULL, NULL, 1, from, at, region, 0, 0, ROW, SLICE, to, 0, NULL,
                                  NULL) == CL_SUCCESS);
    for (size_t i = 0; i < sizeof to; i++) {
        size_t slice = i / SLICE, row = i % SLICE / ROW, column = i % ROW;
        bool inside = slice >= 1 && row >= 1 && row < 3 && column >= 3 && column < 8;
        CHECK(
            to[i] ==
            (inside ? byte_of(reads[0].number, ((slice - 1) * 2 + row - 1) * 5 + column - 3) : 0));
    }
    CHECK(clEnqueueReadBufferRect(NULL, NULL, 1, from, at, region, 0, 0, 4, 0, to, 0, NULL, NULL) ==
          CL_INVALID_VALUE);
}

static void large_writes_go_ahead_of_their_calls(void) {
    static unsigned char from[MIB + 1];
    CHECK(clEnqueueWriteBuffer(NULL, NULL, 0, 0, MIB, from, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(whole_writes == 1 && staged_writes == 0);
    CHECK(clEnqueueWriteBuffer(NULL, NULL, 0, 0, MIB + 1, from, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(whole_writes == 1 && staged_writes == 1 && staged_bytes == MIB + 1);
}

static void what_is_large_goes_over_several_connections(void) {
    static unsigned char memory[OB_BULK_LEAST];
    several = true;
    CHECK(clEnqueueWriteBuffer(NULL, NULL, 0, 0, sizeof memory - 1, memory, 0, NULL, NULL) ==
              CL_SUCCESS &&
          transfers == 0);
    CHECK(clEnqueueWriteBuffer(NULL, NULL, 0, 0, sizeof memory, memory, 0, NULL, NULL) ==
          CL_SUCCESS);
    CHECK(transfers == 1 && staged_writes == 2 && staged_bytes == sizeof memory);
    CHECK(read_buffer(false, memory, sizeof memory) == CL_SUCCESS && transfers == 1);
    /* A read that is not over yet is asked for again. */
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && transfers == 2 && dropped == 1 &&
          memory[1] == 0);
    reads[0].over = true;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && transfers == 3 && dropped == 1 &&
          holds(memory, reads[0].number, sizeof memory));
    CHECK(reads[0].fetched);
}

static void a_read_that_is_cut_is_fetched_again(void) {
    static unsigned char memory[OB_BULK_LEAST];
    several = cuts = true;
    CHECK(read_buffer(false, memory, sizeof memory) == CL_SUCCESS);
    reads[0].over = true;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS && transfers == 2 &&
          holds(memory, reads[0].number, sizeof memory));
    CHECK(reads[0].fetched);
}

static void a_write_that_waits_leaves_no_event(void) {
    unsigned char from[8] = {0};
    CHECK(clEnqueueWriteBuffer(NULL, NULL, 1, 0, sizeof from, from, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(waited == NULL);
    cl_event event = NULL;
    CHECK(clEnqueueWriteBuffer(NULL, NULL, 1, 0, sizeof from, from, 0, NULL, &event) == CL_SUCCESS);
    CHECK(event != NULL && waited == event);
}

/* One more waits for the first ones, not for itself. */
static void so_many_bytes_are_unlearnt_at_most(void) {
    enum { BYTES = 32 * MIB, MOST = MOST_UNLEARNT / BYTES };
    unsigned char *to = malloc(BYTES);
    for (int i = 0; i < MOST; i++)
        CHECK(read_buffer(false, to, BYTES) == CL_SUCCESS);
    CHECK(waits == 0);
    CHECK(read_buffer(false, to, BYTES) == CL_SUCCESS);
    CHECK(waits == 1 && reads[0].fetched && !reads[1].fetched);
    /* The first ones may wait for the program's next step. */
    go_on = false;
    CHECK(read_buffer(false, to, BYTES) == CL_SUCCESS && waits == 1);
    go_on = true;
    CHECK(read_buffer(false, to, BYTES) == CL_SUCCESS && waits == 3 && count == MOST + 3);
    for (int i = 0; i < count; i++)
        reads[i].over = true;
    CHECK(landings_arrive(CL_SUCCESS) == CL_SUCCESS);
    CHECK(read_buffer(false, to, BYTES) == CL_SUCCESS && waits == 3);
    /* Those that are forgotten do not count. */
    for (int i = 0; i < 2 * MOST; i++)
        CHECK(landing_forget(to) && read_buffer(false, to, BYTES) == CL_SUCCESS);
    CHECK(waits == 3);
    free(to);
}

static void a_wait_for_a_lost_backend_ends(void) {
    unsigned char *to = malloc(MOST_UNLEARNT);
    CHECK(read_buffer(false, to, MOST_UNLEARNT) == CL_SUCCESS);
    lost = true;
    CHECK(read_buffer(false, to, 64 << 10) == UNAVAILABLE);
    free(to);
}

static const test_case CASES[] = {
    {"a-read-that-waits-has-its-bytes", a_read_that_waits_has_its_bytes},
    {"reads-come-when-the-program-learns", reads_come_when_the_program_learns},
    {"a-backend-that-is-lost-is-said", a_backend_that_is_lost_is_said},
    {"what-is-forgotten-leaves-the-backend", what_is_forgotten_leaves_the_backend},
    {"rows-go-to-their-places", rows_go_to_their_places},
    {"large-writes-go-ahead-of-their-calls", large_writes_go_ahead_of_their_calls},
    {"what-is-large-goes-over-several-connections", what_is_large_goes_over_several_connections},
    {"a-read-that-is-cut-is-fetched-again", a_read_that_is_cut_is_fetched_again},
    {"a-write-that-waits-leaves-no-event", a_write_that_waits_leaves_no_event},
    {"so-many-bytes-are-unlearnt-at-most", so_many_bytes_are_unlearnt_at_most},
    {"a-wait-for-a-lost-backend-ends", a_wait_for_a_lost_backend_ends},
    {NULL, NULL},
};

int main(int argc, char **argv) { return run_cases(CASES, argc, argv); }
