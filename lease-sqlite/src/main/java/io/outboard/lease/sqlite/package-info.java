// SPDX-License-Identifier: Apache-2.0
/**
 * Leases, ledger and accounts on the disk, in one file of SQLite. A change has survived the process
 * when its method returns, and the machine after {@code settle}. The tables of an older version are
 * brought up to date step by step.
 */
package io.outboard.lease.sqlite;
