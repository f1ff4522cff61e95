/* SPDX-License-Identifier: Apache-2.0
 *
 * Large transfers on one machine: their bytes pass through an area of memory that both sides have,
 * from and to which the device copies by itself. One side copies a part while the other side copies
 * the next one. For contexts that use it much the backend page-locks it, where that spares the
 * device's driver a copy of its own.
 */
#include "memory/memory.h"

#include "base/glibc.h"

#include <sys/mman.h>
#include <unistd.h>

enum {
    SLOTS = 2,              /* one for each side */
    PART = 4 << 20,         /* where both work at a time */
    WHOLE = 32 << 20,       /* a transfer with an event is one command as long as there is room */
    AREA = SLOTS * (PART + WHOLE),
    /* times that a context has used them: page-locking takes about as long */
    LOCKED_AFTER = 2,
};

/* Where transfers of a kind have their slots in the area. */
typedef struct slots {
    uint64_t place, bytes;  /* of the first, and of each */
} slots;

enum { IN_PARTS, WITH_AN_EVENT, KINDS };
static const slots slots_of[KINDS] = {{0, PART}, {SLOTS * PART, WHOLE}};

/* Of a context, beside the answers that the specification has names for: the bytes of its transfers
 * of each kind. */
#define MOVED 0xF0000005u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *area;
static bool tried;

void *pass_memory(uint64_t bytes, int (*take)(void *), void *with) {
    /* a call takes what was passed last */
    static pthread_mutex_t passing = PTHREAD_MUTEX_INITIALIZER;
    int fd = ob_passes() ? ob_sealed_file("outboard-opencl", bytes) : -1;
    void *memory = fd >= 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                           : MAP_FAILED;
    pthread_mutex_lock(&passing);
    bool taken = memory != MAP_FAILED && ob_pass(fd) && take(with) == CL_SUCCESS;
    pthread_mutex_unlock(&passing);
    if (memory != MAP_FAILED && !taken)
        munmap(memory, bytes);
    if (fd >= 0)
        close(fd);
    return taken ? memory : NULL;
}

static int take_area(void *unused) {
    (void)unused;
    return remote_outboardShareArea(AREA, 0);
}

/* A thread that waits for the device with the area may wait for another thread's next step: that
 * one goes another way. */
bool area_takes(uint64_t bytes) {
    if (bytes < AREA_LEAST || !ob_passes() || pthread_mutex_trylock(&lock) != 0)
        return false;
    /* Without it all goes with calls. */
    if (!tried)
        area = pass_memory(AREA, take_area, NULL);
    tried = true;
    if (area == NULL)
        pthread_mutex_unlock(&lock);
    return area != NULL;
}

typedef struct transfer {
    cl_command_queue queue;
    cl_mem buffer;
    uint64_t offset, size;
    int kind;
    unsigned char *to;
    const unsigned char *from;      /* NULL: it reads */
    int waits;
    const cl_event *list;
    cl_event *event;                /* where the program wants the last command's, or NULL */
    cl_event events[SLOTS];
    ob_large_copy copying;
} transfer;

static uint64_t part_bytes(const transfer *t) { return slots_of[t->kind].bytes; }

static uint64_t place_of(const transfer *t, uint64_t number) {
    return slots_of[t->kind].place + number % SLOTS * part_bytes(t);
}

static uint64_t part_of(const transfer *t, uint64_t number) {
    uint64_t left = t->size - number * part_bytes(t);
    return left < part_bytes(t) ? left : part_bytes(t);
}

/* Where it cannot be, or is of no use, all goes on as before. It is answered: the slots may be read
 * and written meanwhile. */
static void lock_pages(const transfer *t) {
    object *context = context_of(object_at(t->queue, KIND_BIT(QUEUE)));
    uint64_t *moved = context == NULL ? NULL : object_keep(context, MOVED, KINDS * sizeof *moved),
             all = SLOTS * part_bytes(t);
    if (moved == NULL)
        return;
    bool locked = moved[t->kind] >= LOCKED_AFTER * all;
    moved[t->kind] += t->size;
    if (!locked && moved[t->kind] >= LOCKED_AFTER * all)
        remote_outboardLockArea(t->queue, slots_of[t->kind].place, all, 0);
}

/* Posted: its errors are told when it is waited for. */
static int start(transfer *t, uint64_t number) {
    uint64_t done = number * part_bytes(t), bytes = part_of(t, number), place = place_of(t, number);
    cl_event *event = &t->events[number % SLOTS];
    if (t->from == NULL)
        return remote_outboardReadShared(t->queue, t->buffer, t->offset + done, bytes, place,
                                         t->waits, t->list, event, 0);
    ob_large_copy_part(&t->copying, area + place, t->from + done, bytes);
    return remote_outboardWriteShared(t->queue, t->buffer, t->offset + done, bytes, place, t->waits,
                                      t->list, event, 0);
}

/* Waits for a part, if it was begun; an event that there never was goes without the backend. */
static int finish(transfer *t, uint64_t number, bool last) {
    cl_event *event = &t->events[number % SLOTS];
    if (*event == NULL)
        return CL_SUCCESS;
    int result = remote_clWaitForEvents(1, event, 0);
    if (result == CL_SUCCESS && t->from == NULL)
        ob_large_copy_part(&t->copying, t->to + number * part_bytes(t), area + place_of(t, number),
                           part_of(t, number));
    if (result == CL_SUCCESS && last && t->event != NULL)
        *t->event = *event;
    else if (result == CL_SUCCESS || result == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        clReleaseEvent(*event);
    else
        object_drop(*event);
    *event = NULL;
    return result;
}

static int run(transfer *t) {
    uint64_t parts = (t->size + part_bytes(t) - 1) / part_bytes(t), begun = 0, over = 0;
    int result = CL_SUCCESS;
    lock_pages(t);
    ob_large_copy_begin(&t->copying, t->size, t->from != NULL);
    while (over < parts && result == CL_SUCCESS) {
        while (begun < parts && begun < over + SLOTS && result == CL_SUCCESS)
            result = start(t, begun++);
        if (result == CL_SUCCESS) {
            result = finish(t, over, over + 1 == parts);
            over++;
        }
    }
    while (result != CL_SUCCESS && over < begun)
        finish(t, over++, false);
    ob_large_copy_end(&t->copying);
    pthread_mutex_unlock(&lock);
    return landings_arrive(result);
}

static int kind_of(const cl_event *event) { return event == NULL ? IN_PARTS : WITH_AN_EVENT; }

int area_read(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, void *to,
              int waits, const cl_event *list, cl_event *event) {
    transfer t = {.queue = queue,
                  .buffer = buffer,
                  .offset = offset,
                  .size = size,
                  .kind = kind_of(event),
                  .to = to,
                  .waits = waits,
                  .list = list,
                  .event = event};
    return run(&t);
}

int area_write(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size,
               const void *from, int waits, const cl_event *list, cl_event *event) {
    transfer t = {.queue = queue,
                  .buffer = buffer,
                  .offset = offset,
                  .size = size,
                  .kind = kind_of(event),
                  .from = from,
                  .waits = waits,
                  .list = list,
                  .event = event};
    return run(&t);
}
