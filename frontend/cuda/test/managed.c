/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory with pages that cannot be had: what the backend has handed out by then goes back. The
 * backend is a count here.
 */
#include "../../test/check.h"
#include "memory/memory.h"

enum { PAGE = 4096 };

static const CUdeviceptr here = 0x2a0000000000;
static int allocated, with_pages;
static bool has_pages;

/* ---- the backend ----------------------------------------------------------------------------- */

CUresult remote_outboardPagesAllocate(CUdeviceptr *pointer, uint64_t bytes, uint32_t flags) {
    (void)bytes, (void)flags;
    allocated++;
    *pointer = here;
    return CUDA_SUCCESS;
}

CUresult remote_cuMemFree_v2(CUdeviceptr pointer, uint32_t flags) {
    (void)flags;
    CHECK(pointer == here);
    allocated--;
    return CUDA_SUCCESS;
}

/* ---- pages ----------------------------------------------------------------------------------- */

CUresult pages_begin(CUdeviceptr address, uint64_t bytes, CUcontext context, bool zeros) {
    (void)address, (void)bytes, (void)context, (void)zeros;
    with_pages += has_pages;
    return has_pages ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void pages_end(CUdeviceptr address) {
    CHECK(address == here);
    with_pages--;
}

/* ---- what else it stands on ------------------------------------------------------------------ */

CUresult driver_ready(void) { return CUDA_SUCCESS; }
CUresult context_ready(void) { return CUDA_SUCCESS; }
CUcontext context_current(void) { return (CUcontext)1; }
CUcontext context_in_use(void) { return context_current(); }
int context_device(CUcontext context) { return (int)(uintptr_t)context - 1; }
CUresult context_for_ending(CUcontext owner) { return owner == NULL ? CUDA_SUCCESS : 0; }
void context_show_lane(void) {}
int device_count(void) { return 2; }
int device_attribute(int ordinal, int attribute) { return ordinal == 0 && attribute > 0; }
bool device_has_managed(int ordinal) { return ordinal == 0; }
bool device_shares_managed(int ordinal) { return ordinal != 0; }
void ob_warn(const char *format, ...) { (void)format; }
/* No memory here has pages. */
bool pages_may_have(const void *memory, uint64_t bytes) { return memory == NULL && bytes == 0; }

bool ob_passes(void) { return false; }

/* Nothing is shared, and page-locked memory is asked for by kernels. */
CUresult shared_map(uint64_t bytes, uint32_t flags, shared_piece *piece, CUdeviceptr *device) {
    (void)flags, (void)device;
    *piece = (shared_piece){.bytes = bytes};
    return CUDA_SUCCESS;
}

uint64_t shared_size(uint64_t bytes) { return bytes; }
bool cuda_work_watched;

/* All other functions. */
void not_reached(void);
void not_reached(void) { CHECK(allocated < 0); }

/* ---- cases ----------------------------------------------------------------------------------- */

static void what_is_allocated_is_freed(void) {
    CUdeviceptr pointer = 0;
    has_pages = true;
    CHECK(cuMemAllocManaged(&pointer, PAGE, 1) == CUDA_SUCCESS && pointer == here);
    CHECK(allocated == 1 && with_pages == 1);
    CHECK(managed_free(pointer) == CUDA_SUCCESS && allocated == 0 && with_pages == 0);
}

static void memory_without_pages_goes_back(void) {
    CUdeviceptr pointer = 0;
    has_pages = false;
    CHECK(cuMemAllocManaged(&pointer, PAGE, 1) == CUDA_ERROR_OUT_OF_MEMORY && pointer == 0);
    CHECK(allocated == 0 && with_pages == 0);
}

/* Another device has memory there, so that nobody could tell whose it is. */
static void memory_that_is_not_remembered_goes_back(void) {
    CUdeviceptr pointer = 0;
    has_pages = true;
    CHECK(range_add(&device_ranges,
                    (range){.base = here, .bytes = PAGE, .context = (CUcontext)2, .ordinal = 1}));
    CHECK(cuMemAllocManaged(&pointer, PAGE, 1) == CUDA_ERROR_OUT_OF_MEMORY && pointer == 0);
    CHECK(allocated == 0 && with_pages == 0);
}

/* The same for page-locked memory that kernels use. */
static void page_locked_memory_goes_back(void) {
    enum { DEVICEMAP = 2 };
    void *pointer = NULL;
    has_pages = true;
    CHECK(cuMemHostAlloc(&pointer, PAGE, DEVICEMAP) == CUDA_SUCCESS && allocated == 1);
    CHECK(cuMemFreeHost(pointer) == CUDA_SUCCESS && allocated == 0 && with_pages == 0);
    CHECK(range_add(&device_ranges,
                    (range){.base = here, .bytes = PAGE, .context = (CUcontext)2, .ordinal = 1}));
    CHECK(cuMemHostAlloc(&pointer, PAGE, DEVICEMAP) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(allocated == 0 && with_pages == 0);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"what is allocated is freed", what_is_allocated_is_freed},
            {"memory without pages goes back", memory_without_pages_goes_back},
            {"memory that is not remembered goes back", memory_that_is_not_remembered_goes_back},
            {"page-locked memory goes back", page_locked_memory_goes_back},
            {0},
        },
        argc, argv);
}
