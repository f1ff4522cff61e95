/* SPDX-License-Identifier: Apache-2.0
 *
 * Which devices a program sees and in which order: CUDA_DEVICE_ORDER and CUDA_VISIBLE_DEVICES,
 * after the CUDA C++ Programming Guide, "CUDA Environment Variables". An entry that names no device
 * ends the list. One that names a device again leaves none. Numbers are read as strtoul does: with
 * a sign, and whatever comes behind.
 */
#include "device/device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { UUID_TEXT = 41 };

static int64_t place(const gpu *one) {
    const int *attributes = one->facts.attributes;
    return (int64_t)((uint64_t)(uint32_t)attributes[ATTRIBUTE_PCI_DOMAIN_ID] << 32 |
                     (uint64_t)(uint16_t)attributes[ATTRIBUTE_PCI_BUS_ID] << 16 |
                     (uint16_t)attributes[ATTRIBUTE_PCI_DEVICE_ID]);
}

static int by_place(const void *left, const void *right) {
    int64_t a = place(left), b = place(right);
    return (a > b) - (a < b);
}

/* GPU-01234567-89ab-… */
static void uuid_text(const gpu *one, char text[UUID_TEXT]) {
    int at = snprintf(text, UUID_TEXT, "GPU-");
    for (int i = 0; i < 16; i++)
        at +=
            snprintf(text + at, (size_t)(UUID_TEXT - at),
                     i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", one->facts.uuid[i]);
}

static int by_index(const char *entry, int count) {
    char *end;
    unsigned long index = strtoul(entry, &end, 10);
    return end != entry && index < (unsigned long)count ? (int)index : -1;
}

/* The start of an identifier is enough where only one device has it. */
static int by_uuid(const char *entry, size_t length, const gpu *devices, int count) {
    int found = -1;
    for (int i = 0; i < count; i++) {
        char text[UUID_TEXT];
        uuid_text(&devices[i], text);
        if (length < UUID_TEXT && strncasecmp(text, entry, length) == 0) {
            if (found >= 0)
                return -1;
            found = i;
        }
    }
    return found;
}

static int find(const char *entry, size_t length, const gpu *devices, int count) {
    if (length > 4 && strncasecmp(entry, "GPU-", 4) == 0)
        return by_uuid(entry, length, devices, count);
    return length > 0 ? by_index(entry, count) : -1;
}

static size_t trimmed(const char **entry) {
    *entry += strspn(*entry, " \t");
    size_t length = strcspn(*entry, ",");
    while (length > 0 && isblank((unsigned char)(*entry)[length - 1]))
        length--;
    return length;
}

/* Fills in indexes of devices, in the list's order; returns how many there are. */
static int select_devices(const char *list, const gpu *devices, int count, int *selected) {
    bool taken[DEVICE_LIMIT] = {false};
    int selected_count = 0;
    for (const char *entry = list; entry != NULL; entry = strchr(entry, ',')) {
        entry += entry != list;
        size_t length = trimmed(&entry);
        int index = find(entry, length, devices, count);
        if (index < 0)
            break;
        if (taken[index])
            return 0;
        taken[index] = true;
        selected[selected_count++] = index;
    }
    return selected_count;
}

static int keep(gpu *devices, int count, const char *list) {
    int selected[DEVICE_LIMIT];
    gpu *all = malloc((size_t)count * sizeof *all);
    if (all == NULL)
        return 0;
    memcpy(all, devices, (size_t)count * sizeof *all);
    int left = select_devices(list, all, count, selected);
    for (int i = 0; i < left; i++)
        devices[i] = all[selected[i]];
    free(all);
    return left;
}

int visible_devices(gpu *devices, int count) {
    const char *order = getenv("CUDA_DEVICE_ORDER");
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (order != NULL && strcmp(order, "PCI_BUS_ID") == 0)
        qsort(devices, (size_t)count, sizeof *devices, by_place);
    return list != NULL && count > 0 ? keep(devices, count, list) : count;
}
