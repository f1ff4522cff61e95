// SPDX-License-Identifier: Apache-2.0
/**
 * Memory that two processes share. A file without a name is mapped by each of them. Two rings in it
 * carry a session's bytes, and either end checks every position that the other writes.
 */
package io.outboard.communicator.region;
