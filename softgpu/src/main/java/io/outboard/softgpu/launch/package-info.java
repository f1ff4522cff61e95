// SPDX-License-Identifier: Apache-2.0
/**
 * Kernels that run: the check of a launch, the work that it becomes, and what a running kernel
 * finds around it. A launch has a copy of its parameters. A kernel that goes wrong takes its
 * context with it.
 */
package io.outboard.softgpu.launch;
