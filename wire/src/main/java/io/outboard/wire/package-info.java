// SPDX-License-Identifier: Apache-2.0
/**
 * Frames, codecs, handshake and limits, as {@code PROTOCOL.md} describes them. No I/O, no threads.
 */
package io.outboard.wire;
