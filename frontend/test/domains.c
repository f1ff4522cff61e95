/* SPDX-License-Identifier: Apache-2.0
 *
 * Granted pages are a file that is named by the first grant, an event channel is a pair of FIFOs
 * that are named by their ports, and a key of the xenstore is a file.
 */
#include "domains.h"
#include "check.h"

#include "xen/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 64, AT_ONCE = 64, READ = 2, WRITE = 11, REMOVE = 13, DIRECTORY = 1, WATCH = 4,
    EVENT = 15, ERROR = 16, IS_THERE = 17 };

#define KEYS "keys"

static const char changed[] = "changed\0001";

int domains_refusal;
bool domains_leave_no_word;

/* ---- pages ----------------------------------------------------------------------------------- */

/* A number of this process's own, of 29 bits. */
static uint32_t fresh_number(void) {
    static _Atomic unsigned count;
    return ((uint32_t)getpid() * AT_ONCE + count++ % AT_ONCE) & 0x1fffffff;
}

static bool map_file(const char *name, int flags, unsigned count, xen_pages *to) {
    size_t bytes = (size_t)count * XEN_PAGE;
    int fd = open(name, O_RDWR | O_CLOEXEC | flags, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0)
        return false;
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    *to = (xen_pages){.base = base, .count = count, .fd = fd};
    return base != MAP_FAILED;
}

static bool grant(int domain, unsigned count, uint32_t grants[], xen_pages *to) {
    char name[NAME];
    uint32_t first = fresh_number();
    CHECK(domain == 0);
    errno = domains_refusal;
    if (domains_refusal != 0)
        return false;
    for (unsigned i = 0; i < count; i++)
        grants[i] = first + i;
    snprintf(name, sizeof name, "pages-%u", (unsigned)first);
    unlink(name);
    return map_file(name, O_CREAT | O_EXCL, count, to);
}

/* As Xen: a grant that is not there, or not for this domain, cannot be mapped. */
static bool map(int domain, unsigned count, const uint32_t grants[], xen_pages *to) {
    char name[NAME];
    errno = EINVAL;
    for (unsigned i = 0; i < count; i++)
        if (domain != GUEST || grants[i] != grants[0] + i)
            return false;
    snprintf(name, sizeof name, "pages-%u", (unsigned)grants[0]);
    return map_file(name, 0, count, to);
}

/* ---- event channels: an even port, and the other end's, which is one more -------------------- */

