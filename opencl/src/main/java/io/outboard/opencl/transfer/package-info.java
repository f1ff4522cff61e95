// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes between a session and the devices of the host's library. No transfer waits for a device, so
 * that no command holds up another. Data that the client brings ahead of a call, and data that a
 * read leaves for it, are bounded.
 */
package io.outboard.opencl.transfer;
