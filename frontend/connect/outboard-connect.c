/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives programs a Unix socket for a backend at tls://, so that no library for encryption enters
 * them, and those on the JVM one for xen:. There each connection has a process of its own, which
 * ends with it: a fault in one concerns no other. A port of a virtual machine has one process for
 * all.
 */
#include "companion.h"
#include "place.h"
#include "pump.h"

#include "../xen/carry.h"
#include "xen/xen.h"

#include "link/virtio.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1024, WRONG_USAGE = 2 };

static const char port_scheme[] = "virtio:";

static const char usage[] =
    "usage: outboard-connect [--ca FILE] [--cert FILE] [--key FILE] [--for PROCESS] "
    "tls://[SHA256@]HOST[:PORT]\n"
    "       outboard-connect [--port FILE] [--for PROCESS] virtio:NAME\n"
    "       outboard-connect [--for PROCESS] xen:DOMID\n"
    "\n"
    "Connects programs of this user with a backend that is reached over TLS 1.3 (port 14901), "
    "through the\n"
    "system's OpenSSL; or, in a virtual machine, with the backend at the other end of a "
    "virtio-serial port,\n"
    "all of them over the one port. Root's serves all users of the machine. Under Xen, programs on "
    "the JVM with\n"
    "the backend behind 'outboard-xen' in that domain (0), through pages that this machine grants; "
    "others\n"
    "grant their own.\n"
    "Prints what OUTBOARD has to be, and serves until it is ended (Ctrl-C, SIGTERM).\n"
    "outboard-run and 'outboard run' start it by themselves, but for xen:.\n"
    "\n"
    "  SHA256         the fingerprint of the one certificate to trust; else its authority and name "
    "are checked\n"
    "  --ca FILE      authorities to trust instead of the system's (OUTBOARD_CA)\n"
    "  --cert FILE    a certificate of this client's, for backends that want one (OUTBOARD_CERT)\n"
    "  --key FILE     its key, if it is not in the same file (OUTBOARD_KEY)\n"
    "  --port FILE    the port's device, if it is not /dev/virtio-ports/NAME (OUTBOARD_PORT)\n"
    "  --for PROCESS  goes into the background, and ends when that process and all connections "
    "have ended\n";

typedef struct relay {
    const char *uri;
    void (*serve)(const struct relay *r, int plain);
    tls_backend backend;
    openssl_context *context;
    int domain;                 /* of xen: */
    place place;
    int connections;
    /* all connections know it: the backend could not be reached, and that has been said */
    atomic_bool *away;
} relay;

static const char *setting(const char *given, const char *variable) {
    const char *set = given != NULL ? given : getenv(variable);
    return set != NULL && *set != '\0' ? set : NULL;
}

/* ---- a connection ---------------------------------------------------------------------------- */

/* Says so once, and not for each connection. */
static bool reached(const relay *r, bool connected, const char *why) {
    if (!atomic_exchange(r->away, !connected) && !connected)
        warn("cannot connect to %s: %s", r->uri, why);
    return connected;
}

static void serve_tls(const relay *r, int plain) {
    char why[512];
    tls_connection secure;
    if (!reached(r, tls_connect(&secure, r->context, &r->backend, why, sizeof why), why))
        return;
    const char *broken = pump(&secure, plain);
    if (broken != NULL)
        warn("%s: %s", r->uri, broken);
    tls_close(&secure);
}

static void serve_xen(const relay *r, int plain) {
    char why[512];
    xen_channel over;
    if (!reached(r, xen_meet(&over, &xen_kernel, r->domain, XEN_WAIT_MS, why, sizeof why), why))
        return;
    const char *broken = xen_carry(&over, plain);
    if (broken != NULL)
        warn("%s: %s", r->uri, broken);
    xen_channel_close(&over);
}

/* A connection ends with this process, if that is killed. */
static void serve_apart(relay *r, int plain) {
    pid_t parent = getpid(), child = r->connections < MOST ? fork() : -1;
    if (child == 0) {
        close(r->place.listener);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            r->serve(r, plain);
        _exit(0);
    }
    r->connections += child > 0;
    close(plain);
}

static void bury(relay *r) {
    while (waitpid(-1, NULL, WNOHANG) > 0)
        r->connections--;
}

/* ---- until the end --------------------------------------------------------------------------- */

