/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kinds of activity are recorded. What the program does is recorded here, what devices do
 * where they are; without either nothing is observed, and nothing travels.
 */
#include "profile.h"

#include <pthread.h>
#include <unistd.h>

#define BIT(kind) (UINT64_C(1) << (kind))

static const uint64_t device_kinds = BIT(KIND_MEMCPY) | BIT(KIND_MEMSET) | BIT(KIND_KERNEL) |
                                     BIT(KIND_CONCURRENT_KERNEL) | BIT(KIND_MEMCPY2) |
                                     BIT(KIND_GRAPH_TRACE);
static const uint64_t program_kinds = BIT(KIND_DRIVER) | BIT(KIND_RUNTIME) |
                                      BIT(KIND_EXTERNAL_CORRELATION) | BIT(KIND_SYNCHRONIZATION) |
                                      BIT(KIND_CUDA_EVENT);
/* Of what the program tells, and of what is done here. */
static const uint64_t own_kinds = BIT(KIND_MARKER) | BIT(KIND_MARKER_DATA) | BIT(KIND_OVERHEAD);

static const uint64_t traced_kinds =
    BIT(KIND_MEMCPY) | BIT(KIND_MEMSET) | BIT(KIND_CONCURRENT_KERNEL);

static _Atomic uint64_t kinds;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t asked;          /* of the backend; under the lock */
static _Atomic bool was_asked;

bool activity_is_on(enum kind kind) {
    return (atomic_load_explicit(&kinds, memory_order_relaxed) & BIT(kind)) != 0;
}

bool activity_was_asked(void) { return atomic_load(&was_asked); }

/* As the backend has them: one kind of kernels, one of copies. */
static uint64_t for_backend(uint64_t these) {
    uint64_t kernels = these & (BIT(KIND_KERNEL) | BIT(KIND_CONCURRENT_KERNEL));
    uint64_t copies = these & (BIT(KIND_MEMCPY) | BIT(KIND_MEMCPY2));
    return (kernels != 0 ? BIT(KIND_CONCURRENT_KERNEL) : 0) |
           (copies != 0 ? BIT(KIND_MEMCPY) : 0) |
           (these & (BIT(KIND_MEMSET) | BIT(KIND_GRAPH_TRACE)));
}

/* Under the lock. */
static CUptiResult ask(uint64_t wanted) {
    int version;
    if (wanted == asked)
        return SUCCESS;
    CUptiResult result = remote_outboardActivityEnable(wanted, &version, OB_ORDERED);
    if (result != SUCCESS)
        return result == NOT_SUPPORTED ? NOT_INITIALIZED : result;
    if (asked == 0 && !clock_compare(true))
        return NOT_INITIALIZED;
    asked = wanted;
    atomic_store(&was_asked, true);
    return SUCCESS;
}

/* Under the lock. */
static CUptiResult change(void) {
    uint64_t now = atomic_load(&kinds) | (timeline_is_on() ? traced_kinds : 0);
    bool noted = (now & device_kinds) != 0;
    bool observed =
        (now & (program_kinds | device_kinds)) != 0 || callbacks_any() || timeline_watches();
    if (noted && !calls_watch(observed, true))
        return OUT_OF_MEMORY;
    CUptiResult result = ask(for_backend(now));
    return calls_watch(observed, noted) ? result : OUT_OF_MEMORY;
}

CUptiResult activity_changed(void) {
    pthread_mutex_lock(&lock);
    CUptiResult result = change();
    pthread_mutex_unlock(&lock);
    return result;
}

/* Where a kind is refused, all is as before. */
static CUptiResult set(uint32_t kind, bool on) {
    if (kind == 0 || kind >= KINDS)
        return INVALID_KIND;
    if ((BIT(kind) & (device_kinds | program_kinds | own_kinds)) == 0)
        return on ? NOT_SUPPORTED : SUCCESS;
    timeline_take();            /* what has been recorded up to now is by the kinds up to now */
    if (on && (kind == KIND_DRIVER || kind == KIND_RUNTIME))
        calls_choose_all(kind);
    pthread_mutex_lock(&lock);
    uint64_t before = on ? atomic_fetch_or(&kinds, BIT(kind))
                         : atomic_fetch_and(&kinds, ~BIT(kind));
    CUptiResult result = change();
    if (result != SUCCESS && on) {
        atomic_store(&kinds, before);
        change();
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void activity_end(void) {
    atomic_store(&kinds, 0);
    activity_changed();
}

/* ---- the functions --------------------------------------------------------------------------- */

CUptiResult cuptiActivityEnable(uint32_t kind) { return set(kind, true); }

CUptiResult cuptiActivityDisable(uint32_t kind) {
    CUptiResult result = set(kind, false);
    return result == NOT_INITIALIZED ? SUCCESS : result;
}

overhead_record overhead_of(uint32_t what, uint64_t start) {
    return (overhead_record){
        .kind = KIND_OVERHEAD,
        .overhead = what,
        .object = OBJECT_THREAD,
        .process = (uint32_t)getpid(),
        .thread = thread_number(),
        .start = start,
        .end = clock_now(),
    };
}

/* The time that a flush takes of the program's. */
static void put_overhead(uint64_t start) {
    enum { BUFFER_FLUSH = 1 << 16 };
    if (!activity_is_on(KIND_OVERHEAD) || !buffers_wanted())
        return;
    overhead_record record = overhead_of(BUFFER_FLUSH, start);
    buffers_put(&record, sizeof record);
}

CUptiResult cuptiActivityFlushAll(uint32_t flags) {
    (void)flags;
    uint64_t start = clock_now();
    CUptiResult result = device_take(true);
    put_overhead(start);
    buffers_end();
    return result;
}

CUptiResult cuptiFinalize(void) {
    callbacks_end();
    activity_end();
    buffers_end();
    return SUCCESS;
}

/* ---- settings that change nothing ------------------------------------------------------------ */

CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable) {
    (void)enable;
    return SUCCESS;
}

CUptiResult cuptiActivityEnableLatencyTimestamps(uint8_t enable) {
    (void)enable;
    return SUCCESS;
}

CUptiResult cuptiActivityEnableHWTrace(uint8_t enable) {
    return enable != 0 ? NOT_SUPPORTED : SUCCESS;
}

CUptiResult cuptiActivityFlushPeriod(uint32_t milliseconds) {
    (void)milliseconds;
    return SUCCESS;
}

enum { ATTRIBUTES = 32, ATTRIBUTE_BYTES = 8 };

static struct {
    size_t bytes;
    uint8_t value[ATTRIBUTE_BYTES];
} attributes[ATTRIBUTES];

CUptiResult cuptiActivitySetAttribute(uint32_t attribute, size_t *bytes, void *value) {
    if (attribute >= ATTRIBUTES || bytes == NULL || value == NULL || *bytes > ATTRIBUTE_BYTES)
        return INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    attributes[attribute].bytes = *bytes;
    memcpy(attributes[attribute].value, value, *bytes);
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}

/* An attribute that nobody has set is 0. */
CUptiResult cuptiActivityGetAttribute(uint32_t attribute, size_t *bytes, void *value) {
    if (attribute >= ATTRIBUTES || bytes == NULL || value == NULL || *bytes > ATTRIBUTE_BYTES)
        return INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    memcpy(value, attributes[attribute].value, *bytes);
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}
