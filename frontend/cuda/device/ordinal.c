/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that name a device and travel: the program's ordinals are translated to the backend's, and back.
 */
#include "device/device.h"

CUresult cuDeviceGetPCIBusId(char *name, int length, int device) {
    int there;
    CUresult result = device_translate(device, &there);
    return result != CUDA_SUCCESS ? result : remote_cuDeviceGetPCIBusId(name, length, there, 0);
}

CUresult cuDeviceGetByPCIBusId(int *device, const char *name) {
    int there = -1;
    CUresult result = driver_ready();
    if (result == CUDA_SUCCESS && device == NULL)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = remote_cuDeviceGetByPCIBusId(&there, name, 0);
    if (result != CUDA_SUCCESS)
        return result;
    int ordinal = device_ordinal_of(there);
    if (ordinal < 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult device_translate_location(const CUmemLocation *location, CUmemLocation *there) {
    if (location == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *there = *location;
    return location->type == ON_DEVICE ? device_translate(location->id, &there->id) : driver_ready();
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(uint64_t *elements, int format, int channels, int device) {
    int there;
    CUresult result = device_translate(device, &there);
    return result != CUDA_SUCCESS ? result : remote_cuDeviceGetTexture1DLinearMaxWidth(elements, format, channels, there, 0);
}

CUresult cuDeviceCanAccessPeer(int *possible, int device, int peer) {
    int there, peer_there;
    CUresult result = device_translate(device, &there);
    if (result == CUDA_SUCCESS)
        result = device_translate(peer, &peer_there);
    return result != CUDA_SUCCESS ? result : remote_cuDeviceCanAccessPeer(possible, there, peer_there, 0);
}

CUresult cuDeviceGetP2PAttribute(int *value, int attribute, int source, int destination) {
    int from, to;
    CUresult result = device_translate(source, &from);
    if (result == CUDA_SUCCESS)
        result = device_translate(destination, &to);
    return result != CUDA_SUCCESS ? result : remote_cuDeviceGetP2PAttribute(value, attribute, from, to, 0);
}

static CUresult stream_device(CUstream stream, int *device, uint32_t flags) {
    int there = -1;
    CUresult result = device == NULL ? CUDA_ERROR_INVALID_VALUE : remote_cuStreamGetDevice(stream, &there, flags);
    if (result == CUDA_SUCCESS)
        *device = device_ordinal_of(there);
    return result;
}

CUresult cuStreamGetDevice(CUstream stream, int *device) { return stream_device(stream, device, 0); }
CUresult cuStreamGetDevice_ptsz(CUstream stream, int *device) { return stream_device(stream, device, OB_PER_THREAD); }