static void serve_all(relay *r) {
    const place *p = &r->place;
    bool wanted = true;
    while (!told_to_end && (wanted || r->connections > 0)) {
        struct pollfd events[2] = {{.fd = p->listener, .events = POLLIN},
                                   {.fd = wanted ? p->watch : -1, .events = POLLIN}};
        bool looks = r->connections > 0 || (p->program != 0 && p->watch < 0);
        if (poll(events, 2, looks ? LOOK_MS : -1) > 0 && events[0].revents != 0) {
            int plain = place_accept(p, false);
            if (plain >= 0)
                serve_apart(r, plain);
        }
        bury(r);
        wanted = wanted && place_wanted(p);
    }
}

static int run(relay *r, pid_t program) {
    place_watch(&r->place, program);
    end_on_signals();
    r->away =
        mmap(NULL, sizeof *r->away, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r->away == MAP_FAILED || !place_listen_privately(&r->place)) {
        warn("cannot make a socket in %s: %s", *r->place.folder != '\0' ? r->place.folder : "/tmp",
             strerror(errno));
        return 1;
    }
    printf("relay:%s\n", r->place.address.sun_path);
    fflush(stdout);
    if (program == 0 || go_into_background())
        serve_all(r);
    place_remove(&r->place);
    return 0;
}

static int run_tls(relay *r, pid_t program) {
    char why[512];
    r->serve = serve_tls;
    r->context = tls_prepare(&r->backend, why, sizeof why);
    if (r->context == NULL || !tls_check(r->context, &r->backend, why, sizeof why)) {
        warn("cannot use the backend %s: %s", r->uri, why);
        return 1;
    }
    return run(r, program);
}

static int run_xen(relay *r, pid_t program) {
    r->serve = serve_xen;
    return run(r, program);
}

/* ---- the command line ------------------------------------------------------------------------ */

static int refuse(const char *what, const char *more) {
    fprintf(stderr, "outboard-connect: %s%s\n%s", what, more, usage);
    return WRONG_USAGE;
}

/* The value of an option, as the next word or after an equals sign; NULL if it is not that option.
 */
static const char *value_of(const char *option, char ***word) {
    size_t length = strlen(option);
    if (strncmp(**word, option, length) != 0)
        return NULL;
    if ((**word)[length] == '=')
        return **word + length + 1;
    return (**word)[length] == '\0' && (*word)[1] != NULL ? *++*word : NULL;
}

/* Where programs connect to a port: this user's socket, or one for all users. */
static int run_port(const char *uri, const char *file, pid_t program) {
    const char *name = uri + sizeof port_scheme - 1;
    return virtio_name(name) ? serve_port(name, setting(file, "OUTBOARD_PORT"), program)
                             : refuse("that is no name of a port: ", name);
}

int main(int argc, char **argv) {
    static relay r = {.place = {.watch = -1, .listener = -1, .lock = -1}};
    const char *ca = NULL, *certificate = NULL, *key = NULL, *program = NULL, *port = NULL, *value;
    char why[256];
    (void)argc;
    for (char **word = argv + 1; *word != NULL; word++) {
        if (strcmp(*word, "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if ((value = value_of("--ca", &word)) != NULL)
            ca = value;
        else if ((value = value_of("--cert", &word)) != NULL)
            certificate = value;
        else if ((value = value_of("--key", &word)) != NULL)
            key = value;
        else if ((value = value_of("--port", &word)) != NULL)
            port = value;
        else if ((value = value_of("--for", &word)) != NULL)
            program = value;
        else if (**word == '-' || r.uri != NULL)
            return refuse("what is meant by ", *word);
        else
            r.uri = *word;
    }
    pid_t process = program != NULL ? (pid_t)strtol(program, NULL, 10) : 0;
    if (r.uri == NULL)
        return refuse("which backend?", "");
    if (strncmp(r.uri, port_scheme, sizeof port_scheme - 1) == 0)
        return run_port(r.uri, port, process);
    if ((r.domain = xen_domain(r.uri)) >= 0)
        return run_xen(&r, process);
    if (!tls_parse(&r.backend, r.uri, why, sizeof why))
        return refuse("", why);
    r.backend.authorities = setting(ca, "OUTBOARD_CA");
    r.backend.certificate = setting(certificate, "OUTBOARD_CERT");
    r.backend.key = setting(key, "OUTBOARD_KEY");
    if (r.backend.key == NULL)
        r.backend.key = r.backend.certificate;
    return run_tls(&r, process);
}
