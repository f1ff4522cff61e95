/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of functions that the vendor's tool nvidia-smi asks for by identifier. It ends without
 * one, and asks for little of it that the documented functions do not tell: every slot but one
 * refuses, and the tool writes N/A there. Known from the outside only, from runs of the unmodified
 * tool (580.159). Slot 0 is the table's size in bytes.
 */
#include "nvml.remote.h"

enum { NOT_FOUND = 6, SLOTS = 270, SLOT_TOPOLOGY = 23 };

/* nvmlGpuTopologyLevel_t: in steps, from one switch between the two up to the whole system. */
enum { LEVEL_STEP = 10, LEVEL_SINGLE_SWITCH = 10, LEVEL_SYSTEM = 50 };

static nvmlReturn_t refuse(void) { return ob_nvml.not_supported; }

/* Nothing is farther from a GPU than a device of the program's own machine, a network adapter for
 * example. */
static nvmlReturn_t level_between(const char *one, const char *other, int *level) {
    nvmlDevice_t first, second;
    nvmlReturn_t result = nvmlDeviceGetHandleByPciBusId_v2(one, &first);
    if (result == 0)
        result = nvmlDeviceGetHandleByPciBusId_v2(other, &second);
    if (result == 0)
        return nvmlDeviceGetTopologyCommonAncestor(first, second, level);
    *level = LEVEL_SYSTEM;
    return result == NOT_FOUND ? 0 : result;
}

/*
 * The level between two devices, by their PCI addresses: 'topo -m' does not go on without it, also
 * where it prints NVLink in its place. The answer 2 has been seen, for a host bridge, which is the
 * third of the documented levels; the other numbers follow from that. Its answer for two GPUs of
 * one board has no place in that order.
 */
static nvmlReturn_t topology(const char *one, const char *other, int *to) {
    int level;
    if (one == NULL || other == NULL || to == NULL)
        return ob_nvml.invalid_value;
    nvmlReturn_t result = level_between(one, other, &level);
    if (result == 0 &&
        (level < LEVEL_SINGLE_SWITCH || level > LEVEL_SYSTEM || level % LEVEL_STEP != 0))
        result = ob_nvml.not_supported;
    if (result == 0)
        *to = (level - LEVEL_SINGLE_SWITCH) / LEVEL_STEP;
    return result;
}

static void *table[SLOTS];

__attribute__((constructor)) static void fill_table(void) {
    table[0] = (void *)(uintptr_t)sizeof table;
    for (size_t slot = 1; slot < SLOTS; slot++)
        table[slot] = (void *)refuse;
    table[SLOT_TOPOLOGY] = (void *)topology;
}

nvmlReturn_t nvmlInternalGetExportTable(const void **to, const void *id) {
    static const uint8_t known[16] = {0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e,
                                      0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4};
    if (to == NULL || id == NULL)
        return ob_nvml.invalid_value;
    if (memcmp(id, known, sizeof known) != 0)
        return NOT_FOUND;
    *to = table;
    return 0;
}
