/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches with a configuration structure (CUlaunchConfig) and a list of attributes. Attributes that only advise are
 * accepted; one that would change what the kernel computes, or what others wait for, is refused.
 */
#include "driver.h"

/* CUlaunchAttributeID */
enum {
    IGNORE = 0,
    ACCESS_POLICY_WINDOW = 1,
    COOPERATIVE = 2,
    SYNCHRONIZATION_POLICY = 3,
    CLUSTER_DIMENSION = 4,
    CLUSTER_SCHEDULING_POLICY = 5,
    PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    PRIORITY = 8,
    MEMORY_DOMAIN_MAP = 9,
    MEMORY_DOMAIN = 10,
    PREFERRED_CLUSTER_DIMENSION = 11,
    SHARED_MEMORY_CARVEOUT = 14,
    NVLINK_SCHEDULING = 16,
};

typedef struct attribute {
    int id;
    uint32_t padding;
    union {
        uint8_t bytes[64];
        int cooperative;
        unsigned int cluster[3];
    } value;
} attribute;

typedef struct config {
    unsigned int grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    CUstream stream;
    const attribute *attributes;
    unsigned int attribute_count;
} config;

_Static_assert(sizeof(attribute) == 72 && sizeof(config) == 56, "the vendor's layout");

static bool is_one_block(const unsigned int cluster[3]) { return cluster[0] <= 1 && cluster[1] <= 1 && cluster[2] <= 1; }

static CUresult read_attribute(const attribute *one, bool *cooperative) {
    switch (one->id) {
    case COOPERATIVE:
        *cooperative = one->value.cooperative != 0;
        return CUDA_SUCCESS;
    case CLUSTER_DIMENSION: case PREFERRED_CLUSTER_DIMENSION:
        return is_one_block(one->value.cluster) ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
    case IGNORE: case ACCESS_POLICY_WINDOW: case SYNCHRONIZATION_POLICY: case CLUSTER_SCHEDULING_POLICY:
    case PROGRAMMATIC_STREAM_SERIALIZATION: case PRIORITY: case MEMORY_DOMAIN_MAP: case MEMORY_DOMAIN:
    case SHARED_MEMORY_CARVEOUT: case NVLINK_SCHEDULING:
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

static CUresult read_attributes(const config *c, bool *cooperative) {
    CUresult result = c->attribute_count == 0 || c->attributes != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < c->attribute_count && result == CUDA_SUCCESS; i++)
        result = read_attribute(&c->attributes[i], cooperative);
    return result;
}

typedef CUresult plain_launch(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                              CUstream, void **, void **);
typedef CUresult cooperative_launch(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                                    unsigned int, CUstream, void **);

static CUresult start(const config *c, CUfunction function, void **parameters, void **extra, plain_launch *plain, cooperative_launch *together) {
    bool cooperative = false;
    CUresult result = c != NULL ? read_attributes(c, &cooperative) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    if (!cooperative)
        return plain(function, c->grid_x, c->grid_y, c->grid_z, c->block_x, c->block_y, c->block_z, c->shared_bytes, c->stream, parameters, extra);
    if (extra != NULL)
        return CUDA_ERROR_NOT_SUPPORTED;
    return together(function, c->grid_x, c->grid_y, c->grid_z, c->block_x, c->block_y, c->block_z, c->shared_bytes, c->stream, parameters);
}

CUresult cuLaunchKernelEx(const void *asked, CUfunction function, void **parameters, void **extra) {
    return start(asked, function, parameters, extra, cuLaunchKernel, cuLaunchCooperativeKernel);
}

CUresult cuLaunchKernelEx_ptsz(const void *asked, CUfunction function, void **parameters, void **extra) {
    return start(asked, function, parameters, extra, cuLaunchKernel_ptsz, cuLaunchCooperativeKernel_ptsz);
}
