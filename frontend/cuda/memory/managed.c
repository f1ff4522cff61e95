/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory: memory that program and backend share, at one address for the program, the
 * backend and its devices; or memory of a device of which the program has pages. Advice and
 * prefetches move nothing: they are checked and remembered, page by page. Variables of modules are
 * such memory too, or mirrors.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <stdlib.h>

enum { ATTACH_GLOBAL = 1, ATTACH_HOST = 2, ATTACH_SINGLE = 4 }; /* CUmemAttach_flags */
enum { CPU_ORDINAL = -1, NO_ORDINAL = -2 };
enum { HINT_PAGE = 4096 };

/* CUmem_advise; each is undone by the next number. */
enum {
    READ_MOSTLY = 1,
    UNSET_READ_MOSTLY,
    PREFERRED,
    UNSET_PREFERRED,
    ACCESSED_BY,
    UNSET_ACCESSED_BY
};

/* CUmem_range_attribute */
enum {
    IS_READ_MOSTLY = 1,
    PREFERRED_LOCATION,
    IS_ACCESSED_BY,
    LAST_PREFETCH,
    PREFERRED_TYPE,
    PREFERRED_ID,
    LAST_PREFETCH_TYPE,
    LAST_PREFETCH_ID,
};

/* The program's advice about a page. */
typedef struct hint {
    uint64_t devices;           /* that access it, bit n for ordinal n … */
    bool host;                  /* … and whether the processor does */
    bool read_mostly;
    CUmemLocation preferred, prefetched;
} hint;

typedef struct managed {
    struct managed *next;
    shared_piece piece;
    CUcontext context;
    const void *owner;          /* of a variable, its module or library */
    bool mirrored;              /* pages of the program alone */
    bool paged;                 /* pages of memory of a device */
    hint *hints;                /* one a page; NULL until there is one */
} managed;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static managed *all;

