// SPDX-License-Identifier: Apache-2.0
/**
 * Leases: who may use which devices of a backend, how much of them and until when, and the ledger
 * of what was used. What decides is pure ({@link io.outboard.pool.LeaseState}, {@link
 * io.outboard.pool.Placement}, {@link io.outboard.pool.Scheduling}); what is decided is in a {@link
 * io.outboard.pool.LeaseStore}; {@link io.outboard.pool.Pool} puts both into a daemon.
 */
package io.outboard.pool;