static int open_bell(uint32_t port, int flags) {
    char name[NAME];
    snprintf(name, sizeof name, "bell-%u", (unsigned)port);
    if (flags & O_CREAT)
        mkfifo(name, 0600);
    return open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

static bool offer(int domain, xen_event *to) {
    CHECK(domain == 0);
    to->port = fresh_number() * 2;
    close(open_bell(to->port + 1, O_CREAT));
    to->fd = open_bell(to->port, O_CREAT);
    return to->fd >= 0;
}

static bool join(int domain, uint32_t port, xen_event *to) {
    errno = EINVAL;
    *to = (xen_event){.fd = domain == GUEST ? open_bell(port + 1, 0) : -1, .port = port + 1};
    return to->fd >= 0;
}

/* One that is full rings already. */
static void ring(const xen_event *event) {
    int fd = open_bell(event->port ^ 1, 0);
    ssize_t written = write(fd, "", 1);
    (void)written;
    close(fd);
}

static void hear(const xen_event *event) {
    char rung[64];
    while (read(event->fd, rung, sizeof rung) > 0)
        continue;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The kernel's part is another process's, which has nothing else open: it sees this one's end. */
static void clear_at_end(int alive, _Atomic uint8_t *byte, int bell) {
    enum { MOST_FDS = 1024 };
    char nothing;
    for (int fd = 0; fd < MOST_FDS; fd++)
        if (fd != alive && fd != bell)
            close(fd);
    while (read(alive, &nothing, 1) > 0)
        continue;
    atomic_store(byte, 0);
    ssize_t rung = write(bell, "", 1);
    _exit(rung != 1);
}

static bool leave_word(const xen_pages *pages, size_t byte, const xen_event *event) {
    int alive[2], bell = open_bell(event->port ^ 1, 0);
    if (domains_leave_no_word || pipe2(alive, O_CLOEXEC) != 0)
        return false;
    pid_t child = fork();
    if (child == 0)
        clear_at_end(alive[0], (_Atomic uint8_t *)pages->base + byte, bell);
    close(alive[0]);
    close(bell);
    return child > 0;
}

/* ---- the xenstore: GUEST's folder of offers alone -------------------------------------------- */

struct head {
    uint32_t type, request, transaction, bytes;
};

/* One that watches may have gone. */
static void say(int fd, uint32_t type, const void *body, size_t bytes) {
    struct head head = {type, 0, 0, (uint32_t)bytes};
    if (send(fd, &head, sizeof head, MSG_NOSIGNAL) == sizeof head)
        send(fd, body, bytes, MSG_NOSIGNAL);
}

static size_t list(char names[STORE_PAYLOAD]) {
    size_t bytes = 0;
    DIR *all = opendir(KEYS);
    for (const struct dirent *one; all != NULL && (one = readdir(all)) != NULL;)
        if (*one->d_name != '.' && bytes < STORE_PAYLOAD - sizeof one->d_name)
            bytes += (size_t)snprintf(names + bytes, STORE_PAYLOAD - bytes, "%s", one->d_name) + 1;
    if (all != NULL)
        closedir(all);
    return bytes;
}

int domains_keys(void) {
    char names[STORE_PAYLOAD];
    int count = 0;
    for (size_t at = 0, bytes = list(names); at < bytes; at += strlen(names + at) + 1)
        count++;
    return count;
}

/* It appears with its value. */
void domains_put(const char *name, const char *value) {
    char made[NAME], path[NAME + sizeof KEYS];
    snprintf(made, sizeof made, "key-%d", (int)getpid());
    snprintf(path, sizeof path, KEYS "/%s", name);
    mkdir(KEYS, 0700);
    write_file(made, value);
    CHECK(rename(made, path) == 0);
}

static void read_key(int fd, const char *path) {
    char value[STORE_PAYLOAD];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = read(file, value, sizeof value);
    if (bytes >= 0)
        say(fd, READ, value, (size_t)bytes);
    else
        say(fd, ERROR, "ENOENT", sizeof "ENOENT");
    close(file);
}

static void say_whether(int fd, uint32_t type, bool done) {
    if (done)
        say(fd, type, "OK", sizeof "OK");
    else
        say(fd, ERROR, "ENOENT", sizeof "ENOENT");
}

static void say_names(int fd) {
    char names[STORE_PAYLOAD];
    say(fd, DIRECTORY, names, list(names));
}

/* A watch rings as it is set, too. */
static void watch(int fd, int changes) {
    say_whether(fd, WATCH, inotify_add_watch(changes, KEYS, IN_MOVED_TO | IN_DELETE) >= 0);
    say(fd, EVENT, changed, sizeof changed);
}

static bool is_there(const char *domain) {
    return atoi(domain) == GUEST && access(GUEST_IS_GONE, F_OK) != 0;
}

static void answer(int fd, int changes, uint32_t type, const char *path, const char *more) {
    char file[NAME + sizeof KEYS];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    snprintf(file, sizeof file, KEYS "/%.63s", name);
    if (type == READ)
        read_key(fd, file);
    else if (type == DIRECTORY)
        say_names(fd);
    else if (type == WATCH)
        watch(fd, changes);
    else if (type == IS_THERE)
        say(fd, IS_THERE, is_there(path) ? "T" : "F", sizeof "T");
    else if (type == WRITE)
        domains_put(name, more);
    if (type == WRITE || type == REMOVE)
        say_whether(fd, type, type == WRITE || unlink(file) == 0);
}

static bool serve_one(int fd, int changes) {
    struct head head;
    char body[STORE_PAYLOAD + 1];
    if (recv(fd, &head, sizeof head, MSG_WAITALL) != sizeof head)
        return false;
    CHECK(head.bytes <= STORE_PAYLOAD &&
        recv(fd, body, head.bytes, MSG_WAITALL) == (ssize_t)head.bytes);
    body[head.bytes] = '\0';
    answer(fd, changes, head.type, body, body + strlen(body) + 1);
    return true;
}

static void *serve_store(void *of) {
    int fd = (int)(intptr_t)of, changes = inotify_init1(IN_CLOEXEC);
    struct pollfd either[2] = {{.fd = fd, .events = POLLIN}, {.fd = changes, .events = POLLIN}};
    char some[4096];
    bool asked = true;
    CHECK(changes >= 0);
    while (asked && poll(either, 2, -1) > 0) {
        if (either[1].revents != 0 && read(changes, some, sizeof some) > 0)
            say(fd, EVENT, changed, sizeof changed);
        asked = either[0].revents == 0 || serve_one(fd, changes);
    }
    close(changes);
    close(fd);
    return NULL;
}

static int connect_store(void) {
    int ends[2];
    pthread_t thread;
    mkdir(KEYS, 0700);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    CHECK(pthread_create(&thread, NULL, serve_store, (void *)(intptr_t)ends[1]) == 0 &&
        pthread_detach(thread) == 0);
    return ends[0];
}

const xen_devices xen_kernel = {grant, map, leave_word, offer, join, ring, hear,
    connect_store};
