// SPDX-License-Identifier: Apache-2.0
/**
 * A GPU for Java programs, without native code: memory, modules, launches. {@link
 * io.outboard.gpu.Gpu} is where to begin.
 */
package io.outboard.gpu;
