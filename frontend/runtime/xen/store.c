/* SPDX-License-Identifier: Apache-2.0 */
#include "xen/store.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    DIRECTORY = 1,
    READ = 2,
    WATCH = 4,
    WRITE = 11,
    REMOVE = 13,
    EVENT = 15,
    ERROR = 16,
    IS_DOMAIN_INTRODUCED = 17,
};

typedef struct message {
    uint32_t type, request, transaction, bytes;
    char payload[STORE_PAYLOAD + 2];
} message;

#define HEAD offsetof(message, payload)

static bool read_all(int fd, void *to, size_t bytes) {
    for (size_t had = 0; had < bytes;) {
        ssize_t n = read(fd, (char *)to + had, bytes - had);
        if (n == 0)
            errno = EPIPE;
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        had += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool receive(const store *s, message *m) {
    if (!read_all(s->fd, m, HEAD))
        return false;
    errno = EPROTO;
    if (m->bytes > STORE_PAYLOAD || !read_all(s->fd, m->payload, m->bytes))
        return false;
    m->payload[m->bytes] = m->payload[m->bytes + 1] = '\0';
    return true;
}

static int meaning(const char *error) {
    return strcmp(error, "EACCES") == 0 ? EACCES : strcmp(error, "ENOENT") == 0 ? ENOENT : EIO;
}

/* Events of watches come between a request and its answer. */
static bool answered(store *s, message *m, uint32_t type) {
    do {
        if (!receive(s, m))
            return false;
        s->fired |= m->type == EVENT;
    } while (m->type == EVENT);
    errno = m->type == ERROR ? meaning(m->payload) : EPROTO;
    return m->type == type;
}

static bool append(message *m, const char *text, size_t bytes) {
    errno = E2BIG;
    if (bytes > STORE_PAYLOAD - m->bytes)
        return false;
    memcpy(m->payload + m->bytes, text, bytes);
    m->bytes += (uint32_t)bytes;
    return true;
}

static bool ask(store *s, message *m, uint32_t type, const char *path, const char *more,
                size_t bytes) {
    *m = (message){.type = type};
    if (!append(m, path, strlen(path) + 1) || !append(m, more, bytes))
        return false;
    size_t all = HEAD + m->bytes;
    ssize_t written;
    do
        written = write(s->fd, m, all);
    while (written < 0 && errno == EINTR);
    return written == (ssize_t)all && answered(s, m, type);
}

bool store_write(store *s, const char *path, const char *value) {
    message m;
    return ask(s, &m, WRITE, path, value, strlen(value));
}

bool store_remove(store *s, const char *path) {
    message m;
    return ask(s, &m, REMOVE, path, "", 0);
}

bool store_watch(store *s, const char *path) {
    message m;
    return ask(s, &m, WATCH, path, "1", sizeof "1");
}

bool store_knows_domain(store *s, int domain) {
    message m;
    char number[16];
    snprintf(number, sizeof number, "%d", domain);
    return !ask(s, &m, IS_DOMAIN_INTRODUCED, number, "", 0) || strcmp(m.payload, "F") != 0;
}

static bool fetch(store *s, uint32_t type, const char *path, char *to) {
    message m;
    if (!ask(s, &m, type, path, "", 0))
        return false;
    memcpy(to, m.payload, m.bytes + 2);
    return true;
}

bool store_read(store *s, const char *path, char value[STORE_PAYLOAD + 2]) {
    return fetch(s, READ, path, value);
}

bool store_list(store *s, const char *path, char names[STORE_PAYLOAD + 2]) {
    return fetch(s, DIRECTORY, path, names);
}

bool store_take_event(store *s) {
    message m;
    if (!receive(s, &m))
        return false;
    s->fired |= m.type == EVENT;
    return true;
}
