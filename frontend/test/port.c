/* SPDX-License-Identifier: Apache-2.0
 *
 * The companion of a virtio-serial port, in a process of its own; a Unix socket stands for the
 * port, and this test for its host.
 */
#include "../connect/channel.h"
#include "../connect/multiplex.h"
#include "check.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 32, LARGE = 300000, ROUND = 4, USUAL_CASES = 3000, LONG_CASES = 100000 };

static char port_path[64], place_path[64];
static int hypervisor, host;
static pid_t companion;
static epoch *here;

/* ---- the companion --------------------------------------------------------------------------- */

static int listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
          listen(fd, 64) == 0);
    return fd;
}

static void run_companion(void) {
    port at;
    place from = {.watch = -1, .listener = -1, .lock = -1};
    end_on_signals();
    snprintf(from.address.sun_path, sizeof from.address.sun_path, "%s", place_path);
    CHECK(port_find(&at, "outboard.0", port_path) && port_open(&at) == 0 &&
          place_listen(&from, 0600));
    at.there = false;
    at.look_ns = 0;
    multiplex(&at, &from, false);
    exit(0);
}

static void start(void) {
    char folder[] = "/tmp/outboard-port.XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    snprintf(port_path, sizeof port_path, "%s/port", folder);
    snprintf(place_path, sizeof place_path, "%s/place", folder);
    hypervisor = listen_at(port_path);
    here = calloc(1, sizeof *here);
    companion = fork();
    CHECK(companion >= 0);
    if (companion == 0)
        run_companion();
    host = accept(hypervisor, NULL, NULL);
    CHECK(host >= 0 && epoch_begin(here));
}

/* A sanitizer's complaint would be its status. */
static void stop(void) {
    int status;
    kill(companion, SIGTERM);
    CHECK(waitpid(companion, &status, 0) == companion && status == 0);
    unlink(port_path);
    unlink(place_path);
    *strrchr(port_path, '/') = '\0';
    rmdir(port_path);
}

static int connect_program(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", place_path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    while (connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
        usleep(1000);
    return fd;
}

/* ---- the host -------------------------------------------------------------------------------- */

static void send_out(void) {
    while (here->out.begin < here->out.end) {
        ssize_t n = send(host, here->out.bytes + here->out.begin, here->out.end - here->out.begin,
                         MSG_NOSIGNAL);
        if (n <= 0)
            return;
        here->out.begin += (size_t)n;
    }
    here->out.begin = here->out.end = 0;
}

