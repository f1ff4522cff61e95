// SPDX-License-Identifier: Apache-2.0
/**
 * The host's {@code libOpenCL.so.1}: the binding, which is generated but for calls whose shape
 * differs on the wire. Platforms, extensions and callbacks of the host are here too. A session sees
 * only what the operator has chosen to serve.
 */
package io.outboard.opencl.vendor;
