// SPDX-License-Identifier: Apache-2.0
/**
 * The vendor's {@code libcuda.so.1}: the binding, which is generated but for calls whose shape
 * differs on the wire. Graph nodes and the linker are bound by hand. Facts of devices and of
 * functions are gathered here for one answer.
 */
package io.outboard.cuda.vendor;
