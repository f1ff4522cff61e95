/* SPDX-License-Identifier: Apache-2.0
 *
 * Coarse-grained shared virtual memory: pages of the program at the addresses that the device's
 * memory has. Mapping reads them, the end of a mapping writes them back; a copy is one between the
 * two sides where one of its places is other memory of the program.
 */
#include "memory/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    SVM_FINE_GRAIN = 1 << 10,
    SVM_ATOMICS = 1 << 11,
    MAP_WRITE = 1 << 1 | 1 << 2,
    MAP_INVALIDATE = 1 << 2,
    COMMAND_SVM_FREE = 0x1209,
    COMMAND_SVM_MEMCPY = 0x120A,
    COMMAND_SVM_MAP = 0x120C,
    COMMAND_SVM_UNMAP = 0x120D,
    PAGE = 4096,
};

/* Memory, or a mapping of a part of it. */
typedef struct region {
    struct region *next;
    unsigned char *at;
    uint64_t bytes;
    bool writes;
} region;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static region *memory, *mapped;

static bool keep(region **list, unsigned char *at, uint64_t bytes, bool writes) {
    region *one = malloc(sizeof *one);
    if (one == NULL)
        return false;
    pthread_mutex_lock(&lock);
    *one = (region){*list, at, bytes, writes};
    *list = one;
    pthread_mutex_unlock(&lock);
    return true;
}

/* Takes out what begins at an address. */
static bool take(region **list, const void *at, region *to) {
    pthread_mutex_lock(&lock);
    while (*list != NULL && (*list)->at != at)
        list = &(*list)->next;
    region *found = *list;
    if (found != NULL) {
        *to = *found;
        *list = found->next;
    }
    pthread_mutex_unlock(&lock);
    free(found);
    return found != NULL;
}

bool svm_has(const void *address, uint64_t bytes) {
    const unsigned char *at = address;
    pthread_mutex_lock(&lock);
    const region *one = memory;
    while (one != NULL && !(at >= one->at && bytes <= one->bytes &&
                            (uint64_t)(at - one->at) <= one->bytes - bytes))
        one = one->next;
    pthread_mutex_unlock(&lock);
    return one != NULL;
}

static uint64_t number_of(const void *address) { return (uint64_t)(uintptr_t)address; }

/* ---- allocation ------------------------------------------------------------------------------ */

static bool renew(unsigned char *at, uint64_t bytes, int protection) {
    return mmap(at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                0) == at;
}

