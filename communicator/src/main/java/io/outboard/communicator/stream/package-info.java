// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes both ways. A session reads and writes a byte stream; the greeting and control connections
 * exchange messages before a deadline. A reader that finds nothing looks again for a while before
 * it sleeps.
 */
package io.outboard.communicator.stream;
