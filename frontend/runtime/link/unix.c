/* SPDX-License-Identifier: Apache-2.0
 *
 * Unix sockets: a backend of this machine (unix:PATH; shm:PATH insists on shared memory), or the
 * companion that passes everything on to one elsewhere (relay:PATH), or the end of a tunnel, which
 * vouches for whom it leads to (tunnel:PATH).
 */
#include "link/communicator.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

int connect_unix(const endpoint *to, const char *path, char *why, size_t limit) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        snprintf(why, limit, "the path of the socket is longer than %zu bytes",
                 sizeof address.sun_path - 1);
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !connect_patiently(to, fd, (struct sockaddr *)&address, sizeof address))
        return connect_failed(fd, why, limit, path);
    return fd;
}

const ob_communicator unix_communicator = {
    .scheme = "unix",
    .connect = connect_unix,
    .shares = OB_SHARE_WHERE_POSSIBLE,
    .passes = true,
    .vouches = true,
    .distance = OB_SAME_MACHINE,
};

const ob_communicator shm_communicator = {
    .scheme = "shm",
    .connect = connect_unix,
    .shares = OB_SHARE_ALWAYS,
    .passes = true,
    .vouches = true,
    .distance = OB_SAME_MACHINE,
};

const ob_communicator tunnel_communicator = {
    .scheme = "tunnel", .connect = connect_unix, .vouches = true, .distance = OB_NETWORK};

const ob_communicator relay_communicator = {
    .scheme = "relay", .connect = connect_unix, .distance = OB_NETWORK};
