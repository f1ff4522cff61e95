/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives programs a Unix socket for a backend at tls://, so that no library for encryption enters them. Each connection has a process of
 * its own, which ends with it: what goes wrong in one concerns no other.
 */
#include "pump.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BACKLOG = 64, MOST = 1024, WRONG_USAGE = 2, LOOK_MS = 200, PIDFD_OPEN = 434 };

static const char usage[] =
    "usage: outboard-connect [--ca FILE] [--cert FILE] [--key FILE] [--for PROCESS] tls://[SHA256@]HOST[:PORT]\n"
    "\n"
    "Connects programs of this user with a backend that is reached over TLS 1.3 (port 14901), through the\n"
    "system's OpenSSL. Prints what OUTBOARD has to be, and serves until it is ended (Ctrl-C, SIGTERM).\n"
    "outboard-run and 'outboard run' start it by themselves.\n"
    "\n"
    "  SHA256         the fingerprint of the one certificate to trust; else its authority and name are checked\n"
    "  --ca FILE      authorities to trust instead of the system's (OUTBOARD_CA)\n"
    "  --cert FILE    a certificate of this client's, for backends that want one (OUTBOARD_CERT)\n"
    "  --key FILE     its key, if it is not in the same file (OUTBOARD_KEY)\n"
    "  --for PROCESS  goes into the background, and ends when that process and all connections have ended\n";

typedef struct relay {
    const char *uri;
    tls_backend backend;
    openssl_context *context;
    pid_t program;              /* 0: nobody's */
    int watch;                  /* becomes readable when the program ends; -1 where there is no such thing */
    char folder[64];
    struct sockaddr_un address;
    int listener;
    int connections;
    atomic_bool *away;          /* all connections know it: the backend could not be reached, and that has been said */
} relay;

static volatile sig_atomic_t told_to_end;

static void on_signal(int signal) {
    (void)signal;
    told_to_end = 1;
}

__attribute__((format(printf, 1, 2))) static void warn(const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "outboard: %s\n", line);
}

static const char *setting(const char *given, const char *variable) {
    const char *set = given != NULL ? given : getenv(variable);
    return set != NULL && *set != '\0' ? set : NULL;
}

/* ---- the socket --------------------------------------------------------------------------------------------------- */

/* The folder is this user's alone, whatever the mode of a socket may mean where it lies. */
static bool listen_privately(relay *r) {
    const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
    const char *bases[] = {runtime, temporary, "/tmp"};
    r->address.sun_family = AF_UNIX;
    for (size_t i = 0; i < sizeof bases / sizeof *bases && *r->folder == '\0'; i++) {
        if (bases[i] != NULL && (size_t)snprintf(r->folder, sizeof r->folder, "%s/outboard-connect.XXXXXX", bases[i]) < sizeof r->folder &&
            mkdtemp(r->folder) != NULL)
            break;
        *r->folder = '\0';
    }
    snprintf(r->address.sun_path, sizeof r->address.sun_path, "%s/backend.sock", r->folder);
    r->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    umask(0177);
    return *r->folder != '\0' && r->listener >= 0 && bind(r->listener, (struct sockaddr *)&r->address, sizeof r->address) == 0 &&
           listen(r->listener, BACKLOG) == 0;
}

static void remove_socket(const relay *r) {
    unlink(r->address.sun_path);
    rmdir(r->folder);
}

static bool is_ours(int fd) {
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t bytes = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && (peer.uid == getuid() || peer.uid == 0);
}

/* ---- a connection ------------------------------------------------------------------------------------------------- */

static void serve(const relay *r, int plain) {
    char why[512];
    tls_connection secure;
    if (!tls_connect(&secure, r->context, &r->backend, why, sizeof why)) {
        if (!atomic_exchange(r->away, true))
            warn("cannot connect to %s: %s", r->uri, why);
        return;
    }
    atomic_store(r->away, false);
    const char *broken = pump(&secure, plain);
    if (broken != NULL)
        warn("%s: %s", r->uri, broken);
    tls_close(&secure);
}

/* A connection ends with this process, if that is killed. */
static void serve_apart(relay *r, int plain) {
    pid_t parent = getpid(), child = r->connections < MOST && is_ours(plain) ? fork() : -1;
    if (child == 0) {
        close(r->listener);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() == parent)
            serve(r, plain);
        _exit(0);
    }
    r->connections += child > 0;
    close(plain);
}

