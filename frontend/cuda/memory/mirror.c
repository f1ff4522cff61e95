/* SPDX-License-Identifier: Apache-2.0
 *
 * Mirrors: managed variables of a real GPU are memory of the driver's, in the backend's process.
 * The program has pages of its own at the same address. Before work of a device is asked for, or
 * waited for, what the program has changed is sent; after work that may be over, what the device
 * has is fetched. A copy of the last common state tells which side changed something.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    WORD = sizeof(uint64_t),
    BLOCK = 512,                        /* words that are sent together */
    BATCH = OB_CHUNK / WORD,            /* words that are fetched together … */
    RANGES = 256,                       /* … of so many ranges at most */
    /* bytes of a variable of which only what has changed is fetched: VariableSharing.java … */
    LARGE = 64 << 10,
    PART = 4096 / WORD,                 /* … in parts of so many words … */
    ASKED = 4096,                       /* … of which so many are asked of at a time */
};

typedef struct mirror {
    struct mirror *next;
    uint64_t address, bytes;
    word_pair words;
    bool gone;                          /* the backend has it no more */
} mirror;

/* One lock for all: it is held while changes are sent and while what is fetched comes, so that one
 * is never mixed up with the other. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mirror *all;

static void watch(void) { work_watch(WATCHED_FOR_MIRRORS, all != NULL); }

/* A send or a fetch comes after all that other lanes have sent. */
static uint32_t order(void) { return contexts_are_several() ? OB_ORDERED : 0; }

/* ---- words ----------------------------------------------------------------------------------- */

static uint64_t first_word(const mirror *m) { return m->address & ~(uint64_t)(WORD - 1); }
static uint64_t end_of(const mirror *m) { return m->address + m->bytes; }

static mirror *make(uint64_t address, uint64_t bytes) {
    mirror *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    *made = (mirror){.address = address, .bytes = bytes};
    uint64_t count = (end_of(made) - first_word(made) + WORD - 1) / WORD,
             beyond = count * WORD - (end_of(made) - first_word(made));
    made->words = (word_pair){
        .here = (uint64_t *)(uintptr_t)first_word(made),
        .agreed = malloc(count * WORD),
        .count = count,
        .first = (uint8_t)(0xff << (address - first_word(made))),
        .last = (uint8_t)(0xff >> beyond),
    };
    if (made->words.agreed != NULL)
        return made;
    free(made);
    return NULL;
}

static void unmake(mirror *m) {
    free(m->words.agreed);
    free(m);
}

/* ---- pages, which several mirrors may lie on ------------------------------------------------- */

