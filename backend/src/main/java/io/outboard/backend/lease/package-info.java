// SPDX-License-Identifier: Apache-2.0
/**
 * The share of its session's lease that each call of any library takes, as the library describes
 * it: memory, time slices, counters. Generated dispatchers have their calls pass here.
 */
package io.outboard.backend.lease;
