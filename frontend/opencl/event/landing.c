/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads. Data that a device has read lie in the backend under a number until they are fetched. A
 * read that the program does not wait for is fetched when the program learns that something is
 * over: not before then may it look at its memory.
 */
#include "event/event.h"

#include <stdlib.h>

/* Of our own calls: not yet. */
enum { NOT_READY = 1 };

typedef struct expected {
    struct expected *next;
    uint64_t number;
    box to;
} expected;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static expected *first, **last = &first;
static _Atomic uint64_t numbers;
static _Atomic int waiting;     /* how many are expected */
static uint64_t unlearnt;       /* their bytes, which the backend keeps meanwhile */

uint64_t landing_number(void) { return ++numbers; }

static bool has_gaps(const box *b) {
    return (b->rows > 1 && b->row_pitch != b->row) ||
           (b->slices > 1 && b->slice_pitch != b->row * b->rows);
}

static unsigned char *row_of(const box *b, uint64_t slice, uint64_t row) {
    return b->to + slice * b->slice_pitch + row * b->row_pitch;
}

void box_copy(const box *to, const box *from) {
    for (uint64_t slice = 0; slice < to->slices; slice++)
        for (uint64_t row = 0; row < to->rows; row++)
            memcpy(row_of(to, slice, row), row_of(from, slice, row), to->row);
}

/* The same rows without gaps, elsewhere. */
static box packed_box(const box *b, unsigned char *at) {
    return (box){at, b->row, b->rows, b->slices, b->row, b->row * b->rows};
}

const void *box_packed(const box *b) {
    if (!has_gaps(b))
        return b->to;
    unsigned char *packed = malloc(box_bytes(b));
    box to = packed_box(b, packed);
    if (packed != NULL)
        box_copy(&to, b);
    return packed;
}

/* ---- over connections of their own ----------------------------------------------------------- */

void bulk_drop(void *with, uint64_t transfer) {
    (void)with;
    remote_outboardBulkDrop(transfer, 0);
}

typedef struct landing {
    uint64_t number, bytes;
    bool wait;
} landing;

static int32_t land_in_bulk(void *with, uint64_t transfer) {
    const landing *l = with;
    return remote_outboardBulkLand(l->number, l->wait, l->bytes, transfer, 0);
}

/* The backend keeps what it has sent over others until it is told, as their loss may cut it. */
static int fetch_whole(uint64_t number, bool wait, unsigned char *to, uint64_t bytes) {
    static const ob_bulk_calls calls = {&ob_opencl, land_in_bulk, bulk_drop};
    int result;
    if (!ob_bulk(false, to, bytes, &calls, &(landing){number, bytes, wait}, &result))
        return remote_outboardLand(number, wait, 0, to, bytes, bytes, 0);
    if (result != NOT_READY)
        remote_outboardEndLanding(number, 0);
    return result;
}

/* ---- fetching -------------------------------------------------------------------------------- */

static int fetch(uint64_t number, bool wait, const box *to) {
    uint64_t bytes = box_bytes(to);
    unsigned char *whole = has_gaps(to) ? malloc(bytes) : to->to;
    if (whole == NULL && bytes != 0)
        return CL_OUT_OF_HOST_MEMORY;
    int result = fetch_whole(number, wait, whole, bytes);
    if (whole != to->to) {
        box from = packed_box(to, whole);
        if (result == CL_SUCCESS)
            box_copy(to, &from);
        free(whole);
    }
    return result;
}

int landing_fetch(uint64_t number, const box *to) {
    return landings_arrive(fetch(number, true, to));
}

/* Under the lock: the first one has come, or never will. */
static void first_is_over(void) {
    expected *one = first;
    first = one->next;
    if (first == NULL)
        last = &first;
    unlearnt -= box_bytes(&one->to);
    free(one);
    waiting--;
}

/* Under the lock: too many bytes are unlearnt, and so the caller waits for the first ones; unless
 * these may wait for something that the program has yet to do. The backend says when it has no
 * room. */
static int make_room(void) {
    int result = CL_SUCCESS;
    while (unlearnt > MOST_UNLEARNT && commands_go_on() && result != ob_opencl.unavailable) {
        result = fetch(first->number, true, &first->to);
        if (result != ob_opencl.unavailable)
            first_is_over();
    }
    return result == ob_opencl.unavailable ? result : CL_SUCCESS;
}

int landing_expect(uint64_t number, const box *to) {
    expected *one = malloc(sizeof *one);
    if (one == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *one = (expected){NULL, number, *to};
    pthread_mutex_lock(&lock);
    *last = one;
    last = &one->next;
    waiting++;
    unlearnt += box_bytes(to);
    int result = make_room();
    pthread_mutex_unlock(&lock);
    return result;
}

/* The backend keeps it until it is fetched, by the next one who learns of something: as no bytes,
 * to nowhere. */
bool landing_forget(const void *to) {
    pthread_mutex_lock(&lock);
    expected *one = first;
    while (one != NULL && one->to.to != to)
        one = one->next;
    if (one != NULL) {
        unlearnt -= box_bytes(&one->to);
        one->to = flat_box(NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return one != NULL;
}

/* Under the lock: a thread that comes meanwhile finds the data in their place. A command that
 * failed says so by its event; a backend that is lost has nobody else to say it, to each thread
 * that asks. */
int landings_arrive(int result) {
    if (waiting == 0)
        return result;
    pthread_mutex_lock(&lock);
    for (expected **at = &first, *one; (one = *at) != NULL;) {
        int fetched = fetch(one->number, false, &one->to);
        bool lost = fetched == ob_opencl.unavailable;
        if (lost && result == CL_SUCCESS)
            result = fetched;
        if (lost || fetched == NOT_READY) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        unlearnt -= box_bytes(&one->to);
        free(one);
        waiting--;
    }
    last = &first;
    while (*last != NULL)
        last = &(*last)->next;
    pthread_mutex_unlock(&lock);
    return result;
}
