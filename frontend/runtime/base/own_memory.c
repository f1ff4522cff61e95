/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of each thread's own that is too large for thread-local variables and for the stack: glibc
 * takes the former from the latter, and threads of programs may have as little as 16 KiB of it.
 */
#include "base/base.h"

#include <stdlib.h>

static bool has_key(ob_own_memory *what) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    if (atomic_load_explicit(&what->made, memory_order_acquire))
        return true;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&what->made))
        atomic_store(&what->made, pthread_key_create(&what->key, free) == 0);
    pthread_mutex_unlock(&lock);
    return atomic_load(&what->made);
}

void *ob_own(ob_own_memory *what) {
    void *mine = has_key(what) ? pthread_getspecific(what->key) : NULL;
    if (mine != NULL || !atomic_load(&what->made))
        return mine;
    mine = calloc(1, what->bytes);
    if (mine != NULL && pthread_setspecific(what->key, mine) != 0) {
        free(mine);
        mine = NULL;
    }
    return mine;
}
