/* SPDX-License-Identifier: Apache-2.0
 *
 * How programs and loaders find functions: by name, and as a vendor's library of the loader
 * (cl_khr_icd). Also tells a program about the loader, as the loader itself would.
 */
#include "entry/entry.h"
#include "event/event.h"

#include <stdio.h>

OB_API int clIcdGetPlatformIDsKHR(int num_entries, cl_platform_id *platforms, int *num_platforms);

__attribute__((constructor)) static void register_library(void) {
    static const object_duties duties = {opencl_dispatch, functions_end, landings_arrive};
    objects_have(&duties);
    ob_register(&ob_opencl);
}

/* Without a backend there is no platform of ours; the loader goes on to the next library. */
int clIcdGetPlatformIDsKHR(int num_entries, cl_platform_id *platforms, int *num_platforms) {
    int result = clGetPlatformIDs(num_entries, platforms, num_platforms);
    return result == ob_opencl.unavailable ? CL_PLATFORM_NOT_FOUND_KHR : result;
}

/* Whether a function of an extension has what it calls, if it calls the backend. */
static bool is_served(const char *name) {
    uint32_t call = ob_opencl.level;
    while (call > 0 && (ob_opencl.names[call] == NULL || strcmp(ob_opencl.names[call], name) != 0))
        call--;
    return call == 0 || (first_platform() != NULL && ob_backend_has(&ob_opencl, call));
}

/* Names are in order; those without a version are of extensions. */
static void *find(const char *name) {
    size_t low = 0, high = ob_opencl_symbol_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct ob_symbol *one = &ob_opencl_symbols[middle];
        int order = strcmp(name, one->base);
        if (order == 0)
            return one->version != 0 || is_served(name) ? one->function : NULL;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void *clGetExtensionFunctionAddress(const char *name) {
    if (name == NULL)
        return NULL;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)clIcdGetPlatformIDsKHR;
    return find(name);
}

void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
    return object_at(platform, KIND_BIT(PLATFORM)) == NULL ? NULL
                                                           : clGetExtensionFunctionAddress(name);
}

/* ---- in the loader's place (cl_loader_info) -------------------------------------------------- */

enum { OCL_VERSION = 1, VERSION = 2, NAME = 3, VENDOR = 4 };

int clGetICDLoaderInfoOCLICD(int name, uint64_t size, void *value, uint64_t *size_ret) {
    char level[16];
    snprintf(level, sizeof level, "%u", ob_opencl.level);
    switch (name) {
    case OCL_VERSION: return info_give("OpenCL 3.0", sizeof "OpenCL 3.0", size, value, size_ret);
    case VERSION: return info_give(level, strlen(level) + 1, size, value, size_ret);
    case NAME:
    case VENDOR: return info_give("Outboard", sizeof "Outboard", size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}
