// SPDX-License-Identifier: Apache-2.0
/**
 * The vendor's {@code libnvidia-ml.so.1}. The binding is generated. Lists of processes are mended,
 * so that a program recognises itself.
 */
package io.outboard.nvml.vendor;
