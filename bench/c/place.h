/* SPDX-License-Identifier: Apache-2.0
 * Which processors a side of a measurement runs on: the caller has the first, its counterpart the
 * others. Left to the kernel, two sides that wait for each other share one core in one run and have
 * two in the next, which changes a ping-pong over TCP threefold. */
#ifndef PLACE_H
#define PLACE_H

#include <sched.h>

/* Does nothing where there is one processor. */
static inline void take_place(int caller) {
    cpu_set_t ours;
    if (sched_getaffinity(0, sizeof ours, &ours) != 0 || CPU_COUNT(&ours) < 2)
        return;
    int first = 0;
    while (!CPU_ISSET(first, &ours))
        first++;
    CPU_CLR(first, &ours);
    if (caller) {
        CPU_ZERO(&ours);
        CPU_SET(first, &ours);
    }
    sched_setaffinity(0, sizeof ours, &ours);
}

#endif
