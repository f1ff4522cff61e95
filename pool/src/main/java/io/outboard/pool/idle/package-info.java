// SPDX-License-Identifier: Apache-2.0
/**
 * Leases that nobody uses. A watch measures how long each has been idle. It takes the steps that
 * the lease's limits ask for.
 */
package io.outboard.pool.idle;
