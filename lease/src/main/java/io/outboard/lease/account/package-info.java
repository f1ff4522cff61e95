// SPDX-License-Identifier: Apache-2.0
/**
 * Tenants, and tokens of the HTTP interface. A token's secret is never kept, only its digest. A
 * look-up that finds nothing refuses.
 */
package io.outboard.lease.account;
