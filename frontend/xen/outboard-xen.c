/* SPDX-License-Identifier: Apache-2.0
 *
 * The backend's side of xen:DOMID: takes the channels that one domain offers, and connects each
 * with the backend. A connection has a process of its own, which ends with it: a fault in one
 * concerns no other.
 */
#include "carry.h"
#include "xen/xen.h"

#include "link/communicator.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64, LOOK_MS = 200, WRONG_USAGE = 2 };

static const char usage[] =
    "usage: outboard-xen DOMID tcp://HOST[:PORT]\n"
    "\n"
    "Runs in Xen's domain 0, as root, for one other domain. Programs that run there with\n"
    "'outboard-run --on xen:0' reach the backend through it: their bytes travel through pages\n"
    "which that domain grants. The backend asks each for its token. Serves until the domain is\n"
    "gone, or it is ended (Ctrl-C, SIGTERM).\n";

static volatile sig_atomic_t told_to_end;

static void on_signal(int signal) {
    (void)signal;
    told_to_end = 1;
}

static void warn(const char *what, const char *why) {
    fprintf(stderr, "outboard: %s: %s\n", what, why);
}

/* ---- a connection ---------------------------------------------------------------------------- */

static void serve(const endpoint *backend, int domain, const xen_offer *offer) {
    char why[256];
    xen_channel over;
    int fd = connect_to(backend, why, sizeof why).fd;
    if (fd < 0) {
        warn(backend->uri, why);
        return;
    }
    if (xen_channel_take(&over, &xen_kernel, domain, offer, why, sizeof why)) {
        const char *broken = xen_carry(&over, fd);
        if (broken != NULL)
            warn("a channel has ended", broken);
        xen_channel_close(&over);
    } else {
        warn("cannot take a channel", why);
    }
    close(fd);
}

/* A connection ends with this process, if that is killed. */
static bool serve_apart(const endpoint *backend, const xen_visitors *from, const xen_offer *offer) {
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(from->store.fd);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            serve(backend, from->domain, offer);
        _exit(0);
    }
    return child > 0;
}

/* ---- until the end --------------------------------------------------------------------------- */

/* An offer that finds no place stays where it is until one is free, or its program gives up. False
 * if the domain is gone. */
static bool welcome(xen_visitors *v, const endpoint *backend, int *connections) {
    xen_offer offer;
    bool is_there = xen_look(v);
    while (is_there && *connections < MOST && xen_next_offer(v, &offer))
        *connections += serve_apart(backend, v, &offer);
    return is_there;
}

static bool bury(int *connections) {
    int before = *connections;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        --*connections;
    return before == MOST && *connections < MOST;
}

static int serve_all(xen_visitors *v, const endpoint *backend) {
    struct pollfd events = {.fd = v->store.fd, .events = POLLIN};
    int connections = 0;
    bool is_there = true;
    while (!told_to_end && is_there) {
        bool free_again = bury(&connections);
        if (v->store.fired || free_again)
            is_there = welcome(v, backend, &connections);
        else if (poll(&events, 1, connections > 0 ? LOOK_MS : -1) > 0 &&
            !store_take_event(&v->store))
            return 1;
    }
    return 0;
}

static void end_on_signals(void) {
    struct sigaction end = {.sa_handler = on_signal};
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGINT, &end, NULL);
}

static int refuse(const char *what, const char *more) {
    fprintf(stderr, "outboard-xen: %s%s\n%s", what, more, usage);
    return WRONG_USAGE;
}

int main(int argc, char **argv) {
    static xen_visitors visitors;
    endpoint backend = {.fd = -1};
    char uri[16];
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc != 3)
        return refuse("which domain, and which backend?", "");
    snprintf(uri, sizeof uri, "xen:%s", argv[1]);
    int domain = xen_domain(uri);
    if (domain < 0 || strlen(argv[1]) > 5)
        return refuse("that is no domain: ", argv[1]);
    /* On a socket of this machine a backend would take the domain's programs for this user's. */
    if (strncmp(argv[2], "tcp://", 6) != 0 || strlen(argv[2]) >= sizeof backend.uri)
        return refuse("that is not tcp://HOST[:PORT]: ", argv[2]);
    snprintf(backend.uri, sizeof backend.uri, "%s", argv[2]);
    end_on_signals();
    if (!xen_expect(&visitors, &xen_kernel, domain)) {
        warn("cannot watch the xenstore (/dev/xen/xenbus)", strerror(errno));
        return 1;
    }
    return serve_all(&visitors, &backend);
}
