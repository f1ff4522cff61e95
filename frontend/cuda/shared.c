/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the backend maps too, at the same address: only where rings are shared, thus on one machine. A file without a
 * name that can no longer change its length; its descriptor is passed, then nobody needs it.
 */
#include "driver.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#endif
enum { SEALS = 1 | 2 | 4 };             /* F_SEAL_SEAL, _SHRINK, _GROW */
enum { CLOSED_BY_EXEC = 1, SEALABLE = 2 }; /* memfd_create(2) */
enum { TRIES = 8 };

/* Where neither programs nor backends have anything; if the backend has, it is tried elsewhere. */
#define FIRST_PLACE 0x100000000000ULL
#define LAST_PLACE 0x200000000000ULL
#define GUARD (64ULL << 10)
#define ELSEWHERE (1ULL << 30)

/* One at a time: a call takes the newest descriptor. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t place = FIRST_PLACE;

uint64_t shared_size(uint64_t bytes) {
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

/* Its pages are there from the start: that there are too few is an error here and not a signal later. */
static int create(uint64_t bytes) {
    int fd = (int)syscall(SYS_memfd_create, "outboard-memory", CLOSED_BY_EXEC | SEALABLE);
    if (fd >= 0 && (ftruncate(fd, (off_t)bytes) != 0 || fallocate(fd, 0, 0, (off_t)bytes) != 0 || fcntl(fd, F_ADD_SEALS, SEALS) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void *map_here(int fd, uint64_t bytes) {
    if (place + bytes > LAST_PLACE)
        place = FIRST_PLACE;
    void *memory = mmap((void *)(uintptr_t)place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    place += bytes + GUARD;
    return memory;
}

static CUresult map_there(int fd, void *memory, uint64_t bytes, uint32_t flags, CUdeviceptr *device) {
    return ob_pass(fd) ? remote_outboardHostMap(device, (uint64_t)(uintptr_t)memory, bytes, (int)flags, 0) : CUDA_ERROR_NOT_SUPPORTED;
}

static void *map(int fd, uint64_t bytes, uint32_t flags, CUdeviceptr *device) {
    CUresult result = CUDA_ERROR_ALREADY_MAPPED;
    for (int i = 0; i < TRIES && result == CUDA_ERROR_ALREADY_MAPPED; i++) {
        void *memory = map_here(fd, bytes);
        if (memory == MAP_FAILED)
            return NULL;
        result = map_there(fd, memory, bytes, flags, device);
        if (result == CUDA_SUCCESS)
            return memory;
        munmap(memory, bytes);
        place += ELSEWHERE;
    }
    return NULL;
}

/* An answered call of the lane: it is told what went wrong unseen, which the call after it then is not told instead of being
 * made. */
static CUresult told(void) {
    int least, greatest;
    return remote_cuCtxGetStreamPriorityRange(&least, &greatest, 0);
}

CUresult shared_map(uint64_t bytes, uint32_t flags, void **memory, CUdeviceptr *device) {
    *memory = NULL;
    if (!ob_passes())
        return CUDA_SUCCESS;
    CUresult result = told();
    int fd = result == CUDA_SUCCESS ? create(shared_size(bytes)) : -1;
    if (fd < 0)
        return result;
    pthread_mutex_lock(&lock);
    *memory = map(fd, shared_size(bytes), flags, device);
    pthread_mutex_unlock(&lock);
    close(fd);
    return CUDA_SUCCESS;
}

/* Every lane may have copies under way. */
CUresult shared_unmap(void *memory, uint64_t bytes) {
    CUresult result = remote_outboardHostUnmap((uint64_t)(uintptr_t)memory, OB_ORDERED);
    munmap(memory, shared_size(bytes));
    return result;
}
