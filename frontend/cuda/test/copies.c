/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies between program and device: each asks once what the memory at either side is.
 */
#include "../../test/check.h"
#include "copy/copy.h"

enum { PAGE = 4096, LARGE = 1 << 20 };

static const CUdeviceptr there = 0x2a0000000000;
static uint8_t here[LARGE];

/* ---- how often is asked ---------------------------------------------------------------------- */

static int asked;

memory_kind __real_memory_ask(uint64_t address, uint64_t bytes);
memory_kind __wrap_memory_ask(uint64_t address, uint64_t bytes);
memory_kind __wrap_memory_ask(uint64_t address, uint64_t bytes) {
    asked++;
    return __real_memory_ask(address, bytes);
}

bool __real_range_find(range_set *set, uint64_t address, range *found);
bool __wrap_range_find(range_set *set, uint64_t address, range *found);
bool __wrap_range_find(range_set *set, uint64_t address, range *found) {
    asked++;
    return __real_range_find(set, address, found);
}

/* ---- the backend ----------------------------------------------------------------------------- */

static int sent, fetched, named, moved;

CUresult remote_cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, uint64_t bytes, uint32_t flags) {
    (void)flags;
    CHECK(to == there && from == here && bytes > 0);
    sent++;
    return CUDA_SUCCESS;
}

CUresult remote_cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, uint64_t bytes,
                                     CUstream stream, uint32_t flags) {
    (void)stream;
    return remote_cuMemcpyHtoD_v2(to, from, bytes, flags);
}

CUresult remote_cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, uint64_t bytes, CUstream stream,
                                     uint32_t flags) {
    (void)stream, (void)flags;
    CHECK(to == here && from == there && bytes > 0);
    fetched++;
    return CUDA_SUCCESS;
}

CUresult remote_outboardCopyFromHost(CUdeviceptr to, uint64_t from, uint64_t bytes, CUstream stream,
                                     uint64_t told, uint32_t flags) {
    (void)stream, (void)told, (void)flags;
    CHECK(to == there && from == (uint64_t)(uintptr_t)here && bytes > 0);
    named++;
    return CUDA_SUCCESS;
}

CUresult remote_cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, uint64_t bytes,
                                     CUstream stream, uint32_t flags) {
    (void)to, (void)from, (void)bytes, (void)stream, (void)flags;
    moved++;
    return CUDA_SUCCESS;
}

CUresult remote_cuStreamSynchronize(CUstream stream, uint32_t flags) {
    (void)stream, (void)flags;
    return CUDA_SUCCESS;
}

/* ---- what else copies stand on --------------------------------------------------------------- */

CUresult context_ready(void) { return CUDA_SUCCESS; }
CUcontext context_current(void) { return (CUcontext)1; }
CUcontext context_in_use(void) { return context_current(); }
int context_device(CUcontext context) { return (int)(uintptr_t)context - 1; }
CUresult host_functions_settle(CUstream stream, uint32_t flags) {
    (void)stream, (void)flags;
    return CUDA_SUCCESS;
}
CUresult capture_find(CUstream stream, uint32_t flags, bool *captures) {
    (void)stream, (void)flags;
    *captures = false;
    return CUDA_SUCCESS;
}
uint32_t cuda_order(const void *stream) { return stream == NULL ? 0 : OB_ORDERED; }
/* No memory here has pages. */
bool pages_may_have(const void *memory, uint64_t bytes) { return memory == NULL && bytes == 0; }

bool ob_passes(void) { return false; }
void host_offer(const void *parameters, uint64_t bytes) { (void)parameters, (void)bytes; }
/* No tool observes the calls. */
void ob_note_copy(bool page_locked) { CHECK(asked >= 0 || !page_locked); }
bool ob_bulk(bool up, void *data, uint64_t bytes, const ob_bulk_calls *calls, void *with,
             int32_t *result) {
    (void)up, (void)data, (void)calls, (void)with, (void)result;
    CHECK(bytes > 0);
    return false;
}
void ob_warn(const char *format, ...) { (void)format; }
void ob_note_settled(const ob_library *library, uint32_t number, uint64_t argument,
                     uint32_t flags) {
    (void)library, (void)number, (void)argument, (void)flags;
}
const ob_library ob_cuda;
bool cuda_work_watched;

/* All other functions. */
void not_reached(void);
void not_reached(void) { CHECK(asked < 0); }

/* ---- cases ----------------------------------------------------------------------------------- */

static void begin(bool managed) {
    CHECK(range_add(&device_ranges, (range){.base = there, .bytes = LARGE, .managed = managed}));
    asked = 0;
}

static void each_way_asks_once_for_each_side(void) {
    begin(false);
    CHECK(cuda_copy_up(there, here, LARGE, NULL, false, 0) == CUDA_SUCCESS && sent == 1);
    CHECK(asked == 2);
    CHECK(cuda_copy_up(there, here, PAGE, NULL, true, 0) == CUDA_SUCCESS && sent == 2);
    CHECK(asked == 4);
    CHECK(cuda_copy_down(here, there, LARGE, NULL, false, 0) == CUDA_SUCCESS && fetched == 1);
    CHECK(asked == 6);
    CHECK(cuda_copy_down(here, there, PAGE, NULL, true, 0) == CUDA_SUCCESS && fetched == 2);
    CHECK(asked == 8);
}

static void a_direction_that_is_found_out_asks_no_more(void) {
    begin(false);
    CUdeviceptr program = (CUdeviceptr)(uintptr_t)here;
    CHECK(cuMemcpy(there, program, LARGE) == CUDA_SUCCESS && sent == 1 && asked == 2);
    CHECK(cuMemcpy(program, there, LARGE) == CUDA_SUCCESS && fetched == 1 && asked == 4);
    CHECK(cuMemcpyAsync(there, there, PAGE, NULL) == CUDA_SUCCESS && moved == 1 && asked == 6);
}

static void shared_memory_is_named(void) {
    begin(false);
    CHECK(range_add(&host_ranges, (range){.base = (uint64_t)(uintptr_t)here,
                                          .bytes = LARGE,
                                          .allocated = true,
                                          .shared = true}));
    CHECK(cuda_copy_up(there, here, LARGE, NULL, false, 0) == CUDA_SUCCESS && named == 1);
    CHECK(asked == 2);
}

/* One of many pages is refused before the program's memory is touched. */
static void what_leaves_memory_is_refused(void) {
    begin(false);
    CHECK(cuda_copy_up(there + PAGE, here, LARGE, NULL, false, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(range_add(&device_ranges, (range){.base = there + LARGE, .bytes = PAGE}));
    CHECK(memory_ask(there + PAGE, LARGE).ends == false);
    CHECK(memory_ask(there + PAGE, LARGE).whole == false);
    CHECK(memory_ask(there + PAGE, LARGE + 1).ends);
    CHECK(sent == 0);
}

int main(int argc, char **argv) {
    return run_cases(
        (const test_case[]){
            {"each way asks once for each side", each_way_asks_once_for_each_side},
            {"a direction that is found out asks no more",
             a_direction_that_is_found_out_asks_no_more},
            {"shared memory is named", shared_memory_is_named},
            {"what leaves memory is refused", what_leaves_memory_is_refused},
            {0},
        },
        argc, argv);
}
