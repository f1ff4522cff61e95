// SPDX-License-Identifier: Apache-2.0
/**
 * The devices of a backend, as CUDA, NVML and OpenCL list them. The questions are asked as any
 * client asks them. GPUs that are cut appear as their slices.
 */
package io.outboard.cli.device;
