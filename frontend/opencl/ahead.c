/* SPDX-License-Identifier: Apache-2.0
 *
 * A little that is read after each wait: a count of results, say, between one step and the next. It comes with the end of the wait, and
 * the step costs one round trip and not two.
 *
 * What has come stands for the read if it is what the thread calls next. Whatever the session sends or gets meanwhile ends it: another
 * command may have changed the buffer, and somebody have learnt of it. Only the end of an event changes nothing. The backend has the read
 * follow the event, by the queue whose last command that was, and waits for the event alone: nothing keeps the wait longer.
 */
#include "objects.h"

enum {
    LITTLE = 256,   /* bytes */
    A_HABIT = 4,    /* after so many in a row the next one is expected */
    QUESTION_AND_ANSWER = 2,
};

typedef struct habit {
    uint64_t queue, memory;         /* their handles: another object may come to be at the same address */
    cl_mem buffer;
    uint64_t offset, size;
    unsigned int times;
    bool come;                      /* the bytes are those of the present */
    unsigned char bytes[LITTLE];
} habit;

static _Thread_local habit own;
static _Thread_local uint64_t waited;   /* the moment of the thread's last wait's end, if no read has followed it */

static bool expects_read(const object *event) {
    const object *queue = event->first, *memory = own.times >= A_HABIT ? object_at(own.buffer, KIND_BIT(MEMORY)) : NULL;
    return memory != NULL && memory->handle == own.memory && queue != NULL && queue->handle == own.queue && ob_is_last(event->made);
}

/* What is wrong with the buffer, which may end meanwhile, is no matter of the wait. */
static bool of_the_wait(int result) { return result != CL_INVALID_MEM_OBJECT && result != CL_INVALID_COMMAND_QUEUE; }

int ahead_wait(object *event, uint64_t *times) {
    int read = CL_INVALID_VALUE;
    if (own.come)
        own.times = 0; /* in vain */
    own.come = false;
    if (!expects_read(event))
        return ob_opencl.not_supported;
    int result = remote_outboardWaitRead((cl_event)(void *)event, times, (cl_command_queue)(void *)event->first, own.buffer, own.offset, own.size,
                                         own.bytes, &read, 0);
    own.come = result == CL_SUCCESS && read == CL_SUCCESS;
    if (!own.come)
        own.times = 0;
    return of_the_wait(result) ? result : ob_opencl.not_supported;
}

void ahead_waited(uint64_t since) { waited = since + QUESTION_AND_ANSWER; }

bool ahead_stands(void) { return ob_moment() == waited; }

void ahead_goes_on(void) {
    if (ob_moment() == waited + 1)
        waited++;
}

static bool is_habit(const habit *one) {
    return one->queue == own.queue && one->memory == own.memory && one->offset == own.offset && one->size == own.size;
}

bool ahead_read(cl_command_queue queue, cl_mem buffer, uint64_t offset, uint64_t size, void *to) {
    const object *q = object_at(queue, KIND_BIT(QUEUE)), *memory = object_at(buffer, KIND_BIT(MEMORY));
    bool follows = ahead_stands();
    waited = 0;
    if (!follows || q == NULL || memory == NULL || size > LITTLE)
        return false;
    habit now = {.queue = q->handle, .memory = memory->handle, .buffer = buffer, .offset = offset, .size = size, .times = 1};
    if (!is_habit(&now)) {
        own = now;
        return false;
    }
    if (!own.come) {
        own.times++;
        return false;
    }
    own.come = false;
    memcpy(to, own.bytes, size);
    return true;
}
