// SPDX-License-Identifier: Apache-2.0
/**
 * Unix sockets and TCP. Each scheme is a communicator. A listener says where a connection comes
 * from, as far as the kernel knows.
 */
package io.outboard.communicator.socket;
