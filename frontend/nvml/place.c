/* SPDX-License-Identifier: Apache-2.0
 *
 * Places on the bus in the older forms of the structure, which begin alike: NCCL, for one, asks for
 * these.
 */
#include "nvml.remote.h"

#include <stddef.h>

static nvmlReturn_t hand_out(nvmlReturn_t result, const nvmlPciInfo_t *from, void *to) {
    if (result == 0)
        memcpy(to, from, offsetof(nvmlPciInfo_t, address));
    return result;
}

static nvmlReturn_t of_device(nvmlDevice_t device, void *to) {
    nvmlPciInfo_t place;
    return to == NULL ? nvmlDeviceGetPciInfo_v3(device, NULL)
                      : hand_out(nvmlDeviceGetPciInfo_v3(device, &place), &place, to);
}

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, void *pci) { return of_device(device, pci); }

nvmlReturn_t nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, void *pci) {
    return of_device(device, pci);
}

nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo(nvmlDevice_t device, int link, void *pci) {
    nvmlPciInfo_t place;
    return pci == NULL ? nvmlDeviceGetNvLinkRemotePciInfo_v2(device, link, NULL)
                       : hand_out(nvmlDeviceGetNvLinkRemotePciInfo_v2(device, link, &place), &place,
                                  pci);
}
