// SPDX-License-Identifier: Apache-2.0
/**
 * Leases, accounts and the ledger as tables, in the SQL that the databases have in common. {@code
 * SqlLeaseStore} is what each of them extends.
 */
package io.outboard.lease.sql;
