/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers about objects. Answers that never change are asked for once; those that are objects, or
 * memory of the program, are given here.
 */
#include "object/object.h"

#include <stdlib.h>

enum { USUAL = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static answer **place_of(object *o, uint32_t name) {
    answer **at = &o->answers;
    while (*at != NULL && (*at)->name != name)
        at = &(*at)->next;
    return at;
}

bool object_remember(object *o, uint32_t name, const void *value, size_t size) {
    answer *one = malloc(sizeof *one + size);
    if (one == NULL)
        return false;
    one->name = name;
    one->size = size;
    if (size > 0)
        memcpy(one->value, value, size);
    pthread_mutex_lock(&lock);
    answer **at = place_of(o, name), *before = *at;
    one->next = before == NULL ? NULL : before->next;
    *at = one;
    pthread_mutex_unlock(&lock);
    free(before);
    return true;
}

void *object_keep(object *o, uint32_t name, size_t size) {
    pthread_mutex_lock(&lock);
    answer **at = place_of(o, name);
    if (*at == NULL && (*at = calloc(1, sizeof **at + size)) != NULL)
        **at = (answer){.name = name, .size = size};
    answer *one = *at;
    pthread_mutex_unlock(&lock);
    return one == NULL ? NULL : one->value;
}

bool object_recall(object *o, uint32_t name, void *value, size_t room) {
    pthread_mutex_lock(&lock);
    const answer *one = *place_of(o, name);
    if (one != NULL)
        memcpy(value, one->value, one->size < room ? one->size : room);
    pthread_mutex_unlock(&lock);
    return one != NULL;
}

static answer *copy_of(const answer *one) {
    answer *made = malloc(sizeof *made + one->size);
    if (made != NULL)
        memcpy(made, one, sizeof *made + one->size);
    return made;
}

answer *answer_copy(object *o, uint32_t name) {
    pthread_mutex_lock(&lock);
    const answer *one = *place_of(o, name);
    answer *copy = one == NULL ? NULL : copy_of(one);
    pthread_mutex_unlock(&lock);
    return copy;
}

void answers_copy(object *to, const answer *from) {
    pthread_mutex_lock(&lock);
    answers_free(to->answers);
    to->answers = NULL;
    for (answer *one; from != NULL && (one = copy_of(from)) != NULL; from = from->next) {
        one->next = to->answers;
        to->answers = one;
    }
    pthread_mutex_unlock(&lock);
}

void answers_free(answer *answers) {
    for (answer *one; (one = answers) != NULL;) {
        answers = one->next;
        free(one);
    }
}

int info_give(const void *from, size_t bytes, size_t size, void *value, size_t *size_ret) {
    if (value != NULL && size < bytes)
        return CL_INVALID_VALUE;
    if (value != NULL && bytes > 0)
        memcpy(value, from, bytes);
    if (size_ret != NULL)
        *size_ret = bytes;
    return CL_SUCCESS;
}

int info_give_object(object *given, size_t size, void *value, size_t *size_ret) {
    return info_give(&given, sizeof given, size, value, size_ret);
}

static bool give_remembered(object *o, uint32_t name, size_t size, void *value, size_t *size_ret,
                            int *result) {
    pthread_mutex_lock(&lock);
    const answer *one = *place_of(o, name);
    if (one != NULL)
        *result = info_give(one->value, one->size, size, value, size_ret);
    pthread_mutex_unlock(&lock);
    return one != NULL;
}

/* Few answers are larger than usual; the size of such a one is asked for, and then the answer with
 * its own size, which counts. */
int info_learn(object *o, int name, question ask) {
    unsigned char usual[USUAL], *large = NULL;
    uint64_t bytes = 0, room = sizeof usual;
    int result = ask(o, name, room, usual, &bytes);
    if (result == CL_INVALID_VALUE && (result = ask(o, name, 0, NULL, &room)) == CL_SUCCESS) {
        large = room <= OB_REPLY_MOST ? malloc(room + 1) : NULL;
        result = large == NULL ? CL_OUT_OF_HOST_MEMORY : ask(o, name, room, large, &bytes);
    }
    if (result == CL_SUCCESS && (bytes > room || !object_remember(o, (uint32_t)name,
                                                                  large != NULL ? large : usual,
                                                                  bytes)))
        result = CL_OUT_OF_HOST_MEMORY;
    free(large);
    return result;
}

int object_info(object *o, int name, size_t size, void *value, size_t *size_ret, question ask,
                bool stays) {
    int result;
    if (give_remembered(o, (uint32_t)name, size, value, size_ret, &result))
        return result;
    if (!stays)
        return ask(o, name, size, value, size_ret);
    result = info_learn(o, name, ask);
    if (result == CL_SUCCESS)
        give_remembered(o, (uint32_t)name, size, value, size_ret, &result);
    return result;
}

int list_length(const uint64_t *list) {
    int length = 0;
    if (list == NULL)
        return 0;
    while (list[length] != 0)
        length += 2;
    return length + 1;
}

bool named_before(const uint64_t *list, const uint64_t *at) {
    while (list != at && *list != *at)
        list += 2;
    return list != at;
}

/* ---- by kind --------------------------------------------------------------------------------- */

int info_give_owners(const object *o, size_t size, void *value, size_t *size_ret) {
    uint32_t owners = o->lasting ? 1 : o->owners;
    return info_give(&owners, sizeof owners, size, value, size_ret);
}

/* An object that lasts was made from none; a context is another question. */
static object *made_from(object *o) {
    return o->lasting || o->first == NULL || o->first->kind == OB_OPENCL_CONTEXT ? NULL : o->first;
}

static bool is(int name, uint32_t known) { return known != 0 && (uint32_t)name == known; }

static int give_if_asked(const opencl_query *query, object *o, int name, uint64_t size, void *value,
                         uint64_t *size_ret) {
    uint64_t bytes;
    int result = query->ask(o, name, 0, NULL, &bytes);
    return result == CL_SUCCESS ? info_give_object(context_of(o), size, value, size_ret) : result;
}

/* How far work has come; its end stays, and the program learns from it. */
static int status(const opencl_query *query, object *o, int name, int32_t *to) {
    if (object_recall(o, (uint32_t)name, to, sizeof *to))
        return CL_SUCCESS;
    int result = query->ask(o, name, sizeof *to, to, NULL);
    if (result != CL_SUCCESS || *to > 0)
        return result;
    result = objects_arrive(CL_SUCCESS);
    if (result == CL_SUCCESS)
        object_remember(o, (uint32_t)name, to, sizeof *to);
    return result;
}

static int give_status(const opencl_query *query, object *o, int name, size_t size, void *value,
                       size_t *size_ret) {
    int32_t now;
    int result = status(query, o, name, &now);
    return result == CL_SUCCESS ? info_give(&now, sizeof now, size, value, size_ret) : result;
}

static int give_own(object *o, int name, size_t size, void *value, size_t *size_ret) {
    uint32_t known = 0;
    object_recall(o, (uint32_t)name, &known, sizeof known);
    return info_give(&known, sizeof known, size, value, size_ret);
}

int32_t opencl_answer(const opencl_query *query, void *about, int name, uint64_t size, void *value,
                      uint64_t *size_ret) {
    object *o = about == NULL && query->kinds == KIND_BIT(PLATFORM)
                    ? first_platform()
                    : object_at(about, query->kinds);
    if (o == NULL)
        return query->invalid;
    if (is(name, query->owners))
        return info_give_owners(o, size, value, size_ret);
    if (is(name, query->context))
        return info_give_object(context_of(o), size, value, size_ret);
    if (is(name, query->late))
        return give_if_asked(query, o, name, size, value, size_ret);
    if (is(name, query->platform))
        return info_give_object(platform_of(o), size, value, size_ret);
    if (is(name, query->parent))
        return info_give_object(made_from(o), size, value, size_ret);
    if (is(name, query->none))
        return info_give_object(NULL, size, value, size_ret);
    if (is(name, query->ends))
        return give_status(query, o, name, size, value, size_ret);
    if (is(name, query->own[0]) || is(name, query->own[1]))
        return give_own(o, name, size, value, size_ret);
    return object_info(o, name, size, value, size_ret, query->ask, !is(name, query->varies));
}

void opencl_alike(void *made, void *like) { answers_copy(made, ((object *)like)->answers); }

void opencl_know(void *about, uint32_t name, const void *value, size_t bytes) {
    object_remember(about, name, value, bytes);
}
