// SPDX-License-Identifier: Apache-2.0
/**
 * The scheduler of leases in a virtual time, with many nodes and the arrivals of a public trace.
 */
package io.outboard.bench.simulate;
