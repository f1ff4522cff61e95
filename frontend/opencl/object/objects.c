/* SPDX-License-Identifier: Apache-2.0
 *
 * The objects of the process. A table tells whether what a program gives is one, so that a stale
 * pointer is an error and no crash.
 */
#include "object/object.h"

#include "base/glibc.h"

#include <pthread.h>
#include <stdlib.h>

enum { BUCKETS = 4096, PLACES = 8, FEW = 32 };

static object *by_address[BUCKETS], *by_handle[BUCKETS];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const object_duties *above;

void objects_have(const object_duties *duties) { above = duties; }

int objects_arrive(int result) { return above->arrive(result); }

static uint32_t bucket(uint64_t word) { return (uint32_t)((word * 0x9E3779B97F4A7C15ULL) >> 52); }

static object **place_of(const void *address) {
    object **at = &by_address[bucket((uintptr_t)address)];
    while (*at != NULL && *at != address)
        at = &(*at)->next;
    return at;
}

static object **place_of_handle(uint64_t handle) {
    object **at = &by_handle[bucket(handle)];
    while (*at != NULL && (*at)->handle != handle)
        at = &(*at)->next_by_handle;
    return at;
}

object *object_at(const void *address, uint64_t kinds) {
    pthread_rwlock_rdlock(&lock);
    object *found = address == NULL ? NULL : *place_of(address);
    pthread_rwlock_unlock(&lock);
    return found != NULL && (kinds >> found->kind & 1) != 0 ? found : NULL;
}

uint64_t opencl_handle(const void *address, uint64_t kinds) {
    if (address == NULL)
        return 0;
    const object *found = object_at(address, kinds);
    return found == NULL ? UINT64_MAX : found->handle;
}

/* ---- lists ----------------------------------------------------------------------------------- */

typedef struct list {
    uint64_t few[FEW];
    uint64_t *many;
    uint64_t room;
} list;

static pthread_key_t lists_key;
static pthread_once_t lists_once = PTHREAD_ONCE_INIT;

static void free_lists(void *lists) {
    for (int i = 0; i < PLACES; i++)
        free(((list *)lists)[i].many);
    free(lists);
}

static void make_key(void) { pthread_key_create(&lists_key, free_lists); }

static list *own_list(uint32_t place) {
    pthread_once(&lists_once, make_key);
    list *lists = pthread_getspecific(lists_key);
    if (lists == NULL && (lists = calloc(PLACES, sizeof *lists)) != NULL)
        pthread_setspecific(lists_key, lists);
    return lists == NULL ? NULL : lists + place % PLACES;
}

static uint64_t *list_room(uint32_t place, uint64_t count) {
    list *own = own_list(place);
    if (own == NULL || count <= FEW)
        return own == NULL ? NULL : own->few;
    if (count > own->room) {
        uint64_t *many = realloc(own->many, count * sizeof *many);
        if (many == NULL)
            return NULL;
        own->many = many;
        own->room = count;
    }
    return own->many;
}

const uint64_t *opencl_handles(const void *objects, uint64_t bytes, uint64_t kinds,
                               uint32_t place) {
    const void *const *from = objects;
    uint64_t count = bytes / sizeof *from, *to = list_room(place, count);
    for (uint64_t i = 0; to != NULL && i < count; i++) {
        to[i] = opencl_handle(from[i], kinds);
        if (to[i] == UINT64_MAX || to[i] == 0)
            return NULL;
    }
    return to;
}

/* ---- life ------------------------------------------------------------------------------------ */

static _Atomic int queues;
static _Atomic bool own_events;

bool commands_go_on(void) { return queues == 1 && !own_events; }

static object *maker(uint32_t kind, void *first) {
    object *from = first;
    /* A run of a command buffer belongs to the queue. */
    if (from != NULL && kind == OB_OPENCL_EVENT && from->kind == OB_OPENCL_COMMANDBUFFER)
        return from->first;
    /* A copy of a kernel belongs to the program. */
    if (from != NULL && kind == OB_OPENCL_KERNEL && from->kind == OB_OPENCL_KERNEL)
        return from->first;
    return from;
}

