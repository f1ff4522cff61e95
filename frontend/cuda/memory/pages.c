/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of managed memory: the memory is the device's, and the program has pages of it at the same
 * address, while no work of a device may use them. One that is touched is fetched, with those
 * behind it; before work is asked for, those that the program has changed are sent, and all are
 * given up. Memory that no work has had yet is open as a whole, so that system calls may fill it.
 *
 * The pages are those of a file, which is mapped twice: at the address, where they are protected,
 * and somewhere else, where they are filled and sent from. So a page holds all of its bytes before
 * any thread may read it, and none changes while it is sent. One lock guards what pages are and how
 * they are protected. Nobody touches a page under a lock.
 */
#include "memory/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FRESH_MOST = 64 };               /* descriptors for fresh memory */
enum {
    /* bytes that come with one that is touched; twice as many when the next are … */
    FIRST_FETCHED = 64 << 10,
    FIRST_WRITTEN = 4096,               /* … and so many may be written then */
};

/* A page is away; as on the device, and can be read; or changed by the program, and can be written.
 */
typedef enum state { AWAY, READABLE, CHANGED } state;

/* Touches one behind the other, in pages. */
typedef struct run {
    uint64_t end, count;
} run;

typedef struct paged {
    struct paged *next;
    uint64_t base, bytes;
    uint8_t *view;                      /* the same pages, always open to this file */
    uint8_t *states;
    uint64_t count;
    uint64_t low, high;                 /* pages that are not away lie in between */
    run fetched, written;
    int fresh;                          /* the file of one that no work has had yet; else -1 */
    CUcontext context;
    int users;                          /* pagers, which do not always have the lock */
    bool ended;
} paged;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t unused = PTHREAD_COND_INITIALIZER, started = PTHREAD_COND_INITIALIZER;
static paged *all;
static uint64_t epoch;                  /* counts work that is asked for */
static int starting;                    /* calls that ask for work now */
static int fresh_ones;
static bool doubtful;                   /* some pages came while work may have been under way */

/* of all addresses that ever were of such memory */
static _Atomic uint64_t lowest = UINT64_MAX, highest;

static uint64_t page(void) {
    static _Atomic uint64_t bytes;
    uint64_t known = atomic_load_explicit(&bytes, memory_order_relaxed);
    if (known == 0)
        atomic_store(&bytes, known = (uint64_t)sysconf(_SC_PAGESIZE));
    return known;
}

static uint64_t least(uint64_t one, uint64_t other) { return one < other ? one : other; }

bool pages_may_have(const void *memory, uint64_t bytes) {
    uint64_t address = (uint64_t)(uintptr_t)memory;
    return address < atomic_load_explicit(&highest, memory_order_relaxed) &&
           address + bytes > atomic_load_explicit(&lowest, memory_order_relaxed);
}

/* ---- protection, under the lock -------------------------------------------------------------- */

/* Each run of pages that are alike is a mapping, of which a process may have so many
 * (vm.max_map_count). */
static bool crowded;

static bool protect(const paged *p, uint64_t first, uint64_t count, state as) {
    static const int access[] = {
        [AWAY] = PROT_NONE, [READABLE] = PROT_READ, [CHANGED] = PROT_READ | PROT_WRITE};
    return mprotect((void *)(uintptr_t)(p->base + first * page()), count * page(), access[as]) == 0;
}

static bool set(paged *p, uint64_t first, uint64_t count, state as) {
    if (!protect(p, first, count, as)) {
        crowded = errno == ENOMEM;
        protect(p, first, count, AWAY);
        return false;
    }
    memset(p->states + first, as, count);
    p->low = least(p->low, first);
    p->high = p->high > first + count ? p->high : first + count;
    return true;
}

/* How many pages from one on are alike, at most so many. */
static uint64_t alike(const paged *p, uint64_t first, uint64_t most) {
    uint64_t count = 1;
    while (count < most && p->states[first + count] == p->states[first])
        count++;
    return count;
}

/* How many pages from one on are taken together: twice as many as before if they come behind these.
 */
static uint64_t lengthen(run *r, uint64_t index, uint64_t first) {
    uint64_t most = FETCHED_MOST / page();
    r->count = r->end == index && r->count > 0 ? least(r->count * 2, most)
                                               : (first + page() - 1) / page();
    r->end = index + r->count;
    return r->count;
}

