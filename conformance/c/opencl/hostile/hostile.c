/* SPDX-License-Identifier: Apache-2.0
 * A library that is in the place of a kernel in a program binary of PoCL's: it makes the calls of
 * its list when it is loaded, before anybody has started a kernel. Its kernel "attack" hands out
 * the results.
 */
#include "../attack.h"

#include <errno.h>
#include <unistd.h>

/* Its length is unknown to the compiler: the client fills it in. */
static volatile attack_list list = {.mark = ATTACK_MARK};
static long results[MOST];

static long argument(const volatile long *call, int number, long before) {
    long value = call[2 + number];
    switch (call[1] >> KIND_BITS * number & KIND_MASK) {
    case TEXT:
        return (long)(list.texts + value);
    case RESULT:
        return before;
    default:
        return value;
    }
}

__attribute__((constructor)) static void attack(void) {
    for (int i = 0; i < list.count; i++) {
        const volatile long *call = list.words + i * WORDS;
        long a[ARGUMENTS], before = i > 0 ? results[i - 1] : 0;
        for (int k = 0; k < ARGUMENTS; k++)
            a[k] = argument(call, k, before);
        long made = syscall(call[0], a[0], a[1], a[2], a[3], a[4], a[5]);
        results[i] = made == -1 ? -errno : made;
    }
}

/* PoCL's form of a kernel: each argument that is a buffer is behind a pointer. */
void _pocl_kernel_attack_workgroup(long **const *arguments);
void _pocl_kernel_attack_workgroup(long **const *arguments) {
    for (int i = 0; i < list.count; i++)
        (*arguments[1])[i] = results[i];
}
