/* SPDX-License-Identifier: Apache-2.0 */
#include "confine.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_THREADS = 4096 };

/* For 8,192 processors. */
enum { MOST_SETS = 8 };

/* What an exec could give; the kernel says where the list ends. */
static void drop_bounds(void) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability) != 0)
            refused("a bound of capabilities");
}

static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    if (syscall(SYS_capset, &header, none) != 0)
        refused("capabilities");
}

void take_user(const confinement *c) {
    drop_bounds();
    if (c->has_user && (setgroups((size_t)c->group_count, c->groups) != 0 ||
                        setresgid(c->user, c->user, c->user) != 0 ||
                        setresuid(c->user, c->user, c->user) != 0))
        refused("a user of its own");
    drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        refused("no new privileges");
}

static void limit(__rlimit_resource_t what, rlim_t most) {
    struct rlimit limits;
    if (getrlimit(what, &limits) != 0)
        refused("a limit");
    limits.rlim_max = limits.rlim_max < most ? limits.rlim_max : most;
    limits.rlim_cur = limits.rlim_max;
    if (setrlimit(what, &limits) != 0)
        refused("a limit");
}

/* The last ones of those that this process may use: the kernel has its own work on the first. */
static void take_processors(unsigned most) {
    cpu_set_t all[MOST_SETS];
    unsigned kept = 0;
    if (sched_getaffinity(0, sizeof all, all) < 0)
        refused("processors");
    for (size_t one = sizeof all * CHAR_BIT; one-- > 0;)
        if (CPU_ISSET_S(one, sizeof all, all) && kept++ >= most)
            CPU_CLR_S(one, sizeof all, all);
    if (sched_setaffinity(0, sizeof all, all) != 0)
        refused("processors");
}

void take_limits(const confinement *c) {
    if (c->processors > 0)
        take_processors(c->processors);
    limit(RLIMIT_NPROC, MOST_THREADS);
    limit(RLIMIT_CORE, 0);
}