/* ---- to the device, under the lock ----------------------------------------------------------- */

static uint64_t bytes_of(const paged *p, uint64_t first, uint64_t count) {
    return least(count * page(), p->bytes - first * page());
}

static void send_run(const paged *p, uint64_t first, uint64_t count, uint32_t flags) {
    uint64_t most = FETCHED_MOST / page();
    for (uint64_t at = first, now; at < first + count; at += now) {
        now = least(most, first + count - at);
        remote_outboardPagesStore(p->base + at * page(), p->view + at * page(),
                                  bytes_of(p, at, now), flags);
    }
}

/* The program may write anywhere in fresh memory, also by system calls; what it has not touched is
 * a hole of the file. */
static void send_fresh(const paged *p, uint32_t flags) {
    off_t data = lseek(p->fresh, 0, SEEK_DATA);
    while (data >= 0) {
        off_t hole = lseek(p->fresh, data, SEEK_HOLE);
        send_run(p, (uint64_t)data / page(), (uint64_t)(hole - data) / page(), flags);
        data = lseek(p->fresh, hole, SEEK_DATA);
    }
}

static void close_file(paged *p) {
    close(p->fresh);
    p->fresh = -1;
}

/* Under the lock, as its callers are. */
static void end_freshness(paged *p) {
    if (p->fresh < 0)
        return;
    close_file(p);
    fresh_ones--;
}

static void send_changed(const paged *p, uint32_t flags) {
    for (uint64_t at = p->low, now; at < p->high; at += now) {
        now = alike(p, at, p->high - at);
        if (p->states[at] == CHANGED)
            send_run(p, at, now, flags);
    }
}

/* A thread that writes meanwhile waits for the lock, and then fetches the page that it has written
 * to. */
static void give_up(paged *p, uint32_t flags) {
    if (p->low >= p->high)
        return;
    protect(p, p->low, p->high - p->low, AWAY);
    (p->fresh >= 0 ? send_fresh : send_changed)(p, flags);
    end_freshness(p);
    memset(p->states + p->low, AWAY, p->high - p->low);
    p->low = p->count;
    p->high = 0;
}

static bool are_some_here(void) {
    const paged *p = all;
    while (p != NULL && p->low >= p->high)
        p = p->next;
    return p != NULL;
}

/* In the order of the lane. Data that another lane, or the end of a function of the program, could
 * overtake have arrived when this returns. That is told in no lane of a context, which would tell
 * it of errors that are the program's to see. */
static void give_up_all(bool arrives) {
    ob_thread *self = ob_self();
    uint32_t lane = self->lane;
    doubtful = false;
    if (!are_some_here())
        return;
    faults_catch();
    if (arrives)
        self->lane = 0;
    for (paged *p = all; p != NULL; p = p->next)
        give_up(p, arrives ? OB_ANSWER : 0);
    self->lane = lane;
}

/* ---- work of devices ------------------------------------------------------------------------- */

void pages_work_begins(void) {
    pthread_mutex_lock(&lock);
    starting++;
    epoch++;
    give_up_all(contexts_are_several());
    pthread_mutex_unlock(&lock);
}

void pages_work_begun(void) {
    pthread_mutex_lock(&lock);
    starting--;
    epoch++;
    pthread_cond_broadcast(&started);
    if (doubtful)
        give_up_all(contexts_are_several());
    pthread_mutex_unlock(&lock);
}

void pages_work_seen(void) {
    pthread_mutex_lock(&lock);
    if (doubtful)
        give_up_all(contexts_are_several());
    pthread_mutex_unlock(&lock);
}

/* Work behind the function has been asked for long ago. */
static void callback_ends(void) {
    pthread_mutex_lock(&lock);
    epoch++;
    give_up_all(true);
    pthread_mutex_unlock(&lock);
}

/* ---- from the device ------------------------------------------------------------------------- */

static CUresult load_from(const paged *p, uint64_t first, uint64_t count, CUcontext waited,
                          uint8_t *room) {
    return remote_outboardPagesLoad(room, p->base + first * page(), bytes_of(p, first, count),
                                    waited, waited != NULL ? OB_ORDERED : 0);
}

/* Behind all work of all contexts, unless a function of the program runs: the work is behind that.
 */
