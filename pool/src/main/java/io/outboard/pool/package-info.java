// SPDX-License-Identifier: Apache-2.0
/**
 * Leases of a daemon. {@link io.outboard.pool.Pool} joins the packages below it, and opens its
 * store once somebody uses leases. A daemon without leases pays an object and nothing more.
 */
package io.outboard.pool;
