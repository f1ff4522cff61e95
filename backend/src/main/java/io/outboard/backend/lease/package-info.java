// SPDX-License-Identifier: Apache-2.0
/**
 * What each call of any library takes of its session's lease, as the library describes it: memory,
 * time slices, counters. Generated dispatchers have their calls pass here.
 */
package io.outboard.backend.lease;
