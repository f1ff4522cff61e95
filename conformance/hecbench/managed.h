/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes all memory of a device that a program asks for managed memory.
 */
#ifdef __cplusplus
#include <cuda_runtime.h>
#define cudaMalloc cudaMallocManaged
#endif
