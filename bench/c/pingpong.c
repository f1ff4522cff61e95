/* SPDX-License-Identifier: Apache-2.0
 *
 * What the medium itself costs: two C processes that pass the bytes of a small call and its reply, nothing else.
 * usage: pingpong unix|tcp GAP_US COUNT
 */
#define _GNU_SOURCE
#include "measure.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST = 48, REPLY = 48, WARM_UP = 200 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void transfer(int fd, char *bytes, ssize_t count, int out) {
    for (ssize_t done = 0; done < count;) {
        ssize_t n = out ? write(fd, bytes + done, (size_t)(count - done)) : read(fd, bytes + done, (size_t)(count - done));
        if (n <= 0)
            exit(out ? 1 : 0);
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
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 1) < 0)
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

static void echo(int fd) {
    char request[REQUEST], reply[REPLY] = {0};
    for (;;) {
        transfer(fd, request, REQUEST, 0);
        transfer(fd, reply, REPLY, 1);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: pingpong unix|tcp GAP_US COUNT\n");
        return 2;
    }
    long gap = number(argv[2]), count = number(argv[3]);
    int pair[2];
    if (strcmp(argv[1], "tcp") == 0)
        tcp_pair(pair);
    else if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
        fail("socketpair");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        close(pair[0]);
        echo(pair[1]);
    }
    close(pair[1]);
    char request[REQUEST] = {0}, reply[REPLY];
    int64_t *samples = calloc((size_t)count + 1, sizeof *samples);
    for (long i = -WARM_UP; i < count; i++) {
        pause_us(i < 0 ? 0 : gap);
        int64_t start = now_ns();
        transfer(pair[0], request, REQUEST, 1);
        transfer(pair[0], reply, REPLY, 0);
        if (i >= 0)
            samples[i] = now_ns() - start;
    }
    double cpu = cpu_seconds(RUSAGE_SELF);
    close(pair[0]);
    waitpid(child, NULL, 0);
    report(argv[1], gap, samples, count, cpu + cpu_seconds(RUSAGE_CHILDREN));
    free(samples);
    return 0;
}
