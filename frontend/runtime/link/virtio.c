/* SPDX-License-Identifier: Apache-2.0
 *
 * virtio:NAME: a virtio-serial port of this virtual machine, which one process alone can open. So a
 * companion, outboard-connect, has it open and gives programs a Unix socket: each user's own, or
 * one for all users of the machine.
 */
#include "link/virtio.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

#define PORTS "/sys/class/virtio-ports"

bool virtio_name(const char *name) {
    size_t length = strlen(name);
    return length > 0 && length < VIRTIO_NAME && strspn(name, LETTERS) == length && *name != '.';
}

static bool read_name(const char *device, char name[VIRTIO_NAME]) {
    char path[sizeof PORTS + VIRTIO_NAME + 8];
    snprintf(path, sizeof path, PORTS "/%.64s/name", device);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool read = fgets(name, VIRTIO_NAME, file) != NULL;
    fclose(file);
    if (read)
        name[strcspn(name, "\n")] = '\0';
    return read && virtio_name(name);
}

static bool is_wanted(const char *name, const char *wanted) {
    size_t length = strcspn(wanted, "*");
    return strncmp(name, wanted, length) == 0 && (wanted[length] == '*' || name[length] == '\0');
}

bool virtio_find(const char *wanted, char name[VIRTIO_NAME], char device[VIRTIO_NAME]) {
    DIR *all = opendir(PORTS);
    bool found = false;
    if (all == NULL)
        return false;
    for (const struct dirent *one; !found && (one = readdir(all)) != NULL;) {
        found = *one->d_name != '.' && read_name(one->d_name, name) && is_wanted(name, wanted);
        if (found)
            snprintf(device, VIRTIO_NAME, "%.64s", one->d_name);
    }
    closedir(all);
    return found;
}

static const char *variable(const char *name) {
    const char *value = secure_getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

/* The user's own folder for sockets: without a runtime folder, as after su or by cron, one beside
 * what else Outboard keeps. What root starts without one is for all users. */
static int own_folder(char to[VIRTIO_PATH]) {
    const char *runtime = variable("XDG_RUNTIME_DIR"), *state = variable("XDG_STATE_HOME");
    const char *home = variable("HOME");
    if (runtime != NULL)
        return snprintf(to, VIRTIO_PATH, "%s/outboard", runtime);
    if (geteuid() == 0)
        return -1;
    if (state != NULL)
        return snprintf(to, VIRTIO_PATH, "%s/outboard/run", state);
    return home != NULL ? snprintf(to, VIRTIO_PATH, "%s/.local/state/outboard/run", home) : -1;
}

bool virtio_socket(const char *name, bool of_all, char to[VIRTIO_PATH]) {
    int length = of_all ? snprintf(to, VIRTIO_PATH, "/run/outboard") : own_folder(to);
    if (length < 0 || length >= VIRTIO_PATH)
        return false;
    size_t room = VIRTIO_PATH - (size_t)length;
    return (size_t)snprintf(to + length, room, "/virtio-%s.sock", name) < room;
}

static int connect_virtio(const endpoint *to, const char *name, char *why, size_t limit) {
    char path[VIRTIO_PATH];
    int fd = -1;
    if (!virtio_name(name)) {
        snprintf(why, limit, "'%s' is not the name of a port", name);
        return -1;
    }
    snprintf(why, limit,
             "no outboard-connect serves the port %s: run the program with outboard-run, or start "
             "outboard-connect virtio:%s",
             name, name);
    for (int of_all = 0; of_all <= 1 && fd < 0; of_all++)
        if (virtio_socket(name, of_all, path) && access(path, F_OK) == 0)
            fd = connect_unix(to, path, why, limit);
    return fd;
}

const ob_communicator virtio_communicator = {
    .scheme = "virtio", .connect = connect_virtio, .distance = OB_HYPERVISOR, .companion = true};
