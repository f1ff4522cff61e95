/* SPDX-License-Identifier: Apache-2.0
 *
 * xen:DOMID: pages that this domain of Xen's grants to that one, where outboard-xen takes them.
 */
#include "base/clock.h"
#include "link/communicator.h"
#include "xen/xen.h"

#include <stdio.h>
#include <stdlib.h>

/* False, too, if nobody takes the channel; the waiting user gets a word before that. */
static bool meet(xen_channel *c, const endpoint *to, int domain, char *why, size_t limit) {
    int all = to->connect_ms > 0 ? to->connect_ms : XEN_WAIT_MS,
        answer = answer_expected.all_ms, first = all < answer ? all : answer;
    uint64_t late = now_ns() + (uint64_t)first * 1000000;
    if (xen_meet(c, &xen_kernel, domain, first, why, limit))
        return true;
    if (now_ns() < late || first == all)
        return false;
    if (to->late != NULL)
        to->late(to);
    return xen_meet(c, &xen_kernel, domain, all - first, why, limit);
}

carrier connect_xen(const endpoint *to, char *why, size_t limit) {
    int domain = xen_domain(to->uri);
    carrier made = NO_CARRIER;
    if (domain < 0) {
        snprintf(why, limit, "'%s' is not xen:DOMID, the number of a domain", to->uri);
        return made;
    }
    made.pages = malloc(sizeof *made.pages);
    snprintf(why, limit, "out of memory");
    if (made.pages != NULL && !meet(made.pages, to, domain, why, limit))
        carrier_forget(&made);
    return made;
}

const ob_communicator xen_communicator = {.scheme = "xen", .distance = OB_HYPERVISOR};
