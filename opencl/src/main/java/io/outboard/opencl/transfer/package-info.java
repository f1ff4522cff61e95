// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes between a session and the devices of the host's library. No transfer waits for a device, so
 * that no command holds up another. What the client brings ahead of a call, and what a read leaves
 * for it, has a bound.
 */
package io.outboard.opencl.transfer;
