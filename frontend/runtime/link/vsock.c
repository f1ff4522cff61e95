/* SPDX-License-Identifier: Apache-2.0
 *
 * vsock, vsock://[CID][:PORT]: from a virtual machine to its host (vsock(7)). The host's kernel or
 * hypervisor answers, and vouches for nobody.
 */
#include "link/vsock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    CID_HOST = 2,
    CONNECT_TIMEOUT = 6,
    LOCAL_CID = 0x7b9,
    CONNECT_MS = 10000,
    USUAL_PORT = 14900,
    MOST_PORT = 65535
};

#define NO_VSOCK                                                                                   \
    "this machine has no vsock (AF_VSOCK): %s; a guest needs the device from its hypervisor and "  \
    "the module "                                                                                  \
    "vmw_vsock_virtio_transport, a host the module vhost_vsock"

/* Digits alone, up to the end or the stop. */
static bool number(const char **text, char stop, unsigned long most, uint32_t *to) {
    size_t digits = strspn(*text, "0123456789");
    char *end;
    errno = 0;
    unsigned long value = strtoul(*text, &end, 10);
    if (digits == 0 || end != *text + digits || (*end != '\0' && *end != stop) || errno != 0 ||
        value > most)
        return false;
    *text = end;
    *to = (uint32_t)value;
    return true;
}

bool vsock_parse(const char *rest, vsock_address *to) {
    const char *text = after_slashes(rest);
    *to = (vsock_address){.family = VSOCK_FAMILY, .cid = CID_HOST, .port = USUAL_PORT};
    if (text == NULL ||
        (*text != '\0' && *text != ':' && !number(&text, ':', UINT32_MAX, &to->cid)))
        return false;
    if (*text == ':')
        text++;
    else if (*text == '\0')
        return true;
    return number(&text, '\0', MOST_PORT, &to->port) && *text == '\0';
}

static int without(int fd, char *why, size_t limit) {
    snprintf(why, limit, NO_VSOCK, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

/* The family has a limit of its own. */
static void limit_connecting(int fd, int milliseconds) {
    struct timeval most = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
    setsockopt(fd, VSOCK_FAMILY, CONNECT_TIMEOUT, &most, sizeof most);
}

static int connect_vsock(const endpoint *to, const char *rest, char *why, size_t limit) {
    vsock_address address;
    if (!vsock_parse(rest, &address)) {
        snprintf(why, limit,
                 "'%s' is not [CID][:PORT], with a number each and a port of at most 65535",
                 after_slashes(rest) != NULL ? rest + 2 : rest);
        return -1;
    }
    int fd = socket(VSOCK_FAMILY, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return without(fd, why, limit);
    limit_connecting(fd, to->connect_ms > 0 ? to->connect_ms : CONNECT_MS);
    if (connect_patiently(to, fd, (struct sockaddr *)&address, sizeof address))
        return fd;
    return errno == ENODEV ? without(fd, why, limit) : connect_failed(fd, why, limit, rest + 2);
}

/* A host, or a machine without a hypervisor, has a number of at most 2 or none. */
bool vsock_in_guest(void) {
    uint32_t cid = 0;
    int fd = open("/dev/vsock", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool known = ioctl(fd, LOCAL_CID, &cid) == 0;
    close(fd);
    return known && cid > CID_HOST && cid != UINT32_MAX;
}

const ob_communicator vsock_communicator = {
    .scheme = "vsock", .connect = connect_vsock, .distance = OB_HYPERVISOR};
