// SPDX-License-Identifier: Apache-2.0
/**
 * The words of leases: requests, states, devices, limits, rows of the ledger. Values are immutable.
 * Rules that need nothing else, such as the choice of devices, are here too.
 */
package io.outboard.lease;