static uint64_t whole_pages(uint64_t bytes) { return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

/* Pages of the program where the device has its own; NULL where the program has something there. */
static void *on_both_sides(cl_context context, uint64_t size) {
    uint64_t address, bytes = whole_pages(size);
    if (remote_outboardSvmAllocate(context, bytes, &address, 0) != CL_SUCCESS)
        return NULL;
    unsigned char *at = (unsigned char *)(uintptr_t)address;
    bool claimed = ob_claim(address, bytes);
    if (claimed && renew(at, bytes, PROT_READ | PROT_WRITE) && keep(&memory, at, size, true))
        return at;
    if (claimed)
        ob_unclaim(address);
    remote_outboardSvmFree(context, address, 0);
    return NULL;
}

void *clSVMAlloc(cl_context context, uint64_t flags, size_t size, unsigned int alignment) {
    uint64_t access = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
    bool possible = (flags & (SVM_FINE_GRAIN | SVM_ATOMICS)) == 0 && size > 0 &&
                    (access & (access - 1)) == 0 &&
                    size < SIZE_MAX / 2 && alignment <= PAGE &&
                    (alignment & (alignment - 1)) == 0 &&
                    object_at(context, KIND_BIT(CONTEXT)) != NULL;
    return possible ? on_both_sides(context, size) : NULL;
}

/* The address stays reserved: the device's side may have something there. */
void clSVMFree(cl_context context, void *pointer) {
    region ended;
    if (pointer == NULL || !take(&memory, pointer, &ended))
        return;
    renew(ended.at, whole_pages(ended.bytes), PROT_NONE);
    ob_unclaim(number_of(ended.at));
    remote_outboardSvmFree(context, number_of(pointer), 0);
}

typedef struct freeing {
    cl_command_queue queue;
    void (*function)(cl_command_queue, unsigned int, void **, void *);
    void *data;
    unsigned int count;
    void *pointers[];
} freeing;

static void free_now(cl_event event, int status, void *data) {
    freeing *f = data;
    (void)status;
    if (f->function != NULL)
        f->function(f->queue, f->count, f->pointers, f->data);
    else
        for (unsigned int i = 0; i < f->count; i++)
            clSVMFree((cl_context)(void *)context_of(object_at(f->queue, KIND_BIT(QUEUE))),
                      f->pointers[i]);
    clReleaseCommandQueue(f->queue);
    clReleaseEvent(event);
    free(f);
}

int clEnqueueSVMFree(cl_command_queue queue, unsigned int count, void *pointers[],
                     void (*free_function)(cl_command_queue, unsigned int, void **, void *),
                     void *data, unsigned int waits, const cl_event *wait_list, cl_event *event) {
    cl_event over = NULL;
    if ((count == 0) != (pointers == NULL))
        return CL_INVALID_VALUE;
    int result = order(queue, false, (int)waits, wait_list, &over);
    if (result != CL_SUCCESS)
        return result;
    freeing *f = malloc(sizeof *f + count * sizeof *pointers);
    if (f == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *f = (freeing){queue, free_function, data, count};
    if (count > 0)
        memcpy(f->pointers, pointers, count * sizeof *pointers);
    clRetainCommandQueue(queue);
    command_type(over, COMMAND_SVM_FREE);
    if (event != NULL) {
        *event = over;
        clRetainEvent(over);
    }
    return clSetEventCallback(over, CL_SUCCESS, free_now, f);
}

/* ---- mapping --------------------------------------------------------------------------------- */

static int read_from(cl_command_queue queue, bool blocking, const void *from, void *to,
                     uint64_t size, int waits, const cl_event *list, cl_event *event) {
    box place = flat_box(to, size);
    uint64_t number = landing_number();
    return land(remote_outboardSvmRead(queue, number_of(from), size, number, waits, list, event,
                                       blocking ? 0 : OB_ANSWER),
                number, blocking, &place, event);
}

static int write_to(cl_command_queue queue, bool blocking, const void *to, const void *from,
                    uint64_t size, int waits, const cl_event *list, cl_event *event) {
    awaited w;
    begin_wait(&w, blocking, event);
    return after_write(
        remote_outboardSvmWrite(queue, number_of(to), size, from, waits, list, w.event, 0), &w);
}

static int typed(int result, cl_event *event, uint32_t type) {
    return result == CL_SUCCESS && event != NULL ? command_type(*event, type) : result;
}

int clEnqueueSVMMap(cl_command_queue queue, unsigned int blocking, uint64_t flags, void *pointer,
                    size_t size, unsigned int waits, const cl_event *wait_list, cl_event *event) {
    if (object_at(queue, KIND_BIT(QUEUE)) == NULL)
        return CL_INVALID_COMMAND_QUEUE;
    if (pointer == NULL || size == 0 || !svm_has(pointer, size))
        return CL_INVALID_VALUE;
    int result =
        (flags & MAP_INVALIDATE) != 0
            ? order(queue, blocking, (int)waits, wait_list, event)
            : read_from(queue, blocking, pointer, pointer, size, (int)waits, wait_list, event);
    if (result == CL_SUCCESS && !keep(&mapped, pointer, size, (flags & MAP_WRITE) != 0))
        result = CL_OUT_OF_HOST_MEMORY;
    return typed(result, event, COMMAND_SVM_MAP);
}

int clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, unsigned int waits,
                      const cl_event *wait_list, cl_event *event) {
    region ended;
    if (object_at(queue, KIND_BIT(QUEUE)) == NULL)
        return CL_INVALID_COMMAND_QUEUE;
    if (pointer == NULL || !take(&mapped, pointer, &ended))
        return CL_INVALID_VALUE;
    /* Nobody has waited for what was to be there, and so nobody has written there. */
    bool writes = !landing_forget(pointer) && ended.writes;
    int result =
        writes ? write_to(queue, false, pointer, pointer, ended.bytes, (int)waits, wait_list, event)
               : order(queue, false, (int)waits, wait_list, event);
    return typed(result, event, COMMAND_SVM_UNMAP);
}

/* ---- other commands -------------------------------------------------------------------------- */

static int copy_on_device(cl_command_queue queue, bool blocking, void *to, const void *from,
                          uint64_t size, int waits, const cl_event *list, cl_event *event) {
    awaited w;
    begin_wait(&w, blocking, event);
    return after_write(remote_outboardSvmCopy(queue, number_of(to), number_of(from), size, waits,
                                              list, w.event, 0),
                       &w);
}

/* Nothing of it is the device's: it has its place among the commands, for which the program waits.
 */
static int copy_here(cl_command_queue queue, void *to, const void *from, uint64_t size, int waits,
                     const cl_event *list, cl_event *event) {
    int result = order(queue, true, waits, list, event);
    if (result == CL_SUCCESS)
        memmove(to, from, size);
    return result;
}

int clEnqueueSVMMemcpy(cl_command_queue queue, unsigned int blocking, void *to, const void *from,
                       size_t size, unsigned int waits, const cl_event *wait_list,
                       cl_event *event) {
    bool target = svm_has(to, size), source = svm_has(from, size);
    int result;
    if (to == NULL || from == NULL)
        return CL_INVALID_VALUE;
    if (target && source)
        result = copy_on_device(queue, blocking, to, from, size, (int)waits, wait_list, event);
    else if (target)
        result = write_to(queue, blocking, to, from, size, (int)waits, wait_list, event);
    else if (source)
        result = read_from(queue, blocking, from, to, size, (int)waits, wait_list, event);
    else
        result = copy_here(queue, to, from, size, (int)waits, wait_list, event);
    return typed(result, event, COMMAND_SVM_MEMCPY);
}