static uint64_t page_of(uint64_t address) {
    return address & ~((uint64_t)sysconf(_SC_PAGESIZE) - 1);
}
static uint64_t page_after(uint64_t address) {
    return page_of(address - 1) + (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool is_used(uint64_t page) {
    for (const mirror *m = all; m != NULL; m = m->next)
        if (page_of(m->address) <= page && page < end_of(m))
            return true;
    return false;
}

/* Of the pages of one that is not in the list those on which no other lies: as none overlaps, only
 * the first and the last can be others' too. */
static bool map_pages(const mirror *m, int access, int how) {
    uint64_t from = page_of(m->address), to = page_after(end_of(m));
    if (is_used(from))
        from = page_after(from + 1);
    if (to > from && is_used(page_of(to - 1)))
        to = page_of(to - 1);
    return to <= from || mmap((void *)(uintptr_t)from, to - from, access,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | how, -1, 0) != MAP_FAILED;
}

static bool open_pages(const mirror *m) { return map_pages(m, PROT_READ | PROT_WRITE, 0); }

/* The addresses stay reserved. */
static void close_pages(const mirror *m) { map_pages(m, PROT_NONE, MAP_NORESERVE); }

/* ---- to the device --------------------------------------------------------------------------- */

/* Changes that cannot be sent remain changes. Under the lock, so that the words need no room on the
 * stack, which may be small. */
static void send_block(const mirror *m, uint64_t from, uint64_t count) {
    static uint64_t data[BLOCK];
    static uint8_t mask[BLOCK];
    word_span changed = changes_find(&m->words, from, count, data, mask);
    uint64_t first = changed.first;
    if (changed.count > 0 &&
        remote_outboardMirrorStore(first_word(m) + (from + first) * WORD,
                                   (const void *)(data + first), (const void *)(mask + first),
                                   changed.count, order()) == CUDA_SUCCESS)
        changes_agree(&m->words, from + first, changed.count, data + first, mask + first);
}

static void send_changes(const mirror *m) {
    for (uint64_t from = 0; from < m->words.count; from += BLOCK)
        send_block(m, from, m->words.count - from < BLOCK ? m->words.count - from : BLOCK);
}

void mirrors_send(void) {
    pthread_mutex_lock(&lock);
    for (const mirror *m = all; m != NULL; m = m->next)
        if (!m->gone)
            send_changes(m);
    pthread_mutex_unlock(&lock);
}

/* ---- from the device ------------------------------------------------------------------------- */

typedef struct part {
    mirror *of;
    uint64_t from, count;               /* words */
} part;

typedef struct batch {
    part parts[RANGES];
    int count;
    uint64_t words;
} batch;

/* room for a batch, once there is a mirror; under the lock */
static uint64_t *fetched;

static void put_range(const part *p, uint64_t to[2]) {
    uint64_t begin = first_word(p->of) + p->from * WORD, end = begin + p->count * WORD;
    begin = begin > p->of->address ? begin : p->of->address;
    end = end < end_of(p->of) ? end : end_of(p->of);
    to[0] = begin;
    to[1] = end - begin;
}

/* Under the lock. */
static CUresult fetch(const part parts[], int count, uint64_t words) {
    static uint64_t ranges[2 * RANGES];
    uint64_t at = 0;
    for (int i = 0; i < count; i++)
        put_range(&parts[i], ranges + 2 * i);
    CUresult result =
        remote_outboardMirrorLoad((void *)fetched, words, (const void *)ranges, 2 * count, order());
    if (result != CUDA_SUCCESS)
        return result;
    for (int i = 0; i < count; i++) {
        changes_merge(&parts[i].of->words, parts[i].from, parts[i].count, fetched + at);
        at += parts[i].count;
    }
    return CUDA_SUCCESS;
}

/* One by one: a variable can go without a word to this file, with the library whose module it was
 * asked of. */
static CUresult fetch_those_left(const batch *b) {
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < b->count && result == CUDA_SUCCESS; i++) {
        result = fetch(&b->parts[i], 1, b->parts[i].count);
        if (result == CUDA_ERROR_NOT_FOUND) {
            b->parts[i].of->gone = true;
            result = CUDA_SUCCESS;
        }
    }
    return result;
}

static CUresult fetch_batch(batch *b) {
    CUresult result = b->count > 0 ? fetch(b->parts, b->count, b->words) : CUDA_SUCCESS;
    if (result == CUDA_ERROR_NOT_FOUND)
        result = fetch_those_left(b);
    b->count = 0;
    b->words = 0;
    return result;
}

static CUresult fetch_later(batch *b, mirror *m, uint64_t from, uint64_t end) {
    CUresult result = CUDA_SUCCESS;
    while (from < end && result == CUDA_SUCCESS) {
        uint64_t room = BATCH - b->words, count = end - from < room ? end - from : room;
        b->parts[b->count++] = (part){m, from, count};
        b->words += count;
        from += count;
        if (b->words == BATCH || b->count == RANGES)
            result = fetch_batch(b);
    }
    return result;
}

/* Of the words of some parts those that have changed. */
static CUresult fetch_changed_parts(batch *b, const part *asked) {
    static uint8_t changed[ASKED];      /* under the lock */
    uint64_t where[2], parts = (asked->count + PART - 1) / PART;
    put_range(asked, where);
    CUresult result = remote_outboardMirrorChanges(changed, parts, where[0], where[1], order());
    if (result == CUDA_ERROR_NOT_FOUND) {
        asked->of->gone = true;
        return CUDA_SUCCESS;
    }
    for (uint64_t i = 0; i < parts && result == CUDA_SUCCESS; i++) {
        uint64_t from = i * PART, end = from + PART < asked->count ? from + PART : asked->count;
        if (changed[i] != 0)
            result = fetch_later(b, asked->of, asked->from + from, asked->from + end);
    }
    return result;
}

static CUresult fetch_changes(batch *b, mirror *m) {
    uint64_t all_of_it = m->words.count, most = (uint64_t)ASKED * PART;
    CUresult result = CUDA_SUCCESS;
    if (m->bytes < LARGE)
        return fetch_later(b, m, 0, all_of_it);
    for (uint64_t from = 0; from < all_of_it && result == CUDA_SUCCESS && !m->gone; from += most)
        result = fetch_changed_parts(
            b, &(part){m, from, all_of_it - from < most ? all_of_it - from : most});
    return result;
}

CUresult mirrors_fetch(void) {
    static batch b;                     /* under the lock */
    CUresult result = CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    b.count = 0;
    b.words = 0;
    for (mirror *m = all; m != NULL && result == CUDA_SUCCESS; m = m->next)
        if (!m->gone)
            result = fetch_changes(&b, m);
    if (result == CUDA_SUCCESS)
        result = fetch_batch(&b);
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- begin and end --------------------------------------------------------------------------- */

/* The present contents of its pages count as agreed, so that everything that comes is taken. */
static CUresult fill(mirror *m) {
    static batch b;                     /* under the lock */
    b.count = 0;
    b.words = 0;
    memcpy(m->words.agreed, m->words.here, m->words.count * WORD);
    CUresult result = fetch_later(&b, m, 0, m->words.count);
    if (result == CUDA_SUCCESS)
        result = fetch_batch(&b);
    return result == CUDA_SUCCESS && m->gone ? CUDA_ERROR_NOT_FOUND : result;
}

static bool has_room(void) {
    if (fetched == NULL)
        fetched = malloc(BATCH * WORD);
    return fetched != NULL;
}

static void enter(mirror *m) {
    m->next = all;
    all = m;
    watch();
}

/* Under the lock. */
static CUresult begin(mirror *m) {
    if (!has_room() || !ob_claim(m->address, m->bytes))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = open_pages(m) ? fill(m) : CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS) {
        close_pages(m);
        ob_unclaim(m->address);
        return result;
    }
    enter(m);
    return CUDA_SUCCESS;
}

CUresult mirror_begin(CUdeviceptr address, uint64_t bytes) {
    mirror *made = make(address, bytes);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    CUresult result = begin(made);
    pthread_mutex_unlock(&lock);
    if (result != CUDA_SUCCESS)
        unmake(made);
    return result;
}

static mirror *take(uint64_t address) {
    mirror **at = &all;
    while (*at != NULL && (*at)->address != address)
        at = &(*at)->next;
    mirror *taken = *at;
    if (taken != NULL)
        *at = taken->next;
    return taken;
}

static const mirror *find(uint64_t address) {
    const mirror *m = all;
    while (m != NULL && m->address != address)
        m = m->next;
    return m;
}

bool mirror_is_gone(CUdeviceptr address) {
    pthread_mutex_lock(&lock);
    const mirror *m = find(address);
    bool gone = m != NULL && m->gone;
    pthread_mutex_unlock(&lock);
    return gone;
}

void mirror_end(CUdeviceptr address) {
    pthread_mutex_lock(&lock);
    mirror *ended = take(address);
    if (ended != NULL) {
        close_pages(ended);
        ob_unclaim(address);
    }
    watch();
    pthread_mutex_unlock(&lock);
    if (ended != NULL)
        unmake(ended);
}
