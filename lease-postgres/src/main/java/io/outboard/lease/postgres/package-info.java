// SPDX-License-Identifier: Apache-2.0
/**
 * Leases, accounts and the ledger in a database of PostgreSQL, for a broker of many nodes. Which
 * broker leads, that no device is given away twice, and that a change is on the disk when it is
 * done, is PostgreSQL's.
 */
package io.outboard.lease.postgres;
