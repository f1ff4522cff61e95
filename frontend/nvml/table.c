/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of functions that the vendor's tool nvidia-smi asks for by identifier. It ends without one, and asks for nothing
 * of it that the documented functions do not tell: every slot refuses, and the tool writes N/A there. Known from the outside
 * only, from runs of the unmodified tool (580.159). Slot 0 is the table's size in bytes.
 */
#include "nvml.remote.h"

enum { NOT_FOUND = 6, SLOTS = 270 };

static nvmlReturn_t refuse(void) { return ob_nvml.not_supported; }

static void *table[SLOTS];

__attribute__((constructor)) static void fill_table(void) {
    table[0] = (void *)(uintptr_t)sizeof table;
    for (size_t slot = 1; slot < SLOTS; slot++)
        table[slot] = (void *)refuse;
}

nvmlReturn_t nvmlInternalGetExportTable(const void **to, const void *id) {
    static const uint8_t known[16] = {0xc4, 0xfe, 0x3e, 0x6c, 0xc9, 0x8f, 0x6c, 0x4e, 0xa3, 0x27, 0xee, 0x69, 0x6e, 0x12, 0xf7, 0xc4};
    if (to == NULL || id == NULL)
        return ob_nvml.invalid_value;
    if (memcmp(id, known, sizeof known) != 0)
        return NOT_FOUND;
    *to = table;
    return 0;
}
