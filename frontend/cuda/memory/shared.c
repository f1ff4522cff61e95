/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the backend maps too, at the same address: only where rings are shared. On one
 * machine it is a file without a name that can no longer change its length; its descriptor is
 * passed, then nobody needs it. In a guest it is a range of the memory that the host has too, which
 * the backend assigns.
 */
#include "memory/memory.h"
#include "base/sanitizer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TRIES = 8 };
enum { MAPPED = 2 };                    /* CU_MEMHOSTREGISTER_DEVICEMAP */

/* Where neither programs nor backends have anything; if the backend has, it is tried elsewhere. */
#define FIRST_PLACE (UNDER_TSAN ? TSAN_BEGIN / 2 : 0x100000000000ULL)
#define LAST_PLACE (UNDER_TSAN ? TSAN_BEGIN : 0x200000000000ULL)
#define GUARD (64ULL << 10)
#define LARGE (64ULL << 20)
#define ELSEWHERE (1ULL << 30)

/* One at a time: a call takes the newest descriptor. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t place = FIRST_PLACE;

uint64_t shared_size(uint64_t bytes) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

/* Bytes that the machine can give without ending programs for it (proc(5), MemAvailable); no limit
 * where it does not say. */
static uint64_t available(void) {
    unsigned long long kibibytes = UINT64_MAX >> 10;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL &&
           sscanf(line, "MemAvailable: %llu", &kibibytes) != 1)
        ;
    if (file != NULL)
        fclose(file);
    return kibibytes << 10;
}

bool shared_can_be(uint64_t bytes) { return bytes <= LARGE || bytes <= available(); }

/* Its pages are there from the start: that there are too few is an error here and not a signal
 * later. */
