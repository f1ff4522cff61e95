/* SPDX-License-Identifier: Apache-2.0
 *
 * The companion of a port. Its socket is where all programs know it, so one companion serves them
 * all; each other one that a program has started waits, and takes its place should it end first.
 */
#include "companion.h"

#include "multiplex.h"

#include "link/virtio.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct companion {
    const char *name;
    port port;
    place place;
    bool of_all;            /* users of this machine */
} companion;

static int fail(const char *what, const char *more, int error) {
    warn("%s%s: %s", what, more, strerror(error));
    return 1;
}

/* Whether one that is for all users serves the port already. */
static bool is_served(const char *name, char path[VIRTIO_PATH]) {
    endpoint to = {.fd = -1};
    char why[256];
    int fd = virtio_socket(name, true, path) && access(path, F_OK) == 0
                 ? connect_unix(&to, path, why, sizeof why)
                 : -1;
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Those that a file lies in. */
static void make_folders(char *path, mode_t mode) {
    for (char *end = strchr(path + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = '\0';
        mkdir(path, mode);
        *end = '/';
    }
}

static bool find_place(companion *c) {
    char *path = c->place.address.sun_path;
    c->of_all = geteuid() == 0 && !virtio_socket(c->name, false, path);
    if (!virtio_socket(c->name, c->of_all, path))
        return false;
    make_folders(path, c->of_all ? 0755 : 0700);
    return true;
}

static int check_port(companion *c, const char *file) {
    static const char remedy[] = "its group may open it (the udev rule of Outboard's client: "
                                 "outboard), and one process at a time";
    if (!port_find(&c->port, c->name, file)) {
        warn("this machine has no virtio-serial port '%s': 'outboard guest' on its host says how "
             "it gets one",
             c->name);
        return 1;
    }
    int error = port_open(&c->port);
    if (error == EACCES || error == EBUSY)
        warn("cannot open %s: %s; %s", c->port.file, strerror(error), remedy);
    else if (error != 0)
        fail("cannot open ", c->port.file, error);
    return error != 0;
}

static void say(const char *path) {
    printf("relay:%s\n", path);
    fflush(stdout);
}

static int serve(companion *c) {
    if (!place_listen(&c->place, c->of_all ? 0666 : 0600))
        return fail("cannot make the socket ", c->place.address.sun_path, errno);
    say(c->place.address.sun_path);
    if (c->place.program == 0 || go_into_background())
        multiplex(&c->port, &c->place, c->of_all);
    place_remove(&c->place);
    return 0;
}

/* Until the place is free, or the program has ended. */
static int stand_by(companion *c, const char *file) {
    say(c->place.address.sun_path);
    if (!go_into_background())
        return 1;
    int ours;
    while ((ours = place_is_ours(&c->place)) == 0 && !told_to_end && place_wanted(&c->place))
        poll(NULL, 0, LOOK_MS);
    return ours == 1 && check_port(c, file) == 0 ? serve(c) : 0;
}

int serve_port(const char *name, const char *file, pid_t program) {
    static companion c = {.place = {.watch = -1, .listener = -1, .lock = -1}};
    c.name = name;
    if (program != 0 && is_served(name, c.place.address.sun_path)) {
        say(c.place.address.sun_path);
        return 0;
    }
    if (!find_place(&c)) {
        warn("neither XDG_RUNTIME_DIR nor HOME names a folder for the socket of this user's "
             "programs, or its name is too long; root's outboard-connect serves all users "
             "(systemctl enable --now outboard-connect@%s)",
             c.name);
        return 1;
    }
    place_watch(&c.place, program);
    end_on_signals();
    int ours = place_is_ours(&c.place);
    if (ours < 0)
        return fail("cannot make a socket at ", c.place.address.sun_path, errno);
    if (ours == 0 && program != 0)
        return stand_by(&c, file);
    if (ours == 0) {
        warn("another outboard-connect serves the port %s", name);
        return 1;
    }
    return check_port(&c, file) != 0 ? 1 : serve(&c);
}
