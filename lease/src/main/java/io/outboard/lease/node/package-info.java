// SPDX-License-Identifier: Apache-2.0
/**
 * The nodes of a pool of several: which those are, what each has, what a broker orders and what a
 * node reports.
 */
package io.outboard.lease.node;
