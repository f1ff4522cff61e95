/* SPDX-License-Identifier: Apache-2.0
 *
 * A side that wants to sleep says so in its word, looks once more, and sleeps (doorbell.h); the
 * other side looks at the word after each step. All of these are sequentially consistent, so that
 * one of the two sees the other.
 */
#include "ring/ring.h"

#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef F_GET_SEALS
#define F_GET_SEALS 1034
#endif
#ifndef F_SEAL_SHRINK
#define F_SEAL_SHRINK 2
#endif

static uint32_t most_ns(enum channel_side side) {
    return !processors_to_spare() ? SPIN_NS : side == CLIENT_SIDE ? SPIN_ANSWER_NS : SPIN_FRAMES_NS;
}

/* ---- mapping --------------------------------------------------------------------------------- */

static uint64_t page_of_backend(const region_layout *l) { return l->mark != 0 ? REGION_PLACED : 0; }

static bool possible(const region_layout *l) {
    return l->ring_bytes >= REGION_LEAST_RING && l->ring_bytes <= REGION_MOST_RING &&
           (l->ring_bytes & (l->ring_bytes - 1)) == 0 && l->slots <= REGION_SLOT_LIMIT &&
           l->slot_bytes % 4096 == 0 && l->slot_bytes <= REGION_MOST_RING &&
           l->bytes == REGION_HEAD + page_of_backend(l) + 2 * l->ring_bytes +
                           (uint64_t)l->slots * l->slot_bytes &&
           l->offset % 4096 == 0 && l->offset <= INT64_MAX - l->bytes;
}

/* The C library's fstat is too young (see glibc.h), and where memory of a device ends, lseek does
 * not say. */
uint64_t ring_memory_length(int fd) {
    struct stat now;
    return syscall(SYS_fstat, fd, &now) == 0 ? (uint64_t)now.st_size : 0;
}

/* A file that could shrink would be a signal instead of an error; memory of the hypervisor's
 * cannot. */
static bool holds(int fd, const region_layout *l) {
    int seals = fcntl(fd, F_GET_SEALS);
    if (l->mark != 0)
        return ring_memory_length(fd) >= l->offset + l->bytes;
    return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && ring_memory_length(fd) == l->bytes;
}

/* Another machine's memory has another number there. */
static bool is_marked(const uint8_t *base, const region_layout *l) {
    return l->mark == 0 ||
           atomic_load((const _Atomic uint64_t *)(const void *)(base + REGION_MARK)) == l->mark;
}

static void *map(int fd, const region_layout *l) {
    void *base = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)l->offset);
    if (base == MAP_FAILED || is_marked(base, l))
        return base;
    munmap(base, l->bytes);
    return MAP_FAILED;
}

static ring direction(channel *c, uint64_t written, uint64_t read, uint64_t data) {
    return (ring){
        .data = c->base + data,
        .mask = c->layout.ring_bytes - 1,
        .written = (_Atomic uint64_t *)(void *)(c->base + written),
        .read = (_Atomic uint64_t *)(void *)(c->base + read),
    };
}

static doorbell bell(const channel *c, const doorbell_kind *kind, uint32_t word) {
    return (doorbell){
        .kind = kind, .word = (_Atomic uint32_t *)(void *)(c->base + word), .fd = -1, .beside = -1};
}

void channel_over(channel *c, void *base, const region_layout *layout, enum channel_side side,
                  const doorbell_kind *bells) {
    *c = (channel){.base = base, .layout = *layout, .patience = patience_of(most_ns(side))};
    uint64_t page = page_of_backend(layout), data = page + REGION_HEAD;
    ring to_backend = direction(c, REGION_TO_BACKEND, page + REGION_TO_BACKEND + REGION_READ, data);
    ring to_client = direction(c, page + REGION_TO_CLIENT, REGION_TO_CLIENT + REGION_READ,
                               data + layout->ring_bytes);
    bool client = side == CLIENT_SIDE;
    c->in = client ? to_client : to_backend;
    c->out = client ? to_backend : to_client;
    doorbell of_client = bell(c, bells, REGION_CLIENT_WAITS),
             of_backend = bell(c, bells, REGION_BACKEND_WAITS);
    c->own = client ? of_client : of_backend;
    c->other = client ? of_backend : of_client;
    pthread_mutex_init(&c->turn, NULL);
    c->own.turn = &c->turn;
}

