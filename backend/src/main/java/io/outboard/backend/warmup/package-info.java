// SPDX-License-Identifier: Apache-2.0
/**
 * Warm-ups of standby workers: a private session against a no-op driver, over rings and over
 * sockets, so that the JIT has compiled the call path by the time the first call comes. Nothing of
 * it is reached by a client.
 */
package io.outboard.backend.warmup;
