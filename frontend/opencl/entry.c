/* SPDX-License-Identifier: Apache-2.0
 *
 * How programs and loaders find functions: by name, and as a vendor's library of the loader (cl_khr_icd).
 */
#include "objects.h"

OB_API int clIcdGetPlatformIDsKHR(int num_entries, cl_platform_id *platforms, int *num_platforms);

__attribute__((constructor)) static void register_library(void) { ob_register(&ob_opencl); }

/* Without a backend there is no platform of ours; the loader goes on to the next library. */
int clIcdGetPlatformIDsKHR(int num_entries, cl_platform_id *platforms, int *num_platforms) {
    int result = clGetPlatformIDs(num_entries, platforms, num_platforms);
    return result == ob_opencl.unavailable ? CL_PLATFORM_NOT_FOUND_KHR : result;
}

/* Whether the backend has what a function of an extension calls. */
static bool backend_has(const char *name) {
    int platforms;
    if (clGetPlatformIDs(0, NULL, &platforms) != CL_SUCCESS)
        return false;
    for (uint32_t call = 1; call <= ob_opencl.level; call++)
        if (ob_opencl.names[call] != NULL && strcmp(ob_opencl.names[call], name) == 0)
            return ob_backend_has(&ob_opencl, call);
    return true;
}

/* Names are in order; those without a version are of extensions. */
static void *find(const char *name) {
    size_t low = 0, high = ob_opencl_symbol_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct ob_symbol *one = &ob_opencl_symbols[middle];
        int order = strcmp(name, one->base);
        if (order == 0)
            return one->version != 0 || backend_has(name) ? one->function : NULL;
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
    return object_at(platform, KIND_BIT(PLATFORM)) == NULL ? NULL : clGetExtensionFunctionAddress(name);
}
