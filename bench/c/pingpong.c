/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the cost of the medium itself: two C processes pass the bytes of a small call and its
 * reply, nothing else.
 * usage: pingpong unix|tcp|shm GAP_US COUNT
 * Built with ring.c and doorbell.c of frontend/runtime/link, and frontend/test/region.c: shm is the
 * frontend's own rings.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../../frontend/test/region.h"
#include "measure.h"
#include "place.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST = 48, REPLY = 48, WARM_UP = 200 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* One end: of a socket, or of the rings. */
typedef struct end {
    int fd;
    channel *rings;
} end;

static size_t step(const end *e, char *bytes, size_t count, int out) {
    if (e->rings == NULL) {
        ssize_t n = out ? write(e->fd, bytes, count) : read(e->fd, bytes, count);
        return n > 0 ? (size_t)n : CHANNEL_BROKEN;
    }
    return out ? channel_write(e->rings, &(struct iovec){bytes, count}, 1)
               : channel_read(e->rings, bytes, count);
}

static void transfer(const end *e, char *bytes, size_t count, int out) {
    for (size_t done = 0; done < count;) {
        size_t n = step(e, bytes + done, count - done, out);
        if (n == CHANNEL_BROKEN)
            exit(out ? 1 : 0);
        if (n == 0 && (out || !channel_spin(e->rings, UINT32_MAX)))
            channel_sleep(e->rings, out ? FOR_ROOM : FOR_DATA, NULL, 1000);
        done += n;
    }
}

static void no_delay(int fd) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void tcp_pair(int pair[2]) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 ||
        listen(listener, 1) < 0)
        fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    pair[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (pair[0] < 0 || connect(pair[0], (struct sockaddr *)&address, length) < 0)
        fail("connect");
    pair[1] = accept(listener, NULL, NULL);
    close(listener);
    no_delay(pair[0]);
    no_delay(pair[1]);
}

static void shm_pair(channel pair[2]) {
    region_layout layout = region_usual();
    int fd = region_create(&layout);
    if (fd < 0 || !channel_map(&pair[0], fd, &layout, CLIENT_SIDE, &futex_doorbell))
        fail("region");
    madvise(pair[0].base, layout.bytes, MADV_DOFORK);
    channel_map(&pair[1], fd, &layout, BACKEND_SIDE, &futex_doorbell);
    madvise(pair[1].base, layout.bytes, MADV_DOFORK);
}

static void echo(const end *e) {
    char request[REQUEST], reply[REPLY] = {0};
    for (;;) {
        transfer(e, request, REQUEST, 0);
        transfer(e, reply, REPLY, 1);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: pingpong unix|tcp|shm GAP_US COUNT\n");
        return 2;
    }
    long gap = number(argv[2]), count = number(argv[3]);
    int pair[2] = {-1, -1};
    channel rings[2];
    bool shm = strcmp(argv[1], "shm") == 0;
    if (shm)
        shm_pair(rings);
    else if (strcmp(argv[1], "tcp") == 0)
        tcp_pair(pair);
    else if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
        fail("socketpair");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (gap == 0)
        take_place(child != 0);
    const end ours = {pair[0], shm ? &rings[0] : NULL}, theirs = {pair[1], shm ? &rings[1] : NULL};
    if (child == 0) {
        close(pair[0]);
        echo(&theirs);
    }
    close(pair[1]);
    char request[REQUEST] = {0}, reply[REPLY];
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    for (long i = -WARM_UP; i < count; i++) {
        pause_us(i < 0 ? 0 : gap);
        int64_t start = clock_ns();
        transfer(&ours, request, REQUEST, 1);
        transfer(&ours, reply, REPLY, 0);
        if (i >= 0)
            samples[i] = clock_ns() - start;
    }
    double cpu = cpu_seconds(RUSAGE_SELF);
    if (shm)
        kill(child, SIGKILL);
    close(pair[0]);
    waitpid(child, NULL, 0);
    report(argv[1], gap, samples, count, cpu + cpu_seconds(RUSAGE_CHILDREN));
    free(samples);
    return 0;
}