static uint64_t number(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

bool managed_contains(uint64_t address, uint64_t bytes) {
    return memory_ask(address, bytes).managed;
}

/* ---- allocation ------------------------------------------------------------------------------ */

static void enter(managed *made) {
    pthread_mutex_lock(&lock);
    made->next = all;
    all = made;
    pthread_mutex_unlock(&lock);
}

static CUresult end_piece(const managed *ended) {
    if (!ended->mirrored && !ended->paged)
        return shared_unmap_managed(&ended->piece);
    (ended->mirrored ? mirror_end : pages_end)(number(ended->piece.memory));
    return CUDA_SUCCESS;
}

static CUresult drop(managed *dropped) {
    CUresult result = end_piece(dropped);
    free(dropped->hints);
    free(dropped);
    return result;
}

/* What was allocated is the program's to free, other than variables and what ends with its
 * context. */
static CUresult give_back(managed *unused) {
    uint64_t base = number(unused->piece.memory);
    bool of_device = unused->paged;
    uint32_t flags = unused->context != context_current() ? OB_ORDERED : 0;
    CUresult result = drop(unused);
    return of_device ? remote_cuMemFree_v2(base, flags) : result;
}

static CUresult map_pages(uint64_t bytes, shared_piece *piece) {
    *piece = (shared_piece){.bytes = bytes};
    return pages_allocate(bytes, &piece->memory);
}

static CUresult allocate(CUdeviceptr *pointer, uint64_t bytes) {
    managed *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->context = context_current();
    made->paged = !device_shares_managed(context_device(made->context));
    CUresult result = (made->paged ? map_pages : shared_map_managed)(bytes, &made->piece);
    if (result != CUDA_SUCCESS) {
        free(made);
        return result;
    }
    uint64_t base = number(made->piece.memory);
    if (!range_add(&device_ranges, (range){.base = base, .bytes = bytes, .managed = true})) {
        give_back(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    enter(made);
    *pointer = base;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (pointer == NULL || bytes == 0 || bytes > INT64_MAX ||
        (flags != ATTACH_GLOBAL && flags != ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    if (device_has_managed(context_device(context_current())))
        return allocate(pointer, bytes);
    static atomic_flag said = ATOMIC_FLAG_INIT;
    return unshared_refuse(&said, "managed memory (cudaMallocManaged, cuMemAllocManaged)",
                           "use cudaMalloc and copy");
}

/* The entry to look for: one that belongs to a context, a variable that has gone, one of a module,
 * or else memory that was allocated at an address. */
typedef struct wanted {
    CUcontext context;
    bool gone;
    const void *owner;
    uint64_t base;
} wanted;

static bool is_wanted(const managed *one, const wanted *w) {
    if (w->gone)
        return one->mirrored && mirror_is_gone(number(one->piece.memory));
    if (w->context != NULL)
        return one->context == w->context;
    return one->owner == w->owner && (w->owner != NULL || number(one->piece.memory) == w->base);
}

/* Takes out the first. */
static managed *take(wanted w) {
    pthread_mutex_lock(&lock);
    managed **at = &all;
    while (*at != NULL && !is_wanted(*at, &w))
        at = &(*at)->next;
    managed *taken = *at;
    if (taken != NULL)
        *at = taken->next;
    pthread_mutex_unlock(&lock);
    return taken;
}

CUresult managed_free(CUdeviceptr pointer) {
    range forgotten;
    managed *freed = take((wanted){.base = pointer});
    if (freed == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    range_take(&device_ranges, pointer, &forgotten);
    return give_back(freed);
}

static void end_all(wanted w) {
    range forgotten;
    for (managed *ended = take(w); ended != NULL; ended = take(w)) {
        range_take(&device_ranges, number(ended->piece.memory), &forgotten);
        drop(ended);
    }
}

void managed_end(CUcontext context) { end_all((wanted){.context = context}); }

/* ---- variables ------------------------------------------------------------------------------- */

static CUresult begin_piece(const variable *found, managed *made) {
    made->mirrored = found->sharing == MIRRORED_VARIABLE;
    made->paged = !made->mirrored && !device_shares_managed(managed_ordinal());
    if (!made->mirrored && found->bytes > found->sharing)
        return CUDA_ERROR_INVALID_VALUE;
    if (!made->mirrored && !made->paged)
        return shared_adopt(found->address, found->sharing, &made->piece);
    made->piece =
        (shared_piece){.memory = (void *)(uintptr_t)found->address, .bytes = found->bytes};
    return made->paged ? pages_begin(found->address, found->bytes, made->context, false)
                       : mirror_begin(found->address, found->bytes);
}

static CUresult adopt(const variable *found, const void *owner) {
    managed *made = calloc(1, sizeof *made);
    if (made == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    bool lasts = found->of_library && found->sharing != MIRRORED_VARIABLE;
    made->context = lasts ? NULL : context_current();
    made->owner = owner;
    CUresult result = begin_piece(found, made);
    if (result != CUDA_SUCCESS) {
        free(made);
        return result;
    }
    if (!range_add(&device_ranges, (range){.base = found->address,
                                           .bytes = found->bytes,
                                           .managed = true,
                                           .lasting = lasts})) {
        drop(made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    enter(made);
    return CUDA_SUCCESS;
}

/* A runtime asks for the managed variables of a library before it has a context: these are the same
 * for all devices. */
int managed_ordinal(void) {
    CUcontext current = context_current();
    return current != NULL ? context_device(current) : 0;
}

/* Where the program has something of its own a mirror has no place. */
static bool can_be_adopted(const variable *found) {
    if (found->sharing == MIRRORED_VARIABLE)
        return ob_reserve(found->address, found->bytes);
    return found->sharing != NOT_SHARED && device_has_managed(managed_ordinal());
}

CUresult managed_adopt(const variable *found, const void *owner, bool *adopted) {
    *adopted = false;
    if (!can_be_adopted(found))
        return CUDA_SUCCESS;
    CUresult result = adopt(found, owner);
    *adopted = result == CUDA_SUCCESS;
    return result;
}

void managed_unload(const void *owner) {
    if (owner != NULL)
        end_all((wanted){.owner = owner});
}

CUresult managed_sweep(void) {
    CUresult result = cuda_work_is_watched() ? cuda_work_seen() : CUDA_SUCCESS;
    end_all((wanted){.gone = true});
    return result;
}

/* ---- places ---------------------------------------------------------------------------------- */

static CUmemLocation location_of(int ordinal) {
    return ordinal == CPU_ORDINAL ? (CUmemLocation){ON_HOST, 0}
                                  : (CUmemLocation){ON_DEVICE, ordinal};
}

/* The ordinal that the interface before 12.2 has for a place. */
static int ordinal_of(CUmemLocation where) {
    if (where.type == NOWHERE)
        return NO_ORDINAL;
    return where.type == ON_DEVICE ? where.id : CPU_ORDINAL;
}

static bool is_location(CUmemLocation where) {
    return where.type >= ON_DEVICE && where.type <= ON_NEAREST_NODE;
}

static CUresult check_location(CUmemLocation where) {
    if (!is_location(where))
        return CUDA_ERROR_INVALID_VALUE;
    bool known = where.type != ON_DEVICE || device_has_managed(where.id);
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult check_range(CUdeviceptr pointer, uint64_t bytes) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    return bytes > 0 && managed_contains(pointer, bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- hints ----------------------------------------------------------------------------------- */

typedef struct pages {
    hint *first;
    uint64_t count;
} pages;

/* Under the lock. Without hints there are no pages; `make` says whether to make them then. */
static CUresult pages_of(CUdeviceptr pointer, uint64_t bytes, bool make, pages *found) {
    managed *one = all;
    while (one != NULL && (pointer < number(one->piece.memory) ||
                           pointer - number(one->piece.memory) >= one->piece.bytes))
        one = one->next;
    *found = (pages){0};
    if (one == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (one->hints == NULL && make)
        one->hints = calloc((one->piece.bytes + HINT_PAGE - 1) / HINT_PAGE, sizeof *one->hints);
    if (one->hints == NULL)
        return make ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
    uint64_t offset = pointer - number(one->piece.memory);
    found->first = one->hints + offset / HINT_PAGE;
    found->count = (offset + bytes - 1) / HINT_PAGE - offset / HINT_PAGE + 1;
    return CUDA_SUCCESS;
}

static void access(hint *page, CUmemLocation where, bool accesses) {
    uint64_t bit = where.type == ON_DEVICE ? 1ULL << where.id : 0;
    if (where.type == ON_DEVICE)
        page->devices = accesses ? page->devices | bit : page->devices & ~bit;
    else
        page->host = accesses;
}

static void take_advice(hint *page, int advice, CUmemLocation where) {
    switch (advice) {
    case READ_MOSTLY: case UNSET_READ_MOSTLY:
        page->read_mostly = advice == READ_MOSTLY;
        break;
    case PREFERRED: case UNSET_PREFERRED:
        page->preferred = advice == PREFERRED ? where : (CUmemLocation){NOWHERE, 0};
        break;
    default:
        access(page, where, advice == ACCESSED_BY);
    }
}

/* Some advice names no place. */
static bool is_placed(int advice) {
    return advice == PREFERRED || advice == ACCESSED_BY || advice == UNSET_ACCESSED_BY;
}

CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, int advice, CUmemLocation location) {
    CUresult result = check_range(pointer, bytes);
    if (result == CUDA_SUCCESS &&
        (advice < READ_MOSTLY || advice > UNSET_ACCESSED_BY || !is_location(location)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && is_placed(advice))
        result = check_location(location);
    if (result == CUDA_SUCCESS && location.type >= ON_NODE && advice != PREFERRED &&
        is_placed(advice))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pages advised;
    pthread_mutex_lock(&lock);
    result = pages_of(pointer, bytes, true, &advised);
    for (uint64_t i = 0; i < advised.count; i++)
        take_advice(&advised.first[i], advice, location);
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, int advice, int device) {
    return cuMemAdvise_v2(pointer, bytes, advice, location_of(device));
}

/* ---- prefetches ------------------------------------------------------------------------------ */

static bool is_stream(CUstream stream) {
    return number(stream) <= 2 || ob_handle_plausible(number(stream), 1ULL << OB_CUDA_STREAM);
}

static CUresult prefetch(CUdeviceptr pointer, uint64_t bytes, CUmemLocation where,
                         CUstream stream) {
    CUresult result = check_range(pointer, bytes);
    if (result == CUDA_SUCCESS)
        result = check_location(where);
    if (result == CUDA_SUCCESS && !is_stream(stream))
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result != CUDA_SUCCESS)
        return result;
    pages fetched;
    pthread_mutex_lock(&lock);
    result = pages_of(pointer, bytes, true, &fetched);
    for (uint64_t i = 0; i < fetched.count; i++)
        fetched.first[i].prefetched = where;
    pthread_mutex_unlock(&lock);
    return result;
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, int device, CUstream stream) {
    return prefetch(pointer, bytes, location_of(device), stream);
}

CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr pointer, size_t bytes, int device, CUstream stream) {
    return cuMemPrefetchAsync(pointer, bytes, device, stream);
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                               unsigned int flags, CUstream stream) {
    return flags != 0 ? CUDA_ERROR_INVALID_VALUE : prefetch(pointer, bytes, location, stream);
}

CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                                    unsigned int flags, CUstream stream) {
    return cuMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}

/* ---- questions ------------------------------------------------------------------------------- */

static bool same(CUmemLocation one, CUmemLocation other) {
    return one.type == other.type && one.id == other.id;
}

/* The hint that holds for every page; a place that they do not share becomes none. */
static hint common(const pages *asked) {
    hint all_of_them = asked->count > 0 ? asked->first[0] : (hint){0};
    for (uint64_t i = 1; i < asked->count; i++) {
        const hint *one = &asked->first[i];
        all_of_them.read_mostly &= one->read_mostly;
        all_of_them.host &= one->host;
        all_of_them.devices &= one->devices;
        if (!same(one->preferred, all_of_them.preferred))
            all_of_them.preferred = (CUmemLocation){NOWHERE, 0};
        if (!same(one->prefetched, all_of_them.prefetched))
            all_of_them.prefetched = (CUmemLocation){NOWHERE, 0};
    }
    return all_of_them;
}

static void tell_access(const hint *h, int *to, size_t room) {
    size_t told = 0;
    if (h->host && told < room)
        to[told++] = CPU_ORDINAL;
    for (int ordinal = 0; ordinal < device_count() && told < room; ordinal++)
        if ((h->devices >> ordinal & 1) != 0)
            to[told++] = ordinal;
    while (told < room)
        to[told++] = NO_ORDINAL;
}

static int value_of(const hint *h, int attribute) {
    switch (attribute) {
    case IS_READ_MOSTLY:
        return h->read_mostly;
    case PREFERRED_LOCATION:
        return ordinal_of(h->preferred);
    case LAST_PREFETCH:
        return ordinal_of(h->prefetched);
    case PREFERRED_TYPE:
        return h->preferred.type;
    case PREFERRED_ID:
        return h->preferred.type != NOWHERE ? h->preferred.id : NO_ORDINAL;
    case LAST_PREFETCH_TYPE:
        return h->prefetched.type;
    default:
        return h->prefetched.type != NOWHERE ? h->prefetched.id : NO_ORDINAL;
    }
}

static bool has_room(int attribute, size_t bytes) {
    return attribute == IS_ACCESSED_BY ? bytes > 0 && bytes % sizeof(int) == 0
                                       : bytes == sizeof(int);
}

static CUresult tell(void *data, size_t bytes, int attribute, const hint *h) {
    if (data == NULL || attribute < IS_READ_MOSTLY || attribute > LAST_PREFETCH_ID ||
        !has_room(attribute, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (attribute == IS_ACCESSED_BY)
        tell_access(h, data, bytes / sizeof(int));
    else
        *(int *)data = value_of(h, attribute);
    return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttributes(void **data, size_t *sizes, int *attributes, size_t count,
                                 CUdeviceptr pointer, size_t bytes) {
    CUresult result = check_range(pointer, bytes);
    if (result == CUDA_SUCCESS &&
        (data == NULL || sizes == NULL || attributes == NULL || count == 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    pages asked;
    pthread_mutex_lock(&lock);
    result = pages_of(pointer, bytes, false, &asked);
    hint holds = common(&asked);
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < count && result == CUDA_SUCCESS; i++)
        result = tell(data[i], sizes[i], attributes[i], &holds);
    return result;
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Memory that is shared program and device may use at the same time, whatever it is attached to; a
 * page waits for all work. */
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes,
                                unsigned int flags) {
    range known;
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (!is_stream(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    bool one_stream = flags == ATTACH_SINGLE && stream != NULL;
    bool whole = range_find(&device_ranges, pointer, &known) && known.managed &&
                 known.base == pointer && (bytes == 0 || bytes == known.bytes);
    return whole && (one_stream || flags == ATTACH_GLOBAL || flags == ATTACH_HOST)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamAttachMemAsync_ptsz(CUstream stream, CUdeviceptr pointer, size_t bytes,
                                     unsigned int flags) {
    return cuStreamAttachMemAsync(stream, pointer, bytes, flags);
}