static CUresult load(const paged *p, uint64_t first, uint64_t count, bool waits, uint8_t *room) {
    if (waits && (contexts_are_several() || p->context == NULL))
        for (uint32_t i = 0; i < CONTEXT_LIMIT; i++) {
            CUcontext other = context_at(i);
            if (other != NULL && other != p->context)
                load_from(p, first, 1, other, room);
        }
    return load_from(p, first, count, waits ? p->context : NULL, room);
}

/* Under the lock: those that are still away. */
static bool fill(paged *p, uint64_t first, uint64_t count, const uint8_t *room) {
    bool open = true;
    for (uint64_t at = first, now; at < first + count && open; at += now) {
        now = alike(p, at, first + count - at);
        if (p->states[at] != AWAY)
            continue;
        memcpy(p->view + at * page(), room + (at - first) * page(), bytes_of(p, at, now));
        open = set(p, at, now, READABLE);
    }
    return open;
}

static bool say_lost(const paged *p, uint64_t index, CUresult result) {
    ob_warn("managed memory at 0x%llx cannot be fetched: error %d",
            (unsigned long long)(p->base + index * page()), (int)result);
    return false;
}

/* Under the lock. A call that asks for work has it begin at any moment, and then no page may be
 * here. The thread that makes the call, and a function of the program for which it may wait, cannot
 * wait for it. */
static void await_calls(who asks) {
    while (starting > 0 && asks == FROM_PROGRAM)
        pthread_cond_wait(&started, &lock);
}

/* Under the lock, which work can have meanwhile; false if the page cannot be had. */
static bool fetch(paged *p, uint64_t index, who asks, uint8_t *room) {
    uint64_t count = least(lengthen(&p->fetched, index, FIRST_FETCHED), p->count - index);
    count = alike(p, index, count);
    p->fetched.end = index + count;
    while (p->states[index] == AWAY && !p->ended) {
        bool waits = asks != FROM_FUNCTION;
        uint64_t before = epoch;
        pthread_mutex_unlock(&lock);
        CUresult result = load(p, index, count, waits, room);
        pthread_mutex_lock(&lock);
        if (result != CUDA_SUCCESS)
            return say_lost(p, index, result);
        if (epoch != before) {
            await_calls(asks);
            continue;
        }
        doubtful = doubtful || starting > 0 || !waits;
        if (!fill(p, index, count, room))
            return false;
    }
    return !p->ended;
}

/* Those behind it that can be read may be written too if they are touched one behind the other. */
static bool open_to_writes(paged *p, uint64_t index) {
    uint64_t count =
        alike(p, index, least(lengthen(&p->written, index, FIRST_WRITTEN), p->count - index));
    p->written.end = index + count;
    return set(p, index, count, CHANGED);
}

/* One that was not away has come meanwhile, or is written to; or the program has protected it,
 * which the memory's own use undoes. */
static bool serve(paged *p, uint64_t index, touch how, who asks, uint8_t *room) {
    await_calls(asks);
    bool was_away = p->states[index] == AWAY,
         writes = how == TOUCH_WRITES || (how == TOUCH_UNKNOWN && !was_away);
    if (was_away && !fetch(p, index, asks, room))
        return false;
    if (writes && p->states[index] == READABLE)
        return open_to_writes(p, index);
    return !p->ended && protect(p, index, 1, (state)p->states[index]);
}

static paged **place_of(uint64_t address) {
    paged **at = &all;
    while (*at != NULL && (address < (*at)->base || address - (*at)->base >= (*at)->count * page()))
        at = &(*at)->next;
    return at;
}

/* Under the lock: pages that are all away are one mapping. The touch comes again. */
static bool make_room(void) {
    if (!crowded || !are_some_here())
        return false;
    epoch++;
    give_up_all(true);
    return true;
}

bool pages_serve(uint64_t address, touch how, who asks, uint8_t *room) {
    bool served = false;
    pthread_mutex_lock(&lock);
    paged *p = *place_of(address);
    if (p != NULL) {
        p->users++;
        crowded = false;
        served = serve(p, (address - p->base) / page(), how, asks, room) || make_room();
        p->users--;
        pthread_cond_broadcast(&unused);
    }
    pthread_mutex_unlock(&lock);
    return served;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static void unmake(paged *p) {
    if (p->fresh >= 0)
        close(p->fresh);
    if (p->view != NULL)
        munmap(p->view, p->count * page());
    free(p->states);
    free(p);
}

/* A file, mapped somewhere. A child has none of it. */
static bool map_view(paged *p) {
    uint64_t whole = p->count * page();
    p->fresh = ob_sealed_file("outboard-pages", whole);
    void *view = p->fresh >= 0 ? mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_SHARED, p->fresh, 0)
                               : MAP_FAILED;
    if (view == MAP_FAILED)
        return false;
    p->view = view;
    madvise(view, whole, MADV_DONTFORK);
    return true;
}

