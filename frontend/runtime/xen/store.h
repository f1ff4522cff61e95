/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests to the xenstore, one at a time: the protocol of Xen's docs/misc/xenstore.txt. Any answer
 * may be malformed.
 */
#ifndef OUTBOARD_XEN_STORE_H
#define OUTBOARD_XEN_STORE_H

#include <stdbool.h>
#include <stddef.h>

enum { STORE_PAYLOAD = 4096 };

typedef struct store {
    int fd;
    bool fired; /* something that is watched may have changed */
} store;

/* Each returns false, and says why in errno, if the store refuses or its answer is malformed. */
bool store_write(store *s, const char *path, const char *value);
bool store_remove(store *s, const char *path);
bool store_watch(store *s, const char *path);
/* Whether that domain is there, as far as anybody can tell. */
bool store_knows_domain(store *s, int domain);
/* The value, and the names in a folder: each ends with a 0, and one more comes after all. */
bool store_read(store *s, const char *path, char value[STORE_PAYLOAD + 2]);
bool store_list(store *s, const char *path, char names[STORE_PAYLOAD + 2]);
/* Takes one event of a watch, and waits for it if it has to. */
bool store_take_event(store *s);

#endif