static object *make(uint32_t kind, uint64_t handle, object *first) {
    object *o = calloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    o->dispatch = above->dispatch;
    o->handle = handle;
    o->kind = kind;
    o->owners = 1;
    o->first = first;
    o->lasting = kind == OB_OPENCL_PLATFORM ||
                 (kind == OB_OPENCL_DEVICE && first != NULL && first->kind == OB_OPENCL_PLATFORM);
    if (first != NULL)
        first->owners++;
    queues += kind == OB_OPENCL_QUEUE;
    if (kind == OB_OPENCL_EVENT && first != NULL && first->kind == OB_OPENCL_CONTEXT)
        own_events = true;
    return o;
}

object *first_platform(void) {
    cl_platform_id platform = NULL;
    return remote_clGetPlatformIDs(1, &platform, NULL, 0) == CL_SUCCESS ? (object *)platform : NULL;
}

/* No device makes one of nothing. */
static bool needs_first(uint32_t kind) {
    return kind == OB_OPENCL_KERNEL || kind == OB_OPENCL_COMMANDBUFFER;
}

void *opencl_object(uint32_t kind, uint64_t handle, void *first) {
    if (handle == 0 || (first == NULL && needs_first(kind)))
        return NULL;
    if (kind == OB_OPENCL_DEVICE && first == NULL)
        first = first_platform();
    pthread_rwlock_wrlock(&lock);
    object *o = *place_of_handle(handle);
    if (o == NULL && (o = make(kind, handle, maker(kind, first))) != NULL) {
        object **at = place_of(o), **handles = place_of_handle(handle);
        *at = o;
        *handles = o;
    }
    pthread_rwlock_unlock(&lock);
    /* A backend may name an object of another kind in its place. */
    return o != NULL && o->kind == kind ? o : NULL;
}

bool opencl_retain(void *address, uint64_t kinds) {
    object *o = object_at(address, kinds);
    if (o != NULL && !o->lasting)
        o->owners++;
    return o != NULL;
}

static void take_out(object *o) {
    pthread_rwlock_wrlock(&lock);
    object **at = place_of(o), **handles = place_of_handle(o->handle);
    if (*at == o)
        *at = o->next;
    if (*handles == o)
        *handles = o->next_by_handle;
    pthread_rwlock_unlock(&lock);
}

/* Those that were registered last run first, as the specification says. */
static void run_endings(object *o) {
    for (ending *one; (one = o->endings) != NULL;) {
        o->endings = one->next;
        one->notify(o, one->data);
        free(one);
    }
}

static void free_object(object *o) {
    answers_free(o->answers);
    free(o);
}

static int32_t end_on_backend(object *o) {
    above->ends(o);
    return opencl_end(o->kind, o);
}

static void lose_owner(object *o, int32_t (*end)(object *)) {
    while (o != NULL && !o->lasting && --o->owners == 0) {
        object *first = o->first;
        end(o);
        queues -= o->kind == OB_OPENCL_QUEUE;
        take_out(o);
        run_endings(o);
        free_object(o);
        o = first;
        end = end_on_backend;
    }
}

bool opencl_release(void *address, uint64_t kinds) {
    object *o = object_at(address, kinds);
    lose_owner(o, end_on_backend);
    return o != NULL;
}

static int32_t nothing(object *o) {
    (void)o;
    return CL_SUCCESS;
}

void object_drop(void *address) {
    object *o = address;
    if (o != NULL) {
        ob_handle_retire(o->handle);
        lose_owner(o, nothing);
    }
}

int object_on_end(void *address, uint64_t kinds, int invalid, void (*notify)(void *, void *),
                  void *data) {
    object *o = object_at(address, kinds);
    if (o == NULL)
        return invalid;
    ending *one = notify == NULL ? NULL : malloc(sizeof *one);
    if (one == NULL)
        return notify == NULL ? CL_INVALID_VALUE : CL_OUT_OF_HOST_MEMORY;
    pthread_rwlock_wrlock(&lock);
    *one = (ending){o->endings, notify, data};
    o->endings = one;
    pthread_rwlock_unlock(&lock);
    return CL_SUCCESS;
}

void object_belongs(object *o, object *first) {
    object *before = o->first;
    first->owners++;
    o->first = first;
    lose_owner(before, end_on_backend);
}

object *context_of(object *o) {
    while (o != NULL && o->kind != OB_OPENCL_CONTEXT)
        o = o->first;
    return o;
}

object *platform_of(object *o) {
    while (o != NULL && o->kind != OB_OPENCL_PLATFORM)
        o = o->first;
    return o;
}
