/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of the management library, which believes the numbers of what it is told.
 */
#include "nvml.remote.h"
#include "lies.h"

#include <stdlib.h>

const ob_library *const probed = &ob_nvml;

uint64_t handle_for(uint32_t kind) { return chance(10) ? strange() : ob_handle_mint(kind); }

bool honest(const char *name, uint8_t *fixed) {
    (void)name, (void)fixed;
    return false;
}

static nvmlDevice_t device;

static void look(void) {
    int count = 0;
    char *name = malloc(96);
    nvmlDeviceGetCount_v2(&count);
    nvmlDeviceGetHandleByIndex_v2(0, &device);
    if (nvmlDeviceGetName(device, name, 96) == 0)
        CHECK(strlen(name) < 96);
    if (nvmlDeviceGetUUID(device, name, 96) == 0)
        CHECK(strlen(name) < 96);
    if (nvmlSystemGetDriverVersion(name, 80) == 0)
        CHECK(strlen(name) < 80);
    free(name);
}

static void list(void) {
    enum { MOST = 5 };
    int count = MOST;
    uint64_t sum = 0;
    nvmlProcessInfo_t *processes = calloc(MOST, sizeof *processes);
    if (nvmlDeviceGetComputeRunningProcesses_v3(device, &count, processes) == 0)
        for (int i = 0; i < count; i++)
            sum += *(const uint64_t *)(const void *)&processes[i];
    CHECK(sum != 1 || count <= MOST);
    free(processes);
    unsigned int *clocks = calloc(MOST, sizeof *clocks);
    count = MOST;
    if (nvmlDeviceGetSupportedMemoryClocks(device, &count, (void *)clocks) == 0)
        for (int i = 0; i < count; i++)
            sum += clocks[i];
    free(clocks);
}

static void place(void) {
    nvmlPciInfo_t at;
    nvmlDeviceGetPciInfo_v3(device, &at);
    nvmlDeviceGetPciInfo(device, NULL);
    nvmlDeviceGetPciInfo(device, &at);
    nvmlDeviceGetCount(NULL);
}

/* ---- lies that have been found --------------------------------------------------------------- */

/* A list that the program walks as far as it is told. */
static void a_list_that_is_longer_than_its_room(void) {
    nvmlProcessInfo_t processes[2];
    int count = 2;
    begin_lies();
    tell_next("nvmlDeviceGetComputeRunningProcesses_v3", (const uint64_t[4]){3});
    nvmlInit_v2();
    CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, processes) ==
          ob_nvml.unavailable);
    CHECK(count == 2);
}

static void a_list_of_three_megabytes(void) {
    enum { MOST = 3 * 1024 * 1024 / sizeof(nvmlProcessInfo_t) };
    nvmlProcessInfo_t *processes = malloc(MOST * sizeof *processes);
    int count = MOST;
    begin_lies();
    tell_next("nvmlDeviceGetComputeRunningProcesses_v3", (const uint64_t[4]){MOST, 77});
    nvmlInit_v2();
    CHECK(nvmlDeviceGetComputeRunningProcesses_v3(device, &count, processes) == 0);
    CHECK(count == MOST && *(const uint32_t *)(const void *)processes == 77);
    free(processes);
}

const test_case found[] = {
    {"a list of three megabytes", a_list_of_three_megabytes},
    {"a list that is longer than its room", a_list_that_is_longer_than_its_room}, {0}};

void flow(void) {
    static void (*const parts[])(void) = {look, list, place};
    nvmlInit_v2();
    parts[any(3)]();
}
