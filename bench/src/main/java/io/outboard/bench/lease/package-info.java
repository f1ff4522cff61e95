// SPDX-License-Identifier: Apache-2.0
/**
 * Costs of leases. One benchmark grants and releases them. The other measures a launch under a
 * share of the time.
 */
package io.outboard.bench.lease;
