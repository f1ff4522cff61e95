// SPDX-License-Identifier: Apache-2.0
/**
 * Which leases get which devices. The inventory and the leases that live are kept here, guarded by
 * the broker's monitor. The decisions themselves are pure functions.
 */
package io.outboard.lease.schedule;