bool channel_map(channel *c, int fd, const region_layout *layout, enum channel_side side,
                 const doorbell_kind *bells) {
    if (!possible(layout) || !holds(fd, layout))
        return false;
    void *base = map(fd, layout);
    if (base == MAP_FAILED)
        return false;
    madvise(base, layout->bytes, MADV_DONTFORK);
    channel_over(c, base, layout, side, bells);
    return true;
}

bool channel_slot(const channel *whole, uint32_t number, channel *slot) {
    const region_layout *all = &whole->layout;
    if (number >= all->slots || all->slot_bytes < REGION_HEAD || all->mark != 0)
        return false;
    region_layout l = {.bytes = all->slot_bytes,
                       .ring_bytes = (all->slot_bytes - REGION_HEAD) / 2};
    if (!possible(&l))
        return false;
    uint64_t begin = all->bytes - (uint64_t)(all->slots - number) * all->slot_bytes;
    channel_over(slot, whole->base + begin, &l, CLIENT_SIDE, whole->own.kind);
    return true;
}

bool channel_rings_over(channel *c, int socket) {
    c->patience = patience_of(processors_to_spare() ? SPIN_ANSWER_NS : SPIN_FAR_NS);
    c->patience.yields = true;
    c->own.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    c->own.beside = c->other.beside = socket;
    return c->own.fd >= 0;
}

void channel_leave(channel *c) {
    pthread_mutex_lock(&c->turn);
    c->own.beside = c->other.beside = -1;
    pthread_mutex_unlock(&c->turn);
}

void channel_unmap(channel *c) {
    if (c->own.fd >= 0)
        close(c->own.fd);
    munmap(c->base, c->layout.bytes);
}

/* ---- waking ---------------------------------------------------------------------------------- */

static void wake(const doorbell *sleeper, uint32_t what) {
    if ((atomic_load(sleeper->word) & what) != 0 &&
        (atomic_fetch_and(sleeper->word, ~what) & what) != 0)
        doorbell_ring(sleeper);
}

void channel_rouse(channel *c) {
    atomic_store(c->own.word, 0);
    doorbell_ring(&c->own);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void copy_in(const ring *r, uint64_t at, const uint8_t *from, size_t bytes) {
    size_t offset = (size_t)(at & r->mask), straight = (size_t)(r->mask + 1) - offset;
    size_t first = bytes < straight ? bytes : straight;
    memcpy(r->data + offset, from, first);
    if (first < bytes)
        memcpy(r->data, from + first, bytes - first);
}

static void copy_out(const ring *r, uint64_t at, uint8_t *to, size_t bytes) {
    size_t offset = (size_t)(at & r->mask), straight = (size_t)(r->mask + 1) - offset;
    size_t first = bytes < straight ? bytes : straight;
    memcpy(to, r->data + offset, first);
    if (first < bytes)
        memcpy(to + first, r->data, bytes - first);
}

static uint64_t position(const ring *r) {
    return atomic_load_explicit(&r->at, memory_order_relaxed);
}

/* The bytes to read; looks at the other side's position only if the last look does not tell. */
static size_t filled(ring *r) {
    if (r->other == position(r))
        r->other = atomic_load_explicit(r->written, memory_order_acquire);
    uint64_t bytes = r->other - position(r);
    return bytes <= r->mask + 1 ? (size_t)bytes : CHANNEL_BROKEN;
}

static size_t room(ring *r, size_t wanted) {
    if (r->mask + 1 - (position(r) - r->other) < wanted)
        r->other = atomic_load_explicit(r->read, memory_order_acquire);
    uint64_t bytes = position(r) - r->other;
    return bytes <= r->mask + 1 ? (size_t)(r->mask + 1 - bytes) : CHANNEL_BROKEN;
}

/* At most so much is copied at once, so that the other side copies the part before it meanwhile. */
static size_t piece(const ring *r) { return (size_t)(r->mask + 1) / 8; }

size_t channel_read(channel *c, void *to, size_t limit) {
    ring *r = &c->in;
    size_t there = filled(r), most = limit < piece(r) ? limit : piece(r);
    if (there == 0 || there == CHANNEL_BROKEN)
        return there;
    size_t bytes = there < most ? there : most;
    copy_out(r, position(r), to, bytes);
    atomic_store_explicit(&r->at, position(r) + bytes, memory_order_relaxed);
    atomic_store(r->read, position(r));
    /* A writer that waits is woken once there is room worth waking for. */
    if (there - bytes <= r->mask / 2)
        wake(&c->other, FOR_ROOM);
    return bytes;
}

/* The compiler's own prefetch for writing is one for reading where it must not take the processor
 * for a newer one. */
static void prepare_to_write(const void *line) {
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1, 3);
#endif
}

