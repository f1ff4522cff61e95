/* SPDX-License-Identifier: Apache-2.0
 *
 * How often the program has initialised the library is counted here: the backend is told of the
 * first time and of the last. Frameworks initialise and count devices again and again.
 */
#include "entry.h"

#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Under the lock. */
/* a forked child is a client of its own, which has initialised nothing */
static pid_t owner;
static unsigned int times;
static int devices;         /* -1 if not asked yet */

static unsigned int times_here(void) {
    if (owner != getpid())
        times = 0;
    return times;
}

static nvmlReturn_t count_up(nvmlReturn_t result) {
    if (result != 0)
        return result;
    if (times++ == 0)
        devices = -1;
    owner = getpid();
    nvml_begins();
    return 0;
}

nvmlReturn_t nvmlInit_v2(void) {
    pthread_mutex_lock(&lock);
    nvmlReturn_t result = count_up(times_here() > 0 ? 0 : remote_nvmlInit_v2(0));
    pthread_mutex_unlock(&lock);
    return result;
}

nvmlReturn_t nvmlInit(void) { return nvmlInit_v2(); }

nvmlReturn_t nvmlInitWithFlags(int flags) {
    pthread_mutex_lock(&lock);
    nvmlReturn_t result = count_up(times_here() > 0 ? 0 : remote_nvmlInitWithFlags(flags, 0));
    pthread_mutex_unlock(&lock);
    return result;
}

nvmlReturn_t nvmlShutdown(void) {
    pthread_mutex_lock(&lock);
    nvmlReturn_t result = times_here() > 1 ? 0 : remote_nvmlShutdown(0);
    if (times > 0)
        times--;
    if (times_here() == 0)
        nvml_ends();
    pthread_mutex_unlock(&lock);
    return result;
}

nvmlReturn_t nvmlDeviceGetCount_v2(int *count) {
    nvmlReturn_t result = 0;
    pthread_mutex_lock(&lock);
    if (count == NULL || times_here() == 0 || devices < 0)
        result = remote_nvmlDeviceGetCount_v2(count, 0);
    else
        *count = devices;
    if (result == 0 && count != NULL)
        devices = *count;
    pthread_mutex_unlock(&lock);
    return result;
}

nvmlReturn_t nvmlDeviceGetCount(int *count) { return nvmlDeviceGetCount_v2(count); }
