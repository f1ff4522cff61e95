// SPDX-License-Identifier: Apache-2.0
/**
 * NVML as a library of Outboard: its functions by topic, with what each call carries. The processor
 * generates the stubs, the dispatcher and the binding from them. Functions that are not described
 * are refused with NVML's own result.
 */
package io.outboard.nvml;