/* The reader has the lines of the next frame in its cache: fetching them now spares whoever posts
 * that frame the wait. */
static void fetch_ahead(const ring *r, uint64_t at) {
    enum { LINE = 64, FRAME_BYTES = 256 };
    for (uint64_t i = 0; i < FRAME_BYTES; i += LINE)
        prepare_to_write(r->data + ((at + i) & r->mask));
}

static size_t sum(const struct iovec *parts, int count) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += parts[i].iov_len;
    return bytes;
}

size_t channel_write(channel *c, const struct iovec *parts, int count) {
    ring *r = &c->out;
    size_t left = room(r, sum(parts, count));
    if (left == 0 || left == CHANNEL_BROKEN)
        return left;
    if (left > piece(r))
        left = piece(r);
    uint64_t begin = position(r), at = begin;
    for (int i = 0; i < count && left > 0; i++) {
        size_t bytes = parts[i].iov_len < left ? parts[i].iov_len : left;
        if (bytes > 0)
            copy_in(r, at, parts[i].iov_base, bytes);
        at += bytes;
        left -= bytes;
    }
    atomic_store_explicit(&r->at, at, memory_order_relaxed);
    atomic_store(r->written, at);
    wake(&c->other, FOR_DATA);
    fetch_ahead(r, at);
    return (size_t)(at - begin);
}

size_t channel_written(const channel *c, struct iovec parts[2], uint64_t *end) {
    const ring *r = &c->out;
    size_t room = (size_t)(r->mask + 1), place = (size_t)(position(r) & r->mask);
    size_t bytes = position(r) < room ? (size_t)position(r) : room, first = bytes - place;
    *end = position(r);
    parts[0] = (struct iovec){r->data + room - first, bytes > place ? first : 0};
    parts[1] = (struct iovec){r->data, place};
    return is_marked(c->base, &c->layout) ? bytes : 0;
}

/* ---- waiting --------------------------------------------------------------------------------- */

bool channel_readable(const channel *c) { return atomic_load(c->in.written) != position(&c->in); }

/* Nonsense counts as room: writing tells. */
bool channel_writable(const channel *c) {
    return position(&c->out) - atomic_load(c->out.read) != c->out.mask + 1;
}

static bool holds_now(const channel *c, uint32_t what) {
    return ((what & FOR_DATA) != 0 && channel_readable(c)) ||
           ((what & FOR_ROOM) != 0 && channel_writable(c));
}

static bool came(const void *what) {
    const channel *c = what;
    return atomic_load_explicit(c->in.written, memory_order_relaxed) != position(&c->in);
}

uint32_t channel_programs(const channel *c) {
    const void *word = c->base + REGION_PROGRAMS;
    return atomic_load_explicit((const _Atomic uint32_t *)word, memory_order_relaxed);
}

bool channel_spin(channel *c, looking how) {
    return patience_pays_as(&c->patience, how == LOOKS_BRIEFLY ? SPIN_NS : UINT32_MAX,
                            how == LOOKS_AND_YIELDS, came, c);
}

void channel_limit(channel *c, uint32_t most_ns) { patience_limit(&c->patience, most_ns); }

bool channel_sleep(channel *c, uint32_t what, const _Atomic uint32_t *hint, int timeout_ms) {
    uint32_t word = atomic_fetch_or(c->own.word, what) | what;
    if (holds_now(c, what) || (hint != NULL && atomic_load(hint)))
        return true;
    return doorbell_sleep(&c->own, word, timeout_ms);
}

/* The wish stays: others who sleep here may have it, too. */
void channel_rest(channel *c, uint32_t ns) {
    if (c->own.kind != &futex_doorbell)
        return;
    uint32_t word = atomic_fetch_or(c->own.word, FOR_DATA) | FOR_DATA;
    if (!channel_readable(c))
        futex_doorbell_rest(&c->own, word, ns);
}
