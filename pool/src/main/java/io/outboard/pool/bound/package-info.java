// SPDX-License-Identifier: Apache-2.0
/**
 * Bounds on sessions: how many a lease and a tenant may have at a time. One that is not admitted
 * does not count, and nothing is remembered of who has none.
 */
package io.outboard.pool.bound;
