// SPDX-License-Identifier: Apache-2.0
/**
 * The beginning of each connection. A client proves a token, or the kernel vouches for it, and the
 * backend decides what the peer may do. A claim that names nothing known is refused.
 */
package io.outboard.communicator.greeting;