/* Bytes to send go first: the other side may wait for them. */
static bool read_in(void) {
    size_t room;
    send_out();
    uint8_t *to = epoch_reads(here, &room);
    ssize_t n = recv(host, to, room, 0);
    here->in.end += n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* Serves whoever comes, by sending everything back, until so many channels have ended. */
static void echo(int channels) {
    while (channels > 0) {
        port_frame f;
        enum epoch_taken taken;
        send_out();
        while ((taken = epoch_take(here, &f)) == EPOCH_FRAME && channels > 0) {
            if (f.kind == FRAME_DATA) {
                memcpy(epoch_body(here), f.body, f.bytes);
                epoch_put(here, FRAME_DATA, f.channel, f.bytes);
                epoch_put(here, FRAME_CREDIT, f.channel, f.bytes);
            } else if (f.kind == FRAME_END) {
                epoch_put(here, FRAME_END, f.channel, 0);
            }
            channels -= f.kind == FRAME_END || f.kind == FRAME_CLOSE;
            send_out();
        }
        CHECK(taken != EPOCH_OVER);
        if (channels > 0)
            CHECK(read_in());
    }
    send_out();
}

typedef struct program {
    pthread_t thread;
    int fd;
    size_t bytes;
    unsigned seed;
    bool same;
} program;

static uint8_t byte_at(const program *p, size_t i) {
    return (uint8_t)((i * 2654435761u) >> 7 ^ p->seed);
}

static void *write_all(void *given) {
    const program *p = given;
    uint8_t *data = malloc(p->bytes);
    for (size_t i = 0; i < p->bytes; i++)
        data[i] = byte_at(p, i);
    for (size_t done = 0; done < p->bytes;) {
        ssize_t n = send(p->fd, data + done, p->bytes - done, MSG_NOSIGNAL);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    shutdown(p->fd, SHUT_WR);
    free(data);
    return NULL;
}

static void *exchange(void *given) {
    program *p = given;
    pthread_t writer;
    uint8_t piece[4096];
    size_t got = 0;
    p->same = pthread_create(&writer, NULL, write_all, p) == 0;
    for (ssize_t n; (n = recv(p->fd, piece, sizeof piece, 0)) > 0;)
        for (ssize_t i = 0; i < n; i++)
            p->same &= piece[i] == byte_at(p, got++);
    pthread_join(writer, NULL);
    p->same &= got == p->bytes;
    close(p->fd);
    return NULL;
}

static void begin(program *p, size_t bytes, unsigned seed) {
    *p = (program){.fd = connect_program(), .bytes = bytes, .seed = seed};
    CHECK(pthread_create(&p->thread, NULL, exchange, p) == 0);
}

static void serve(int count, size_t bytes) {
    program all[AT_ONCE];
    for (int i = 0; i < count; i++)
        begin(&all[i], bytes + (size_t)i * 17, (unsigned)i);
    echo(count);
    for (int i = 0; i < count; i++) {
        pthread_join(all[i].thread, NULL);
        CHECK(all[i].same);
    }
}

/* Programs that came before another epoch have ended with theirs. */
static void settle(void) {
    port_frame f;
    CHECK(epoch_take(here, &f) == EPOCH_NOTHING);
    if (!epoch_stands(here))
        CHECK(read_in());
}

/* Until the host has heard of a program. */
static void await_open(void) {
    port_frame f;
    enum epoch_taken taken;
    while ((taken = epoch_take(here, &f)) != EPOCH_FRAME || f.kind != FRAME_OPEN) {
        CHECK(taken != EPOCH_OVER);
        if (taken == EPOCH_NOTHING)
            CHECK(read_in());
    }
}

static void meet_again(void) {
    close(host);
    host = accept(hypervisor, NULL, NULL);
    here->in.begin = here->in.end = 0;
    CHECK(host >= 0 && epoch_begin(here));
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void many_programs_share_a_port(void) {
    start();
    serve(1, 10);
    serve(AT_ONCE, LARGE);
    stop();
}

static void a_port_comes_again(void) {
    char byte;
    start();
    serve(1, 1000);
    int old = connect_program();
    await_open();
    meet_again();
    CHECK(recv(old, &byte, 1, 0) == 0);
    serve(3, LARGE);
    stop();
}

static void bytes_of_the_past_are_dropped(void) {
    start();
    for (int i = 0; i < 3000; i++)
        CHECK(send(host, "outboard's port\0outboard", 23, 0) == 23);
    serve(2, 5000);
    stop();
}

static void what_is_no_frame_begins_another_epoch(void) {
    start();
    serve(1, 10);
    CHECK(send(host, "this is no frame at all.", 24, 0) == 24);
    port_frame f;
    send_out();
    while (epoch_take(here, &f) != EPOCH_OVER)
        CHECK(read_in());
    serve(2, LARGE);
    stop();
}

/* A frame of any kind, or a greeting, one field of which is another; or a part of it. */
static size_t mutate(unsigned *seed, uint8_t *to) {
    epoch *e = calloc(1, sizeof *e);
    e->own = here->own;
    e->other = here->other;
    uint32_t kind = 1 + (uint32_t)rand_r(seed) % 5,
             bytes = kind == FRAME_DATA ? 1 + (uint32_t)rand_r(seed) % 3000 : 0;
    if (kind == FRAME_CREDIT)
        bytes = 1 + (uint32_t)rand_r(seed) % 1000;
    epoch_put(e, kind, 1 + (uint32_t)rand_r(seed) % 6, bytes);
    if (rand_r(seed) % 8 == 0) {
        e->out.end = 0;
        CHECK(epoch_begin(e));
        e->out.begin = rand_r(seed) % 2 != 0 ? (size_t)FRAME_MOST : 0;
    }
    size_t length = e->out.end - e->out.begin;
    uint32_t word = rand_r(seed) % 2 != 0 ? 1u << (rand_r(seed) % 32) : (uint32_t)rand_r(seed);
    memcpy(to, e->out.bytes + e->out.begin, length);
    free(e);
    switch (rand_r(seed) % 4) {
    case 0:
        to[(size_t)rand_r(seed) % length] = (uint8_t)word;
        return length;
    case 1:
        memcpy(to + 4 * (rand_r(seed) % 4), &word, sizeof word);
        return length;
    case 2:
        return (size_t)rand_r(seed) % length;
    default:
        return length;
    }
}

static void a_hostile_host_does_no_harm(void) {
    static uint8_t bytes[2 * FRAME_MOST];
    unsigned seed = 20261125;
    int cases = getenv("OUTBOARD_LONG") != NULL ? LONG_CASES : USUAL_CASES;
    start();
    for (int done = 0; done < cases; done += ROUND) {
        serve(1, 100);
        int client = connect_program();
        await_open();
        CHECK(send(client, bytes, 1000, MSG_NOSIGNAL) == 1000);
        for (int i = 0; i < ROUND; i++) {
            size_t length = mutate(&seed, bytes);
            CHECK(send(host, bytes, length, MSG_NOSIGNAL) == (ssize_t)length);
        }
        CHECK(epoch_begin(here));
        while (!epoch_stands(here))
            settle();
        close(client);
    }
    stop();
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"many programs share a port", many_programs_share_a_port},
            {"a port comes again", a_port_comes_again},
            {"bytes of the past are dropped", bytes_of_the_past_are_dropped},
            {"what is no frame begins another epoch", what_is_no_frame_begins_another_epoch},
            {"a hostile host does no harm", a_hostile_host_does_no_harm},
            {0},
        },
        argc, argv);
}
