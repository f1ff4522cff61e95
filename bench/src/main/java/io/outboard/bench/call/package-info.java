// SPDX-License-Identifier: Apache-2.0
/**
 * Costs of calls, copies, starts and idle sessions. Each run is beside its bound: a ping-pong of
 * the medium, or a memcpy. Java's own calls are measured with JMH, bytes allocated included.
 */
package io.outboard.bench.call;
