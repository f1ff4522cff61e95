// SPDX-License-Identifier: Apache-2.0
/**
 * The CUDA driver as a library of Outboard: its functions by topic, with what each call carries.
 * The processor generates the stubs, the dispatcher and the binding from them. Functions that are
 * not described are refused with the driver's own error.
 */
package io.outboard.cuda;