static int create(uint64_t bytes) {
    if (!shared_can_be(bytes))
        return -1;
    int fd = ob_sealed_file("outboard-memory", bytes);
    if (fd >= 0 && fallocate(fd, 0, 0, (off_t)bytes) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void *map_next(uint64_t bytes, int how, int fd, uint64_t offset) {
    if (place + bytes > LAST_PLACE)
        place = FIRST_PLACE;
    void *memory =
        mmap((void *)(uintptr_t)place, bytes, PROT_READ | PROT_WRITE, how, fd, (off_t)offset);
    place += bytes + GUARD;
    return memory;
}

static void *map_here(int fd, const shared_piece *piece) {
    return map_next(shared_size(piece->bytes), MAP_SHARED | MAP_POPULATE, fd, piece->offset);
}

void *shared_map_alone(uint64_t bytes) {
    pthread_mutex_lock(&lock);
    void *memory = map_next(shared_size(bytes), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_mutex_unlock(&lock);
    return memory;
}

static void *map_at(int fd, uint64_t at, const shared_piece *piece) {
    return mmap((void *)(uintptr_t)at, shared_size(piece->bytes), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_POPULATE | MAP_FIXED, fd, (off_t)piece->offset);
}

/* The addresses stay reserved. */
static void take_away(const shared_piece *piece) {
    uint64_t bytes = shared_size(piece->bytes);
    if (piece->reserved) {
        mmap(piece->memory, bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        ob_unclaim((uint64_t)(uintptr_t)piece->memory);
    } else {
        munmap(piece->memory, bytes);
    }
}

/* Where the backend says, unless the program has something there. */
static bool map_claimed(int fd, uint64_t at, shared_piece *piece) {
    if (!ob_claim(at, shared_size(piece->bytes)))
        return false;
    piece->memory = map_at(fd, at, piece);
    if (piece->memory == MAP_FAILED)
        ob_unclaim(at);
    return piece->memory != MAP_FAILED;
}

/* The process whose backend has said that memory may lie anywhere, as it then always may. A child
 * asks its own backend. */
static _Atomic pid_t without_wishes;

static bool has_no_wishes(void) {
    return atomic_load_explicit(&without_wishes, memory_order_relaxed) == getpid();
}

/* At the address that the device wishes, where kernels find it too, among those of its own memory;
 * without a wish wherever there is room. */
static CUresult map_placed(int fd, shared_piece *piece) {
    CUdeviceptr wished = 0;
    uint64_t bytes = shared_size(piece->bytes);
    CUresult result = has_no_wishes() ? CUDA_SUCCESS
                                      : remote_outboardManagedPlace(&wished, bytes, 0);
    if (result != CUDA_SUCCESS)
        return result;
    if (wished == 0)
        atomic_store_explicit(&without_wishes, getpid(), memory_order_relaxed);
    piece->reserved = wished != 0;
    if (wished != 0)
        return map_claimed(fd, wished, piece) ? CUDA_SUCCESS : CUDA_ERROR_ALREADY_MAPPED;
    piece->memory = map_here(fd, piece);
    return piece->memory != MAP_FAILED ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Page-locked memory that kernels use has its place; without room for that, and without kernels,
 * any will do. */
static CUresult map_pinned_here(int fd, shared_piece *piece, uint32_t flags) {
    CUresult result = (flags & MAPPED) != 0 ? map_placed(fd, piece) : CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS || result == CUDA_ERROR_ALREADY_MAPPED)
        return result;
    piece->reserved = false;
    piece->memory = map_here(fd, piece);
    return piece->memory != MAP_FAILED ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* The backend takes the range that it has assigned, else the file whose descriptor comes. */
static CUresult map_there(int fd, const shared_piece *piece, uint32_t flags, CUdeviceptr *device) {
    uint64_t address = (uint64_t)(uintptr_t)piece->memory;
    return piece->offset != 0 || ob_pass(fd)
               ? remote_outboardHostMap(device, address, shared_size(piece->bytes), (int)flags, 0)
               : CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult map(int fd, shared_piece *piece, uint32_t flags, CUdeviceptr *device) {
    CUresult result = CUDA_ERROR_ALREADY_MAPPED;
    for (int i = 0; i < TRIES && result == CUDA_ERROR_ALREADY_MAPPED; i++) {
        result = map_pinned_here(fd, piece, flags);
        if (result != CUDA_SUCCESS)
            continue;
        result = map_there(fd, piece, flags, device);
        if (result == CUDA_SUCCESS)
            return result;
        take_away(piece);
        place += ELSEWHERE;
    }
    piece->memory = NULL;
    return result;
}

/* An answered call of the lane: it is told what went wrong unseen, which the call after it then is
 * not told instead of being made. */
static CUresult told(void) {
    int least, greatest;
    return remote_cuCtxGetStreamPriorityRange(&least, &greatest, 0);
}

/* Memory that cannot be mapped is not shared, unless what went wrong did so earlier, unseen: the
 * first call was told of that instead of being made, and the second one is made. */
static CUresult map_or_tell(int fd, shared_piece *piece, uint32_t flags, CUdeviceptr *device) {
    CUresult first = map(fd, piece, flags, device);
    if (first == CUDA_SUCCESS)
        return first;
    if (map(fd, piece, flags, device) != CUDA_SUCCESS)
        return told();
    shared_unmap(piece);
    piece->memory = NULL;
    return first;
}

/* ---- in memory that the host has too --------------------------------------------------------- */

/* The backend has no range for the piece either. */
static void leave_room(shared_piece *piece) {
    uint64_t none;
    piece->offset = 0;
    remote_outboardHostRoom(&none, 0, 0);
}

/* *fd is -1 where there is no room; an error is one of an earlier call. */
static CUresult take_room(shared_piece *piece, int *fd) {
    uint64_t bytes = shared_size(piece->bytes);
    CUresult result = remote_outboardHostRoom(&piece->offset, bytes, 0);
    *fd = result == CUDA_SUCCESS ? ob_room_take(piece->offset, bytes) : -1;
    if (result == CUDA_SUCCESS && *fd < 0)
        leave_room(piece);
    return result == CUDA_ERROR_OUT_OF_MEMORY ? CUDA_SUCCESS : result;
}

/* Others have had the room before. */
static CUresult map_room(int fd, uint32_t flags, shared_piece *piece, CUdeviceptr *device) {
    CUresult result = map_or_tell(fd, piece, flags, device);
    close(fd);
    if (piece->memory != NULL) {
        memset(piece->memory, 0, shared_size(piece->bytes));
        return result;
    }
    ob_room_give(piece->offset, shared_size(piece->bytes));
    leave_room(piece);
    return result;
}

static CUresult map_beside_rings(uint32_t flags, shared_piece *piece, CUdeviceptr *device) {
    int fd;
    CUresult result = told();
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    result = take_room(piece, &fd);
    if (fd >= 0)
        result = map_room(fd, flags, piece, device);
    pthread_mutex_unlock(&lock);
    return result;
}

static bool has_room(void) {
    enum { HOST_ROOM = 646 };
    return ob_has_room() && ob_backend_has(&ob_cuda, HOST_ROOM);
}

CUresult shared_map(uint64_t bytes, uint32_t flags, shared_piece *piece, CUdeviceptr *device) {
    *piece = (shared_piece){.bytes = bytes};
    if (!ob_passes())
        return has_room() ? map_beside_rings(flags, piece, device) : CUDA_SUCCESS;
    bool asks = (flags & MAPPED) != 0 && !has_no_wishes();
    CUresult result = asks ? told() : CUDA_SUCCESS;
    int fd = result == CUDA_SUCCESS ? create(shared_size(bytes)) : -1;
    if (fd < 0)
        return asks ? result : told();
    pthread_mutex_lock(&lock);
    result = map_or_tell(fd, piece, flags, device);
    pthread_mutex_unlock(&lock);
    close(fd);
    return result;
}

CUresult shared_register(int fd, uint64_t offset, range *memory) {
    CUresult result = told();
    if (result != CUDA_SUCCESS)
        return result;
    pthread_mutex_lock(&lock);
    memory->shared = ob_pass(fd) &&
                     remote_outboardHostRegister(&memory->device, memory->base, memory->bytes,
                                                 offset, (int)memory->flags, 0) == CUDA_SUCCESS;
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

/* ---- managed memory -------------------------------------------------------------------------- */

static CUresult map_managed(int fd, shared_piece *piece) {
    CUresult result = CUDA_ERROR_ALREADY_MAPPED;
    for (int i = 0; i < TRIES && result == CUDA_ERROR_ALREADY_MAPPED; i++) {
        result = map_placed(fd, piece);
        if (result != CUDA_SUCCESS)
            continue;
        result = ob_pass(fd) ? remote_outboardManagedMap((uint64_t)(uintptr_t)piece->memory,
                                                         shared_size(piece->bytes), 0)
                             : CUDA_ERROR_NOT_SUPPORTED;
        if (result != CUDA_SUCCESS) {
            take_away(piece);
            place += ELSEWHERE;
        }
    }
    return result == CUDA_ERROR_ALREADY_MAPPED ? CUDA_ERROR_OUT_OF_MEMORY : result;
}

CUresult shared_map_managed(uint64_t bytes, shared_piece *piece) {
    CUresult result = told();
    if (result != CUDA_SUCCESS)
        return result;
    int fd = create(shared_size(bytes));
    if (fd < 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    piece->bytes = bytes;
    pthread_mutex_lock(&lock);
    result = map_managed(fd, piece);
    pthread_mutex_unlock(&lock);
    close(fd);
    return result;
}

/* At the address that it has on the device. */
static CUresult adopt(int fd, shared_piece *piece) {
    uint64_t at = (uint64_t)(uintptr_t)piece->memory;
    if (!map_claimed(fd, at, piece))
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = ob_pass(fd) ? remote_outboardManagedMap(at, piece->bytes, 0)
                                  : CUDA_ERROR_NOT_SUPPORTED;
    if (result != CUDA_SUCCESS)
        take_away(piece);
    return result;
}

CUresult shared_adopt(CUdeviceptr address, uint64_t bytes, shared_piece *piece) {
    int fd = create(bytes);
    if (fd < 0)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *piece = (shared_piece){.memory = (void *)(uintptr_t)address, .bytes = bytes, .reserved = true};
    pthread_mutex_lock(&lock);
    CUresult result = adopt(fd, piece);
    pthread_mutex_unlock(&lock);
    close(fd);
    return result;
}

CUresult shared_unmap_managed(const shared_piece *piece) {
    CUresult result = remote_outboardManagedUnmap((uint64_t)(uintptr_t)piece->memory, OB_ORDERED);
    take_away(piece);
    return result;
}

/* ---- the end of page-locked memory ----------------------------------------------------------- */

/* Every lane may have copies under way. */
CUresult shared_unmap(const shared_piece *piece) {
    CUresult result = remote_outboardHostUnmap((uint64_t)(uintptr_t)piece->memory, OB_ORDERED);
    take_away(piece);
    if (piece->offset != 0)
        ob_room_give(piece->offset, shared_size(piece->bytes));
    return result;
}