/* The same file at the address, which stays reserved. */
static bool map_at_address(const paged *p, int access) {
    void *at = (void *)(uintptr_t)p->base;
    if (mmap(at, p->count * page(), access, MAP_SHARED | MAP_FIXED, p->fresh, 0) == MAP_FAILED)
        return false;
    madvise(at, p->count * page(), MADV_DONTFORK);
    return true;
}

static paged *make(CUdeviceptr address, uint64_t bytes, CUcontext context) {
    paged *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (paged){.base = address,
                 .bytes = bytes,
                 .count = (bytes + page() - 1) / page(),
                 .fresh = -1,
                 .context = context};
    p->states = calloc(p->count, 1);
    if (p->states != NULL && map_view(p))
        return p;
    unmake(p);
    return NULL;
}

/* Under the lock. */
static state first_state(paged *p, bool zeros) {
    if (zeros && fresh_ones < FRESH_MOST && protect(p, 0, p->count, CHANGED)) {
        fresh_ones++;
        return CHANGED;
    }
    close_file(p);
    return zeros ? READABLE : AWAY;
}

/* Under the lock. */
static void add(paged *p, state are) {
    memset(p->states, are, p->count);
    p->low = are != AWAY ? 0 : p->count;
    p->high = are != AWAY ? p->count : 0;
    p->next = all;
    all = p;
    uint64_t low = least(atomic_load(&lowest), p->base), end = p->base + p->count * page();
    atomic_store(&lowest, low);
    if (end > atomic_load(&highest))
        atomic_store(&highest, end);
    work_watch(WATCHED_FOR_PAGES, true);
}

static void prepare(void) {
    ob_copy_where(pages_may_have);
    ob_callback_end_with(callback_ends);
    faults_catch();
}

CUresult pages_begin(CUdeviceptr address, uint64_t bytes, CUcontext context, bool zeros) {
    if (address % page() != 0 || !ob_reserve(address, bytes) || !pager_start())
        return CUDA_ERROR_OUT_OF_MEMORY;
    paged *made = make(address, bytes, context);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (!map_at_address(made, zeros ? PROT_READ : PROT_NONE)) {
        unmake(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    prepare();
    pthread_mutex_lock(&lock);
    add(made, first_state(made, zeros));
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* Under the lock. A thread that writes meanwhile waits for the lock in the handler, and then
 * writes. */
static bool move_there(paged *p) {
    void *at = (void *)(uintptr_t)p->base;
    if (mprotect(at, p->count * page(), PROT_READ) != 0)
        return false;
    memcpy(p->view, at, p->count * page());
    return map_at_address(p, PROT_READ | PROT_WRITE);
}

/* Under the lock, which pagers may have meanwhile. */
static void take_out(paged **at) {
    paged *ended = *at;
    *at = ended->next;
    ended->ended = true;
    end_freshness(ended);
    while (ended->users > 0)
        pthread_cond_wait(&unused, &lock);
    work_watch(WATCHED_FOR_PAGES, all != NULL);
}

CUresult pages_adopt(void *memory, uint64_t bytes, CUcontext context) {
    paged *made = pager_start() ? make((uint64_t)(uintptr_t)memory, bytes, context) : NULL;
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    prepare();
    pthread_mutex_lock(&lock);
    add(made, CHANGED);
    bool moved = move_there(made);
    close_file(made);
    if (!moved) {
        protect(made, 0, made->count, CHANGED);
        take_out(place_of(made->base));
    }
    pthread_mutex_unlock(&lock);
    if (!moved)
        unmake(made);
    return moved ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void pages_end(CUdeviceptr address) {
    pthread_mutex_lock(&lock);
    paged **at = place_of(address), *ended = *at;
    if (ended != NULL) {
        take_out(at);
        mmap((void *)(uintptr_t)ended->base, ended->count * page(), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    }
    pthread_mutex_unlock(&lock);
    if (ended != NULL)
        unmake(ended);
}
