/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts a worker that may run native code of a client's: confines a process, and has it become the
 * worker's virtual machine. Namespaces and Landlock are for a process with one thread, which a
 * virtual machine never is. The caller stays outside and waits for the worker's end.
 */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { WRONG_USAGE = 2, REFUSED = 125 };

/* The descriptor of a Unix socket of the daemon's network namespace: the worker connects it. */
enum { CONNECTION = 3 };

static const char usage[] =
    "usage: outboard-confine [OPTION]... -- PROGRAM [ARGUMENT]...\n"
    "       outboard-confine --check [OPTION]...\n"
    "\n"
    "Runs a worker of 'outboard serve' in namespaces of its own, where it sees nothing but what\n"
    "is named. 'outboard serve' starts it; --check tells whether this machine permits that.\n"
    "\n"
    "  --read PATH    a file or a folder that it may read\n"
    "  --write PATH   one that it may write too\n"
    "  --device PATH  a device file, or a folder with such\n"
    "  --user N       the user that it becomes; for root, which must name one\n"
    "  --group N      a further group of it\n"
    "  --processors N the most that it uses, and all others with the same number together\n"
    "A path that is not there is left out.\n";

_Noreturn void refused(const char *what) {
    fprintf(stderr, "outboard-confine: %s: %s\n", what, strerror(errno));
    exit(REFUSED);
}

_Noreturn static void misused(const char *what) {
    fprintf(stderr, "outboard-confine: %s\n%s", what, usage);
    exit(WRONG_USAGE);
}

/* ---- the command line ------------------------------------------------------------------------ */

static unsigned number(const char *text) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno != 0 || *text == '\0' || *text == '-' || *end != '\0' || value == 0 ||
        value >= 0xffffffffUL)
        misused("a user, a group and processors are numbers above 0");
    return (unsigned)value;
}

static void show(confinement *c, const char *path, shown_use use) {
    if (*path != '/')
        misused("a path begins with a slash");
    if (c->shown_count == MOST_SHOWN)
        misused("too many paths");
    c->shown[c->shown_count++] = (shown){.path = path, .use = use, .tree = -1};
}

static void add_group(confinement *c, const char *text) {
    if (c->group_count == MOST_GROUPS)
        misused("too many groups");
    c->groups[c->group_count++] = number(text);
}

static void take_option(confinement *c, const char *option, const char *value) {
    if (value == NULL)
        misused("an option lacks its value");
    if (strcmp(option, "--read") == 0)
        show(c, value, SHOWN_READ);
    else if (strcmp(option, "--write") == 0)
        show(c, value, SHOWN_WRITE);
    else if (strcmp(option, "--device") == 0)
        show(c, value, SHOWN_DEVICE);
    else if (strcmp(option, "--group") == 0)
        add_group(c, value);
    else if (strcmp(option, "--processors") == 0)
        c->processors = number(value);
    else if (strcmp(option, "--user") == 0) {
        c->user = number(value);
        c->has_user = true;
    } else
        misused("an option that is not known");
}

/* Returns the program and its arguments; NULL with --check. */
static char **parse(confinement *c, char **arguments) {
    bool check = *arguments != NULL && strcmp(*arguments, "--check") == 0;
    if (check)
        arguments++;
    while (*arguments != NULL && strcmp(*arguments, "--") != 0) {
        take_option(c, arguments[0], arguments[1]);
        arguments += 2;
    }
    bool program = arguments[0] != NULL && arguments[1] != NULL;
    if (check == program)
        misused(check ? "--check runs no program" : "there is no program");
    return check ? NULL : arguments + 1;
}

/* ---- the worker ------------------------------------------------------------------------------ */

/* Made here, since abstract names are those of the network namespace that a socket is made in. */
static void make_connection(void) {
    int made = socket(AF_UNIX, SOCK_STREAM, 0);
    if (made < 0 || (made != CONNECTION && dup2(made, CONNECTION) < 0))
        refused("a socket");
    if (made != CONNECTION)
        close(made);
}

/* Only the caller's standard input and output, and the connection, are the worker's. */
static void close_others(void) {
    if (syscall(SYS_close_range, CONNECTION + 1, ~0U, 0) != 0)
        refused("descriptors");
}

/* A change of the user undoes it. */
static void end_with_guard(void) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        refused("the end with the daemon");
}

_Noreturn static void become(confinement *c, char **program, int said) {
    end_with_guard();
    if (dup2(said, STDERR_FILENO) < 0 || setsid() < 0)
        refused("standard error");
    take_root(c);
    close_others();
    take_user(c);
    take_limits(c);
    int landlock = take_landlock(c);
    end_with_guard();
    forget_guard();
    if (program == NULL) {
        printf("landlock %d\n", landlock);
        exit(0);
    }
    execv(program[0], program);
    refused(program[0]);
}

/* Where memory is short it is a worker that goes, and not the daemon. */
static void offer_to_end_first(void) {
    char score[16] = "";
    int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (file < 0 || read(file, score, sizeof score - 1) <= 0)
        refused("the order in which processes end where memory is short");
    int after_daemon = atoi(score) + 500;
    int length = snprintf(score, sizeof score, "%d", after_daemon < 1000 ? after_daemon : 1000);
    if (write(file, score, (size_t)length) != length)
        refused("the order in which processes end where memory is short");
    close(file);
}

int main(int argc, char **argv) {
    static confinement c;
    char **program = parse(&c, argv + (argc > 0));
    if (c.has_user != (geteuid() == 0))
        misused("--user is for root, which must name one");
    end_with_guard();
    make_connection();
    offer_to_end_first();
    umask(022);
    int said[2];
    if (pipe2(said, O_CLOEXEC) != 0)
        refused("a pipe");
    prepare_guard();
    take_namespaces(&c);
    /* Not before: its files under /proc, which say who is in a user namespace, would be root's. */
    prctl(PR_SET_DUMPABLE, 0);
    pid_t worker = fork();
    if (worker < 0)
        refused("a process");
    if (worker == 0)
        become(&c, program, said[1]);
    close(said[1]);
    close(CONNECTION);
    return guard(worker, said[0]);
}