static void bury(relay *r) {
    while (waitpid(-1, NULL, WNOHANG) > 0)
        r->connections--;
}

/* ---- until the end ------------------------------------------------------------------------------------------------ */

static bool is_alive(const relay *r) {
    struct pollfd watch = {.fd = r->watch, .events = POLLIN};
    if (r->program == 0)
        return true;
    return r->watch >= 0 ? poll(&watch, 1, 0) == 0 : kill(r->program, 0) == 0 || errno == EPERM;
}

static void serve_all(relay *r) {
    bool alive = true;
    while (!told_to_end && (alive || r->connections > 0)) {
        struct pollfd events[2] = {{.fd = r->listener, .events = POLLIN}, {.fd = alive ? r->watch : -1, .events = POLLIN}};
        bool looks = r->connections > 0 || (r->program != 0 && r->watch < 0);
        if (poll(events, 2, looks ? LOOK_MS : -1) > 0 && events[0].revents != 0) {
            int plain = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC);
            if (plain >= 0)
                serve_apart(r, plain);
        }
        bury(r);
        alive = alive && is_alive(r);
    }
}

/* In a session of its own, and none of the program's children: its signals and its waiting are its own. */
static bool go_into_background(void) {
    pid_t child = fork();
    if (child > 0)
        _exit(0);
    return child == 0 && setsid() >= 0 && freopen("/dev/null", "r", stdin) != NULL && freopen("/dev/null", "w", stdout) != NULL;
}

static void on_signals(void) {
    struct sigaction end = {.sa_handler = on_signal}, nothing = {.sa_handler = SIG_IGN};
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGINT, &end, NULL);
    sigaction(SIGHUP, &end, NULL);
    sigaction(SIGPIPE, &nothing, NULL);
}

static int run(relay *r) {
    char why[512];
    r->context = tls_prepare(&r->backend, why, sizeof why);
    if (r->context == NULL || !tls_check(r->context, &r->backend, why, sizeof why)) {
        warn("cannot use the backend %s: %s", r->uri, why);
        return 1;
    }
    if (r->program != 0)
        r->watch = (int)syscall(PIDFD_OPEN, r->program, 0);
    on_signals();
    r->away = mmap(NULL, sizeof *r->away, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r->away == MAP_FAILED || !listen_privately(r)) {
        warn("cannot make a socket in %s: %s", *r->folder != '\0' ? r->folder : "/tmp", strerror(errno));
        return 1;
    }
    printf("relay:%s\n", r->address.sun_path);
    fflush(stdout);
    if (r->program == 0 || go_into_background())
        serve_all(r);
    remove_socket(r);
    return 0;
}

/* ---- the command line --------------------------------------------------------------------------------------------- */

static int refuse(const char *what, const char *more) {
    fprintf(stderr, "outboard-connect: %s%s\n%s", what, more, usage);
    return WRONG_USAGE;
}

/* The value of an option, as the next word or after an equals sign; NULL if it is not that option. */
static const char *value_of(const char *option, char ***word) {
    size_t length = strlen(option);
    if (strncmp(**word, option, length) != 0)
        return NULL;
    if ((**word)[length] == '=')
        return **word + length + 1;
    return (**word)[length] == '\0' && (*word)[1] != NULL ? *++*word : NULL;
}

int main(int argc, char **argv) {
    static relay r = {.watch = -1, .listener = -1};
    const char *ca = NULL, *certificate = NULL, *key = NULL, *program = NULL, *value;
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
        else if ((value = value_of("--for", &word)) != NULL)
            program = value;
        else if (**word == '-' || r.uri != NULL)
            return refuse("what is meant by ", *word);
        else
            r.uri = *word;
    }
    if (r.uri == NULL)
        return refuse("which backend?", "");
    if (!tls_parse(&r.backend, r.uri, why, sizeof why))
        return refuse("", why);
    r.backend.authorities = setting(ca, "OUTBOARD_CA");
    r.backend.certificate = setting(certificate, "OUTBOARD_CERT");
    r.backend.key = setting(key, "OUTBOARD_KEY");
    if (r.backend.key == NULL)
        r.backend.key = r.backend.certificate;
    r.program = program != NULL ? (pid_t)strtol(program, NULL, 10) : 0;
    return run(&r);
}
