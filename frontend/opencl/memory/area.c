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
    int waits;
    const cl_event *list;
    cl_event *event;                /* where the program wants the last command's, or NULL */
    cl_event events[SLOTS];
} transfer;

/* Where it cannot be, or is of no use, all goes on as before. It is answered: the slots may be read
 * and written meanwhile. */
static void lock_pages(const transfer *t) {
    object *context = context_of(object_at(t->queue, KIND_BIT(QUEUE)));
    uint64_t *moved = context == NULL ? NULL : object_keep(context, MOVED, KINDS * sizeof *moved),
             all = SLOTS * slots_of[t->kind].bytes;
    if (moved == NULL)
        return;
    bool locked = moved[t->kind] >= LOCKED_AFTER * all;
    moved[t->kind] += t->size;
    if (!locked && moved[t->kind] >= LOCKED_AFTER * all)
        remote_outboardLockArea(t->queue, slots_of[t->kind].place, all, 0);
}

/* Posted: its errors are told when it is waited for. */
static int start(transfer *t, const ob_parts *p) {
    uint64_t offset = t->offset + p->index * p->part,
             place = slots_of[t->kind].place + p->index % SLOTS * p->part;
    cl_event *event = &t->events[p->index % SLOTS];
    return p->from == NULL ? remote_outboardReadShared(t->queue, t->buffer, offset, p->count, place,
                                                       t->waits, t->list, event, 0)
                           : remote_outboardWriteShared(t->queue, t->buffer, offset, p->count,
                                                        place, t->waits, t->list, event, 0);
}

/* An event that there never was goes without the backend. */
static int finish(transfer *t, const ob_parts *p) {
    cl_event *event = &t->events[p->index % SLOTS];
    if (*event == NULL)
        return CL_SUCCESS;
    int result = remote_clWaitForEvents(1, event, 0);
    if (result == CL_SUCCESS && p->last && t->event != NULL)
        *t->event = *event;
    else if (result == CL_SUCCESS || result == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        clReleaseEvent(*event);
    else
        object_drop(*event);
    *event = NULL;
    return result;
}

static int run(transfer *t, const void *from, void *to) {
    ob_parts p = {.bytes = t->size,
                  .part = slots_of[t->kind].bytes,
                  .places = area + slots_of[t->kind].place,
                  .window = SLOTS,
                  .from = from,
                  .to = to};
    lock_pages(t);
    while (ob_parts_next(&p))
        ob_parts_done(&p, p.starts ? start(t, &p) : finish(t, &p));
    pthread_mutex_unlock(&lock);
    return landings_arrive(p.result);
}

static int kind_of(const cl_event *event) { return event == NULL ? IN_PARTS : WITH_AN_EVENT; }

int area_read(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, void *to,
              int waits, const cl_event *list, cl_event *event) {
    transfer t = {queue, buffer, offset, size, kind_of(event), waits, list, event, {NULL}};
    return run(&t, NULL, to);
}

int area_write(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size,
               const void *from, int waits, const cl_event *list, cl_event *event) {
    transfer t = {queue, buffer, offset, size, kind_of(event), waits, list, event, {NULL}};
    return run(&t, from, NULL);
}
