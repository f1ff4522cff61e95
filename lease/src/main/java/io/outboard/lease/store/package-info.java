// SPDX-License-Identifier: Apache-2.0
/**
 * The promises of every store of leases, the ledger and accounts. A change has survived the process
 * when its method returns, and the machine after {@code settle}.
 */
package io.outboard.lease.store;
