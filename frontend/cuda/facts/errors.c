/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and meanings of result codes. The names are the vendor's constants (CUDA Driver API,
 * "CUresult"), the texts ours.
 */
#include "facts/facts.h"

#include <stdlib.h>

typedef struct error {
    CUresult code;
    const char *name, *text;
} error;

/* In order of code. */
static const error errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "the driver is not initialized in this process"},
    {4, "CUDA_ERROR_DEINITIALIZED", "the driver is shutting down"},
    {5, "CUDA_ERROR_PROFILER_DISABLED", "the profiler is disabled in this run"},
    {6, "CUDA_ERROR_PROFILER_NOT_INITIALIZED", "the profiler is not initialized (deprecated)"},
    {7, "CUDA_ERROR_PROFILER_ALREADY_STARTED", "the profiler runs already (deprecated)"},
    {8, "CUDA_ERROR_PROFILER_ALREADY_STOPPED", "the profiler is stopped already (deprecated)"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "the driver library is a stub that serves for linking only"},
    {36, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", "the call needs a newer driver"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "the device or its backend cannot be used now"},
    {100, "CUDA_ERROR_NO_DEVICE", "there is no CUDA device"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "there is no device of this ordinal"},
    {102, "CUDA_ERROR_DEVICE_NOT_LICENSED", "the device has no valid license"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "the image of the kernels cannot be read"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "the context is not valid, or none is current"},
    {202, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT", "the context is current already (deprecated)"},
    {205, "CUDA_ERROR_MAP_FAILED", "the resource could not be mapped"},
    {206, "CUDA_ERROR_UNMAP_FAILED", "the resource could not be unmapped"},
    {207, "CUDA_ERROR_ARRAY_IS_MAPPED", "the array is mapped and cannot be destroyed"},
    {208, "CUDA_ERROR_ALREADY_MAPPED", "the resource is mapped already"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "the image holds no kernels that this device can run"},
    {210, "CUDA_ERROR_ALREADY_ACQUIRED", "the resource is acquired already"},
    {211, "CUDA_ERROR_NOT_MAPPED", "the resource is not mapped"},
    {212, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY", "the resource is not mapped as an array"},
    {213, "CUDA_ERROR_NOT_MAPPED_AS_POINTER", "the resource is not mapped as a pointer"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "device memory has an error that could not be corrected"},
    {215, "CUDA_ERROR_UNSUPPORTED_LIMIT", "the device does not have this limit"},
    {216, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "the context is in use by another thread"},
    {217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "the devices cannot access each other's memory"},
    {218, "CUDA_ERROR_INVALID_PTX", "the PTX text could not be compiled"},
    {219, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", "the graphics context is not valid"},
    {220, "CUDA_ERROR_NVLINK_UNCORRECTABLE", "an NVLink had an error that could not be corrected"},
    {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "the PTX compiler was not found"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the PTX text is of a newer version than the compiler knows"},
    {223, "CUDA_ERROR_JIT_COMPILATION_DISABLED", "compiling PTX is disabled"},
    {224, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", "the device does not have this kind of affinity"},
    {225, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC",
     "the kernel synchronizes with its children, which is not supported"},
    {226, "CUDA_ERROR_CONTAINED", "a memory error was contained: the process has to end"},
    {300, "CUDA_ERROR_INVALID_SOURCE", "the source of the kernels is not valid"},
    {301, "CUDA_ERROR_FILE_NOT_FOUND", "the file was not found"},
    {302, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", "a shared object lacks a symbol"},
    {303, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", "a shared object could not be initialized"},
    {304, "CUDA_ERROR_OPERATING_SYSTEM", "a call to the operating system failed"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "the handle is not valid"},
    {401, "CUDA_ERROR_ILLEGAL_STATE", "a resource is not in the state that the call needs"},
    {402, "CUDA_ERROR_LOSSY_QUERY", "the answer would leave something out"},
    {500, "CUDA_ERROR_NOT_FOUND", "nothing of this name was found"},
    {600, "CUDA_ERROR_NOT_READY", "work is still under way"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "a kernel accessed memory that is not its own"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "the launch needs more registers or threads than there are"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", "a kernel ran for too long and was ended"},
    {703, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING",
     "the launch does not agree with the mode of a texture"},
    {704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED",
     "access to the peer's memory is enabled already"},
    {705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "access to the peer's memory is not enabled"},
    {708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "the primary context is active already"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "the context has been destroyed"},
    {710, "CUDA_ERROR_ASSERT", "an assertion failed in a kernel"},
    {711, "CUDA_ERROR_TOO_MANY_PEERS", "too many peers have access already"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "the host memory is registered already"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "the host memory is not registered"},
    {714, "CUDA_ERROR_HARDWARE_STACK_ERROR", "a kernel corrupted or overflowed its call stack"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "a kernel met an illegal instruction"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS",
     "a kernel accessed memory at an address that is not aligned"},
    {717, "CUDA_ERROR_INVALID_ADDRESS_SPACE",
     "a kernel used an address of another space than the instruction allows"},
    {718, "CUDA_ERROR_INVALID_PC", "a kernel jumped to an address that is not valid"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "a kernel failed"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "the cooperative launch has more blocks than can run at once"},
    {721, "CUDA_ERROR_TENSOR_MEMORY_LEAK", "a kernel ended without freeing its tensor memory"},
    {800, "CUDA_ERROR_NOT_PERMITTED", "the operation is not permitted"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "the operation is not supported"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY", "the system is not ready to run CUDA work"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "library and kernel driver are of different versions"},
    {804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "the device does not support forward compatibility"},
    {805, "CUDA_ERROR_MPS_CONNECTION_FAILED", "the MPS client could not connect"},
    {806, "CUDA_ERROR_MPS_RPC_FAILURE", "a request to the MPS server failed"},
    {807, "CUDA_ERROR_MPS_SERVER_NOT_READY", "the MPS server does not take new clients now"},
    {808, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", "the MPS server has as many clients as it can"},
    {809, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED",
     "the MPS device has as many connections as it can"},
    {810, "CUDA_ERROR_MPS_CLIENT_TERMINATED", "the MPS server ended this client"},
    {811, "CUDA_ERROR_CDP_NOT_SUPPORTED", "kernels cannot launch kernels here"},
    {812, "CUDA_ERROR_CDP_VERSION_MISMATCH",
     "two versions of launching from kernels cannot be mixed"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "the operation is not permitted while a stream captures"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "an earlier error ended the capture"},
    {902, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "the operation would merge two captures"},
    {903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture did not begin in this stream"},
    {904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "a stream that joined the capture did not come back to it"},
    {905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "the operation would make the capture depend on work outside"},
    {906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "the capture would depend on the legacy stream"},
    {907, "CUDA_ERROR_CAPTURED_EVENT", "the event was last recorded in a capture"},
    {908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "the capture was begun by another thread"},
    {909, "CUDA_ERROR_TIMEOUT", "the wait took too long"},
    {910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
     "the update would change the graph in a way that is not allowed"},
    {911, "CUDA_ERROR_EXTERNAL_DEVICE", "an error in another device reached this one"},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "the size of the clusters is not valid"},
    {913, "CUDA_ERROR_FUNCTION_NOT_LOADED", "the function is not loaded"},
    {914, "CUDA_ERROR_INVALID_RESOURCE_TYPE", "resources of these kinds do not go together"},
    {915, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION",
     "the configuration of the resource is not valid"},
    {916, "CUDA_ERROR_KEY_ROTATION", "a new key is being negotiated"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static int by_code(const void *key, const void *element) {
    const error *wanted = key, *one = element;
    return (wanted->code > one->code) - (wanted->code < one->code);
}

static const error *find(CUresult code) {
    return bsearch(&(error){.code = code}, errors, sizeof errors / sizeof errors[0],
                   sizeof errors[0], by_code);
}

CUresult cuGetErrorName(CUresult code, const char **name) {
    const error *one = find(code);
    if (name == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *name = one != NULL ? one->name : NULL;
    return one != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult code, const char **text) {
    const error *one = find(code);
    if (text == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    *text = one != NULL ? one->text : NULL;
    return one != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
