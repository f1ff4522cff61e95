/* SPDX-License-Identifier: Apache-2.0
 *
 * The communicators that there are. Each communicator states its capabilities in its own file;
 * nobody asks for its name.
 */
#include "link/communicator.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECTED                                                                                   \
    "it is neither unix:PATH, shm:PATH, vsock://[CID][:PORT], virtio:NAME, xen:DOMID nor "         \
    "tcp://HOST[:PORT]"

static int refuse_to_encrypt(const endpoint *to, const char *rest, char *why, size_t limit) {
    (void)to, (void)rest;
    snprintf(why, limit,
             "this program does not encrypt itself: run it with outboard-run or 'outboard run', or "
             "start outboard-connect");
    return -1;
}

/* A companion, which runs for the program, reaches them. */
static const ob_communicator tls_communicator = {
    .scheme = "tls", .connect = refuse_to_encrypt, .distance = OB_NETWORK, .companion = true};
static const ob_communicator ssh_communicator = {
    .scheme = "ssh", .connect = refuse_to_encrypt, .distance = OB_NETWORK, .companion = true};

static const ob_communicator *const built_in[] = {
    &unix_communicator, &shm_communicator,   &relay_communicator,  &tunnel_communicator,
    &tcp_communicator,  &vsock_communicator, &virtio_communicator, &xen_communicator,
    &tls_communicator,  &ssh_communicator,
};

/* Before glibc 2.34 they are in a library of their own, which the program may have or not. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

static size_t scheme_length(const char *uri) {
    size_t length = 0;
    while (isalnum((unsigned char)uri[length]))
        length++;
    return uri[length] == ':' ? length : 0;
}

/* Other schemes are those of plug-ins: the library stays loaded, so what it has stays valid. */
static const ob_communicator *plugged_in(const char *uri, size_t length, char *why, size_t limit) {
    char name[64];
    if (length == 0 ||
        (size_t)snprintf(name, sizeof name, "outboard-connect-%.*s.so", (int)length, uri) >=
            sizeof name ||
        &dlopen == NULL) {
        snprintf(why, limit, EXPECTED);
        return NULL;
    }
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const ob_communicator *found = library != NULL ? dlsym(library, "outboard_communicator") : NULL;
    if (found == NULL)
        snprintf(why, limit, EXPECTED ", nor of a plug-in (%s)", dlerror());
    return found;
}

static const ob_communicator *find(const char *uri, char *why, size_t limit) {
    size_t length = scheme_length(uri);
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (strlen(built_in[i]->scheme) == length && strncmp(built_in[i]->scheme, uri, length) == 0)
            return built_in[i];
    return plugged_in(uri, length, why, limit);
}

const ob_communicator *communicator_of(const endpoint *to) {
    static const ob_communicator nothing = {.scheme = "", .distance = OB_NETWORK};
    char why[256];
    const ob_communicator *found = find(to->uri, why, sizeof why);
    return found != NULL ? found : &nothing;
}

answer_time answer_expected = {7500, 9900, "ten seconds"};

carrier connect_to(const endpoint *to, char *why, size_t limit) {
    const ob_communicator *found = find(to->uri, why, limit);
    if (found == &xen_communicator)
        return connect_xen(to, why, limit);
    const char *rest = to->uri + scheme_length(to->uri) + 1;
    return (carrier){.fd = found != NULL ? found->connect(to, rest, why, limit) : -1};
}

const char *after_slashes(const char *rest) {
    return strncmp(rest, "//", 2) == 0 ? rest + 2 : NULL;
}

/* OUTBOARD_SHM=0 does without what need not be. */
static bool refuses_memory(void) {
    const char *wanted = secure_getenv("OUTBOARD_SHM");
    return wanted != NULL && strcmp(wanted, "0") == 0;
}

enum ob_sharing sharing_of(const endpoint *to) {
    enum ob_sharing possible = communicator_of(to)->shares;
    return possible == OB_SHARE_WHERE_POSSIBLE && refuses_memory() ? OB_SHARE_NEVER : possible;
}

/* A backend that the operating system vouches for is no hypervisor's. */
bool may_share_with_host(const endpoint *to) {
    const ob_communicator *by = communicator_of(to);
    return by->shares == OB_SHARE_NEVER && by->distance != OB_SAME_MACHINE && !by->vouches &&
           !refuses_memory();
}
