/* SPDX-License-Identifier: Apache-2.0
 *
 * Page-locked memory of the program. On one machine, and in a guest whose memory has room for it,
 * what the program allocates is memory that the backend shares, and that kernels use at the same
 * address, where the device can. Across a network nobody can lock or map it. There, what the
 * program allocates for kernels is memory of the device, of which the program has pages. The rest
 * is ordinary memory that is remembered, so that its attributes and errors are the documented ones;
 * so is memory that the program registers. Memory that it allocates becomes the backend's too, with
 * pages here, once a kernel is given its address.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <sys/mman.h>

/* CU_MEMHOSTALLOC_… and CU_MEMHOSTREGISTER_… */
enum { PORTABLE = 1, DEVICEMAP = 2, WRITECOMBINED = 4 };
enum { IOMEMORY = 4, READ_ONLY = 8 };

static uint64_t number(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

static CUresult release_pages(const range *freed) {
    range forgotten;
    range_take(&device_ranges, freed->base, &forgotten);
    pages_end(freed->base);
    return freed->adopted ? remote_outboardPagesUnmap(freed->base, OB_ORDERED)
                          : remote_cuMemFree_v2(freed->base, OB_ORDERED);
}

static CUresult release(const range *freed) {
    void *memory = (void *)(uintptr_t)freed->base;
    if (freed->shared)
        return shared_unmap(&(shared_piece){memory, freed->bytes, freed->placed, freed->offset});
    CUresult result = freed->paged ? release_pages(freed) : CUDA_SUCCESS;
    if (!freed->paged || freed->adopted)
        munmap(memory, shared_size(freed->bytes));
    return result;
}

/* For copies, memory with pages is memory of the device too. */
static bool enter_pages(const range *made) {
    return range_add(&host_ranges, *made) &&
           range_add(&device_ranges,
                     (range){.base = made->base, .bytes = made->bytes, .managed = true});
}

/* Whether there has ever been memory that the backend does not share: most programs have none, and
 * launch often. */
static _Atomic bool any_kept;

static CUresult allocate_pages(void **pointer, uint64_t bytes, uint32_t flags) {
    void *memory;
    CUresult result = pages_allocate(bytes, &memory);
    if (result != CUDA_SUCCESS)
        return result;
    range made = {.base = number(memory),
                  .bytes = bytes,
                  .flags = flags,
                  .allocated = true,
                  .device = number(memory),
                  .paged = true};
    if (!enter_pages(&made)) {
        range_take(&host_ranges, made.base, &made);
        release(&made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *pointer = memory;
    return CUDA_SUCCESS;
}

static bool maps_host_memory(void) {
    return device_attribute(context_device(context_current()), ATTRIBUTE_MAPS_HOST_MEMORY) != 0;
}

/* Where addresses are unified, every context maps all of it, whatever the flags say (CUDA Driver
 * API, "Unified Addressing"). */
static uint32_t flags_of_all(void) { return PORTABLE | (maps_host_memory() ? DEVICEMAP : 0); }

static CUresult allocate(void **pointer, uint64_t bytes, uint32_t flags) {
    range made = {.bytes = bytes, .flags = flags, .allocated = true};
    shared_piece piece;
    /* Memory that is combined as it is written is so only for the program. */
    CUresult result = shared_map(bytes, flags_of_all(), &piece, &made.device);
    if (result != CUDA_SUCCESS)
        return result;
    void *memory = piece.memory;
    if (memory == NULL && (flags & DEVICEMAP) != 0 && !ob_passes() &&
        device_has_managed(context_device(context_current())))
        return allocate_pages(pointer, bytes, flags);
    made.shared = memory != NULL;
    made.placed = piece.reserved;
    made.offset = piece.offset;
    if (memory == NULL)
        memory = shared_map_alone(bytes);
    if (memory == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made.base = number(memory);
    if (!range_add(&host_ranges, made)) {
        release(&made);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (!made.shared)
        atomic_store(&any_kept, true);
    *pointer = memory;
    return CUDA_SUCCESS;
}

/* ---- memory that kernels are given later ----------------------------------------------------- */

static pthread_mutex_t adopting = PTHREAD_MUTEX_INITIALIZER;

static bool can_be_adopted(const range *known) {
    return !known->shared && !known->paged && !known->refused && known->allocated;
}

static CUresult adopt_pages(const range *known) {
    CUresult result = remote_outboardPagesMap(known->base, shared_size(known->bytes), OB_ORDERED);
    if (result != CUDA_SUCCESS)
        return result;
    result =
        pages_adopt((void *)(uintptr_t)known->base, shared_size(known->bytes), context_current());
    if (result != CUDA_SUCCESS)
        remote_outboardPagesUnmap(known->base, OB_ORDERED);
    return result;
}

/* If the backend cannot have it, it is not asked again. */
static void adopt(range *known) {
    CUresult result = adopt_pages(known);
    known->refused = result != CUDA_SUCCESS;
    known->paged = known->adopted = !known->refused;
    known->device = known->refused ? 0 : known->base;
    if (!known->refused) {
        enter_pages(known);
        return;
    }
    range_add(&host_ranges, *known);
    ob_warn("a kernel gets page-locked memory at 0x%llx, which it cannot use across a network "
            "here: error %d",
            (unsigned long long)known->base, (int)result);
}

/* Has the backend share it, if it can and does not yet. */
static void offer(uint64_t address, range *known) {
    if (!range_find(&host_ranges, address, known) || !can_be_adopted(known))
        return;
    pthread_mutex_lock(&adopting);
    if (range_find(&host_ranges, address, known) && can_be_adopted(known))
        adopt(known);
    pthread_mutex_unlock(&adopting);
}

void host_offer(const void *parameters, uint64_t bytes) {
    uint64_t word;
    range known;
    if (!atomic_load_explicit(&any_kept, memory_order_relaxed))
        return;
    for (uint64_t at = 0; at + sizeof word <= bytes; at += sizeof word) {
        memcpy(&word, (const uint8_t *)parameters + at, sizeof word);
        offer(word, &known);
    }
}

bool host_is_private(uint64_t address, uint64_t bytes) { return memory_ask(address, bytes).kept; }

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if ((flags & ~(unsigned)(PORTABLE | DEVICEMAP | WRITECOMBINED)) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (pointer != NULL)
        *pointer = NULL;
    if (bytes == 0)
        return CUDA_SUCCESS;
    return bytes > INT64_MAX ? CUDA_ERROR_OUT_OF_MEMORY : allocate(pointer, bytes, flags);
}

/* One call that ends memory at an address, in the lane of its owner where no context is current. */
static CUresult end_at(void *pointer, CUresult (*end)(void *)) {
    range known = {0};
    CUresult result = driver_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (range_find(&host_ranges, number(pointer), &known) || context_current() != NULL)
        result = context_for_ending(known.context);
    if (result == CUDA_SUCCESS)
        result = end(pointer);
    context_show_lane();
    return result;
}

/* Nothing is freed without an error. */
static CUresult free_allocated(void *pointer) {
    range freed;
    if (pointer == NULL)
        return CUDA_SUCCESS;
    if (!range_find(&host_ranges, number(pointer), &freed) || !freed.allocated ||
        !range_take(&host_ranges, number(pointer), &freed))
        return CUDA_ERROR_INVALID_VALUE;
    return release(&freed);
}

CUresult cuMemFreeHost(void *pointer) { return end_at(pointer, free_allocated); }

static bool registers_read_only(void) {
    return device_attribute(context_device(context_current()), ATTRIBUTE_REGISTERS_READ_ONLY) != 0;
}

CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned int flags) {
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (pointer == NULL || bytes == 0 || number(pointer) + bytes < bytes ||
        (flags & ~(unsigned)(PORTABLE | DEVICEMAP | IOMEMORY | READ_ONLY)) != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if ((flags & IOMEMORY) != 0 || ((flags & READ_ONLY) != 0 && !registers_read_only()))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (range_overlaps(&host_ranges, number(pointer), bytes))
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    if (!registered_is_there(number(pointer), bytes, (flags & READ_ONLY) == 0))
        return CUDA_ERROR_INVALID_VALUE;
    range made = {.base = number(pointer), .bytes = bytes, .flags = flags};
    result = registered_share(&made, flags | flags_of_all());
    if (result != CUDA_SUCCESS || range_add(&host_ranges, made))
        return result;
    registered_end(&made);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned int flags) {
    return cuMemHostRegister_v2(pointer, bytes, flags);
}

static CUresult end_registered(void *pointer) {
    range ended;
    if (pointer == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!range_find(&host_ranges, number(pointer), &ended) || ended.allocated ||
        !range_take(&host_ranges, number(pointer), &ended))
        return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    return registered_end(&ended);
}

CUresult cuMemHostUnregister(void *pointer) { return end_at(pointer, end_registered); }

/* Which memory that is registered can be shared: registered.c. */
static CUresult refuse_mapped(const range *known) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    const char *instead = known->allocated || !ob_passes()
                              ? "use cudaMalloc and copy"
                              : "allocate it with cudaHostAlloc, or register it as mapped";
    CUresult refused = unshared_refuse(
        &said, "the use of page-locked memory by kernels (cudaHostGetDevicePointer)", instead);
    return (known->flags & DEVICEMAP) != 0 ? refused : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *pointer, unsigned int flags) {
    range known;
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (device == NULL || flags != 0 || !range_find(&host_ranges, number(pointer), &known))
        return CUDA_ERROR_INVALID_VALUE;
    if (maps_host_memory())
        offer(number(pointer), &known);
    if (known.device == 0)
        return refuse_mapped(&known);
    *device = known.device + (number(pointer) - known.base);
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *pointer) {
    range known;
    CUresult result = context_ready();
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == NULL || !range_find(&host_ranges, number(pointer), &known) || !known.allocated)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = known.flags | DEVICEMAP; /* where addresses are unified, all is mapped */
    return CUDA_SUCCESS;
}

static bool is_of_device(const range *one) { return one->paged && !one->adopted; }

void host_end(CUcontext context) {
    range ended;
    while (range_take_of(&host_ranges, context, is_of_device, &ended))
        pages_end(ended.base);
}
